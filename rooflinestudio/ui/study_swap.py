"""The one undo command of the studio: a study in place of another one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QUndoCommand

if TYPE_CHECKING:
    from rooflinestudio.core.study import Study
    from rooflinestudio.ui.session import Session

__all__ = ["StudySwap"]

_MERGE_ID: Final = 0x5F1


class StudySwap(QUndoCommand):
    """Exchange one frozen study for another; steps of one drag merge into one command."""

    def __init__(
        self, session: Session, text: str, studies: tuple[Study, Study], merge: object = None
    ) -> None:
        super().__init__(text)
        self._session = session
        self.before, self.after = studies
        self.merge = merge

    def id(self) -> int:
        return _MERGE_ID if self.merge is not None else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, StudySwap) or other.merge != self.merge:
            return False
        self.after = other.after
        if self.after == self.before:
            self.setObsolete(True)
        return True

    def redo(self) -> None:
        self._session.show_study(self.after)

    def undo(self) -> None:
        self._session.show_study(self.before)
