"""Bytes at each boundary, by the recipes in use, the better ones first.

Which recipe was taken is part of the figure: the definitions at L1 and L2 differ by up to a factor of two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from plugins_builtin._ncu.metrics import BUS_WIDTH, DRAM_PERCENT
from plugins_builtin._ncu.values import Bound, Value, best, total

if TYPE_CHECKING:
    from plugins_builtin._ncu.counters import Counters

__all__ = ["Crossing", "add_traffic", "crossings"]

_RENAMED: Final = "12."  # compute capability on which the counters of device memory have other names
_SECTOR: Final = 32.0  # bytes
_WAVEFRONT: Final = 128.0  # bytes that L1 and shared memory move per cycle

Lookup = Callable[[str], Value | None]
"""Amount of a counter in one launch, or its rate per second: the recipes are the same."""


class Crossing(NamedTuple):
    """Traffic at one boundary: the total, and the directions where they were counted."""

    total: Value
    read: Value | None = None
    write: Value | None = None


def add_traffic(compute_capability: str | None) -> str:
    """Say what to collect for traffic at device memory."""
    operation = "op_" if (compute_capability or "").startswith(_RENAMED) else ""
    return f"dram__bytes_{operation}read.sum and dram__bytes_{operation}write.sum"


def crossings(counters: Counters, *, as_rates: bool) -> dict[str, Crossing]:
    """Traffic by boundary, in bytes, or in bytes/s where there are rates but no time."""
    lookup = counters.rate if as_rates else counters.amount
    found = {
        "dram": _dram(lookup) or _dram_from_percentage(counters, as_rates=as_rates),
        "l2": _l2(lookup),
        "l1": _l1(lookup),
        "shared": _shared(lookup),
        "nvlink": _halves(lookup, "nvlrx__bytes", "nvltx__bytes", 1.0),
    }
    return {boundary: crossing for boundary, crossing in found.items() if crossing is not None}


def _times(value: Value, factor: float) -> Value:
    return value if factor == 1.0 else value.scaled(factor, f"{value.text} × {factor:.0f}")


def _halves(lookup: Lookup, read_stem: str, write_stem: str, factor: float) -> Crossing | None:
    """Read and write counters together; one alone is a lower bound."""
    read, write = lookup(read_stem), lookup(write_stem)
    read = None if read is None else _times(read, factor)
    write = None if write is None else _times(write, factor)
    if read is None or write is None:
        half = read or write
        other = write_stem if write is None else read_stem
        return (
            None
            if half is None
            else Crossing(half.bounded("lower", f"{other}.sum not collected"), read, write)
        )
    return Crossing(total((read, write)), read, write)


def _dram(lookup: Lookup) -> Crossing | None:
    pairs = (
        ("dram__bytes_read", "dram__bytes_write", 1.0),
        ("dram__bytes_op_read", "dram__bytes_op_write", 1.0),
        ("dram__sectors_read", "dram__sectors_write", _SECTOR),
    )
    halves = [found for pair in pairs if (found := _halves(lookup, *pair)) is not None]
    complete = [crossing for crossing in halves if crossing.total.bound != "lower"]
    whole = best([lookup("dram__bytes"), *(crossing.total for crossing in complete)])
    if whole is None:
        return halves[0] if halves else None
    split = next(iter(complete), None)
    return Crossing(whole, split.read, split.write) if split is not None else Crossing(whole)


def _dram_from_percentage(counters: Counters, *, as_rates: bool) -> Crossing | None:
    """Estimate from the share of the peak: the share is the largest over sub-units, not the data bus alone."""
    percent = next((found for name in DRAM_PERCENT if (found := counters.get(name)) is not None), None)
    clock = counters.get("dram__cycles_elapsed.avg.per_second")
    width = counters.get("dram__bytes.sum.peak_sustained")
    bits = counters.get(BUS_WIDTH)
    if width is None and bits is not None:
        width = bits.scaled(2 / 8, f"{bits.text} / 8 × 2")
    if percent is None or clock is None or width is None:
        return None
    share = percent.scaled(0.01, f"{percent.text} / 100")
    rate = share.times(width).times(clock, f"{share.text} × {width.text} × {clock.text}").bounded("estimated")
    if as_rates:
        return Crossing(rate)
    return None if counters.time is None else Crossing(rate.times(counters.time, f"{rate.text} × time"))


class _Recipe(NamedTuple):
    stem: str
    factor: float
    bound: Bound = ""
    note: str = ""


def _first(lookup: Lookup, recipes: tuple[_Recipe, ...]) -> Crossing | None:
    """First recipe whose counter is there: unlike readings of one figure, these count different things."""
    for recipe in recipes:
        found = lookup(recipe.stem)
        if found is not None:
            value = _times(found, recipe.factor)
            return Crossing(value.bounded(recipe.bound, recipe.note) if recipe.bound else value)
    return None


_L2_BY_SM: Final = (
    _Recipe("lts__t_sectors_srcunit_tex", _SECTOR),
    _Recipe("lts__t_bytes_srcunit_tex", 1.0),
)
_L2_OTHERWISE: Final = (
    _Recipe("lts__t_bytes", 1.0, "upper", "all clients of L2, with copies and the links between its halves"),
    _Recipe(
        "lts__t_sectors", _SECTOR, "upper", "all clients of L2, with copies and the links between its halves"
    ),
    _Recipe("derived__lts__lts2xbar_bytes", 1.0, "lower", "one direction only"),
    _Recipe("lts__lts2xbar_cycles_active", _SECTOR, "lower", "one direction only"),
    _Recipe("l1tex__m_xbar2l1tex_read_bytes", 1.0, "lower", "reads only"),
)
_SLOT: Final = "a writeback cycle counts as a full slot of 128 bytes"
_L1: Final = (
    _Recipe("l1tex__t_bytes", 1.0),
    _Recipe("l1tex__lsu_writeback_active_mem_lg", _WAVEFRONT, "estimated", _SLOT),
    _Recipe("derived__l1tex__lsu_writeback_bytes_mem_lg", 1.0, "estimated", _SLOT),
    _Recipe(
        "l1tex__lsu_writeback_active_mem_lgds", _WAVEFRONT, "estimated", f"{_SLOT}, shared memory included"
    ),
    _Recipe(
        "derived__l1tex__lsu_writeback_bytes_mem_lgds", 1.0, "estimated", f"{_SLOT}, shared memory included"
    ),
    _Recipe("l1tex__lsu_writeback_active", _WAVEFRONT, "estimated", _SLOT),
    _Recipe("derived__l1tex__lsu_writeback_bytes", 1.0, "estimated", _SLOT),
)
_L1_SECTORS: Final = tuple(
    f"l1tex__t_sectors_pipe_lsu_mem_{space}_op_{way}" for space in ("global", "local") for way in ("ld", "st")
)


def _l2(lookup: Lookup) -> Crossing | None:
    by_sm = _first(lookup, _L2_BY_SM)
    if by_sm is not None:
        return by_sm
    both = _halves(lookup, "l1tex__m_xbar2l1tex_read_bytes", "l1tex__m_l1tex2xbar_write_bytes", 1.0)
    if both is not None and both.total.bound != "lower":
        return both
    return _first(lookup, _L2_OTHERWISE)


def _l1(lookup: Lookup) -> Crossing | None:
    found = _first(lookup, _L1)
    if found is not None:
        return found
    sectors = {stem: value for stem in _L1_SECTORS if (value := lookup(stem)) is not None}
    if not sectors:
        return None
    summed = total(list(sectors.values()))
    value = summed.scaled(_SECTOR, f"({summed.text}) × 32")
    missing = [stem for stem in _L1_SECTORS if stem not in sectors]
    return Crossing(value.bounded("lower", f"{', '.join(missing)} not collected") if missing else value)


def _shared(lookup: Lookup) -> Crossing | None:
    note = "replays after bank conflicts count as traffic"
    return _first(lookup, (_Recipe("l1tex__data_pipe_lsu_wavefronts_mem_shared", _WAVEFRONT, "upper", note),))
