"""Traps: conclusions that the arithmetic invites and does not support."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.core.pipes import SPECIAL, resolve_pipe
from rooflinestudio.core.remarks_facts import Rule, amount_text, percent_text, ratio_text, time_text
from rooflinestudio.core.wording import bound_name, capacity_notes

if TYPE_CHECKING:
    from rooflinestudio.core.remarks_facts import Facts

__all__ = ["GENERAL_TRAPS", "TRAPS"]

_SLOWER: Final = 1.02  # what all boundaries together must add to the time before it is worth a word
_CLEARLY: Final = 1.2  # how much longer one side must take before the other one certainly does not matter
_GIB: Final = 2**30 / 1e9


def _does_not_fit(facts: Facts) -> str:
    return next(capacity_notes(facts.placement), "")


def _hypothetical(facts: Facts) -> str:
    if facts.at.crosses:
        return ""
    label = facts.at.label
    return (
        f"Nothing crosses {label} here. Traffic and intensity are what they would be if every tensor travelled over it "
        f"once; the time is that of compute alone and says nothing about {label}."
    )


def _mixed(facts: Facts) -> str:
    placement = facts.placement
    if not placement.extra.get("mixed"):
        return ""
    shares = sorted(placement.extra["time_by_bound"].items(), key=lambda item: -item[1])[:2]
    words = " and ".join(
        f"{percent_text(float(share))} {bound_name(placement, name)}" for name, share in shares
    )
    return (
        f"One intensity for the whole ({ratio_text(float(placement.intensity))} FLOP/byte) describes none of its "
        f"kernels: {words} of the time. Intensities do not average; judge kernel by kernel."
    )


def _other_boundary(facts: Facts) -> str:
    placement = facts.placement
    if facts.composite or not facts.single_boundary or not facts.at.crosses:
        return ""
    every = facts.everywhere
    if every is None or every.bound not in ("memory", "latency") or every.binding == placement.binding:
        return ""
    if every.time_s < placement.time_s * _SLOWER:
        return ""
    at = every.at(every.boundary_id)
    if facts.placement.work_flop == 0:
        return (
            f"This time holds at {facts.at.label} alone. With every crossed boundary in view {at.label} binds, and it "
            f"takes {time_text(float(every.time_s))} instead of {time_text(float(placement.time_s))}."
        )
    return (
        f"This verdict holds at {facts.at.label} alone. With every crossed boundary in view {at.label} binds, at "
        f"{percent_text(float(every.fraction_of_peak))} of peak: I = {ratio_text(float(at.intensity))} against a ridge "
        f"of {ratio_text(at.ridge)}."
    )


def _dtype_fallback(facts: Facts) -> str:
    if facts.settings.ceiling is not None:
        return ""
    for _, kernel in facts.kernels:
        pipe = kernel.estimate.main_pipe
        stands_for = resolve_pipe(pipe, facts.profile)
        if pipe.endswith("-tensor") and stands_for is not None and stands_for != pipe:
            rate = amount_text(facts.profile.ceilings[stands_for].flop_per_s, "FLOP/s")
            return (
                f"{facts.profile.name} has no {pipe.replace('-', ' ')} pipe, so the product runs on vector "
                f"{stands_for} at {rate}. Against a tensor peak it looks far worse than it is; another format may be "
                "faster."
            )
    return ""


def _below_the_slope(facts: Facts) -> str:
    latency = facts.limit("latency")
    if facts.placement.bound != "latency" or not latency:
        return ""
    boundary = facts.profile.boundaries[latency["boundary"]]
    return (
        f"A point below the slope is no proof of a badly written kernel: "
        f"{amount_text(latency['bytes_in_flight'], 'B')} in flight over {time_text(latency['latency_s'])} sustain "
        f"{amount_text(latency['effective_bytes_per_s'], 'B/s')} of {amount_text(boundary.bytes_per_s, 'B/s')}. "
        "More blocks or more independent loads help, a new algorithm does not."
    )


def _launch_floor(facts: Facts) -> str:
    launches_s, running_s = facts.launches_s, facts.running_s
    if not launches_s or running_s > launches_s:
        return ""
    return (
        f"Starting it takes about {time_text(launches_s)}, running it {time_text(running_s)}: a timer sees mostly the "
        "launch. Neither FLOP nor bytes are the thing to cut; fewer, larger kernels or a captured graph are."
    )


def _flop_cut(facts: Facts) -> str:
    if facts.placement.bound != "memory" or facts.placement.work_flop <= 0 or facts.settings.overlap < 1:
        return ""
    if facts.compute_s * _CLEARLY > facts.memory_s or facts.placement.extra.get("mixed"):
        return ""
    return (
        f"Fewer FLOP would not make this faster: the bytes take {time_text(facts.memory_s)}, the arithmetic "
        f"{time_text(facts.compute_s)} of that. Cutting FLOP moves the point left along the slope: the same time, and "
        "a lower fraction of peak."
    )


def _capacity_units(facts: Facts) -> str:
    dram, footprint = facts.profile.boundaries.get("dram"), facts.placement.estimate.footprint_bytes
    if dram is None or dram.capacity is None or footprint is None:
        return ""
    capacity = dram.capacity.value
    if not capacity / _GIB <= footprint <= capacity * _GIB:
        return ""
    size = ratio_text(capacity / 1e9)
    return (
        f"This close to the limit the unit decides: {size} GB is {ratio_text(capacity / 2**30)} GiB, and a part sold "
        f"with {size} GB often holds {size} GiB. It needs {amount_text(float(footprint), 'B')} "
        f"or {ratio_text(float(footprint) / 2**30)} GiB."
    )


def _lower_ceiling(facts: Facts) -> str:
    reference = facts.reference
    if facts.composite or reference is None or facts.placement.work_flop <= 0:
        return ""
    if facts.ceiling.id == reference.id or facts.ceiling.flop_per_s >= reference.flop_per_s:
        return ""
    of_reference = float(facts.placement.attainable_flop_per_s) / reference.flop_per_s
    return (
        f"Percentages need their ceiling: this is {percent_text(float(facts.placement.fraction_of_peak))} of "
        f"{facts.ceiling.label}, its own pipe, and {percent_text(of_reference)} of {reference.label}, which it never "
        f"uses. The step between them is {ratio_text(reference.flop_per_s / facts.ceiling.flop_per_s)}×."
    )


def _sparse_peak(facts: Facts) -> str:
    placement = facts.placement
    if placement.bound != "compute" or not placement.binding.endswith("-tensor"):
        return ""
    figure = facts.profile.ceilings[placement.binding].figure
    if "dense" not in figure.condition and "sparsity" not in f"{figure.condition} {figure.note}":
        return ""
    rate = amount_text(figure.value, "FLOP/s")
    return (
        f"{rate} is the dense rate. Headline rates often assume 2:4 sparsity and are then twice that: a comparison "
        "that is off by exactly two has mixed them."
    )


def _special_left_out(facts: Facts) -> str:
    if SPECIAL in facts.profile.ceilings or not any(
        kernel.estimate.work.get(SPECIAL) for _, kernel in facts.kernels
    ):
        return ""
    return (
        f"The exponentials cost nothing here only because the profile of {facts.profile.name} has no rate for them. On "
        "a machine whose special-function units are slow they can bind."
    )


TRAPS: Final = (
    Rule("does-not-fit", "Trap", _does_not_fit),
    Rule("capacity-units", "Trap", _capacity_units),
    Rule("hypothetical-boundary", "Trap", _hypothetical),
    Rule("mixed-bounds", "Trap", _mixed),
    Rule("other-boundary-binds", "Trap", _other_boundary),
    Rule("dtype-fallback", "Trap", _dtype_fallback),
    Rule("below-the-slope", "Trap", _below_the_slope),
    Rule("launch-floor", "Trap", _launch_floor),
    Rule("flop-cut", "Trap", _flop_cut),
)
"""What is particular to the placement; shown first."""

GENERAL_TRAPS: Final = (
    Rule("lower-ceiling", "Trap", _lower_ceiling),
    Rule("sparse-peak", "Trap", _sparse_peak),
    Rule("special-left-out", "Trap", _special_left_out),
)
"""What holds for many placements alike; shown after the nuances."""
