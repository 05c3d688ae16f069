"""Calm banners over the canvas: what happened, what it means, how to mend it. Never a box that stops the work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from rooflinestudio.ui.icons import HEAD_PX, TOOL_PX, icon
from rooflinestudio.ui.theme import font, set_role

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Notice", "NoticeArea", "NoticeBanner", "ProgressBanner"]

Tone = Literal["info", "warn", "error"]

LIFETIME_MS: Final = 8_000
"""How long an information stays; warnings and errors stay until they are closed."""

VISIBLE_LIMIT: Final = 4
TEXT_LIMIT: Final = 420
LINE_LIMIT: Final = 6
_TOKENS: Final = {"info": "accent_text", "warn": "warn", "error": "error"}


@dataclass(frozen=True, slots=True)
class Notice:
    """What a banner says.

    Attributes
    ----------
    title
        What happened, in a few words.
    text
        Where, and with which value.
    mend
        What the user can do.
    """

    tone: Tone
    title: str
    text: str = ""
    mend: str = ""

    @property
    def full_text(self) -> str:
        """Everything it says, for the clipboard."""
        return "\n".join(one for one in (self.title, self.text, self.mend) if one)


class _Banner(QFrame):
    """A row with an icon, room for contents, and a cross."""

    closed = Signal(object)

    def __init__(self, tone: Tone, parent: QWidget) -> None:
        super().__init__(parent)
        self._sign = QLabel(self)
        self._sign_names = (tone, _TOKENS[tone])
        set_role(self, "note", tone=tone)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._paint_sign()
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(12, 6, 6, 6)
        self.row.setSpacing(8)
        self.row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        self.close_button = _quiet_button("close", "Close this notice", self)
        self.close_button.clicked.connect(self.dismiss)

    def dismiss(self) -> None:
        """Go away."""
        self.hide()
        self.closed.emit(self)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_sign()
        super().changeEvent(event)

    def _paint_sign(self) -> None:
        name, token = self._sign_names
        ratio = self.devicePixelRatioF()
        self._sign.setPixmap(icon(name, token).pixmap(QSize(TOOL_PX, TOOL_PX), ratio))


class NoticeBanner(_Banner):
    """One notice; the same notice again only counts up."""

    def __init__(self, notice: Notice, parent: QWidget) -> None:
        super().__init__(notice.tone, parent)
        self.notice = notice
        self.count = 1
        self.setObjectName("notice")
        self.setAccessibleName(notice.title)
        self.setAccessibleDescription(notice.full_text)
        column = QVBoxLayout()
        column.setSpacing(2)
        self.title_label = _label(notice.title, "body_strong", self, wrap=True)
        column.addWidget(self.title_label)
        shown = _shortened(notice.text)
        for text in (shown, notice.mend):
            if text:
                column.addWidget(_label(text, "label", self, wrap=True))
        if shown != notice.text:
            self.setToolTip(notice.text if len(notice.text) < 4000 else notice.text[:4000] + "…")
        self.row.addLayout(column, 1)
        self.buttons = QHBoxLayout()
        self.buttons.setSpacing(6)
        self.row.addLayout(self.buttons)
        if shown != notice.text:
            self.add_button("Copy", self._on_copy_clicked, dismisses=False)
        self.row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)

    def repeat(self) -> None:
        """Say that the same thing happened once more."""
        self.count += 1
        self.title_label.setText(f"{self.notice.title} ({self.count} times)")

    def add_button(self, text: str, done: Callable[[], object], *, dismisses: bool = True) -> QPushButton:
        """Offer a mend as a button; it closes the notice unless told otherwise."""
        button = QPushButton(text, self)
        button.clicked.connect(lambda _checked=False: done())
        if dismisses:
            button.clicked.connect(self.dismiss)
        self.buttons.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return button

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self.notice.full_text)


class ProgressBanner(_Banner):
    """Something that takes time, with its progress and a way to stop it."""

    cancelRequested = Signal()

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__("info", parent)
        self.setObjectName("progress")
        self.setAccessibleName(title)
        self.title_label = _label(title, "body_strong", self)
        self.bar = QProgressBar(self)
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)
        self.bar.setAccessibleName(title)
        self.cancel_button = QPushButton("Cancel", self)
        self.cancel_button.clicked.connect(self.cancelRequested)
        self.row.addWidget(self.title_label)
        self.row.addWidget(self.bar, 1)
        self.row.addWidget(self.cancel_button)
        self.close_button.hide()

    def set_progress(self, share: float) -> None:
        """Show how far it is, 0 to 1."""
        self.bar.setValue(round(1000 * min(max(share, 0.0), 1.0)))


class NoticeArea(QWidget):
    """The column of banners; takes no room while there is none."""

    def __init__(self, parent: QWidget | None = None, *, lifetime_ms: int = LIFETIME_MS) -> None:
        super().__init__(parent)
        self._lifetime_ms = lifetime_ms
        self._banners: list[_Banner] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 8, 12, 8)
        self._column.setSpacing(6)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.setAccessibleName("Notices")
        set_role(self, "surface")
        self.hide()

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What is on screen, the oldest first."""
        return tuple(one.notice for one in self._banners if isinstance(one, NoticeBanner))

    @property
    def banners(self) -> tuple[NoticeBanner, ...]:
        """The banners of :attr:`notices`."""
        return tuple(one for one in self._banners if isinstance(one, NoticeBanner))

    def tell(
        self, tone: Tone, title: str, text: str = "", mend: str = "", *, stays: bool = False
    ) -> NoticeBanner:
        """Show a notice; one that says the same already counts up instead.

        An information goes after a while unless it ``stays``, because it asks something.
        """
        notice = Notice(tone, title, text, mend)
        for banner in self.banners:
            if banner.notice == notice:
                banner.repeat()
                return banner
        banner = NoticeBanner(notice, self)
        self._add(banner)
        if tone == "info" and not stays:
            QTimer.singleShot(self._lifetime_ms, banner, banner.dismiss)
        while len(self.banners) > VISIBLE_LIMIT:
            self.banners[0].dismiss()
        QAccessible.updateAccessibility(QAccessibleEvent(banner, QAccessible.Event.Alert))
        return banner

    def start_progress(self, title: str) -> ProgressBanner:
        """Show that something takes time; ``dismiss`` it when it is over."""
        banner = ProgressBanner(title, self)
        self._add(banner)
        return banner

    def clear(self) -> None:
        """Close every notice; what is still going on stays."""
        for banner in self.banners:
            banner.dismiss()

    def _add(self, banner: _Banner) -> None:
        self._banners.append(banner)
        self._column.addWidget(banner)
        banner.closed.connect(self._on_banner_closed)
        self.show()

    def _on_banner_closed(self, banner: _Banner) -> None:
        if banner in self._banners:
            self._banners.remove(banner)
            self._column.removeWidget(banner)
            banner.deleteLater()
        self.setVisible(bool(self._banners))


def _label(text: str, role: str, parent: QWidget, *, wrap: bool = False) -> QLabel:
    label = QLabel(text, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setFont(font(role))
    label.setWordWrap(wrap)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _quiet_button(name: str, tip: str, parent: QWidget) -> QToolButton:
    button = QToolButton(parent)
    button.setIcon(icon(name, "muted"))
    button.setIconSize(QSize(HEAD_PX, HEAD_PX))
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.setAutoRaise(True)
    return button


def _shortened(text: str) -> str:
    """Return the beginning of a long text; the rest is in the tool tip and the clipboard."""
    lines = text.splitlines()
    short = "\n".join(lines[:LINE_LIMIT])
    if len(short) > TEXT_LIMIT:
        short = short[:TEXT_LIMIT].rsplit(" ", 1)[0]
    return short if short == text.rstrip("\n") else f"{short} …"
