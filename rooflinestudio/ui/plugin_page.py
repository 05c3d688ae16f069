"""The plugin dialog at work: what the host says goes in, what the user allows goes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from rooflinestudio.core.errors import PluginError
from rooflinestudio.ui.plugin_dialog import PluginDialog

if TYPE_CHECKING:
    from rooflinestudio.plugins.host import PluginHost
    from rooflinestudio.plugins.user_plugins import UserPluginFile, UserPlugins
    from rooflinestudio.ui.furnishing import Furnishing

__all__ = ["show_plugin_page"]


class _Page(QObject):
    """Holds one open dialog together with the host."""

    def __init__(
        self, inside: Furnishing, host: PluginHost, files: UserPlugins, dialog: PluginDialog
    ) -> None:
        super().__init__(dialog)
        self._inside, self._host, self._files, self._dialog = inside, host, files, dialog
        dialog.allowRequested.connect(self._on_dialog_allow_requested)
        dialog.safeModeRequested.connect(inside.window.safeModeRequested)
        self.renew()

    def renew(self) -> None:
        """Show everything as it is now."""
        self._dialog.set_plugins(self._host.rows, safe_mode=self._inside.is_safe)
        rows = [(one.name, one.permission == "allowed", _hint(one)) for one in self._files.files()]
        self._dialog.set_user_plugins(rows, self._files.folder)

    def _on_dialog_allow_requested(self, name: str, allowed: bool) -> None:
        try:
            if allowed:
                file = next((one for one in self._files.files() if one.name == name), None)
                if file is not None:
                    self._files.allow(file)
                    self._host.load_foreign()
                    self._inside.show_plugins(self._host)
                    self._inside.wiring.mark_without_work()
            else:
                self._files.disallow(name)
                self._inside.notices.tell(
                    "info", f"{name} is off from the next start on", "What it brought stays until then."
                )
        except PluginError as error:
            self._inside.notices.tell("error", f"{name} was not allowed", str(error))
        self.renew()


def _hint(file: UserPluginFile) -> str:
    if file.permission == "allowed":
        return ""
    return {"new": "not allowed yet", "changed": "changed since it was allowed"}.get(
        file.permission, file.problem
    )


def show_plugin_page(inside: Furnishing, host: PluginHost, files: UserPlugins) -> PluginDialog:
    """Open the dialog beside the window and return it."""
    dialog = PluginDialog(inside.window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.page = _Page(inside, host, files, dialog)  # type: ignore[attr-defined]
    dialog.open()
    return dialog
