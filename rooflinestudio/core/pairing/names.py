"""What the name of a kernel says: the operator, the tile, the format, the width of a head."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.measurement_names import short_kernel_name
from rooflinestudio.core.pairing.name_rules import RULES, fused_rule
from rooflinestudio.core.quick import nothing

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["KernelName", "read_name", "says_own_name"]

_LOOKED_AT: Final = 3_000
"""Characters of a name; what makes names longer are nested template arguments."""
_CASTS: Final = re.compile(r"\((?:int|bool|unsigned|long)\)")
_SMALLEST_TILE, _LARGEST_TILE = 8, 1024
_TILES: Final = (
    re.compile(r"tilesize(\d+)x(\d+)x(\d+)"),
    re.compile(r"_mt(\d+)x(\d+)x(\d+)"),
    re.compile(r"_(\d+)x(\d+)x(\d+)_\d+x\d+x\d+"),
    re.compile(r"_(\d+)x(\d+)_(\d+)x\d+"),
    re.compile(r"gemm\w*?_(\d+)x(\d+)x(\d+)(?![\dx])"),
    re.compile(r"gemm\w*?_(\d+)x(\d+)(?![\dx])"),
)
_FORMATS: Final = (
    ("fp8", re.compile(r"e4m3|e5m2|fp8|float8")),
    ("bf16", re.compile(r"bf16|bfloat16|_bbs_")),
    ("fp16", re.compile(r"half|(?<!b)f16|fp16|hgemm|h\d+gemm|_hhs_|_hss_")),
    ("tf32", re.compile(r"tf32|s1688gemm")),
    ("fp64", re.compile(r"double|dgemm|d\d{3,4}gemm|fp64|(?<![a-z])f64")),
    ("int8", re.compile(r"int8|imma|i8816|igemm|(?<![a-z])s8(?!\d)")),
    ("fp32", re.compile(r"float|sgemm|f32|fp32")),
)
_FLASH: Final = re.compile(r"kernel_traits<(\d+),\s*(\d+),\s*(\d+)")
_HEAD: Final = re.compile(r"(?:hdim|head_?dim|_hd)_?(\d+)")
_LEAST_OWN: Final = 4
"""Letters that the name of an operator must have to be looked for in names of kernels."""


@dataclass(frozen=True)
class KernelName:
    """What a name says; empty and None where it says nothing.

    Attributes
    ----------
    word
        What kind of kernel it is, in a word; operators, how sure each is, from 0 to 1.
    tile
        Rows, columns and depth of the tile that a block computes; the depth 0 where it is not told.
    dtype
        Format id of the operands.
    head_dim, block_q
        Of attention: width of a head, queries of a block.
    backward
        Whether it is the backward pass.
    """

    word: str = ""
    operators: Mapping[str, float] = field(default_factory=nothing)
    tile: tuple[int, int, int] | None = None
    dtype: str = ""
    head_dim: int | None = None
    block_q: int | None = None
    backward: bool = False


@lru_cache(maxsize=4096)
def read_name(kernel: str) -> KernelName:
    """Read the name of a kernel as a profiler wrote it."""
    text = _CASTS.sub("", kernel[:_LOOKED_AT]).lower()
    word, operators = _kind(text, short_kernel_name(kernel).lower())
    flash = _FLASH.search(text)
    head = _HEAD.search(text)
    return KernelName(
        word,
        operators,
        _tile(text),
        next((id_ for id_, pattern in _FORMATS if pattern.search(text)), ""),
        int(flash[1]) if flash else int(head[1]) if head else None,
        int(flash[2]) if flash else None,
        re.search(r"bwd|backward|dgrad|wgrad", text) is not None,
    )


def _kind(text: str, short: str) -> tuple[str, Mapping[str, float]]:
    """Return word and operators: of the function's own name first, then of its template arguments."""
    fused = fused_rule(short)
    if fused is not None:
        return fused
    # cublas and cutlass hide the kernel in template arguments; a general word in front must not win over it
    for rule in RULES:
        if rule.pattern.search(text):
            return rule.word, rule.operators
    return "", nothing()


def _tile(text: str) -> tuple[int, int, int] | None:
    for pattern in _TILES:
        for match in pattern.finditer(text):
            m, n, k = (int(one) if one else 0 for one in (*match.groups(), None)[:3])
            if all(_SMALLEST_TILE <= one <= _LARGEST_TILE for one in (m, n)):
                return m, n, k
    return None


def says_own_name(kernel: str, operator_id: str) -> bool:
    """Whether a name holds that of an operator of somebody's own: ``flash_mla`` of ``acme.flash_mla``."""
    own = operator_id.rpartition(".")[2].rpartition(":")[2].lower().replace("-", "_")
    return (
        len(own) >= _LEAST_OWN
        and re.search(
            rf"(?<![a-z0-9]){re.escape(own)}(?![a-z0-9])", kernel[:_LOOKED_AT].lower().replace("-", "_")
        )
        is not None
    )
