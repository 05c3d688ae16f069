"""From views to the session: what the user wants, each wish as one edit."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPoint, Qt

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.pairing.edits import without_overlay
from rooflinestudio.core.placing import place
from rooflinestudio.core.study import Entry
from rooflinestudio.ui.action_table import Key
from rooflinestudio.ui.top_bar import tool_button
from rooflinestudio.ui.window_parts import head_button

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QAction

    from rooflinestudio.core.placing import PlacedRow
    from rooflinestudio.ui.canvas_pane import CanvasPane
    from rooflinestudio.ui.furnishing import Furnishing
    from rooflinestudio.ui.inspector.view import InspectorView
    from rooflinestudio.ui.outline.view import OutlineView
    from rooflinestudio.ui.panels import Panels

__all__ = ["Wishes"]


class Wishes(QObject):
    """What the views of one window ask for, done by its session."""

    def __init__(self, inside: Furnishing) -> None:
        super().__init__(inside)
        self._inside, self._window, self._frame = inside, inside.window, inside.frame
        self._session, self._panels = inside.session, inside.panels
        self._connect_window()
        self._connect_outline(inside.panels.outline)
        self._fill_heads()

    def _connect_window(self) -> None:
        session, panels, window, frame = self._session, self._panels, self._window, self._frame
        panels.palette.placeRequested.connect(self.place)
        panels.machines.machineRequested.connect(session.select_machine)
        panels.machines.addRequested.connect(self._inside.machineAddRequested)
        panels.machines.removeRequested.connect(session.remove_machine)
        panels.view_bar.viewRequested.connect(self._on_view_bar_view_requested)
        panels.view_bar.gestureEnded.connect(session.end_gesture)
        frame.status.pluginsRequested.connect(window.pluginsRequested)
        frame.recent_menu.triggered.connect(self._on_recent_menu_triggered)
        frame.tabs.centreRequested.connect(self._on_tabs_centre_requested)
        self._inside.imports.imported.connect(self._on_imports_imported)

    def _connect_outline(self, outline: OutlineView) -> None:
        session = self._session
        outline.visibilityRequested.connect(self._on_outline_visibility_requested)
        outline.renameRequested.connect(self._on_outline_rename_requested)
        outline.removeRequested.connect(session.remove)
        outline.duplicateRequested.connect(session.duplicate)
        outline.colourRequested.connect(self._on_outline_colour_requested)
        outline.groupRequested.connect(self._on_outline_group_requested)
        outline.overlayRemoveRequested.connect(self._on_overlay_remove_requested)
        outline.overlayColumnsRequested.connect(self._inside.imports.change_columns)
        outline.tableRequested.connect(self._on_outline_table_requested)

    def _fill_heads(self) -> None:
        """Put the small buttons into the heads of the docks."""
        docks, actions = self._frame.docks, self._frame.actions
        docks.head(docks.palette).add_button(head_button("plug", "Plugins", actions[Key.PLUGINS]))
        docks.head(docks.outline).add_button(
            head_button("folder", "Put the selected entries into a new group", self._new_group)
        )
        self._more = head_button("more", "What can be done with the selected row", self._open_outline_menu)
        docks.head(docks.outline).add_button(self._more)

    def _new_group(self) -> None:
        if self._session.chosen:
            self._panels.outline.request_new_group(self._session.chosen)

    def _open_outline_menu(self) -> None:
        outline = self._panels.outline
        menu = outline.context_menu(outline.tree.node_at(outline.tree.currentIndex()))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if menu.isEmpty():
            menu.deleteLater()
        else:
            menu.popup(self._more.mapToGlobal(QPoint(0, self._more.height())))

    def _connect_inspector(self, inspector: InspectorView) -> None:
        inspector.parametersResetRequested.connect(self._on_inspector_parameters_reset_requested)
        inspector.settingRequested.connect(self._on_inspector_setting_requested)
        inspector.commandCopied.connect(self._on_copied)

    def connect_rest(self, panels: Panels) -> None:
        """Take inspector and tables in: they come after the canvas."""
        self._connect_inspector(panels.inspector)
        copy = head_button("copy", "Copy the selected entry as a command line", panels.inspector.copy_command)
        docks = self._frame.docks
        docks.head(docks.inspector).add_button(copy)

    def connect_canvas(self, canvas: CanvasPane) -> None:
        """Take the canvas in: it comes when the window has been painted."""
        canvas.filesDropped.connect(self._inside.open_files)
        canvas.previewRequested.connect(self._on_canvas_preview_requested)
        canvas.statusTextChanged.connect(self._on_canvas_status_text_changed)
        for key in (Key.ZOOM_IN, Key.ZOOM_OUT, Key.FIT, Key.EXPORT_PICTURE):
            canvas.add_tool(tool_button(self._frame.actions[key]))

    def place(self, operator_id: str) -> None:
        """Place an operator, or say why that is impossible."""
        try:
            self._session.add_operator(operator_id)
        except StudioError as error:
            self._inside.notices.tell("error", "The operator was not placed", str(error))

    def _on_view_bar_view_requested(self, text: str, field: str, value: object, dragging: bool) -> None:
        self._session.change_view(text, merge=("view", field) if dragging else None, **{field: value})

    def _on_recent_menu_triggered(self, action: QAction) -> None:
        self._inside.files.load(action.data())

    def _on_tabs_centre_requested(self, fills: bool) -> None:
        self._frame.fill_centre(fills)

    # Outline

    def _change_entries(self, text: str, ids: Iterable[str], **changes: Any) -> None:
        study = self._session.study
        for id_ in ids:
            study = study.replacing(replace(study.entry(id_), **changes))
        self._session.edit(text, study)

    def _on_outline_visibility_requested(self, ids: tuple[str, ...], visible: bool) -> None:
        self._change_entries("Show" if visible else "Hide", ids, visible=visible)

    def _on_outline_rename_requested(self, id_: str, label: str) -> None:
        self._change_entries("Rename", (id_,), label=label)

    def _on_outline_colour_requested(self, id_: str, slot: int | str) -> None:
        self._change_entries("Change colour", (id_,), slot=slot)

    def _on_outline_group_requested(self, ids: tuple[str, ...], group: str) -> None:
        self._change_entries("Group" if group else "Ungroup", ids, group=group)

    def _on_overlay_remove_requested(self, digest: str) -> None:
        self._session.edit("Remove measurements", without_overlay(self._session.study, digest))

    def _on_imports_imported(self, _digest: str) -> None:
        if self._panels.has_tabs:  # a file given at the start may be read before they are there
            self._frame.tabs.setCurrentWidget(self._panels.measured)

    def _on_outline_table_requested(self, _digest: str) -> None:
        self._frame.docks.tabs.show()
        self._frame.tabs.setCurrentWidget(self._panels.measured)

    # Inspector

    def _on_inspector_parameters_reset_requested(self, id_: str) -> None:
        self._session.change_entry(id_, "Reset parameters", parameters={})

    def _on_inspector_setting_requested(self, id_: str, field: str, value: object, dragging: bool) -> None:
        merge = ("setting", id_, field) if dragging else None
        self._session.change_entry(id_, f"Change {field}", merge=merge, **{field: value})

    def _on_copied(self, what: str) -> None:
        self._inside.notices.tell("info", "Copied", what)

    # Canvas

    def _on_canvas_preview_requested(self, operator_id: str) -> None:
        self._panels.canvas.preview(self._preview_row(operator_id) if operator_id else None)

    def _preview_row(self, operator_id: str) -> PlacedRow | None:
        """Return the row that placing an operator would add on the strong machine."""
        session = self._session
        try:
            label = session.source.operator(operator_id).label
        except StudioError:
            return None
        study = session.study
        entry = Entry(
            "preview", operator_id, label=label, slot=study.next_slot(), machines=(session.machine,)
        )
        rows = place(replace(study, entries=(entry,), overlays=(), pairs=()), {}, session.source).rows
        return rows[0] if rows else None

    def _on_canvas_status_text_changed(self, text: str) -> None:
        self._frame.status.show_text(text)

    def fit(self) -> None:
        """Show the whole roofline."""
        if self._panels.has_canvas:
            self._panels.canvas.view.fit()

    def zoom_in(self) -> None:
        """Look closer."""
        if self._panels.has_canvas:
            self._panels.canvas.view.zoom_in()

    def zoom_out(self) -> None:
        """Step back."""
        if self._panels.has_canvas:
            self._panels.canvas.view.zoom_out()
