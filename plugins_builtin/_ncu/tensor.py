"""Tensor-core work from the counters of operations, which form a hierarchy.

``sm__ops_path_tensor`` counts all operations; ``_op_hmma``, ``_src_fp16``, ``_dst_fp32`` and ``_sparsity_off`` each
narrow a counter down. A total and its parts must not be added, so the most general counters that do not overlap are
taken, for each source type on its own.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from plugins_builtin._ncu.values import Value, total

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["ADD_TENSOR", "tensor_stem", "tensor_work"]

ADD_TENSOR: Final = "the sm__ops_path_tensor_src_*.sum of its types, or collect --set roofline"
"""What to collect for tensor-core work, in words."""

_NAME: Final = re.compile(
    r"sm__ops_path_tensor"
    r"(?:_op_(?P<op>[a-z0-9]+))?"
    r"(?:_src_(?P<src>[a-z0-9]+(?:_[a-z0-9]+)*?))?"
    r"(?:_dst_(?P<dst>[a-z0-9]+(?:_[a-z0-9]+)*?))?"
    r"(?:_sparsity_(?P<sparsity>on|off))?\Z"
)
# What the operation alone says about its source type.
_TYPE_OF_OPERATION: Final = {
    "dmma": "fp64", "imma": "int8", "igmma": "int8", "utcimma": "int8", "bmma": "int1", "bgmma": "int1",
    "utcomma": "fp4",
}  # fmt: skip
_PIPES: Final = {
    "fp64": "fp64-tensor", "tf32": "tf32-tensor", "fp16": "fp16-tensor", "bf16": "bf16-tensor", "fp8": "fp8-tensor",
    "fp6": "fp6-tensor", "fp4": "fp4-tensor", "int8": "int8-tensor", "int4": "int4-tensor", "int1": "int1-tensor",
    "s8": "int8-tensor", "u8": "int8-tensor", "e4m3": "fp8-tensor", "e5m2": "fp8-tensor",
}  # fmt: skip


class _Node(NamedTuple):
    """Constraints of one counter; an empty set or text leaves that property open."""

    op: str
    src: frozenset[str]
    dst: frozenset[str]
    sparsity: str

    @property
    def constraints(self) -> int:
        return sum(bool(part) for part in self)

    def contains(self, other: _Node) -> bool:
        """Whether every operation that ``other`` counts is counted here too."""
        return (
            self.op in ("", other.op)
            and (not self.src or (bool(other.src) and other.src <= self.src))
            and (not self.dst or (bool(other.dst) and other.dst <= self.dst))
            and self.sparsity in ("", other.sparsity)
        )

    def disjoint(self, other: _Node) -> bool:
        """Whether no operation is counted by both."""
        return (
            bool(self.op and other.op and self.op != other.op)
            or bool(self.src and other.src and not self.src & other.src)
            or bool(self.dst and other.dst and not self.dst & other.dst)
            or bool(self.sparsity and other.sparsity and self.sparsity != other.sparsity)
        )


@lru_cache(maxsize=1024)
def tensor_stem(stem: str) -> _Node | None:
    """Constraints that the name of a counter states, or None where it is none of this family."""
    match = _NAME.match(stem)
    if match is None:
        return None
    parts = {key: value or "" for key, value in match.groupdict().items()}
    types = [frozenset(parts[key].split("_")) if parts[key] else frozenset() for key in ("src", "dst")]
    return _Node(parts["op"], types[0], types[1], parts["sparsity"])


def tensor_work(counted: Iterable[tuple[str, Value]], compute_capability: str | None) -> dict[str, Value]:
    """Operations by pipe.

    Parameters
    ----------
    counted
        Name (without roll-up) and amount of each counter of operations that is there.
    compute_capability
        Settles counters that name several source types where the chip has one of them only.

    Returns
    -------
    dict
        By ceiling id: ``<type>-tensor``; ``<type>-tensor-sparse`` for operations with 2:4 sparsity, which are
        counted as dense ones and belong under the sparse ceiling; ``tensor`` where the type is not told.
    """
    nodes = [(node, value) for stem, value in counted if (node := tensor_stem(stem)) is not None]
    nodes.sort(key=lambda pair: pair[0].constraints)
    chosen, overlapping = _cover(_typed(nodes))
    found: dict[str, list[Value]] = {}
    for node, value in chosen:
        found.setdefault(_pipe(node, compute_capability), []).append(value)
    work = {pipe: total(values) for pipe, values in found.items()}
    for pipe in {_pipe(node, compute_capability) for node, _ in overlapping} & work.keys():
        work[pipe] = work[pipe].bounded("lower", "counters that overlap in part were left out")
    for pipe in [pipe for pipe in work if pipe.endswith("-sparse")]:
        work[pipe] = work[pipe].bounded("upper", "2:4 sparse operations, counted as dense ones")
    return work | _untyped(nodes, work)


_Counted = list[tuple[_Node, Value]]


def _typed(nodes: _Counted) -> _Counted:
    """Counters that tell the source type, without those that are split into dense and sparse ones."""
    typed = [(node, value) for node, value in nodes if node.src or node.op in _TYPE_OF_OPERATION]
    present = {node for node, _ in typed}

    def is_split(node: _Node) -> bool:
        return not node.sparsity and {node._replace(sparsity=state) for state in ("on", "off")} <= present

    return [(node, value) for node, value in typed if not is_split(node)]


def _cover(nodes: _Counted) -> tuple[_Counted, _Counted]:
    """Counters that do not overlap, the general ones first, and those that overlap them only in part."""
    chosen: _Counted = []
    partial: _Counted = []
    for node, value in nodes:
        if all(node.disjoint(other) for other, _ in chosen):
            chosen.append((node, value))
        elif not any(other.contains(node) for other, _ in chosen):
            partial.append((node, value))
    return chosen, partial


def _untyped(nodes: _Counted, typed: dict[str, Value]) -> dict[str, Value]:
    """Work that only counters without a source type hold."""
    general, _ = _cover(
        [(node, value) for node, value in nodes if not node.src and node.op not in _TYPE_OF_OPERATION]
    )
    if not general:
        return {}
    everything = total([value for _, value in general])
    if not typed:
        return {"tensor": everything}
    known = total(list(typed.values()))
    rest = everything.value - known.value
    # Replay passes differ a little, so that a small rest is no work of its own.
    if rest <= max(0.01 * everything.value, everything.error + known.error):
        return {}
    return {"tensor": Value(rest, everything.error + known.error, f"({everything.text}) - ({known.text})")}


def _pipe(node: _Node, compute_capability: str | None) -> str:
    types = set(node.src) or {_TYPE_OF_OPERATION[node.op]}
    if (compute_capability or "").startswith("7."):
        types &= {"fp16", "int8", "int4", "int1"}  # Volta and Turing have no other
    if types == {"fp16", "bf16"}:
        types = {"bf16"}  # one rate for both on every chip that has both
    pipe = _PIPES.get(types.pop(), "tensor") if len(types) == 1 else "tensor"
    return f"{pipe}-sparse" if node.sparsity == "on" else pipe
