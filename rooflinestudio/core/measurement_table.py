"""The measured kernels of one file as columns: what the canvas draws and what a study keeps.

An overlay is read-only and shared by all undo states of a study. Numbers are NumPy columns with NaN for what is
absent; texts, of which a file has few different ones, are held once and referred to by number, so that 100,000
kernels take a few dozen megabytes. A :class:`Measurement` is made from one row when it is asked for.
"""

from __future__ import annotations

import re
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.measurement_columns import ColumnBuilder, derived_columns
from rooflinestudio.core.measurement_figures import MeasurementError
from rooflinestudio.core.measurement_packed import PackedMeasurements
from rooflinestudio.core.measurement_records import Scalar, from_record, is_text_key, to_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import numpy as np
    import numpy.typing as npt

    from rooflinestudio.core.measurement import Measurement, MeasurementFile

    Column = npt.NDArray[np.float64]
    Codes = npt.NDArray[np.int32]

__all__ = ["Overlay", "checked_meta"]

_DIGEST: Final = re.compile(r"[0-9a-f]{64}\Z")
_MOST_KEPT: Final = 4  # figures on two machines, and the little that panels ask again and again
_META: Final = ("name", "path", "format")


class Overlay:
    """Measured kernels of one file.

    Two overlays are equal, and have one hash, if they come from the same content.

    Parameters
    ----------
    name, path, format, digest, warnings, counters
        As of the file; ``name`` is what the user sees and may change.
    numbers
        By key of a record: float64, one per kernel, NaN where absent.
    texts
        By key of a record: codes (int32, -1 where absent) and the texts they stand for.
    """

    def __init__(
        self,
        meta: Mapping[str, Any],
        numbers: Mapping[str, Column],
        texts: Mapping[str, tuple[Codes, tuple[str, ...]]],
        length: int,
    ) -> None:
        self.name: str = meta["name"]
        self.path: str = meta["path"]
        self.format: str = meta["format"]
        self.digest: str = meta["digest"]
        self.warnings: tuple[str, ...] = tuple(meta["warnings"])
        self.counters: tuple[str, ...] = tuple(filter(None, meta.get("counters", "").split("\n")))
        self._length = length
        self._numbers = dict(numbers)
        self._texts = dict(texts)
        self._columns: Mapping[str, Any] | None = None
        self._kept: dict[Any, Any] = {}
        self._freeze()

    def _freeze(self) -> None:
        for column in self._numbers.values():
            column.flags.writeable = False
        for codes, _ in self._texts.values():
            codes.flags.writeable = False

    @classmethod
    def from_file(cls, file: MeasurementFile, name: str | None = None) -> Overlay:
        """Overlay of a file that was read; ``name`` left out is the name of the file."""
        meta = {
            "name": Path(file.path).name if name is None else name,
            "path": file.path,
            "format": file.format,
            "digest": file.digest,
            "warnings": file.warnings,
            "counters": "\n".join(name.replace("\n", " ") for name in file.counters),
        }
        kernels = file.measurements
        if isinstance(kernels, PackedMeasurements):
            return cls(meta, *kernels.columns(), len(kernels))
        return cls.from_records(meta, map(to_record, kernels), len(kernels))

    @classmethod
    def from_records(
        cls, meta: Mapping[str, Any], records: Iterable[Mapping[str, Scalar]], length: int
    ) -> Overlay:
        """Overlay of ``length`` records, taken one by one.

        Raises
        ------
        MeasurementError
            There are not as many records as announced.
        """
        builder = ColumnBuilder()
        for record in records:
            if builder.length == length:
                raise MeasurementError(
                    f"{meta['name']}: more kernels than the {length:,} that were announced."
                )
            builder.add(record)
        if builder.length != length:
            raise MeasurementError(
                f"{meta['name']}: {builder.length:,} kernels, where {length:,} were announced."
            )
        return cls(meta, *builder.finished(), length)

    # --------------------------------------------------------------------------------- as a sequence

    def __len__(self) -> int:
        return self._length

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Overlay) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"Overlay({self.name!r}, {self._length} kernels, {self.digest[:12]})"

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._freeze()  # a pickle forgets that an array was read-only

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_columns": None, "_kept": {}}

    def renamed(self, name: str) -> Overlay:
        """Return the same overlay under another name; the columns are shared."""
        meta = {**self.meta(), "name": name}
        return Overlay(meta, self._numbers, self._texts, self._length)

    def meta(self) -> dict[str, Any]:
        """Everything but the kernels, as plain data."""
        return {
            "name": self.name,
            "path": self.path,
            "format": self.format,
            "digest": self.digest,
            "warnings": list(self.warnings),
            # One text: a list of a thousand names would take a study longer to read than its kernels do.
            **({"counters": "\n".join(self.counters)} if self.counters else {}),
        }

    @property
    def record_keys(self) -> tuple[str, ...]:
        """Keys of a record that at least one kernel has."""
        return (*self._texts, *self._numbers)

    def is_number(self, key: str) -> bool:
        """Whether a key of :attr:`record_keys` holds numbers; the others hold texts."""
        return key in self._numbers

    def numbers(self, key: str) -> Column:
        """Values of one key as the record has it, NaN where absent; raises KeyError for a key without any."""
        return self._numbers[key]

    def record(self, index: int) -> dict[str, Scalar]:
        """Flat record of one kernel; raises IndexError outside 0 to the length."""
        if not 0 <= index < self._length:
            raise IndexError(f"kernel {index} of {self._length}")
        record: dict[str, Scalar] = {}
        for key, (codes, texts) in self._texts.items():
            if codes[index] >= 0:
                record[key] = texts[codes[index]]
        for key, column in self._numbers.items():
            value = float(column[index])
            if value == value:  # absent is NaN
                record[key] = value
        return record

    def measurement(self, index: int) -> Measurement:
        """One kernel in full."""
        return from_record(self.record(index), f"{self.name}, kernel {index}")

    # ------------------------------------------------------------------------------------ as columns

    @property
    def columns(self) -> Mapping[str, Any]:
        """Figures of all kernels by name: read-only arrays, one value per kernel, NaN where absent.

        ``launch``, ``count``, ``time_s``, ``clock_hz``, ``work_flop`` and ``achieved_flop_per_s`` (both of the main
        pipe), ``work.<pipe>``, and for each boundary ``<boundary>_bytes``, ``<boundary>_bytes_per_s`` and
        ``intensity_<boundary>`` (infinite without traffic), the same figures that :class:`Measurement` gives;
        ``pipe`` holds positions in :attr:`pipes`, -1 without work.
        """
        if self._columns is None:
            self._columns = MappingProxyType(derived_columns(self._numbers, self.pipes, self._length))
        return self._columns

    def made_once(self, key: Any, make: Callable[[], Any]) -> Any:
        """Return what follows from the columns; the last few things that were asked for are kept, as long as this."""
        found = self._kept.pop(key) if key in self._kept else make()
        self._kept[key] = found
        for old in tuple(self._kept)[:-_MOST_KEPT]:
            del self._kept[old]
        return found

    @property
    def pipes(self) -> tuple[str, ...]:
        """Pipes on which any kernel has work."""
        return self._names("work.", "work_rate.")

    @property
    def boundaries(self) -> tuple[str, ...]:
        """Boundaries at which any kernel has traffic."""
        return self._names("bytes.", "bytes_per_s.")

    def _names(self, *prefixes: str) -> tuple[str, ...]:
        found = (key[len(p) :] for p in prefixes for key in self._numbers if key.startswith(p))
        return tuple(dict.fromkeys(found))

    def texts(self, key: str) -> tuple[Codes, tuple[str, ...]]:
        """Codes and texts of one key, such as ``kernel`` or ``kernel_short``; -1 where a kernel has none."""
        import numpy as np

        if key in self._texts:
            return self._texts[key]
        if not is_text_key(key):
            raise MeasurementError(f"{key!r} is a number, not a text.")
        return np.full(self._length, -1, dtype=np.int32), ()

    # ---------------------------------------------------------------------------------------- on disk

    def write_rows(self, path: str | Path) -> None:
        """Write the kernels to a compressed CSV beside the study, atomically; see :meth:`read_rows`."""
        from rooflinestudio.core.measurement_rows import write_rows

        write_rows(self, Path(path))

    @staticmethod
    def read_rows(path: str | Path) -> Overlay:
        """Read what :meth:`write_rows` wrote.

        Raises
        ------
        MeasurementError
            The file is missing, broken, of another kind, or larger than any overlay.
        """
        from rooflinestudio.core.measurement_rows import read_rows

        return read_rows(Path(path))


def checked_meta(document: Mapping[str, Any]) -> dict[str, Any]:
    """Read what a document says about an overlay apart from its kernels.

    Raises
    ------
    MeasurementError
        A value is missing or of the wrong type.
    """
    meta = {key: document.get(key) for key in (*_META, "digest")}
    for key, value in meta.items():
        if not isinstance(value, str):
            raise MeasurementError(f"overlay: {key} is {value!r}; expected a text.")
    if not _DIGEST.match(str(meta["digest"])):
        raise MeasurementError(f"overlay {meta['name']!r}: digest must be 64 hexadecimal digits.")
    warnings, counters = document.get("warnings", []), document.get("counters", "")
    if not isinstance(warnings, list) or not all(isinstance(text, str) for text in warnings):
        raise MeasurementError(f"overlay {meta['name']!r}: warnings must be a list of texts.")
    if not isinstance(counters, str):
        raise MeasurementError(f"overlay {meta['name']!r}: counters must be a text with a name on each line.")
    return {**meta, "warnings": warnings, "counters": counters}
