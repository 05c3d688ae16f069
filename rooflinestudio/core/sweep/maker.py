"""From a study to the picture of its sweep.

The maker keeps the curves that it made: an edit that does not concern a curve costs nothing, and moving the present
value along the axis costs one placement.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.sweep.axes import declared
from rooflinestudio.core.sweep.curves import Curve, CurveKey, curve_of, here_of
from rooflinestudio.core.sweep.layout import gap_of, title_words, x_range, y_range
from rooflinestudio.core.sweep.measured import measured_points
from rooflinestudio.core.sweep.panel import figure_word
from rooflinestudio.core.sweep.picture import DrawnCurve, SweepPicture, ThresholdRow
from rooflinestudio.core.sweep.words import (
    PREFIXED,
    axis_words,
    figure_text,
    mark_label,
    mark_words,
    second_text,
    unit_words,
    value_text,
    verdict,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.placing import EstimateSource, PlacedRow, PlacedStudy
    from rooflinestudio.core.sweep.panel import SweepSpec

__all__ = ["MOST_CURVES", "SweepMaker"]

MOST_CURVES: Final = 24
KEPT: Final = 64


class _Found(NamedTuple):
    row: PlacedRow
    curve: Curve
    dash: int
    name: str


class SweepMaker:
    """Makes pictures, and keeps the curves of the last ones.

    Attributes
    ----------
    made
        How many curves were worked out so far.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], tuple[tuple[object, ...], Curve]] = {}
        self._last: tuple[tuple[object, ...], tuple[object, ...], SweepPicture] | None = None
        self.made = 0

    def picture(
        self, placed: PlacedStudy, source: EstimateSource, spec: SweepSpec, machine: str = ""
    ) -> SweepPicture | None:
        """Return what the tab shows, the same object while nothing of it changes; None where nothing can be swept.

        Parameters
        ----------
        source
            Who answers for operators; it must know the chains of the study.
        machine
            Where entries are swept that stand on several.
        """
        found = list(self._found(placed, source, spec, machine))
        if not found:
            return None
        same = (placed.study.pairs, placed.study.overlays, *(part for one in found for part in one[:2]))
        equal = (spec, *(one[2:] for one in found))
        if self._last is not None and _is_same(self._last[0], same) and self._last[1] == equal:
            return self._last[2]
        own = _own_curves(found, spec)
        drawn = tuple(_drawn(placed, spec, one, is_own=at in own) for at, one in enumerate(found))
        picture = _picture(spec, source.operator(found[0].row.entry.operator), drawn)
        self._last = same, equal, picture
        return picture

    def _found(
        self, placed: PlacedStudy, source: EstimateSource, spec: SweepSpec, machine: str
    ) -> Iterator[_Found]:
        count = 0
        for id_ in spec.entries:
            row = _row(placed, id_, machine)
            for dash, key in enumerate(_keys(row, spec, source) if row is not None else ()):
                count += 1
                if row is None or count > MOST_CURVES:
                    return
                name = _name(row, key, spec)
                yield _Found(row, self._curve(row, spec, source, key), dash, name)

    def _curve(self, row: PlacedRow, spec: SweepSpec, source: EstimateSource, key: CurveKey) -> Curve:
        """Return a curve, made anew only where what it rests on changed; the value that runs is no part of that."""
        entry = row.entry
        fixed = sorted((name, repr(one)) for name, one in entry.parameters.items() if name not in spec.names)
        plain = replace(spec, entries=(), policies=(), follows=True, second=None)
        second = spec.second[0] if spec.second is not None and key.second is not None else ""
        formats = tuple(sorted(entry.dtypes.items()))
        known = (key, repr(key.second), entry.operator, tuple(fixed), formats, row.settings, plain, second)
        held = (row.profile, source)
        found = self._known.pop(known, None)
        if found is None or not _is_same(found[0], held):
            found = held, curve_of(row, spec, source, key)
            self.made += 1
        self._known[known] = found
        while len(self._known) > KEPT:
            self._known.pop(next(iter(self._known)))
        return found[1]


def _is_same(before: tuple[object, ...], after: tuple[object, ...]) -> bool:
    return len(before) == len(after) and all(a is b for a, b in zip(before, after, strict=True))


def _row(placed: PlacedStudy, id_: str, machine: str) -> PlacedRow | None:
    rows = placed.rows_of(id_)
    return next((one for one in rows if one.machine == machine), rows[0] if rows else None)


def _keys(row: PlacedRow, spec: SweepSpec, source: EstimateSource) -> Iterator[CurveKey]:
    """Yield the curves of one entry; an entry that lacks the second parameter has one without it."""
    seconds: tuple[Any, ...] = (None,)
    if spec.second is not None:
        try:
            names = {one.name for one in source.operator(row.entry.operator).parameters}
        except StudioError:
            names = set()
        seconds = spec.second[1] if spec.second[0] in names else seconds
    for policy in spec.policies or (row.settings.policy,):
        for second in seconds:
            yield CurveKey(row.entry.id, policy, second)


def _name(row: PlacedRow, key: CurveKey, spec: SweepSpec) -> str:
    """Return as much as tells a curve from the others."""
    words = []
    if key.second is not None and spec.second is not None:
        words.append(f"{spec.second[0]} = {second_text(key.second)}")
    if len(spec.policies) > 1 or (spec.policies and not words and len(spec.entries) == 1):
        words.append(key.policy)
    if len(spec.entries) > 1 or not words:
        words.insert(0, row.entry.label or row.entry.id)
    return ", ".join(words)


def _own_curves(found: list[_Found], spec: SweepSpec) -> set[int]:
    """Return which curves bear the present value: of each entry the one that its own settings give, else its first."""
    best: dict[str, tuple[int, int]] = {}
    for at, one in enumerate(found):
        unlike = int(one.curve.key.policy != one.row.settings.policy)
        placement, second = one.row.placement, one.curve.key.second
        if second is not None and spec.second is not None and placement is not None:
            unlike += placement.parameters.get(spec.second[0]) != second
        if one.row.entry.id not in best or unlike < best[one.row.entry.id][0]:
            best[one.row.entry.id] = unlike, at
    return {at for _, at in best.values()}


def _drawn(placed: PlacedStudy, spec: SweepSpec, found: _Found, *, is_own: bool) -> DrawnCurve:
    here = here_of(found.row, found.curve, spec) if is_own else None
    measured = measured_points(placed, found.row, spec.figure, here)
    return DrawnCurve(found.curve, found.row, found.name, found.dash, here, measured)


def _picture(spec: SweepSpec, operator: Operator, curves: tuple[DrawnCurve, ...]) -> SweepPicture:
    parameter = declared(operator, spec.names[0])
    there = [one for one in curves if not one.curve.reason]
    unit = there[0].curve.unit if there else ""
    x_unit = parameter.unit if len(spec.names) == 1 else ""
    label = spec.parameter if len(spec.names) > 1 else parameter.label
    notes = dict.fromkeys(_notes(curves, unit, named=len(curves) > 1))
    return SweepPicture(
        spec,
        operator,
        curves,
        *title_words([one.row for one in curves], spec, label),
        label=label,
        x_title=axis_words(operator, spec.names),
        x_unit=x_unit,
        y_title=_y_title(spec, unit),
        unit=unit,
        whole=any(declared(operator, name).integer for name in spec.names),
        x_range=x_range(spec),
        y_range=y_range(curves, spec),
        gap=gap_of(curves, parameter.name, x_unit),
        thresholds=tuple(_thresholds(curves, x_unit)),
        refused=tuple((one.name, one.curve.reason) for one in curves if one.curve.reason),
        verdict=verdict([(one.name, one.curve) for one in curves], label, x_unit),
        notes=tuple(notes),
    )


def _y_title(spec: SweepSpec, unit: str) -> str:
    """Return figure and unit; where every tick has its own prefix, the figure alone."""
    word = figure_word(spec.figure)
    return word if unit in PREFIXED or not unit else f"{word}, {unit_words(unit)}"


def _thresholds(curves: tuple[DrawnCurve, ...], unit: str) -> Iterator[ThresholdRow]:
    for curve in curves:
        for mark in curve.curve.marks:
            words = (value_text(mark.value, unit), mark_words(mark, unit), mark_label(mark, unit))
            yield ThresholdRow(curve, mark, mark.value, *words, figure_text(mark.y, curve.curve.unit))


def _notes(curves: tuple[DrawnCurve, ...], unit: str, *, named: bool) -> Iterator[str]:
    if len(curves) == MOST_CURVES:
        yield f"At most {MOST_CURVES} curves are drawn."
    other = [one.name for one in curves if not one.curve.reason and one.curve.unit != unit]
    if other:
        yield f"{', '.join(other)} tells another throughput ({unit_words(unit)} is that of the first)."
    flat = [one.name for one in curves if not one.curve.reason and not (one.curve.y > 0).any()]
    if flat:
        yield f"{', '.join(flat)}: no value is above 0, there is nothing to draw."
    for one in curves:
        for note in one.curve.notes:
            yield f"{one.name}: {note}" if named else note
