"""What a sweep says in words: values and figures with their units, thresholds, the verdict over all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.quantities import format_exact, format_number, format_quantity
from rooflinestudio.core.sweep.axes import declared

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.sweep.curves import BoundSpan, Curve
    from rooflinestudio.core.sweep.marks import Mark

__all__ = [
    "axis_words", "beyond_words", "figure_text", "mark_label", "mark_words", "span_words", "unit_words", "value_text",
    "verdict",
]  # fmt: skip

PREFIXED: Final = ("s", "B", "FLOP/s")
"""Units that are written with a prefix; rates of things (``tok/s``) are written out."""

WRITTEN_OUT: Final = 1e7
COUNTED: Final[Mapping[str, str]] = {
    "batch": "sequences", "context": "tokens", "seq": "tokens", "seq_q": "tokens", "seq_kv": "tokens",
    "ranks": "ranks",
}  # fmt: skip
"""What the values of a parameter count, where its label does not say so."""


def value_text(value: float, unit: str = "") -> str:
    """Return a value of a parameter: whole numbers in full (``1 024``), long ones with a prefix (``70 G``)."""
    whole = float(value).is_integer()
    if unit:
        return format_exact(value, unit) if whole else _trimmed(format_quantity(value, unit, digits=6))
    if whole and abs(value) < WRITTEN_OUT:
        text = format_number(value, digits=8)
        return text.partition(".")[0]
    if abs(value) < WRITTEN_OUT:
        return _trimmed(format_number(value, digits=7))
    return _trimmed(format_quantity(value, " ", digits=4).strip())


def _trimmed(text: str) -> str:
    """Return a number without zeros at the end of its fraction: ``2.01 MB``."""
    number, _, unit = text.partition(" ")
    if "." in number and "e" not in number:
        number = number.rstrip("0").rstrip(".")
    return f"{number} {unit}".strip()


def figure_text(value: float, unit: str, *, digits: int = 4) -> str:
    """Return a figure with its unit: ``2 495 tok/s``, ``22.7 ms``, ``76 %``."""
    if value != value:
        return "–"
    if not unit:
        return f"{format_number(100 * value, digits=max(2, digits - 1))} %"
    if unit in PREFIXED or unit == "FLOP/B":
        return format_quantity(value, unit, digits=digits)
    if abs(value) >= WRITTEN_OUT:
        return format_quantity(value, f" {unit}", digits=digits)
    return f"{format_number(value, digits=digits)} {unit}"


def unit_words(unit: str) -> str:
    """Return a unit as the title of an axis has it."""
    return {"": "% of peak", "FLOP/B": "FLOP/byte"}.get(unit, unit)


def axis_words(operator: Operator, names: tuple[str, ...]) -> str:
    """Return the title of the axis: label, and what is counted: ``batch, sequences``."""
    if len(names) > 1:
        return " = ".join(declared(operator, name).label for name in names)
    parameter = declared(operator, names[0])
    counted = parameter.unit or COUNTED.get(parameter.name, "")
    return f"{parameter.label}, {counted}" if counted and counted not in parameter.label else parameter.label


def boundary_label(profile: HardwareProfile, id_: str) -> str:
    """Return a boundary by the machine's own word, anything else by its id."""
    found = profile.boundaries.get(id_)
    return found.label if found is not None else id_


def span_words(span: BoundSpan, profile: HardwareProfile) -> str:
    """Return a bound with what binds: ``memory at HBM3``."""
    return f"{span.bound} at {boundary_label(profile, span.binding)}"


def _bound(mark: Mark, *, after: bool) -> str:
    """Return what binds on one side of a threshold; for the largest part, what binds it."""
    placement = mark.threshold.placed_at if after else mark.threshold.placed_below
    if mark.part:
        placement = next(one.placement for one in placement.parts if one.label == mark.part)
    return f"{placement.bound} at {boundary_label(placement.profile, placement.binding)}"


def mark_label(mark: Mark, unit: str) -> str:
    """Return the few words that stand beside a threshold on the plot."""
    value = value_text(mark.value, unit)
    if mark.kind == "capacity":
        return f"{value}: last that fits" if mark.ends_capacity else f"{value}: first that fits"
    if mark.kind == "traffic":
        overtakes = mark.threshold.after.startswith("cache moves more")
        return f"{value}: cache over weights" if overtakes else f"{value}: weights over cache"
    if mark.kind == "part":
        return f"{value}: ridge of {mark.part}"
    # Under a forecast whole tiles and waves turn the bound too: that is no ridge.
    is_plain = mark.is_ridge and not mark.threshold.placed_at.settings.forecast
    return f"ridge {value}" if is_plain else f"{value}: {mark.threshold.placed_at.bound}"


def mark_words(mark: Mark, unit: str) -> str:
    """Return what changes at a threshold, as a line of the list: both sides, with their exact ends."""
    below = value_text(mark.below, unit)
    if mark.kind == "capacity":
        first = value_text(mark.x, unit)
        if mark.ends_capacity:
            return f"last that fits; {first} needs {_size(mark.threshold.placed_at)}"
        return f"first that fits; {below} needs {_size(mark.threshold.placed_below)}"
    if mark.kind == "traffic":
        cache_first = mark.threshold.after.startswith("cache moves more")
        return "cache moves more than weights" if cache_first else "weights move more than cache"
    name = f"{mark.part}: " if mark.part else ""
    return f"{name}{_bound(mark, after=True)}; up to {below} {_bound(mark, after=False)}"


def _size(placement: Placement) -> str:
    footprint, dram = placement.estimate.footprint_bytes, placement.profile.boundaries.get("dram")
    if not is_number(footprint):
        return "more"
    held = f" of {format_exact(dram.capacity.value, 'B')}" if dram and dram.capacity else ""
    return f"{format_quantity(float(footprint), 'B', digits=4)}{held}"


def beyond_words(curve: Curve, mark: Mark | None, counted: str, unit: str) -> tuple[str, ...]:
    """Return the words of the part that does not fit: ``does not fit in 80 GB``, ``more than 59 sequences``."""
    assert curve.subject is not None
    dram = curve.subject.profile.boundaries.get("dram")
    held = f" in {format_exact(dram.capacity.value, 'B')}" if dram and dram.capacity else ""
    if mark is None:
        return (f"does not fit{held}",)
    edge = value_text(mark.below if mark.ends_capacity else mark.x, unit)
    side = "more" if mark.ends_capacity else "fewer" if counted else "less"
    return f"does not fit{held}", f"{side} than {edge} {counted}".rstrip()


def verdict(curves: Sequence[tuple[str, Curve]], label: str, unit: str) -> str:
    """Return what the thresholds of the curves mean together, in a few sentences.

    Parameters
    ----------
    curves
        Name and curve, the leading one first. Of several, those that cross something are told, two at most.
    label, unit
        The parameter that runs (``batch``), and its unit.
    """
    said = {name: _of_curve(curve, label, unit) for name, curve in curves}
    if len(set(said.values())) == 1:
        return next(iter(said.values()))
    telling = [name for name, curve in curves if curve.marks] or [
        name for name, curve in curves if not curve.reason
    ]
    return " ".join(
        f"{name}: {said[name][:1].lower()}{said[name][1:]}" for name in (telling or list(said))[:2]
    )


def _of_curve(curve: Curve, label: str, unit: str) -> str:
    if curve.reason:
        return f"There is no curve: {curve.reason}"
    ridge = next((one for one in curve.marks if one.is_ridge), None)
    ends = next((one for one in curve.marks if one.ends_capacity), None)
    said = [_capacity(ends, ridge, label, unit) if ends is not None else _bounds(curve, ridge, label, unit)]
    if len(curve.fits) and not curve.fits.any():
        said.append("Nothing in this range fits into memory.")
    starts = next((one for one in curve.marks if one.kind == "capacity" and not one.ends_capacity), None)
    if starts is not None:
        said.append(f"It fits into memory from {value_text(starts.x, unit)} on.")
    over = next((one for one in curve.marks if one.kind == "traffic"), None)
    if over is not None and over.threshold.after.startswith("cache moves more"):
        said.append(f"From {value_text(over.x, unit)} on the cache moves more than the weights.")
    return " ".join(said)


def _capacity(ends: Mark, ridge: Mark | None, label: str, unit: str) -> str:
    last = value_text(ends.below, unit)
    if ridge is None:
        return f"Capacity ends {label} at {last}."
    whose = f" of {ridge.part}" if ridge.part else ""
    at = value_text(ridge.x, unit)
    if ridge.x > ends.below:
        return f"Capacity ends {label} at {last}, before the ridge{whose} at {at}."
    return f"The ridge{whose} is reached at {at}; capacity ends {label} at {last}."


def _bounds(curve: Curve, ridge: Mark | None, label: str, unit: str) -> str:
    if curve.subject is None or not curve.spans:
        return "Every value is refused."
    profile = curve.subject.profile
    turns = [one for one in curve.marks if one.kind == "bound"]
    if len(turns) == 1:
        below, first = value_text(turns[0].below, unit), value_text(turns[0].x, unit)
        before, after = (_bound(turns[0], after=side) for side in (False, True))
        return f"{_capital(before)} binds up to {label} = {below}, {after} from {first} on."
    words = list(dict.fromkeys(span_words(one, profile) for one in curve.spans))
    low, high = value_text(curve.spans[0].first, unit), value_text(curve.spans[-1].last, unit)
    if len(words) == 1:
        said = f"{_capital(words[0])} binds from {label} = {low} to {high}."
    else:
        said = f"{_capital(words[0])} binds at {label} = {low}, {span_words(curve.spans[-1], profile)} at {high}."
    if ridge is not None and ridge.part:
        said += f" The largest part, {ridge.part}, reaches its ridge at {value_text(ridge.x, unit)}."
    return said


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def second_text(value: Any) -> str:
    """Return a value of the second parameter."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value_text(float(value)) if isinstance(value, int | float) else str(value)
