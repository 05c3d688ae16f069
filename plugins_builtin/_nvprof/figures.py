"""Work, traffic and time from the metrics and events of nvprof.

One transaction is a sector of 32 bytes at device memory and at L2, and up to 128 bytes at shared memory. nvprof
prints no duration beside its metrics; an amount over its own rate gives one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from plugins_builtin._ncu.values import Value, total
from plugins_builtin._nvprof.activity import ACTIVITY

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["COLLECT", "WANTED", "Traffic", "time_of", "traffic_of", "work_of"]

Counted = dict[str, Value]

COLLECT: Final = (
    "nvprof --csv --metrics flop_count_dp,flop_count_sp,flop_count_hp,dram_read_transactions,"
    "dram_write_transactions,dram_read_throughput,l2_read_transactions,l2_write_transactions"
)
"""The command that makes a full point."""

_SECTOR: Final = 32.0  # bytes
_BANKS: Final = 128.0  # bytes that all banks of shared memory move at once
_PIPES: Final = {"fp64": "dp", "fp32": "sp", "fp16": "hp"}


class Traffic(NamedTuple):
    """Bytes across one boundary, and the directions where they were counted."""

    total: Value
    read: Value | None
    write: Value | None


class _Pair(NamedTuple):
    """Counters of the two directions, several of each where the hardware counts its parts."""

    read: tuple[str, ...]
    write: tuple[str, ...]
    factor: float


_DRAM: Final = (
    _Pair(("dram_read_transactions",), ("dram_write_transactions",), _SECTOR),
    _Pair(("dram_read_bytes",), ("dram_write_bytes",), 1.0),
    _Pair(
        ("fb_subp0_read_sectors", "fb_subp1_read_sectors"),
        ("fb_subp0_write_sectors", "fb_subp1_write_sectors"),
        _SECTOR,
    ),
)
_L2: Final = (_Pair(("l2_read_transactions",), ("l2_write_transactions",), _SECTOR),)
_L1: Final = _Pair(("gld_transactions",), ("gst_transactions",), _SECTOR)
_SHARED: Final = _Pair(("shared_load_transactions",), ("shared_store_transactions",), _BANKS)
_NVLINK: Final = _Pair(("nvlink_total_data_received",), ("nvlink_total_data_transmitted",), 1.0)
# Amount in sectors and rate of one and the same counter; the first that is not 0 gives the time.
_CLOCKS: Final = tuple(
    (f"{where}_{way}_transactions", f"{where}_{way}_throughput")
    for where in ("dram", "l2")
    for way in ("read", "write")
)

WANTED: Final = frozenset((
    *(f"flop_count_{letters}{kind}" for letters in _PIPES.values() for kind in ("", "_add", "_mul", "_fma")),
    *(name for pair in (*_DRAM, *_L2, _L1, _SHARED, _NVLINK) for name in (*pair.read, *pair.write)),
    *(name for pair in _CLOCKS for name in pair),
    *ACTIVITY,
))  # fmt: skip
"""Metrics and events that a recipe may use."""


def time_of(counters: Mapping[str, Value]) -> Value | None:
    """Duration from an amount over its own rate, in s.

    An estimate: the mean of rates is not the rate of means, and the two may come from different replay passes.
    """
    for amount_name, rate_name in _CLOCKS:
        amount, rate = counters.get(amount_name), counters.get(rate_name)
        if amount is not None and rate is not None and amount.value > 0 and rate.value > 0:
            sectors = amount.scaled(_SECTOR, f"{amount.text} × 32")
            return sectors.over(rate).bounded("estimated", "of means, GB counted by 1024")
    return None


def work_of(counters: Mapping[str, Value]) -> Counted:
    """Work by pipe, in FLOP; a multiply-add counts 2 in nvprof's totals already."""
    found: Counted = {}
    for pipe, letters in _PIPES.items():
        work = counters.get(f"flop_count_{letters}") or _summed_work(counters, letters)
        if work is not None and (work.value > 0 or not work.bound):
            found[pipe] = work
    return found


def _summed_work(counters: Mapping[str, Value], letters: str) -> Value | None:
    names = {kind: f"flop_count_{letters}_{kind}" for kind in ("add", "mul", "fma")}
    parts = {kind: counters[name] for kind, name in names.items() if name in counters}
    if not parts:
        return None
    if "fma" in parts:
        parts["fma"] = parts["fma"].scaled(2.0, f"2 × {parts['fma'].text}")
    work = total(list(parts.values()))
    missing = [name for kind, name in names.items() if kind not in parts]
    return work.bounded("lower", f"{', '.join(missing)} not collected") if missing else work


def traffic_of(counters: Mapping[str, Value]) -> dict[str, Traffic]:
    """Traffic by boundary, in bytes."""
    dram = [found for pair in _DRAM if (found := _both(counters, pair)) is not None]
    whole = [found for found in dram if not found.total.bound]
    boundaries = {
        "dram": next(iter((*whole, *dram)), None),
        "l2": _both(counters, *_L2),
        "l1": _bounded(
            _both(counters, _L1), "lower", "32 bytes a transaction; cached loads of Kepler move 128"
        ),
        "shared": _bounded(
            _both(counters, _SHARED), "upper", "replays after bank conflicts count as traffic"
        ),
        "nvlink": _both(counters, _NVLINK),
    }
    return {boundary: traffic for boundary, traffic in boundaries.items() if traffic is not None}


def _bounded(traffic: Traffic | None, bound: str, note: str) -> Traffic | None:
    if traffic is None:
        return None
    return traffic._replace(total=traffic.total.bounded("lower" if bound == "lower" else "upper", note))


def _both(counters: Mapping[str, Value], pair: _Pair) -> Traffic | None:
    """Both directions together; one alone is a lower bound."""
    read, write = _sum(counters, pair.read, pair.factor), _sum(counters, pair.write, pair.factor)
    if read is None or write is None:
        half = read or write
        other = pair.write if write is None else pair.read
        return (
            None if half is None else Traffic(half.bounded("lower", f"{other[0]} not collected"), read, write)
        )
    return Traffic(
        total((read, write), f"({' + '.join((*pair.read, *pair.write))}){_times(pair.factor)}"), read, write
    )


def _sum(counters: Mapping[str, Value], names: tuple[str, ...], factor: float) -> Value | None:
    parts = [counters[name] for name in names if name in counters]
    if len(parts) < len(names):
        return None
    amount = total(parts)
    text = f"({amount.text})" if len(parts) > 1 and factor != 1.0 else amount.text
    return amount.scaled(factor, f"{text}{_times(factor)}")


def _times(factor: float) -> str:
    return "" if factor == 1.0 else f" × {factor:.0f}"
