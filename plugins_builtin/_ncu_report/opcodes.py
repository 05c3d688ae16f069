"""Tensor-core work from counts of instructions: the name of a matrix instruction says how much it does.

An instruction ``HMMA.16816.F32`` multiplies 16×16 by 16×8 numbers (m 16, n 8, k 16) and adds: 2·m·n·k = 4096 FLOP,
done by one warp. ``HGMMA.64x256x16`` is done by four warps together, and each of them counts it. Instructions whose
name has no shape (Blackwell's ``UTCHMMA``), and counts without modifiers (``HMMA``), cannot be converted.

Sparse instructions (``HMMA.SP.16832``) carry the k of the uncompressed matrix in their name (``mma.sp.m16n8k32``), so
that 2·m·n·k is already the count of dense operations that they stand for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["OPCODE_METRICS", "TensorCount", "tensor_counts"]

OPCODE_METRICS: Final = (
    "sass__inst_executed_per_opcode_with_modifier_all",
    "sass__inst_executed_per_opcode_with_modifier_selective",
    "sass__inst_executed_per_opcode",
)
"""Metrics whose instances are counts by instruction, the most telling first."""

_MATRIX: Final = re.compile(r"[A-Z]{1,8}MMA\Z")
_WARP_SHAPE: Final = re.compile(r"(8|16)8(4|8|16|32|64|128|256)\Z")
_GROUP_SHAPE: Final = re.compile(r"64x(\d{1,3})x(\d{1,3})\Z")
_WARPS_PER_GROUP: Final = 4
_TYPES: Final = {
    "HMMA": "fp16", "HGMMA": "fp16", "DMMA": "fp64", "IMMA": "int8", "IGMMA": "int8", "BMMA": "int1", "BGMMA": "int1",
    "QMMA": "fp8", "QGMMA": "fp8", "OMMA": "fp4",
}  # fmt: skip
_NARROWED: Final = {"BF16": "bf16", "TF32": "tf32", "S4": "int4", "U4": "int4"}
_SHOWN: Final = 4  # instructions that a recipe names


class _Matrix(NamedTuple):
    """What one matrix instruction does.

    Attributes
    ----------
    stem
        Name of the counter of operations that would count it.
    flop
        Work of one counted execution.
    shared
        Whether several warps do it together, so that its share per warp is an inference.
    """

    stem: str
    flop: float
    shared: bool


@dataclass(slots=True)
class TensorCount:
    """Work of one kind of matrix instruction.

    Attributes
    ----------
    flop
        Work of all of them.
    parts
        Recipe: work of one execution and instruction, as ``4096 × HMMA.16816.F32``.
    shared
        Whether the share of one warp had to be inferred.
    """

    flop: float = 0.0
    parts: list[str] = field(default_factory=list)
    shared: bool = False

    def add(self, opcode: str, executed: float, matrix: _Matrix) -> None:
        """Add the executions of one instruction."""
        self.flop += executed * matrix.flop
        self.shared = self.shared or matrix.shared
        self.parts.append(f"{matrix.flop:.0f} × {opcode}")

    @property
    def recipe(self) -> str:
        """Recipe in words, shortened."""
        more = f" + {len(self.parts) - _SHOWN} more" if len(self.parts) > _SHOWN else ""
        return " + ".join(self.parts[:_SHOWN]) + more


def tensor_counts(
    executed: Mapping[str, float], metric: str
) -> tuple[dict[str, TensorCount], dict[str, float]]:
    """Work by counter of operations, and the matrix instructions that cannot be converted with their counts.

    Parameters
    ----------
    executed
        Executions by warps of each instruction.
    metric
        Which of :data:`OPCODE_METRICS` counted them: only the first leaves no modifier out of the names.
    """
    found: dict[str, TensorCount] = {}
    unknown: dict[str, float] = {}
    for opcode, count in executed.items():
        name, *modifiers = opcode.split(".")
        if count <= 0 or not _MATRIX.match(name):
            continue
        matrix = _matrix(name, tuple(modifiers[:12]), metric == OPCODE_METRICS[0])
        if matrix is None:
            unknown[opcode] = count
        else:
            found.setdefault(matrix.stem, TensorCount()).add(opcode, count, matrix)
    return found, unknown


class _Shape(NamedTuple):
    m: int
    n: int
    k: int


@lru_cache(maxsize=512)
def _matrix(name: str, modifiers: tuple[str, ...], whole: bool) -> _Matrix | None:
    """Meaning of an instruction, or None where its name does not tell its shape or type.

    ``whole`` says that the name has all its modifiers, so that a type which it does not name is the usual one.
    """
    shapes = [shape for word in modifiers if (shape := _shape(name, word)) is not None]
    if len(shapes) != 1 or name not in _TYPES:
        return None
    shape = shapes[0]
    sparse = "SP" in modifiers
    operation = name.lower()
    source = next((_NARROWED[word] for word in modifiers if word in _NARROWED), _TYPES[name])
    if not whole and source == "fp16":
        source = _possible_types(name, shape._replace(k=shape.k // 2) if sparse else shape)
        # Types overlap from shape to shape, so that each is an operation of its own.
        operation += f"{shape.m}x{shape.n}x{shape.k}"
    flop = 2.0 * shape.m * shape.n * shape.k
    shared = name.endswith("GMMA")
    stem = f"sm__ops_path_tensor_op_{operation}_src_{source}_sparsity_{'on' if sparse else 'off'}"
    return _Matrix(stem, flop / _WARPS_PER_GROUP if shared else flop, shared)


def _shape(name: str, word: str) -> _Shape | None:
    """Shape that a part of the name is, if it is one.

    Volta's 884 is one product of 8×8×4 on each quarter of a warp, in four steps that are counted one by one.
    """
    if name.endswith("GMMA"):
        group = _GROUP_SHAPE.match(word)
        return None if group is None else _Shape(64, int(group[1]), int(group[2]))
    warp = _WARP_SHAPE.match(word)
    return None if warp is None else _Shape(int(warp[1]), 8, int(warp[2]))


def _possible_types(name: str, shape: _Shape) -> str:
    """Types that an HMMA or HGMMA of this (dense) shape can have."""
    if shape.k >= 16:
        return "fp16_bf16"
    if name == "HGMMA":
        return "tf32"
    if shape.k == 8:
        return "fp16_bf16_tf32"
    return "tf32" if shape.m == 16 else "fp16"
