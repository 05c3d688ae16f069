"""What the sweep tab shows: which entries, along which parameter, which figure.

The settings stand in ``Study.panels["sweep"]`` and are read leniently: what makes no sense gives way to a default, so
that a study always shows something.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.sweep.axes import declared, takes_words
from rooflinestudio.core.traffic import POLICIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rooflinestudio.core.operators import Operator, Parameter
    from rooflinestudio.core.placing import EstimateSource, PlacedStudy
    from rooflinestudio.core.study import Entry
    from rooflinestudio.core.traffic import Policy

__all__ = [
    "FIGURES",
    "PANEL",
    "FigureId",
    "SweepSpec",
    "entries_with",
    "figure_word",
    "sweep_spec",
    "sweepable",
]

PANEL: Final = "sweep"

FigureId = Literal["throughput", "time", "intensity", "attainable", "fraction", "traffic"]

FIGURES: Final[Mapping[FigureId, str]] = {
    "throughput": "throughput",
    "time": "time",
    "intensity": "intensity",
    "attainable": "attainable rate",
    "fraction": "fraction of peak",
    "traffic": "traffic",
}
"""What can stand on the upright axis, with its words."""

TELLING: Final = (
    "m=n=k", "seq_q=seq_kv", "m", "batch", "context", "seq", "tokens", "elements", "parameter_count", "rows", "n",
)  # fmt: skip
"""Parameters that tell most of an operator, the first that it has is the default; tied ones have equals signs."""

POINTS: Final = 240
MOST_POINTS: Final = 2000
MOST_ENTRIES: Final = 12
MOST_SECOND: Final = 8


@dataclass(frozen=True, slots=True)
class SweepSpec:
    """One sweep, complete.

    Attributes
    ----------
    entries
        Ids of the entries that have the parameter, the leading one first.
    names
        The parameters that run, tied where there are several.
    low, high
        Both included.
    points
        How many, before whole numbers are rounded.
    is_log
        Whether the axis is logarithmic.
    figure
        One of :data:`FIGURES`.
    policies
        Each gives a curve of its own; empty: each entry's own policy.
    second
        Another parameter and its values, each a curve of its own; or None.
    shows_stairs
        Whether tiles and waves are counted, so that the curve steps (the forecast's quantisation).
    follows
        Whether the leading entry is the selected one rather than one that the study names.
    """

    entries: tuple[str, ...]
    names: tuple[str, ...]
    low: float
    high: float
    points: int = POINTS
    is_log: bool = True
    figure: FigureId = "attainable"
    policies: tuple[Policy, ...] = ()
    second: tuple[str, tuple[Any, ...]] | None = None
    shows_stairs: bool = False
    follows: bool = True

    @property
    def parameter(self) -> str:
        """The running parameters as one text: ``m=n=k``."""
        return "=".join(self.names)


def figure_word(figure: str) -> str:
    """Return the words of a figure, or the id itself where it is unknown."""
    return dict(FIGURES).get(figure, figure)  # type: ignore[call-overload, no-any-return]


def sweepable(operator: Operator) -> tuple[str, ...]:
    """Return the parameters of an operator that can run, the telling ones (tied ones included) first."""
    numeric = [one.name for one in operator.parameters if not takes_words(one)]
    telling = [one for one in TELLING if all(name in numeric for name in one.split("="))]
    return tuple(dict.fromkeys([*telling, *numeric]))


def sweep_spec(
    placed: PlacedStudy,
    source: EstimateSource | None,
    selected: str | None = None,
    *,
    before: SweepSpec | None = None,
) -> SweepSpec | None:
    """Return what the sweep of a study shows, or None while nothing can be swept.

    Parameters
    ----------
    selected
        The selected entry; it leads, unless the study names the entries.
    before
        What was shown before: a range that nobody set stays as long as the value of the leading entry lies in it, so
        that the axis holds still while the value is moved.
    """
    panel = placed.study.panels.get(PANEL, {})
    named = _known_entries(placed, panel.get("entries"))
    chosen = [one for one in placed.study.entries if one.id == selected]
    for lead in [*named, *chosen, *placed.study.entries]:
        operator = _operator(source, lead)
        if operator is None or not sweepable(operator):
            continue
        names = _names(operator, panel.get("parameter"), lead)
        others = [one for one in named if one is not lead and _has(source, one, names)]
        low, high, is_log = _range(operator, names, lead, panel)
        if before is not None and _keeps_range(before, lead, names, panel):
            low, high = before.low, before.high
        return SweepSpec(
            (lead.id, *(one.id for one in others)),
            names,
            low,
            high,
            _whole(panel.get("points"), 2, MOST_POINTS, POINTS),
            is_log,
            _one_of(panel.get("figure"), FIGURES, _usual_figure(operator)),
            tuple(one for one in POLICIES if one in _texts(panel.get("policies"))),
            _second(operator, names, panel.get("second")),
            panel.get("stairs") is True,
            follows=not named,
        )
    return None


def entries_with(
    placed: PlacedStudy, source: EstimateSource | None, names: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """Return id and name of every entry that has all of some parameters: what can stand in one sweep."""
    return tuple((one.id, one.label or one.id) for one in placed.study.entries if _has(source, one, names))


def _usual_figure(operator: Operator) -> FigureId:
    """Return throughput for what handles tokens of a model, else the rate that the machine allows."""
    return "throughput" if any(one.name == "model" for one in operator.parameters) else "attainable"


def _known_entries(placed: PlacedStudy, value: Any) -> list[Entry]:
    by_id = {one.id: one for one in placed.study.entries}
    return [by_id[id_] for id_ in _texts(value) if id_ in by_id][:MOST_ENTRIES]


def _operator(source: EstimateSource | None, entry: Entry) -> Operator | None:
    try:
        return None if source is None else source.operator(entry.operator)
    except StudioError:
        return None


def _has(source: EstimateSource | None, entry: Entry, names: tuple[str, ...]) -> bool:
    operator = _operator(source, entry)
    return operator is not None and {*names} <= {
        one.name for one in operator.parameters if not takes_words(one)
    }


def _names(operator: Operator, value: Any, lead: Entry) -> tuple[str, ...]:
    numeric = {one.name for one in operator.parameters if not takes_words(one)}
    wanted = tuple(dict.fromkeys(str(value).split("="))) if isinstance(value, str) else ()
    if wanted and {*wanted} <= numeric:
        return wanted
    offered = [tuple(one.split("=")) for one in sweepable(operator)]
    # Parameters are tied by default only where the entry ties them: a cube, as many queries as keys.
    own = (one for one in offered if len({_value(lead, declared(operator, name)) for name in one}) == 1)
    return next(own, offered[0])


def _keeps_range(before: SweepSpec, lead: Entry, names: tuple[str, ...], panel: Mapping[str, Any]) -> bool:
    if before.entries[0] != lead.id or before.names != names or "low" in panel or "high" in panel:
        return False
    values = [lead.parameters.get(name) for name in names]
    return all(is_number(one) and before.low <= one <= before.high for one in values)


def _range(
    operator: Operator, names: tuple[str, ...], entry: Entry, panel: Mapping[str, Any]
) -> tuple[float, float, bool]:
    """Return ends and kind of the axis: those of the panel as far as they fit, else around the entry's own value."""
    parameters = [declared(operator, name) for name in names]
    least, most = max(one.low for one in parameters), min(one.high for one in parameters)
    low, high = _usual_range(_value(entry, parameters[0]), whole=any(one.integer for one in parameters))
    low = _inside(panel.get("low"), least, most, low)
    high = _inside(panel.get("high"), least, most, high)
    if high <= low:
        high = min(most, low * 64 if low > 0 else 64)
        low = min(low, high)
    is_log = panel.get("scale") != "linear" and low > 0 and high > low
    return low, high, is_log


def _value(entry: Entry, parameter: Parameter) -> float:
    value = entry.parameters.get(parameter.name, parameter.default)
    return float(value) if is_number(value) and not isinstance(value, bool) else 1.0


def _usual_range(value: float, *, whole: bool) -> tuple[float, float]:
    """Return from 1 to 4096 for small values, else six octaves down and four up, at powers of two."""
    if 0 <= value <= 64 and whole:
        return 1.0, 4096.0
    if value <= 0:
        return 0.0, 1.0
    octave = math.floor(math.log2(value))
    return 2.0 ** (octave - 6), 2.0 ** (octave + 4)


def _inside(value: Any, least: float, most: float, usual: float) -> float:
    number = (
        float(value) if is_number(value) and not isinstance(value, bool) and math.isfinite(value) else usual
    )
    return min(max(number, least), most)


def _second(operator: Operator, names: tuple[str, ...], value: Any) -> tuple[str, tuple[Any, ...]] | None:
    if not hasattr(value, "get"):
        return None
    name, values = value.get("parameter"), value.get("values")
    known = {one.name for one in operator.parameters} - {*names}
    if not isinstance(name, str) or name not in known or not isinstance(values, list | tuple):
        return None
    kept = tuple(dict.fromkeys(one for one in values if isinstance(one, bool | int | float | str)))
    return (name, kept[:MOST_SECOND]) if kept else None


def _texts(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list | tuple) else []


def _one_of(value: Any, known: Iterable[Any], usual: Any) -> Any:
    return value if isinstance(value, str) and value in known else usual


def _whole(value: Any, least: int, most: int, usual: int) -> int:
    if not is_number(value) or isinstance(value, bool) or not math.isfinite(value):
        return usual
    return min(max(int(value), least), most)
