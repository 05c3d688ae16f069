"""What can be done with a measured kernel's pair, as a menu where the kernel is."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from rooflinestudio.core.pairing.edits import paired_entry_id
from rooflinestudio.core.pairing.readout import entry_name
from rooflinestudio.ui.icons import icon

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from rooflinestudio.core.pairing.edits import Kernel
    from rooflinestudio.core.placing import PlacedStudy
    from rooflinestudio.core.study import Study

__all__ = ["fitting_menu", "kernel_menu"]

_LONGEST = 48


def kernel_menu(
    parent: QWidget, study: Study, kernel: Kernel, *, pair: Callable[[], object], unpair: Callable[[], object]
) -> QMenu:
    """Return a menu for one kernel: its name, what to pair it with, and how to undo that."""
    menu = QMenu(parent)
    menu.setAccessibleName("Measured kernel")
    overlay = next(one for one in study.overlays if one.digest == kernel[0])
    measured = overlay.measurement(kernel[1])
    heading = menu.addAction(measured.kernel_short)
    heading.setEnabled(False)
    menu.addSeparator()
    now = paired_entry_id(study, *kernel)
    action = menu.addAction("Pair with another…" if now else "Pair with…")
    action.setObjectName("pairing.pair")
    action.triggered.connect(lambda _checked=False: pair())
    if now:
        undo = menu.addAction(f"Unpair from {entry_name(study.entry(now))}")
        undo.setObjectName("pairing.unpair")
        undo.triggered.connect(lambda _checked=False: unpair())
    menu.addSeparator()
    copy = menu.addAction(icon("copy"), "Copy full name")
    copy.setObjectName("pairing.copy_name")
    copy.triggered.connect(lambda _checked=False: QGuiApplication.clipboard().setText(measured.kernel))
    return menu


def fitting_menu(
    parent: QWidget,
    asked: Callable[[], tuple[PlacedStudy | None, str, str]],
    chosen: Callable[[Kernel], object],
) -> QMenu:
    """Return a menu of the kernels that an entry may be, the best first; it is filled when it opens.

    Parameters
    ----------
    asked
        Returns the study, the entry's id and the machine that counts.
    chosen
        Called with the kernel that is to be held against the entry.
    """
    menu = QMenu("Pair with a kernel", parent)
    menu.setObjectName("pairing.kernels")
    menu.setToolTipsVisible(True)

    def fill() -> None:
        from rooflinestudio.core.pairing.suggest import kernels_for

        menu.clear()
        placed, entry_id, machine = asked()
        found = kernels_for(placed, entry_id, machine) if placed is not None else ()
        for one in found:
            alike = f", {one.alike} alike" if one.alike > 1 else ""
            action = menu.addAction(f"{_shortened(one.name)}{alike}")
            action.setToolTip(one.words)
            action.triggered.connect(partial(_choose, chosen, (one.digest, one.index)))
        if not found:
            menu.addAction("No kernel fits by name and shape").setEnabled(False)

    menu.aboutToShow.connect(fill)
    return menu


def _choose(chosen: Callable[[Kernel], object], kernel: Kernel, _checked: bool = False) -> None:
    chosen(kernel)


def _shortened(name: str) -> str:
    half = _LONGEST // 2
    return name if len(name) <= _LONGEST else f"{name[:half]}…{name[-half:]}"
