"""The figures of a fusion bench in large print, each beside what it is with every boundary standing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.core.readout import Readout

if TYPE_CHECKING:
    from rooflinestudio.core.bench import Bench

__all__ = ["boundary_word", "counted", "readouts"]


def boundary_word(bench: Bench) -> str:
    """Return the machine's own word for its memory."""
    profile = bench.row.profile
    boundary = profile.boundaries.get("dram") if profile is not None else None
    return boundary.label if boundary is not None else "dram"


def counted(number: int, word: str) -> str:
    """Return a number of things: ``1 kernel``, ``2 kernels``, ``4 launches``."""
    return f"{number} {word}" + ("" if number == 1 else "es" if word.endswith("ch") else "s")


def readouts(bench: Bench) -> tuple[Readout, ...]:
    """Return launches, traffic, work, intensity, time and speed-up, each beside what they are all split."""
    if bench.chain is None:
        return ()
    return (
        _launches(bench),
        _traffic(bench),
        _work(bench),
        _intensity(bench),
        _time(bench),
        _speedup(bench),
    )


def _launches(bench: Bench) -> Readout:
    now, was = len(bench.kernels), len(bench.cards)
    below, saved = f"was {was}", bench.launch_saved_s
    if bench.is_forecast and saved:
        below += f", {format_quantity(saved, 's')} of launches saved"
    hint = f"{counted(was - now, 'launch')} fewer than one for each operator"
    return Readout("kernels launched", str(now), "", below, f"{counted(now, 'kernel')}, was {was}", hint)


def _traffic(bench: Bench) -> Readout:
    drawn, split = bench.stage("drawn"), bench.stage("split")
    text, was = format_quantity(drawn.traffic_bytes, "B"), format_quantity(split.traffic_bytes, "B")
    word = boundary_word(bench)
    below = f"was {was}"
    if bench.saved_bytes > 0:
        below += f", {format_quantity(bench.saved_bytes, 'B')} no longer cross"
    return Readout(
        f"{word} traffic", *_parted(text), below, text, f"Compulsory bytes that all kernels move at {word}"
    )


def _work(bench: Bench) -> Readout:
    text = format_quantity(bench.stage("drawn").work_flop, "FLOP")
    return Readout("work", *_parted(text), "unchanged by fusion", text, "ΣW over all operators")


def _intensity(bench: Bench) -> Readout:
    drawn, split = bench.stage("drawn"), bench.stage("split")
    number = format_number(drawn.intensity)
    ridge = _ridge(bench)
    below = f"was {format_number(split.intensity)}" + (f", ridge {format_number(ridge)}" if ridge else "")
    hint = "ΣW / ΣQ"
    profile = bench.row.profile
    if profile is not None and ridge:
        hint += f"; the ridge is that of {profile.reference_ceiling}"
        own = drawn.kernels[0].placement
        if own.ceiling_id != profile.reference_ceiling:
            hint += f", for {own.ceiling_id} it lies at {format_number(float(own.at('dram').ridge))}"
    return Readout("intensity", number, "FLOP/byte", below, f"{number} FLOP/byte", hint)


def _ridge(bench: Bench) -> float | None:
    profile = bench.row.profile
    if profile is None or "dram" not in profile.boundaries:
        return None
    reference = profile.ceilings.get(profile.reference_ceiling)
    slope = profile.boundaries["dram"].bytes_per_s
    return None if reference is None or not slope else float(reference.flop_per_s / slope)


def _time(bench: Bench) -> Readout:
    drawn, split = bench.stage("drawn"), bench.stage("split")
    text = format_quantity(drawn.time_s, "s")
    kind = "forecast" if bench.is_forecast else "bound"
    return Readout(
        f"time, {kind}", *_parted(text), f"was {format_quantity(split.time_s, 's')}", text,
        f"{kind.capitalize()}: the kernels one after the other",
    )  # fmt: skip


def _speedup(bench: Bench) -> Readout:
    factor, most = bench.stage("drawn").speedup_vs_split, bench.fused_speedup
    number, best = format_number(factor), format_number(most)
    is_all = not any(bench.spec.cuts)
    below = "all is fused" if is_all else f"all fused would give {best}×"
    return Readout(
        "speed-up over all split", number, "×", below, f"{number}× faster" if factor > 1.005 else "as fast as split",
        "Time with every boundary standing, divided by the time as drawn", "ok" if factor > 1.005 else "text",
    )  # fmt: skip


def _parted(text: str) -> tuple[str, str]:
    number, _, unit = text.rpartition(" ")
    return number, unit
