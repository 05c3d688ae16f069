"""What has to be said about the launches of a file together: each remark once, with the launches it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plugins_builtin._ncu.build import build

if TYPE_CHECKING:
    from plugins_builtin._ncu.build import Built
    from plugins_builtin._ncu.launches import RawLaunch
    from plugins_builtin._ncu.numbers import FormatEvidence, Mark

__all__ = ["Remarks"]

_NAMED: Final = 3  # launches that a remark names
_MOST: Final = 20  # different remarks


class Remarks:
    """Collects remarks while measurements are made."""

    def __init__(self, evidence: FormatEvidence, mark: Mark | None) -> None:
        self._evidence = evidence
        self._mark = mark
        self._notes: dict[str, list[int]] = {}
        self._unreadable = 0
        self._first_unreadable = ""
        self._undecided = 0
        self._question = ""

    def add(self, built: Built, raw: RawLaunch) -> None:
        """Take what one launch has to say."""
        counters = built.counters
        for note in built.measurement.notes:
            if note in self._notes or len(self._notes) < _MOST:
                self._notes.setdefault(note, []).append(built.measurement.launch)
        if counters.unreadable:
            cell = counters.unreadable[0]
            text = f"{cell.source.shown} = “{cell.text[:60]}” {cell.source.unit[:40]}".rstrip()
            self._first_unreadable = self._first_unreadable or f"{text} (launch {built.measurement.launch}, line {raw.line})"
            self._unreadable += len(counters.unreadable)
        if counters.undecided:
            self._undecided += 1

    def ask(self, raw: RawLaunch) -> None:
        """Show both readings of an undecided launch."""
        pass

    def texts(self) -> list[str]:
        """Sentences, the weightiest first."""
        return []
