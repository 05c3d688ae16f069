"""Measured files side by side as one set of columns: a kernel is a number, from the first of the first file on."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.measured.main import main_columns
from rooflinestudio.core.measurement_records import dimensions_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    import numpy.typing as npt

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measurement_overlay import Overlay

    Column = npt.NDArray[np.float64]
    Codes = npt.NDArray[np.int64]

__all__ = ["DRAM", "NOTES", "Series"]

DRAM: Final = "dram"
"""Boundary of the traffic and the intensities in the table."""

NOTES: Final = (
    "No work was counted.",
    "Its work is 0, which has no place on a logarithmic axis.",
    "No time was measured, so no rate is known.",
    "No traffic at device memory was counted.",
    "Nothing crossed device memory; it stands at the boundaries inside.",
)
"""Why a kernel has no place on the canvas at device memory, where its file does not say."""


_FOLLOWING: Final = frozenset(
    (
        "numbers work_flop", f"numbers intensity_{DRAM}", "numbers achieved_flop_per_s", "all work_flop", "drawn",
        "texts pipe", "ranks pipe", "texts note", "ranks note",
    )
)  # fmt: skip
"""What a series with other main pipes makes anew; all else is that of the series that it came from."""


class Series:
    """The columns of several overlays, joined when they are asked for; nothing in it changes.

    Attributes
    ----------
    overlays
        The files, in the order of the study.
    starts
        Number of the first kernel of each file, and the number of all kernels.
    """

    def __init__(self, overlays: tuple[Overlay, ...], columns: tuple[Mapping[str, Any], ...] = ()) -> None:
        self.overlays = overlays
        self._columns = columns or tuple(one.columns for one in overlays)
        self.starts = [0]
        for overlay in overlays:
            self.starts.append(self.starts[-1] + len(overlay))
        self._made: dict[str, Any] = {}
        self._base: Series | None = None

    def against(self, profile: HardwareProfile | None) -> Series:
        """Return the series with the figures of the main pipes on a machine; itself where these are the same."""
        columns = tuple(main_columns(one, profile) for one in self.overlays)
        if all(ours is theirs for ours, theirs in zip(columns, self._columns, strict=True)):
            return self
        found = Series(self.overlays, columns)
        found._base = self
        return found

    def __len__(self) -> int:
        return self.starts[-1]

    def made_once(self, key: str, make: Callable[[], Any]) -> Any:
        """Return what follows from the columns alone; it is made at the first call."""
        if self._base is not None and key not in _FOLLOWING:
            return self._base.made_once(key, make)
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    # Where kernels are ----------------------------------------------------------------------------------------

    def place_of(self, kernel: int) -> tuple[Overlay, int]:
        """Return the file of a kernel, and its position in there."""
        number = bisect_right(self.starts, kernel) - 1
        return self.overlays[number], kernel - self.starts[number]

    def kernel_of(self, digest: str, index: int) -> int:
        """Return the number of a kernel, -1 where it is not here."""
        for start, overlay in zip(self.starts, self.overlays, strict=False):
            if overlay.digest == digest and 0 <= index < len(overlay):
                return start + index
        return -1

    def split(self, values: Any) -> dict[str, Any]:
        """Return an array over all kernels as one array for each file, by digest."""
        ends = zip(self.overlays, self.starts, self.starts[1:], strict=False)
        return {overlay.digest: values[start:end] for overlay, start, end in ends}

    @property
    def files(self) -> Codes:
        """Number of the file of each kernel."""
        import numpy as np

        def make() -> Codes:
            return np.repeat(np.arange(len(self.overlays)), [len(one) for one in self.overlays])

        found: Codes = self.made_once("files", make)
        return found

    # Figures --------------------------------------------------------------------------------------------------

    def numbers(self, name: str) -> Column:
        """Return a column of :attr:`Overlay.columns` over all files, not-a-number where a file has none."""
        found: Column = self.made_once(f"numbers {name}", lambda: self._joined(name))
        return found

    def _joined(self, name: str) -> Column:
        import numpy as np

        files = zip(self.overlays, self._columns, strict=True)
        parts = [columns.get(name, np.full(len(one), np.nan)) for one, columns in files]
        return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0), *parts])

    @property
    def counts(self) -> Column:
        """Launches that each kernel is the mean of; at least 1."""
        import numpy as np

        found: Column = self.made_once("counts", lambda: np.fmax(self.numbers("count"), 1.0))
        return found

    def all_launches(self, name: str) -> Column:
        """Return a column (an amount of one launch) over all launches that a kernel is the mean of."""
        found: Column = self.made_once(f"all {name}", lambda: self.numbers(name) * self.counts)
        return found

    @property
    def shares(self) -> Column:
        """Part of each kernel in the time of its file, all launches counted."""
        import numpy as np

        def make() -> Column:
            times = self.all_launches("time_s")
            totals = np.bincount(self.files, np.nan_to_num(times), minlength=len(self.overlays))
            with np.errstate(all="ignore"):
                return times / totals[self.files]

        found: Column = self.made_once("shares", make)
        return found

    @property
    def is_drawn(self) -> npt.NDArray[np.bool_]:
        """Whether each kernel has a place on the canvas at device memory."""
        import numpy as np

        def make() -> npt.NDArray[np.bool_]:
            intensity, rate = self.numbers(f"intensity_{DRAM}"), self.numbers("achieved_flop_per_s")
            with np.errstate(invalid="ignore"):
                return (intensity > 0) & np.isfinite(intensity) & (rate > 0)

        found: npt.NDArray[np.bool_] = self.made_once("drawn", make)
        return found

    # Texts ----------------------------------------------------------------------------------------------------

    def texts(self, key: str) -> tuple[Codes, tuple[str, ...]]:
        """Return codes of all kernels (-1: none) and the different texts: of a record's key, ``pipe`` or ``note``."""
        found: tuple[Codes, tuple[str, ...]] = self.made_once(f"texts {key}", lambda: self._made_texts(key))
        return found

    def _made_texts(self, key: str) -> tuple[Codes, tuple[str, ...]]:
        if key == "note":
            return self._notes()
        if key != "pipe":
            return _merged([one.texts(key) for one in self.overlays])
        files = zip(self.overlays, self._columns, strict=True)
        return _merged([(columns["pipe"], one.pipes) for one, columns in files])

    def _notes(self) -> tuple[Codes, tuple[str, ...]]:
        """Return why kernels are not drawn: the reason of the file, else what is missing."""
        import numpy as np

        reasons, texts = self.texts("reason")
        work, rate = self.numbers("work_flop"), self.numbers("achieved_flop_per_s")
        intensity = self.numbers(f"intensity_{DRAM}")
        own = np.select(
            [np.isnan(work) & np.isnan(rate), (work == 0) | (rate == 0), np.isnan(rate), np.isnan(intensity)],
            range(4),
            default=4,
        )
        codes = np.where(reasons >= 0, reasons, own + len(texts))
        return np.where(self.is_drawn, -1, codes), (*texts, *NOTES)

    def text(self, key: str, kernel: int) -> str:
        """Return the text of one kernel, empty where it has none."""
        codes, texts = self.texts(key)
        code = int(codes[kernel])
        return texts[code] if code >= 0 else ""

    def ranks(self, key: str) -> Column:
        """Return the place of each kernel's text in the order of all; not-a-number without a text."""
        found: Column = self.made_once(f"ranks {key}", lambda: self._made_ranks(key))
        return found

    def _made_ranks(self, key: str) -> Column:
        import numpy as np

        codes, texts = self.texts(key)
        keys = _sort_keys(key, texts)
        order = sorted(range(len(texts)), key=keys.__getitem__)
        places = np.full(len(texts) + 1, np.nan)  # code -1 finds the last
        places[order] = np.arange(len(texts))
        return places[codes]


def _sort_keys(key: str, texts: tuple[str, ...]) -> list[Any]:
    """Return what texts are sorted by: grids and blocks by their size, the rest without regard to case."""
    if key not in ("grid", "block"):
        return [text.removeprefix("void ").casefold() for text in texts]
    sizes = [dimensions_of(text) or (0, 0, 0) for text in texts]
    return [(x * y * z, text) for (x, y, z), text in zip(sizes, texts, strict=True)]


def _merged(coded: list[tuple[Any, tuple[str, ...]]]) -> tuple[Codes, tuple[str, ...]]:
    """Return the codes of several files over the texts of all, each text once."""
    import numpy as np

    known: dict[str, int] = {}
    parts = [np.empty(0, dtype=np.int64)]
    for codes, texts in coded:
        table = np.array([*(known.setdefault(text, len(known)) for text in texts), -1], dtype=np.int64)
        parts.append(table[codes])
    return np.concatenate(parts), tuple(known)
