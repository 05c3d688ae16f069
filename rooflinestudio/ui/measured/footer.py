"""Below the measured table: what is listed, in sums for each file; or why the filter does not hold."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.link_button import LinkButton

__all__ = ["MeasuredFooter"]

_HEIGHT_PX = 26


class MeasuredFooter(QWidget):
    """One line of words, and the way back to what is hidden.

    Attributes
    ----------
    show_all
        Button that shows all kernels again; only there while some are hidden.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("measured.footer")
        set_role(self, "surface")
        self.setFixedHeight(_HEIGHT_PX)
        self.words = ElidingLabel(role="caption", token="text2", steady=True)
        self.show_all = LinkButton("Show all")
        self.show_all.setObjectName("measured.show_all")
        self.show_all.setAccessibleName("Show all hidden kernels")
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(12)
        row.addWidget(self.words, 1)
        row.addWidget(self.show_all)

    def show_words(self, summary: str, fault: str, *, hidden: int) -> None:
        """Show the sums, or in their place why the filter does not hold."""
        self.words.set_text(fault or summary)
        self.words.set_token("error" if fault else "text2")
        self.show_all.setVisible(hidden > 0 and not fault)
