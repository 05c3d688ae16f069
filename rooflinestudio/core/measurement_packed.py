"""Many measured kernels in little memory: numbers and texts of the same kind side by side, each kernel made on demand.

A :class:`~rooflinestudio.core.measurement.Measurement` with its figures takes over a kilobyte, many times the row of a
table that it was read from. Here a kernel is a few numbers and the code of its name, beside all others that have the
same keys (those of :mod:`rooflinestudio.core.measurement_records`) and share their other texts. What follows is left
out: the short name, a launch that is the position, a count of 1.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, overload

from rooflinestudio.core.measurement_columns import check_width
from rooflinestudio.core.measurement_figures import MeasurementError
from rooflinestudio.core.measurement_names import short_kernel_name
from rooflinestudio.core.measurement_records import POSITIVE_KEYS, to_record
from rooflinestudio.core.measurement_shape import Shape
from rooflinestudio.core.measurement_texts import Texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy as np
    import numpy.typing as npt

    from rooflinestudio.core.measurement_launch import Measurement

    Numbers = npt.NDArray[np.float64]
    Codes = npt.NDArray[np.int32]

__all__ = ["MeasurementPacker", "PackedColumns", "PackedMeasurements"]

_NONE: Final = -1
_MOST_SHAPES: Final = 2_000
"""Shapes that are told apart by the texts that their kernels share; of later ones each kernel has all its texts."""
_OWN_TEXTS: Final = frozenset(("kernel", "kernel_short"))
_NO_FIGURE: Final = "finite and not negative, a time or clock above 0"


class PackedColumns(NamedTuple):
    """All kernels as columns by key of a record.

    Attributes
    ----------
    numbers
        float64, one per kernel, NaN where absent.
    texts
        Codes (int32, -1 where absent) and the texts they stand for.
    """

    numbers: dict[str, Numbers]
    texts: dict[str, tuple[Codes, tuple[str, ...]]]


class PackedMeasurements(Sequence["Measurement"]):
    """Measured kernels that are made one by one when they are asked for; made by :class:`MeasurementPacker`.

    Equal to any sequence of equal measurements. A slice is a tuple.
    """

    def __init__(self, shapes: list[Shape], kinds: array[int], rows: array[int], texts: Texts) -> None:
        self._shapes = shapes
        self._kinds = kinds
        self._rows = rows
        self._texts = texts

    def __len__(self) -> int:
        return len(self._kinds)

    @overload
    def __getitem__(self, index: int) -> Measurement: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Measurement, ...]: ...
    def __getitem__(self, index: int | slice) -> Measurement | tuple[Measurement, ...]:
        if isinstance(index, slice):
            return tuple(self[place] for place in range(*index.indices(len(self))))
        place = range(len(self))[index]
        return self._shapes[self._kinds[place]].measurement(self._rows[place], place, self._texts)

    def __iter__(self) -> Iterator[Measurement]:
        shapes, texts = self._shapes, self._texts
        for place, (kind, row) in enumerate(zip(self._kinds, self._rows, strict=True)):
            yield shapes[kind].measurement(row, place, texts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str | bytes):
            return NotImplemented
        return len(self) == len(other) and all(
            mine == theirs for mine, theirs in zip(self, other, strict=True)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self):,} measurements>"

    def columns(self) -> PackedColumns:
        """Columns of all kernels, without making one of them."""
        import numpy as np

        if not self:
            return PackedColumns({}, {})
        check_width(
            len({key for one in self._shapes for key in (*one.numbers, *one.texts, *one.shared)}), "the file"
        )
        kinds, rows = np.array(self._kinds, np.int32), np.array(self._rows, np.int32)
        numbers: dict[str, Numbers] = {
            "launch": np.arange(len(self), dtype=np.float64),
            "count": np.ones(len(self)),
        }
        codes: dict[str, Codes] = {}
        for kind, shape in enumerate(self._shapes):
            places = np.flatnonzero(kinds == kind)
            for column, key in enumerate(shape.numbers):
                _column(numbers, key, len(self), np.nan)[places] = shape.values_of(column)[rows[places]]
            for column, key in enumerate(shape.texts):
                _column(codes, key, len(self), np.int32(_NONE))[places] = shape.codes_of(column)[rows[places]]
            for key, code in shape.shared.items():
                _column(codes, key, len(self), np.int32(_NONE))[places] = code
        texts = {key: self._texts.compact(found) for key, found in codes.items()}
        return PackedColumns(numbers, _with_short_names(texts))


def _column(columns: dict[str, Any], key: str, length: int, absent: Any) -> Any:
    import numpy as np

    if key not in columns:
        columns[key] = np.full(length, absent)
    return columns[key]


def _with_short_names(
    texts: dict[str, tuple[Codes, tuple[str, ...]]],
) -> dict[str, tuple[Codes, tuple[str, ...]]]:
    """Add the short names that follow from the names of the kernels."""
    import numpy as np

    kernels, names = texts["kernel"]
    stated, given = texts.get("kernel_short", (np.full(len(kernels), _NONE, np.int32), ()))
    known = {name: code for code, name in enumerate(given)}
    made = np.array([known.setdefault(short_kernel_name(name), len(known)) for name in names], np.int32)
    return {**texts, "kernel_short": (np.where(stated < 0, made[kernels], stated), tuple(known))}


class MeasurementPacker:
    """Takes the measured kernels of a file one by one, or many at once as columns."""

    def __init__(self) -> None:
        self._shapes: list[Shape] = []
        self._known: dict[tuple[tuple[str, ...], tuple[str, ...], tuple[int, ...]], int] = {}
        self._kinds = array("i")
        self._rows = array("i")
        self._texts = Texts()

    def __len__(self) -> int:
        return len(self._kinds)

    def add(self, measurement: Measurement) -> None:
        """Take a kernel behind the last one."""
        self.put(len(self._kinds), measurement)

    def put(self, position: int, measurement: Measurement) -> None:
        """Take the kernel at a position, which may lie behind the last one."""
        record = to_record(measurement)
        if record["launch"] == position:
            del record["launch"]
        if record.get("count") == 1:
            del record["count"]
        if record["kernel_short"] == short_kernel_name(measurement.kernel):
            del record["kernel_short"]
        code = self._texts.code
        codes = {key: code(value) for key, value in record.items() if isinstance(value, str)}
        values = {key: value for key, value in record.items() if not isinstance(value, str)}
        number = self._shape(tuple(values), codes)
        shape = self._shapes[number]
        self._make_room(position + 1)
        self._kinds[position] = number
        self._rows[position] = shape.add(values.values(), [codes[key] for key in shape.texts])

    def put_columns(
        self,
        positions: Sequence[int],
        numbers: Mapping[str, Any],
        texts: Mapping[str, str | Sequence[str]],
    ) -> None:
        """Take many kernels that have the same keys.

        Parameters
        ----------
        positions
            Of the kernels, which are their launches.
        numbers
            By key of a record: an array with a number for each kernel, or one number for all.
        texts
            By key of a record: a text for each kernel, or one for all; ``kernel_short`` left out is made from
            ``kernel``.

        Raises
        ------
        MeasurementError
            A number is none that a measured kernel can have.
        """
        import numpy as np

        count = len(positions)
        columns = {key: np.broadcast_to(np.asarray(one, np.float64), count) for key, one in numbers.items()}
        for key, values in columns.items():
            if not (np.isfinite(values) & (values >= 0)).all() or (key in POSITIVE_KEYS and not values.all()):
                raise MeasurementError(f"{key} has a number that is none of a kernel; expected {_NO_FIGURE}.")
        code = self._texts.code
        many = {
            key: np.fromiter(map(code, one), np.int32, count)
            for key, one in texts.items()
            if not isinstance(one, str)
        }
        number = self._new_shape(
            tuple(columns),
            tuple(many),
            {key: code(one) for key, one in texts.items() if isinstance(one, str)},
        )
        first = self._shapes[number].add_columns(columns, many, count)
        self._make_room(max(positions, default=-1) + 1)
        for row, position in enumerate(positions, start=first):
            self._kinds[position], self._rows[position] = number, row

    def packed(self) -> PackedMeasurements:
        """All kernels that were taken, in the order of their positions.

        Raises
        ------
        MeasurementError
            A position before the last one was never filled.
        """
        if self._kinds.count(_NONE):
            raise MeasurementError(f"kernel {self._kinds.index(_NONE)} of {len(self):,} is missing.")
        return PackedMeasurements(self._shapes, self._kinds, self._rows, self._texts)

    def _shape(self, numbers: tuple[str, ...], codes: Mapping[str, int]) -> int:
        """Shape of kernels with these keys and texts."""
        shared = {key: code for key, code in codes.items() if key not in _OWN_TEXTS}
        keys = (numbers, tuple(codes), tuple(shared.values()))
        number = self._known.get(keys)
        if number is None and len(self._known) >= _MOST_SHAPES:
            keys, shared = (numbers, tuple(codes), ()), {}
            number = self._known.get(keys)
        if number is None:
            own = tuple(key for key in codes if key not in shared)
            number = self._known[keys] = self._new_shape(numbers, own, shared)
        return number

    def _new_shape(self, numbers: tuple[str, ...], texts: tuple[str, ...], shared: Mapping[str, int]) -> int:
        self._shapes.append(Shape(numbers, texts, shared))
        return len(self._shapes) - 1

    def _make_room(self, length: int) -> None:
        missing = length - len(self._kinds)
        if missing > 0:
            nothing = array("i", [_NONE])
            self._kinds.extend(nothing if missing == 1 else nothing * missing)
            self._rows.extend(nothing if missing == 1 else nothing * missing)
