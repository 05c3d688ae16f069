"""What of a sweep has a label beside its mark: the entry's own value, thresholds of the leading curve, what fits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.core.sweep_curves_words import curve_name, figure_text
from rooflinestudio.ui.serving.plot_model import Curve, Mark, PlotPicture, Shade

if TYPE_CHECKING:
    from rooflinestudio.core.sweep_curves_drawn import DrawnCurve
    from rooflinestudio.core.sweep_panel import SweepSpec
    from rooflinestudio.core.sweep_panel_picture import SweepPicture

__all__ = ["labelled", "value_text"]

_SAMPLES: Final = 60
_MOST: Final = 6
_WORDS: Final = {"capacity": "largest that fits {below}", "traffic": "cache over weights {at}"}


def value_text(value: float) -> str:
    """Return a value of the parameter, exact."""
    return f"{value:.10g}"


def labelled(picture: SweepPicture) -> PlotPicture:
    """Return the picture as the placing of labels wants it: samples of the curves, and marks with words."""
    curves = tuple(_sampled(one) for one in picture.curves if len(one.x))
    own = [mark for one in picture.curves if (mark := _here(one, picture)) is not None]
    marks = (*own[:_MOST], *_thresholds(picture.lead, picture.spec))
    shade = Shade(picture.shade.beyond, picture.shade.words) if picture.shade is not None else None
    return PlotPicture("", "", "", "", (1.0, 10.0), (1.0, 10.0), curves, marks, shade)


def _sampled(curve: DrawnCurve) -> Curve:
    every = max(1, len(curve.x) // _SAMPLES)
    pairs = [(x, y) for x, y in zip(curve.x[::every].tolist(), curve.y[::every].tolist(), strict=True)
             if 0 < y < float("inf") and x > 0]  # fmt: skip
    return Curve("", tuple(x for x, _ in pairs), tuple(y for _, y in pairs), "text2")


def _here(curve: DrawnCurve, picture: SweepPicture) -> Mark | None:
    if curve.here is None or not 0 < curve.here[1] < float("inf"):
        return None
    x, y = curve.here
    words = f"{picture.spec.parameter} {value_text(x)}: {figure_text(y, curve.unit)}"
    placement = curve.row.placement
    below = (f"{placement.bound} at {placement.binding}",) if placement is not None else ()
    several = (curve_name(curve, picture.spec),) if len(picture.curves) > 1 else ()
    return Mark(x, y, "dot", (words, *several) if several else (words, *below))


def _thresholds(lead: DrawnCurve, spec: SweepSpec) -> list[Mark]:
    found = []
    for one in lead.marks[:_MOST]:
        if not 0 < one.y < float("inf"):
            continue
        text = _WORDS.get(one.kind, f"{spec.parameter} {{at}}")
        text = text.format(below=value_text(one.below), at=value_text(one.x))
        found.append(Mark(one.x, one.y, "ring", (text,)))
    return found
