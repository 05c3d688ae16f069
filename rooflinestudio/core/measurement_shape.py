"""Measured kernels of one shape: the same keys and the same texts but for some, and how a kernel is made of its row."""

from __future__ import annotations

from array import array
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, cast

from rooflinestudio.core.measurement_figures import MeasuredFigure, MeasuredTraffic
from rooflinestudio.core.measurement_launch import Measurement
from rooflinestudio.core.measurement_records import field_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy as np
    import numpy.typing as npt

    from rooflinestudio.core.measurement_figures import Quality
    from rooflinestudio.core.measurement_texts import Texts

    Numbers = npt.NDArray[np.float64]
    Codes = npt.NDArray[np.int32]

__all__ = ["Shape"]

_NUMBERS: Final = ("time_s", "clock_hz")
_TEXTS: Final = ("kernel", "kernel_short", "device", "compute_capability", "reason")


class _Plan:
    """Where each field of a measurement stands among the numbers of a shape, and among its texts.

    The texts of a row come first, then those that all rows share.
    """

    def __init__(self, numbers: tuple[str, ...], texts: tuple[str, ...]) -> None:
        at = {key: place for place, key in enumerate(numbers)}
        text_at = {key: place for place, key in enumerate(texts)}

        def group(name: str) -> list[tuple[str, int]]:
            prefix = f"{name}."
            return [(key[len(prefix) :], place) for key, place in at.items() if key.startswith(prefix)]

        self.launch, self.count, self.line = at.get("launch"), at.get("count"), at.get("source_line")
        self.plain = [(key, at[key]) for key in _NUMBERS if key in at]
        self.texts = [(key, text_at[key]) for key in _TEXTS if key in text_at]
        self.sizes = [(key, text_at[key]) for key in ("grid", "block") if key in text_at]
        self.notes = text_at.get("notes")
        self.mappings = [
            (field, group(name))
            for field, name in (
                ("work", "work"),
                ("work_rates", "work_rate"),
                ("traffic_rates", "bytes_per_s"),
            )
        ]
        self.traffic = [
            (name, at.get(f"read_bytes.{name}"), at.get(f"write_bytes.{name}"), place)
            for name, place in group("bytes")
        ]
        self.figures = [
            (
                name := key.removeprefix("recipe."),
                at[f"value.{name}"] if f"value.{name}" in at else at[field_of(name)],
                place,
                text_at[f"quality.{name}"],
            )
            for key, place in text_at.items()
            if key.startswith("recipe.")
        ]


class Shape:
    """The kernels with one set of keys.

    Attributes
    ----------
    numbers, texts
        Keys of a record that hold numbers, and those that hold texts of their own in each row, in the order of their
        columns.
    shared
        Codes of the texts that are the same in all rows, by their keys.
    """

    def __init__(self, numbers: tuple[str, ...], texts: tuple[str, ...], shared: Mapping[str, int]) -> None:
        self.numbers = numbers
        self.texts = texts
        self.shared = shared
        self._shared = tuple(shared.values())
        self._values = array("d")
        self._codes = array("i")
        self._count = 0

    def add(self, values: Iterable[float], codes: Iterable[int]) -> int:
        """Take a row, in the order of the columns, and return its number."""
        self._values.extend(values)
        self._codes.extend(codes)
        self._count += 1
        return self._count - 1

    def add_columns(self, numbers: Mapping[str, Numbers], codes: Mapping[str, Codes], count: int) -> int:
        """Take many rows as columns and return the number of the first."""
        import numpy as np

        first = self._count
        for store, columns, keys in ((self._values, numbers, self.numbers), (self._codes, codes, self.texts)):
            if keys:
                store.frombytes(np.stack([columns[key] for key in keys], axis=1).tobytes())
        self._count += count
        return first

    def values_of(self, column: int) -> Numbers:
        """Numbers of one key of all rows."""
        import numpy as np

        return np.frombuffer(self._values).reshape(-1, len(self.numbers))[:, column]

    def codes_of(self, column: int) -> Codes:
        """Codes of one key of all rows."""
        import numpy as np

        return np.frombuffer(self._codes, np.int32).reshape(-1, len(self.texts))[:, column]

    def measurement(self, row: int, position: int, texts: Texts) -> Measurement:
        """Make the kernel of a row, whose launch is its position where the shape has none."""
        plan, width, depth = self._plan, len(self.numbers), len(self.texts)
        values = self._values[row * width : (row + 1) * width]
        codes = (*self._codes[row * depth : (row + 1) * depth], *self._shared)
        fields: dict[str, Any] = {key: values[place] for key, place in plan.plain}
        fields |= {key: texts[codes[place]] for key, place in plan.texts}
        fields |= {key: tuple(map(int, texts[codes[place]].split(" "))) for key, place in plan.sizes}
        fields |= {name: {key: values[place] for key, place in found} for name, found in plan.mappings}
        return Measurement(
            launch=position if plan.launch is None else int(values[plan.launch]),
            count=1 if plan.count is None else int(values[plan.count]),
            source_line=None if plan.line is None else int(values[plan.line]),
            notes=() if plan.notes is None else tuple(texts[codes[plan.notes]].split("\n")),
            traffic={
                name: MeasuredTraffic(
                    None if read is None else values[read],
                    None if write is None else values[write],
                    values[total],
                )
                for name, read, write, total in plan.traffic
            },
            figures={
                name: MeasuredFigure(
                    values[value], texts[codes[recipe]], cast("Quality", texts[codes[quality]])
                )
                for name, value, recipe, quality in plan.figures
            },
            **fields,
        )

    @cached_property
    def _plan(self) -> _Plan:
        return _Plan(self.numbers, (*self.texts, *self.shared))
