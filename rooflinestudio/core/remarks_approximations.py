"""Approximations, figures that are estimated or set; and asides, checks that need no model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.core.achievable import shares_of
from rooflinestudio.core.remarks_facts import Rule, amount_text, percent_text, ratio_text
from rooflinestudio.core.wording import ON_CHIP

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import Figure
    from rooflinestudio.core.remarks_facts import Facts

__all__ = ["APPROXIMATIONS", "ASIDES"]

_MOSTLY: Final = 0.8
_FAR: Final = 4.0


def _on_chip(facts: Facts) -> str:
    if facts.placement.boundary_id not in ON_CHIP:
        return ""
    provenance = facts.boundary.bandwidth.provenance
    return (
        f"The bandwidth of {facts.at.label} is {provenance}, and moves by a factor of two with access pattern, "
        "locality and hit rate. It tells which boundary is likely to bind, not how long a kernel takes."
    )


def _floor(facts: Facts) -> str:
    if facts.settings.policy != "compulsory" or not facts.re_reads:
        return ""
    blocked = float(facts.placement.work_flop) / facts.tiled
    return (
        f"Compulsory traffic is a floor, so this intensity is a ceiling: with every re-read of its blocks it would be "
        f"{ratio_text(blocked)}. A kernel that misses its roof probably re-reads."
    )


def _absorption(facts: Facts) -> str:
    if facts.settings.policy != "modelled" or not facts.re_reads:
        return ""
    work = float(facts.placement.work_flop)
    return (
        f"The absorption of {facts.settings.absorption:g} is set, not computed. I runs from "
        f"{ratio_text(work / facts.tiled)} with every re-read to {ratio_text(work / facts.compulsory)} with none: "
        "the corridor is the answer, a point in it a choice."
    )


def _weights_only(facts: Facts) -> str:
    if facts.composite or not facts.on_tensor or facts.placement.boundary_id != "dram":
        return ""
    if facts.placement.bound not in ("memory", "latency") or facts.share_of("weight") < _MOSTLY:
        return ""
    alone = float(facts.placement.work_flop) / facts.bytes_by_role["weight"]
    return (
        f"Counting the weights alone gives I = {ratio_text(alone)}, with all tensors it is "
        f"{ratio_text(float(facts.placement.intensity))}: that intensity equals the batch (two bytes a weight) holds "
        "as far as the activations are small."
    )


def _binding_figure(facts: Facts) -> tuple[str, Figure] | None:
    binding = facts.placement.binding
    if binding in facts.profile.ceilings:
        return facts.profile.ceilings[binding].label, facts.profile.ceilings[binding].figure
    if binding in facts.profile.boundaries:
        return facts.profile.boundaries[binding].label, facts.profile.boundaries[binding].bandwidth
    return None


def _burst_rate(facts: Facts) -> str:
    found = _binding_figure(facts)
    if found is None or facts.settings.forecast or found[1].provenance != "published" or facts.composite:
        return ""
    known = shares_of(facts.profile, facts.placement.binding)
    if known is None or known.typical is None or known.typical.value >= 1:
        return ""
    label, figure = found
    unit = "FLOP/s" if facts.placement.binding in facts.profile.ceilings else "B/s"
    return (
        f"{amount_text(figure.value, unit)} is what the maker publishes for {label}; good kernels reach about "
        f"{percent_text(known.typical.value)} of it ({known.typical.provenance}). Headroom against it is overstated, "
        "most of all for a kernel that is already good."
    )


def _not_measured(facts: Facts) -> str:
    found = _binding_figure(facts)
    if (
        found is None
        or found[1].provenance in ("published", "measured")
        or facts.placement.binding in ON_CHIP
    ):
        return ""
    return f"The result hangs on the figure of {found[0]}, which is {found[1].provenance}: measure it first."


def _sum_of_bounds(facts: Facts) -> str:
    if not facts.composite:
        return ""
    return (
        "A sum of bounds: every kernel's time is optimistic by itself, and neither the gaps between kernels nor their "
        "overlap are in it. Which kernels dominate is sound; the total comes out 1.3 to 2 times larger in practice."
    )


def _training(facts: Facts) -> str:
    if facts.parameters.get("regime") != "train":
        return ""
    return (
        "Training counts three times the work and twice the traffic of the forward pass, a stand-in: what a backward "
        "pass moves depends on what is stored and what is computed again."
    )


def _flop_per_element(facts: Facts) -> str:
    placement = facts.placement
    if facts.composite or facts.on_tensor or placement.work_flop <= 0 or placement.bound != "memory":
        return ""
    if placement.intensity * _FAR > facts.at.ridge:
        return ""
    return (
        "FLOP per element depend on the implementation and can be a third off. The verdict does not: it is "
        f"{ratio_text(facts.at.ridge / float(placement.intensity))} times short of the ridge."
    )


def _no_arithmetic(facts: Facts) -> str:
    if facts.placement.work_flop > 0 or not facts.at.crosses:
        return ""
    rate = float(facts.placement.traffic_bytes) / float(facts.placement.time_s)
    return (
        "It does no arithmetic: intensity and every fraction of peak are 0 and say nothing. Hold its bytes per second, "
        f"{amount_text(rate, 'B/s')} at best, against {facts.at.label}."
    )


def _smallest_count(facts: Facts) -> str:
    if facts.composite or facts.placement.boundary_id != "dram" or facts.compulsory <= 0:
        return ""
    if facts.settings.policy == "compulsory":
        return ""
    return (
        f"A check that needs no model: nothing can move fewer than {amount_text(facts.compulsory, 'B')} to compute "
        "this. Counters that show a multiple of it have found a re-read."
    )


APPROXIMATIONS: Final = (
    Rule("on-chip-is-a-model", "Approximation", _on_chip),
    Rule("compulsory-is-a-floor", "Approximation", _floor),
    Rule("absorption-is-set", "Approximation", _absorption),
    Rule("weights-only", "Approximation", _weights_only),
    Rule("figure-not-measured", "Approximation", _not_measured),
    Rule("burst-rate", "Approximation", _burst_rate),
    Rule("sum-of-bounds", "Approximation", _sum_of_bounds),
    Rule("training-stand-in", "Approximation", _training),
    Rule("flop-per-element", "Approximation", _flop_per_element),
)

ASIDES: Final = (
    Rule("no-arithmetic", "Aside", _no_arithmetic),
    Rule("smallest-count", "Aside", _smallest_count),
)
