"""The texts of many measured kernels by number, of which each is held once as long as there are few of them."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Codes = npt.NDArray[np.int32]

__all__ = ["Texts"]

_MOST_KEPT: Final = 20_000
"""Texts that are kept as objects; the names of the kernels of a usual file are some dozen."""
_MOST_RECENT: Final = 5_000


class Texts:
    """Gives each text a number.

    The first texts are kept as they are and found again. Those that come later stand in one run of bytes and are found
    again only for a while, so that a file of which every row has a name of its own does not cost an object a row.
    """

    def __init__(self) -> None:
        self._kept: list[str] = []
        self._codes: dict[str, int] = {}
        self._run = bytearray()
        self._ends = array("q", [0])

    def __len__(self) -> int:
        return len(self._kept) + len(self._ends) - 1

    def code(self, text: str) -> int:
        """Return the number of a text."""
        found = self._codes.get(text)
        if found is not None:
            return found
        found = len(self)
        if found < _MOST_KEPT:
            self._kept.append(text)
        else:
            if len(self._codes) >= _MOST_KEPT + _MOST_RECENT:
                self._codes = dict(zip(self._kept, range(_MOST_KEPT), strict=True))
            self._run += text.encode("utf-8", "surrogatepass")
            self._ends.append(len(self._run))
        self._codes[text] = found
        return found

    def __getitem__(self, code: int) -> str:
        if code < _MOST_KEPT:
            return self._kept[code]
        place = code - _MOST_KEPT
        return self._run[self._ends[place] : self._ends[place + 1]].decode("utf-8", "surrogatepass")

    def compact(self, codes: Codes) -> tuple[Codes, tuple[str, ...]]:
        """Codes from 0 of the texts that occur, each of which is there once, and these texts; -1 stays -1."""
        import numpy as np

        used = np.zeros(len(self) + 1, bool)  # one more for -1
        used[codes] = True
        used[-1] = False
        texts: dict[str, int] = {}
        news = np.full(len(used), -1, np.int32)
        for code in np.flatnonzero(used).tolist():
            news[code] = texts.setdefault(self[code], len(texts))
        return news[codes], tuple(texts)
