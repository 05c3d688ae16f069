"""The dialog for a kernel without code at work: what the studio knows goes in, the kernel goes into study or folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt

from rooflinestudio.core.custom.kernels import kernel_from_document, kernels_in, save_kernel, with_kernel
from rooflinestudio.core.errors import StudioError
from rooflinestudio.ui.custom_kernel.dialog import KernelDialog
from rooflinestudio.ui.settings import kernels_folder

if TYPE_CHECKING:
    from rooflinestudio.core.custom.kernels import CustomKernel
    from rooflinestudio.ui.furnishing import Furnishing

__all__ = ["open_kernel_dialog"]


class _Page(QObject):
    """Holds one open dialog together with the session."""

    def __init__(self, inside: Furnishing, dialog: KernelDialog) -> None:
        super().__init__(dialog)
        self._inside, self._session = inside, inside.session
        dialog.kernelAccepted.connect(self._on_dialog_kernel_accepted)
        inside.frame.themes.themeChanged.connect(dialog.refresh_theme)

    def _on_dialog_kernel_accepted(self, document: Any, save_to_folder: bool) -> None:
        try:
            kernel = kernel_from_document(document, name="The kernel")
            if save_to_folder:
                self._keep(kernel)
            else:
                self._place(kernel)
        except StudioError as error:
            self._inside.notices.tell("error", "The kernel was not kept", str(error))

    def _keep(self, kernel: CustomKernel) -> None:
        folder = kernels_folder()
        folder.mkdir(parents=True, exist_ok=True)
        path = save_kernel(kernel, folder)
        source = self._session.source
        if hasattr(source, "with_user"):
            self._session.refresh(source.with_user(kernels_in(folder)))
        self._inside.notices.tell("info", f"{kernel.label} is among your kernels", f"It lies in {path}.")

    def _place(self, kernel: CustomKernel) -> None:
        session = self._session
        session.undo_stack.beginMacro(f"New kernel {kernel.label}")
        try:
            session.edit(f"New kernel {kernel.label}", with_kernel(session.study, kernel))
            session.add_operator(kernel.id)
        finally:
            session.undo_stack.endMacro()


def open_kernel_dialog(inside: Furnishing) -> KernelDialog:
    """Open the dialog beside the work, on the machine of the strong roof."""
    session = inside.session
    dialog = KernelDialog(inside.window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    profile = session.placed.profiles.get(session.machine)
    if profile is not None:
        dialog.set_machine(profile, session.study.view)
    registry = getattr(session.source, "registry", session.source)
    origins = {one.id: registry.origin(one.id) for one in getattr(registry, "operators", ())}
    dialog.set_taken({id_: f"the plugin {origin.plugin}" for id_, origin in origins.items() if "." in id_})
    _Page(inside, dialog)
    dialog.show()
    return dialog
