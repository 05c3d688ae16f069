"""How intensities, ridges, times and rates of a placement come about, with the terms of the forecast."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.explain_words import DENSE, Explanation, amount, count, joined, summed, told
from rooflinestudio.core.pipes import SPECIAL, resolve_pipe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.achievable import Level
    from rooflinestudio.core.placement import Placement

__all__ = [
    "boundary_time", "compute_times", "expected_explanations", "forecast_terms", "intensity_explanation", "rates",
    "ridge_explanation", "time_explanation",
]  # fmt: skip

_MINUS: Final = "\u2212"
_ARITHMETIC: Final = "what the arithmetic of all kernels takes, one after the other; dense rates"
_ROOFLINE: Final = "Williams, Waterman and Patterson 2009"


def intensity_explanation(placement: Placement, boundary: str) -> Explanation:
    """Explain the intensity at one boundary."""
    figures = placement.at(boundary)
    work, traffic = float(placement.work_flop), float(figures.traffic_bytes)
    convention = f"at {figures.label}, traffic as {placement.settings.policy}; without work 0, without traffic infinite"
    if traffic == 0:
        return Explanation(f"intensity {boundary}", "I = W / Q", "", math.inf, "FLOP/B", convention)
    values = f"{amount(work, 'FLOP')} / {amount(traffic, 'B')}"
    return Explanation(
        f"intensity {boundary}", "I = W / Q", values, work / traffic, "FLOP/B", convention, _ROOFLINE
    )


def ridge_explanation(placement: Placement, boundary: str) -> Explanation:
    """Explain where the ceiling of the main pipe and the slope of a boundary meet."""
    slope = placement.profile.boundaries[boundary]
    ceiling = placement.profile.ceilings[placement.ceiling_id]
    values = f"{amount(ceiling.flop_per_s, 'FLOP/s')} / {amount(slope.bytes_per_s, 'B/s')}"
    return Explanation(
        f"ridge {boundary}", "I* = π / β", values, ceiling.flop_per_s / slope.bytes_per_s, "FLOP/B",
        f"π is {ceiling.id}, {DENSE}; β is {slope.label}",
        joined(f"π {told(ceiling.figure)}", f"β {told(slope.bandwidth)}"),
    )  # fmt: skip


def compute_times(placement: Placement) -> Iterator[Explanation]:
    """Explain the time of each pipe, in the pure bound."""
    if placement.parts:
        values = summed(_shares_of_time(placement, "compute_s"))
        yield Explanation(
            "time compute", "Tc = Σ count·Tc(kernel)", values, float(placement.compute_s), "s", _ARITHMETIC
        )
        return
    for pipe, id_, flop in _pipes(placement):
        ceiling = placement.profile.ceilings[id_]
        values = f"{amount(flop, 'FLOP')} / {amount(ceiling.flop_per_s, 'FLOP/s')}"
        stands = f"{pipe} work runs against {id_}; " if pipe != id_ else ""
        yield Explanation(
            f"time {id_}", f"T({id_}) = W / π", values, flop / ceiling.flop_per_s, "s", f"{stands}{DENSE}",
            f"π {told(ceiling.figure)}",
        )  # fmt: skip


def _pipes(placement: Placement) -> Iterator[tuple[str, str, float]]:
    estimate, profile = placement.estimate, placement.profile
    for pipe, flop in estimate.work.items():
        id_ = placement.ceiling_id if pipe == estimate.main_pipe else resolve_pipe(pipe, profile)
        if id_ is not None and (pipe != SPECIAL or SPECIAL in profile.ceilings):
            yield pipe, id_, float(flop)


def _shares_of_time(placement: Placement, name: str) -> Iterator[str]:
    for one in placement.parts:
        value = float(getattr(one.placement, name))
        if value:
            yield amount(value, "s") if one.count == 1 else f"{count(float(one.count))}·{amount(value, 's')}"


def boundary_time(placement: Placement, boundary: str) -> Explanation | None:
    """Explain how long the traffic takes at one boundary in the pure bound; None where nothing crosses."""
    figures = placement.at(boundary)
    if figures.time_s is None:
        return None
    time_s = float(figures.time_s)
    slope = placement.profile.boundaries[boundary]
    source = f"β {told(slope.bandwidth)}"
    convention = "peak bandwidth, long contiguous transfers"
    name = f"time {boundary}"
    if placement.parts:
        times = summed(
            amount(at, "s") if one.count == 1 else f"{count(float(one.count))}·{amount(at, 's')}"
            for one in placement.parts
            if (at := float(one.placement.at(boundary).time_s or 0.0))
        )
        return Explanation(name, f"T({boundary}) = Σ count·T(kernel)", times, time_s, "s", convention, source)
    plain = float(figures.traffic_bytes)
    slower = _on_other_slopes(placement, boundary)
    terms = [
        f"{amount(plain - sum(size for size, _, _ in slower), 'B')} / {amount(slope.bytes_per_s, 'B/s')}"
    ]
    for size, which, rate in slower:
        terms.append(f"{amount(size, 'B')} / {amount(rate, 'B/s')}")
        source = joined(source, f"β_{which} {told(slope.slopes[which])}")
    symbols = f"T({boundary}) = Q / β" + "".join(f" + Q_{which} / β_{which}" for _, which, _ in slower)
    return Explanation(name, symbols, " + ".join(terms), time_s, "s", convention, source)


def _on_other_slopes(placement: Placement, boundary: str) -> list[tuple[float, str, float]]:
    slopes = placement.profile.boundaries[boundary].slopes
    found = []
    for tensor in placement.estimate.tensors:
        slope = slopes.get(tensor.slope) if tensor.slope else None
        if slope is not None:
            size = float(tensor.elements) * tensor.dtype.bytes * float(tensor.reads + tensor.writes)
            found.append((size, tensor.slope, slope.value))
    return found


def time_explanation(placement: Placement) -> Explanation:
    """Explain the time: which side it is, how far they overlap, and what launches add."""
    time_s = float(placement.time_s)
    if placement.parts:
        values = summed(_shares_of_time(placement, "time_s"))
        convention = "kernels back to back: neither gaps nor overlap between them"
        return Explanation(
            "time", "T = Σ count·T(kernel)", values, time_s, "s", convention, "each binds on its own"
        )
    overlap = placement.settings.overlap
    compute, memory = amount(float(placement.compute_s), "s"), amount(float(placement.memory_s), "s")
    symbols, values = "T = max(Tc, Tm)", f"max({compute}, {memory})"
    convention = "compute and memory overlap fully (ω = 1)"
    if overlap != 1:
        symbols = f"T = max(Tc, Tm) + (1 {_MINUS} ω)·min(Tc, Tm)"
        values = f"{values} + (1 {_MINUS} {overlap:g})·min({compute}, {memory})"
        convention = (
            "ω of the shorter side hides behind the longer one; 1 is the roofline, 0 the serial model"
        )
    launch_s = placement.limits.launch_s if placement.limits is not None else 0.0
    if launch_s:
        symbols, values = f"{symbols} + T_launch", f"{values} + {amount(float(launch_s), 's')}"
    return Explanation("time", symbols, values, time_s, "s", f"{_reads(placement)}; {convention}", _ROOFLINE)


def _reads(placement: Placement) -> str:
    if placement.memory_s == 0:
        return f"Tc: the slowest pipe; {placement.at(placement.boundary_id).label} cannot bind"
    where = placement.at(placement.boundary_id).label
    return f"Tc: the slowest pipe; Tm: {where}" + (", the slowest boundary" if _several(placement) else "")


def _several(placement: Placement) -> bool:
    return sum(id_ in placement.profile.boundaries for id_ in placement.limit_ids) > 1


def rates(placement: Placement) -> Iterator[Explanation]:
    """Explain attainable rate and fractions of peak."""
    work, time_s = float(placement.work_flop), float(placement.time_s)
    if time_s <= 0:
        return
    attainable = work / time_s
    values = f"{amount(work, 'FLOP')} / {amount(time_s, 's')}"
    yield Explanation("attainable", "P = W / T", values, attainable, "FLOP/s", "0 without work")
    ceiling = placement.profile.ceilings[placement.ceiling_id]
    main = float(placement.fraction_of_peak) * time_s * ceiling.flop_per_s
    yield Explanation(
        "fraction of peak", "P(main pipe) / π",
        f"{amount(main, 'FLOP')} / {amount(time_s, 's')} / {amount(ceiling.flop_per_s, 'FLOP/s')}",
        float(placement.fraction_of_peak), "", f"against {ceiling.id}, the operator's main pipe; {DENSE}",
        f"π {told(ceiling.figure)}",
    )  # fmt: skip
    reference = placement.profile.ceilings.get(placement.profile.reference_ceiling)
    if reference is not None and reference.id != ceiling.id:
        yield Explanation(
            "fraction of reference", "P / π_ref", f"{values} / {amount(reference.flop_per_s, 'FLOP/s')}",
            attainable / reference.flop_per_s, "", f"against {reference.id}; {DENSE}", f"π {told(reference.figure)}",
        )  # fmt: skip


# Forecast -----------------------------------------------------------------------------------------------------------


def forecast_terms(placement: Placement) -> Iterator[Explanation]:
    """Explain what tiles, waves, latency and launches do to the bound."""
    limits = placement.limits
    judged = limits.judged if limits is not None else {}
    if "tiles" in judged:
        padded, useful = float(judged["tiles"]["padded_work_flop"]), float(placement.work_flop)
        yield Explanation(
            "tiles", "useful share = W / W(padded)", f"{amount(useful, 'FLOP')} / {amount(padded, 'FLOP')}",
            float(judged["tiles"]["efficiency"]), "", "the rim of the last tile is computed at full cost",
        )  # fmt: skip
    if "waves" in judged:
        yield _waves(placement, judged["waves"])
    if "tiles" in judged or "waves" in judged:
        yield _quantised(placement, judged)
    if "latency" in judged:
        yield from _latency(placement, judged["latency"])
    if "launch" in judged:
        launch = judged["launch"]
        overhead = placement.profile.launch_overhead
        yield Explanation(
            "launch", "T_launch = launches·overhead",
            f"{count(float(launch['launches']))}·{amount(launch['overhead_s'], 's')}", float(launch["time_s"]), "s",
            "added after the overlap: nothing hides it", told(overhead) if overhead is not None else "",
        )  # fmt: skip


def _waves(placement: Placement, waves: Any) -> Explanation:
    blocks, sms = count(float(waves["tiles"])), count(float(waves["sms"]))
    figure = placement.profile.sms
    return Explanation(
        "waves", "busy share = blocks / (⌈blocks/SMs⌉·SMs)", f"{blocks} / (⌈{blocks}/{sms}⌉·{sms})",
        float(waves["efficiency"]), "", "one block per SM in a wave: more of them hide latency and add no rate",
        told(figure) if figure is not None else "",
    )  # fmt: skip


def _quantised(placement: Placement, judged: Any) -> Explanation:
    """Explain the compute time with padding and whole waves in it."""
    efficiency = float(judged["waves"]["efficiency"]) if "waves" in judged else 1.0
    plain = float(placement.compute_s) * efficiency
    symbols = "Tc = max over pipes of W(padded) / π" + (" / busy share" if "waves" in judged else "")
    values = amount(plain, "s") + (f" / {count(efficiency)}" if "waves" in judged else "")
    return Explanation("time compute", symbols, values, float(placement.compute_s), "s", DENSE)


def _latency(placement: Placement, latency: Any) -> Iterator[Explanation]:
    boundary = placement.profile.boundaries[latency["boundary"]]
    in_flight, delay = amount(float(latency["bytes_in_flight"]), "B"), amount(latency["latency_s"], "s")
    slope = amount(boundary.bytes_per_s, "B/s")
    effective = float(latency["effective_bytes_per_s"])
    source = joined(
        "Little's law", f"latency {told(boundary.latency)}" if boundary.latency is not None else ""
    )
    yield Explanation(
        f"bandwidth {boundary.id}", "β_eff = min(β, bytes in flight / latency)", f"min({slope}, {in_flight} / {delay})",
        effective, "B/s", "what the bytes in flight can sustain", source,
    )  # fmt: skip
    figures = placement.at(boundary.id)
    if figures.time_s is not None and is_number(figures.time_s):
        time_s = float(figures.time_s)
        yield Explanation(
            f"time {boundary.id} with latency", "Tm = T·β / β_eff",
            f"{amount(time_s, 's')}·{slope} / {amount(effective, 'B/s')}",
            time_s * boundary.bytes_per_s / effective, "s",
        )  # fmt: skip


def expected_explanations(placement: Placement) -> Iterator[Explanation]:
    """Explain the expected time and the ends of its band."""
    from rooflinestudio.core.achievable import derated_placement

    expected = placement.expected
    if expected is None:
        return
    told_of: tuple[tuple[str, Level, Any], ...] = (
        ("expected time", "typical", expected.time_s),
        ("expected at best", "high", expected.low_s),
        ("expected at worst", "low", expected.high_s),
    )
    for name, level, time_s in told_of:
        made = time_explanation(derated_placement(placement, level))
        shares = []
        for id_, known in expected.shares.items():
            figure = getattr(known, level) or known.typical
            if figure is not None:
                shares.append(f"{id_} reaches {count(figure.value)}, {told(figure)}")
        yield Explanation(
            name, made.symbols, made.values, float(time_s), "s",
            "each rate times the share that real kernels reach of it", joined(*shares),
        )  # fmt: skip
