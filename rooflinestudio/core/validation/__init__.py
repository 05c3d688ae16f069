"""Measured against predicted in bulk: an operator held against a table of measured times.

The bound must lie below every measurement. Where it does, the distance is told apart into what tiles and waves, latency
and launches, and the rates that real kernels reach explain, and a rest; where it does not, the row is named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.binding import BOUND_KINDS
from rooflinestudio.core.errors import ParameterError, StudioError
from rooflinestudio.core.subject import CHUNK, Subject, placed_blocks
from rooflinestudio.core.validation.limits import (
    TIMES,
    boundaries_of,
    not_strict,
    refuse_inside,
    steps_of,
    strict_profile,
    strict_settings,
    what_was_not_judged,
)
from rooflinestudio.core.validation.result import TOLERANCE, Against, Refusal, Validation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.shapes.table import ShapeTable

__all__ = ["TOLERANCE", "Against", "Refusal", "Validation", "ValidationStoppedError", "validate_table"]

MOST_GROUPS: Final = 1000
MOST_REFUSALS: Final = 1000
MOST_REFUSED: Final = 5000
"""Rows that may be refused one by one: each costs a call of its own."""


class ValidationStoppedError(StudioError):
    """The progress hook asked to stop."""


def validate_table(
    table: ShapeTable, against: Against, progress: Callable[[float], bool | None] | None = None
) -> Validation:
    """Hold an operator against all measured rows of a table, in vectorised calls.

    Parameters
    ----------
    progress
        Called with the share done, from 0 to 1; to return False stops.

    Raises
    ------
    ParameterError
        If no row has a time, the table is another operator's, or its words make too many combinations.
    ValidationStoppedError
        If ``progress`` returned False.
    StudioError
        If every row is refused: the reason of the first.
    """
    import numpy as np

    if table.operator_id != against.operator_id:
        raise ParameterError(f"the table holds shapes of {table.operator_id}, not of {against.operator_id}.")
    if table.time_s is None:
        raise ParameterError(f"{table.name}: no column is a time. Name the column of the measured times.")
    timed = ~np.isnan(table.time_s)
    if not timed.any():
        raise ParameterError(f"{table.name}: the column of times is empty in all {len(table)} rows.")
    measured = table if timed.all() else table.of(timed)
    collected = _Collected(against, measured)
    for subject, rows in _groups(measured, against):
        collected.group(subject, rows, progress)
    return collected.result(untimed=len(table) - len(measured))


def _groups(table: ShapeTable, against: Against) -> Iterator[tuple[Subject, NDArray[Any]]]:
    """Yield what is constant to a vectorised call (formats, choices, switches), and the rows it goes for."""
    import numpy as np

    settings, machine = strict_settings(against.boundary), strict_profile(against.profile)
    columns = list(table.words.values()) + ([table.dtypes] if table.dtypes is not None else [])
    if not columns:
        subject = Subject(
            against.source, against.operator_id, machine, against.fixed, against.dtypes, settings
        )
        yield subject, np.arange(len(table))
        return
    kinds, which = np.unique(np.stack([one.codes for one in columns]), axis=1, return_inverse=True)
    if kinds.shape[1] > MOST_GROUPS:
        raise ParameterError(
            f"{table.name}: formats and choices come in more than {MOST_GROUPS} combinations. Split the table."
        )
    which = np.asarray(which).reshape(-1)
    order = np.argsort(which, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(which[order])) + 1):
        words = {name: column.at(int(rows[0])) for name, column in table.words.items()}
        dtypes = table.dtypes.at(int(rows[0])) if table.dtypes is not None else against.dtypes
        yield (
            Subject(
                against.source, against.operator_id, machine, {**against.fixed, **words}, dtypes, settings
            ),
            rows,
        )


class _Collected:
    """Gathers the figures of all rows."""

    def __init__(self, against: Against, table: ShapeTable) -> None:
        import numpy as np

        self._against, self._table = against, table
        self._done = 0
        size = len(table)
        self._arrays: dict[str, NDArray[Any]] = {
            name: np.full(size, np.nan) for name in ("bound_s", "traffic_bytes", *TIMES)
        }
        self._codes: dict[str, NDArray[Any]] = {
            "bound": np.zeros(size, np.int8),
            "binding": np.zeros(size, np.int16),
        }
        self._ids: dict[str, int] = {}
        self._refusals: list[Refusal] = []
        self._refused = self._asked = 0
        self._boundaries: dict[str, None] = {}
        self._notes: dict[str, None] = dict.fromkeys(table.notes)

    def group(
        self, subject: Subject, rows: NDArray[Any], progress: Callable[[float], bool | None] | None
    ) -> None:
        """Place the rows of one group."""
        for start in range(0, len(rows), CHUNK):
            some = rows[start : start + CHUNK]
            values = {name: column[some] for name, column in self._table.numbers.items()}
            for where, placed in placed_blocks(subject, values, len(some)):
                if isinstance(placed, StudioError):
                    self._refuse(some[where], placed)
                else:
                    self._put(some[where], placed)
            self._done += len(some)
            if progress is not None and progress(self._done / len(self._table)) is False:
                raise ValidationStoppedError(
                    f"The comparison was stopped after {self._done} of {len(self._table)} rows."
                )

    def _refuse(self, rows: NDArray[Any], why: StudioError) -> None:
        self._refused += len(rows)
        self._asked += 1
        if self._asked > MOST_REFUSED:
            first, name = self._refusals[0], self._table.name
            raise ParameterError(
                f"{name}: {self._against.operator_id} refuses more than {MOST_REFUSED} rows here and there. "
                f"The first, line {first.line}: {first.reason} Take such rows out."
            )
        room = MOST_REFUSALS - len(self._refusals)
        self._refusals += [Refusal(int(line), str(why)) for line in self._table.line[rows[:room]]]

    def _put(self, rows: NDArray[Any], placed: Placement) -> None:
        import numpy as np

        profile = self._against.profile
        refuse_inside(placed)
        steps, forecast = steps_of(placed, profile)
        self._arrays["bound_s"][rows] = placed.time_s
        self._arrays["traffic_bytes"][rows] = placed.traffic_bytes
        for id_, time_s in steps.items():
            self._arrays[id_][rows] = time_s
        self._boundaries |= dict.fromkeys(boundaries_of(placed))
        if isinstance(placed.bound, str):
            self._codes["bound"][rows] = BOUND_KINDS.index(placed.bound)
            self._codes["binding"][rows] = self._code(placed.binding)
        else:
            codes = np.array([self._code(one) for one in placed.limit_ids], np.int16)
            self._codes["bound"][rows] = placed.bound
            self._codes["binding"][rows] = codes[placed.binding]
        loose = not_strict(profile, placed)
        if loose:
            self._notes[
                f"Not held against {', '.join(loose)}: only published and measured figures bound."
            ] = None
        self._notes |= dict.fromkeys(f"Not judged: {one}." for one in what_was_not_judged(forecast))

    def _code(self, id_: str) -> int:
        return self._ids.setdefault(id_, len(self._ids))

    def result(self, *, untimed: int) -> Validation:
        """Return what was gathered, without the rows that were refused."""
        import numpy as np

        table, arrays = self._table, self._arrays
        kept = ~np.isnan(arrays["bound_s"])
        if not kept.any():
            first = self._refusals[0]
            raise ParameterError(
                f"{table.name}: every row is refused. The first, line {first.line}: {first.reason}"
            )
        table = table.of(kept)
        measured_s, bound_s = np.asarray(table.time_s), arrays["bound_s"][kept]
        return Validation(
            self._against,
            table,
            measured_s,
            bound_s,
            measured_s / bound_s,
            self._codes["bound"][kept],
            self._codes["binding"][kept],
            tuple(self._ids),
            ", ".join(self._boundaries),
            arrays["traffic_bytes"][kept],
            {id_: arrays[id_][kept] for id_ in TIMES},
            untimed,
            tuple(sorted(self._refusals, key=lambda one: one.line)),
            self._refused,
            tuple(self._notes),
        )
