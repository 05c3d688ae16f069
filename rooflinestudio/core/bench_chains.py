"""Chains to begin with: examples, and what can be fused in a layer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.bench_edit import step_of
from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import RefusedError, StudioError
from rooflinestudio.core.fusion_links import PRODUCT, resolve_chain
from rooflinestudio.core.fusion_notation import ChainSpec, parse_chain
from rooflinestudio.core.quick import nothing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rooflinestudio.core.operators import Part
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import EstimateSource, PlacedRow

__all__ = ["EXAMPLES", "ReadyChain", "chain_of_rows", "chains_of_layer", "example"]

_ROWWISE: Final = frozenset(("tokens", "width"))
_LONGEST: Final = 6


@dataclass(frozen=True)
class ReadyChain:
    """A chain with everything that it needs to stand on the bench."""

    id: str
    label: str
    spec: ChainSpec
    parameters: Mapping[str, Any] = field(default_factory=nothing)
    dtypes: Mapping[str, str] = field(default_factory=nothing)


EXAMPLES: Final = (
    ReadyChain(
        "tail", "Residual block tail, fused in two",
        parse_chain("add + rmsnorm + scale | silu + mul + dropout"),
        {"tokens": 65536, "width": 8192}, {"all": "bf16"},
    ),
    ReadyChain(
        "split", "Residual block tail, all split",
        parse_chain("add | rmsnorm | scale | silu | mul | dropout"),
        {"tokens": 65536, "width": 8192}, {"all": "bf16"},
    ),
    ReadyChain(
        "norm", "Norm, GELU and residual of one tensor", parse_chain("x -> layernorm + gelu + add(x)"),
        {"tokens": 65536, "width": 4096}, {"all": "bf16"},
    ),
    ReadyChain(
        "epilogue", "Matrix product with an epilogue", parse_chain("gemm + gelu + add(residual)"),
        {"m": 65536, "n": 8192, "k": 8192}, {"all": "bf16"},
    ),
    ReadyChain(
        "block", "Norm, SwiGLU and residual", parse_chain("rmsnorm + swiglu(up) + add(residual)"),
        {"tokens": 65536, "width": 8192}, {"all": "bf16"},
    ),
)  # fmt: skip
"""What the bench offers to begin with. ``split`` is the laboratory's starting point: six operators, six kernels."""


def example(id_: str) -> ReadyChain:
    """Return an example by its id; ``KeyError`` if there is none."""
    for one in EXAMPLES:
        if one.id == id_:
            return one
    raise KeyError(f"no example chain is called {id_!r}")


def chains_of_layer(
    placement: Placement, dtypes: Mapping[str, str], source: EstimateSource
) -> tuple[ReadyChain, ...]:
    """Return what can be fused in a composite: neighbours that work row by row, and a product with what follows it.

    They stand split, with the sizes of the layer; each is as long as it can be. Behind the last operator comes the
    first one again, since one layer follows on another.
    """
    parts = [(one.label, one.operator, one.parameters) for one in _parts(placement)]
    row = [*parts, *parts[:1]] if len(parts) > 2 else parts
    found: dict[str, ReadyChain] = {}
    last = 0
    for at in range(len(row)):
        length = _longest(row[at : at + _LONGEST], source)
        if length < 2 or at + length <= last:
            continue
        last = at + length
        pieces = row[at : at + length]
        ready = [_ready(pieces, dtypes)]
        if length > 2 and pieces[0][2].keys() >= PRODUCT:
            ready.append(_ready(pieces[1:], dtypes))  # what follows the product, as a kernel of its own
        found.update({one.label: one for one in reversed(ready) if one.label not in found})
    return tuple(found.values())


def chain_of_rows(rows: Sequence[PlacedRow], source: EstimateSource) -> ReadyChain:
    """Return the operators of several rows as one chain, all split: sizes and formats are those of the first.

    What a later operator has set otherwise stays its own (``cast(to=fp32)``); behind a product its shape is handed on.

    Raises
    ------
    StudioError
        If there is none, if one of them is made of several kernels itself, or if they do not fit together; the text
        says which and why.
    """
    if not rows:
        raise RefusedError("There is no operator to begin with.")
    for row in rows:
        if row.placement is not None and row.placement.estimate.parts:
            raise RefusedError(f"{_name(row)} is made of several kernels already. Choose single operators.")
    first, *others = (row.entry for row in rows)
    shared, has_product = dict(first.parameters), first.parameters.keys() >= PRODUCT
    steps = [step_of(first.operator)]
    for entry in others:
        handed = _ROWWISE if has_product else frozenset()
        own = {
            name: value
            for name, value in entry.parameters.items()
            if name not in handed and shared.get(name, entry) != value
        }
        has_product = has_product or entry.parameters.keys() >= PRODUCT
        steps.append(step_of(entry.operator, own))
    spec = ChainSpec(tuple(steps), (True,) * len(others))
    resolve_chain(spec, shared, parse_dtypes(first.dtypes), None, source)
    words = " + ".join(map(_name, rows))
    return ReadyChain(words, words, spec, shared, dict(first.dtypes))


def _name(row: PlacedRow) -> str:
    return row.entry.label or row.entry.operator


def _parts(placement: Placement) -> Sequence[Part]:
    return tuple(placement.estimate.parts)


_Piece = tuple[str, str, "Mapping[str, Any]"]


def _longest(pieces: Sequence[_Piece], source: EstimateSource) -> int:
    """Return how many of these fit together as a chain with the very sizes that they have."""
    for length in range(len(pieces), 1, -1):
        if _is_chain(pieces[:length], source):
            return length
    return 1


def _is_chain(pieces: Sequence[_Piece], source: EstimateSource) -> bool:
    first, *rest = pieces
    if not (_is_rowwise(first) or first[2].keys() >= PRODUCT) or not all(map(_is_rowwise, rest)):
        return False
    spec, parameters = _spec(pieces), _given(pieces)
    try:
        links = resolve_chain(spec, parameters, {}, None, source)
    except StudioError:
        return False
    return all(
        float(link.parameters[name]) == float(own[name])
        for link, (_, _, own) in zip(links, pieces, strict=True)
        for name in _ROWWISE & own.keys()
    )


def _is_rowwise(piece: _Piece) -> bool:
    return piece[2].keys() >= _ROWWISE and not piece[2].keys() & {"vocabulary", "experts"}


def _spec(pieces: Sequence[_Piece]) -> ChainSpec:
    return ChainSpec(tuple(step_of(one) for _, one, _ in pieces), (True,) * (len(pieces) - 1))


def _given(pieces: Sequence[_Piece]) -> dict[str, Any]:
    """Return the sizes that say the whole chain: those of its first operator."""
    sizes = ("m", "n", "k", "batch") if pieces[0][2].keys() >= PRODUCT else ("tokens", "width")
    return dict(_plain(pieces[0][2], sizes))


def _plain(parameters: Mapping[str, Any], names: Sequence[str]) -> Iterator[tuple[str, Any]]:
    for name in names:
        value = parameters.get(name)
        if value is None or (name == "batch" and value == 1):
            continue
        whole = isinstance(value, float) and value.is_integer()
        yield name, int(value) if whole else value


def _ready(pieces: Sequence[_Piece], dtypes: Mapping[str, str]) -> ReadyChain:
    words = " + ".join(label for label, _, _ in pieces)
    return ReadyChain(words, words, _spec(pieces), _given(pieces), {"all": dtypes.get("all", "bf16")})
