"""The one place where views meet the session: facts go down to the views, wishes come up from them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.study import Pair
from rooflinestudio.ui.action_table import Key, When
from rooflinestudio.ui.comparison.view import ComparisonView
from rooflinestudio.ui.hardware.selector import MachineSelector
from rooflinestudio.ui.inspector.view import InspectorView
from rooflinestudio.ui.measured.view import MeasuredView
from rooflinestudio.ui.outline.view import OutlineView
from rooflinestudio.ui.palette.view import PaletteView

if TYPE_CHECKING:
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.plugins.registry import Registry
    from rooflinestudio.ui.canvas.view import CanvasView
    from rooflinestudio.ui.main_window import MainWindow
    from rooflinestudio.ui.session import Selection
    from rooflinestudio.ui.theme import Theme

__all__ = ["Panels", "Wiring"]
