"""The verdict of a diagnosis in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooflinestudio.core.diagnosis.device import relation
from rooflinestudio.core.diagnosis.words import listed, percent, times
from rooflinestudio.core.quantities import format_quantity, format_ratio

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.diagnosis import Diagnosis
    from rooflinestudio.core.diagnosis.roofs import Side, Standing

__all__ = ["verdict"]

_FINE = 1.05
"""Up to this headroom there is nothing to win below the roof."""


def verdict(diagnosis: Diagnosis) -> str:
    """Return one to three sentences: what holds the kernel, how far it is, what there is to win."""
    return " ".join((*_sentences(diagnosis), *_other_chip(diagnosis)))


def _other_chip(diagnosis: Diagnosis) -> Iterator[str]:
    """Say at once that the roofs are not those of the device: nothing that follows holds otherwise."""
    device = diagnosis.measurement.device
    if device and relation(device, diagnosis.profile.name) is None:
        yield f"But it was measured on {device}, and these are the roofs of {diagnosis.profile.name}."


def _sentences(diagnosis: Diagnosis) -> Iterator[str]:
    stands, kind = diagnosis.standing, diagnosis.kind
    if kind == "unknown" or stands is None:
        yield _without_roof(diagnosis)
    elif kind == "impossible":
        first = next(one for one in diagnosis.above if one.kind != "bound")
        yield f"Above the roof: {times(first.ratio)} {first.label}, which cannot be. Check the figures first."
        return
    elif stands.holding is not None:
        side = stands.holding
        yield f"{kind.capitalize()}-bound at {side.label}, {_how(diagnosis)}: {_distance(side)}{_slower(diagnosis)}."
    else:
        yield f"{_HEADS[kind]}, {_how(diagnosis)}: {_below(stands)}{_slower(diagnosis)}."
        yield _most(stands)
    prize = diagnosis.reuse.prize_s if diagnosis.reuse is not None else None
    reread = diagnosis.answer("reuse").outcome == "found"
    time_s = diagnosis.measurement.time_s
    if (
        prize
        and reread
        and time_s
        and diagnosis.reuse
        and diagnosis.reuse.measured_bytes > diagnosis.reuse.assumed_bytes
    ):
        yield f"The re-reads are the prize, {format_quantity(prize, 's')} of {format_quantity(time_s, 's')}."
    elif any(one.kind == "bound" for one in diagnosis.above):
        yield "It is faster than the bound of its operator: check the pair."


_HEADS = {
    "latency": "Latency-bound",
    "launch": "Too small to fill the machine",
    "quantisation": "Held by its last wave",
    "unexplained": "Below both roofs",
}


def _how(diagnosis: Diagnosis) -> str:
    """Tell what the verdict rests on: counters, or a model of the work and of the least traffic."""
    modelled = [name for name, datum in zip("WQ", diagnosis.numbers, strict=False) if datum.origin == "model"]
    return f"by a model of {listed(modelled)}" if modelled else "measured"


def _without_roof(diagnosis: Diagnosis) -> str:
    numbers = zip(("W", "Q", "t"), diagnosis.numbers, strict=True)
    missing = [name for name, datum in numbers if datum.value is None]
    if not missing:
        return "Not judged: no work and no traffic that this machine has a roof for."
    stands = diagnosis.standing
    known = f" ({_shares(stands)})" if stands is not None else ""
    return f"Not judged: without {listed(missing)} it cannot be held against both roofs{known}."


def _distance(side: Side) -> str:
    if side.share * _FINE >= 1:
        return "on the roof"
    return f"{times(1 / side.share)} to the roof where it stands"


def _slower(diagnosis: Diagnosis) -> str:
    if diagnosis.gap is None:
        return ""
    ratio = diagnosis.gap.time
    return ", as predicted" if abs(ratio - 1) < 0.005 else f", {format_ratio(ratio)} than predicted"


def _below(stands: Standing) -> str:
    blind = "; the tensor pipe was not counted" if stands.blind else ""
    return f"no roof is near ({_shares(stands)}{blind})"


def _shares(stands: Standing) -> str:
    """Name the nearest roof of each kind, and how near it is."""
    nearest = {side.kind: side for side in sorted(stands.sides, key=lambda one: one.share) if side.binds}
    ordered = sorted(nearest.values(), key=lambda one: -one.share)
    return ", ".join(f"{one.label} {percent(one.share)}" for one in ordered)


def _most(stands: Standing) -> str:
    won = (
        f", {format_quantity(stands.won_s, 's')} of {format_quantity(stands.time_s, 's')}"
        if (stands.won_s is not None and stands.time_s is not None)
        else ""
    )
    return f"Up to {stands.binding.label} there is {times(stands.headroom)} to win{won}."
