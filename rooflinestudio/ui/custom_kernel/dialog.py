"""The dialog of a custom kernel: its formulas at the left, what they come to at the right."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from rooflinestudio.core.custom.kernels import (
    FORMAT,
    MAX_BYTES,
    SUFFIXES,
    KernelError,
    dump_kernel,
    kernel_from_document,
    kernel_to_document,
    load_kernel,
)
from rooflinestudio.core.yaml_text import Fault, read_yaml_text
from rooflinestudio.ui.custom_kernel.faults import doubled_rows, show_faults
from rooflinestudio.ui.custom_kernel.form import KernelForm
from rooflinestudio.ui.custom_kernel.preview import KernelPreview
from rooflinestudio.ui.custom_kernel.sections import sentence
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.ink import repaint_all
from rooflinestudio.ui.widgets.note_box import ReasonBox

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.custom.kernels import CustomKernel
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.study import View
    from rooflinestudio.core.yaml_text import Place

__all__ = ["STARTER", "KernelDialog"]

CHECK_AFTER_MS: Final = 150
_FILES: Final = f"Kernels (*{' *'.join(SUFFIXES)})"

STARTER: Final = {
    "format": FORMAT,
    "id": "my.kernel",
    "label": "My kernel",
    "summary": "Reads x, computes, writes y",
    "parameters": [
        {"name": "n", "label": "elements", "default": 100_000_000, "help": "Elements of x and of y."}
    ],
    "dtypes": {"activation": "bf16", "output": "bf16"},
    "work": {"vector": "2 * n"},
    "tensors": [
        {"name": "x", "elements": "n", "role": "input", "dtype": "activation"},
        {"name": "y", "elements": "n", "role": "output", "dtype": "output"},
    ],
}
"""What a new kernel begins as: it can be placed at once, and shows where everything goes."""


class KernelDialog(QDialog):
    """A form for a kernel document, checked while it is typed.

    Signals
    -------
    kernelAccepted
        The document, and whether it is to be kept in the user's folder (else it is for this study).
    """

    kernelAccepted = Signal(object, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("New kernel")
        self.setObjectName("custom_kernel_dialog")
        self.resize(1120, 760)
        self._taken: Mapping[str, str] = {}
        self.kernel: CustomKernel | None = None
        self.faults: tuple[Fault, ...] = ()
        self.form, self.preview, self.banner = KernelForm(), KernelPreview(), ReasonBox()
        self._banner_row = QWidget()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(CHECK_AFTER_MS)
        self._timer.timeout.connect(self.check)
        self.form.edited.connect(self._on_form_edited)
        self._lay_out()
        self.set_document(STARTER)

    def _lay_out(self) -> None:
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self.form)
        area.setMinimumWidth(480)
        self.preview.setMinimumWidth(300)
        panes = QSplitter(Qt.Orientation.Horizontal)
        panes.setChildrenCollapsible(False)
        panes.addWidget(area)
        panes.addWidget(self.preview)
        panes.setStretchFactor(0, 1)
        panes.setSizes([756, 364])
        top = QVBoxLayout(self._banner_row)
        top.setContentsMargins(20, 12, 20, 12)
        top.addWidget(self.banner)
        self._banner_row.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._banner_row)
        column.addWidget(panes, 1)
        column.addWidget(self._buttons())

    def _buttons(self) -> QWidget:
        self.import_button = _button("Import YAML…", "Show a kernel file in this form")
        self.export_button = _button("Export YAML…", "Write the kernel into a file")
        self.cancel_button = _button("Cancel", "Close without keeping anything")
        self.save_button = _button(
            "Save to my kernels", "Keep it in your folder: the palette offers it in every study"
        )
        self.use_button = _button("Use in this study", "Put it into this study, and place it")
        set_role(self.use_button, "primary")
        self.import_button.clicked.connect(self._on_import_button_clicked)
        self.export_button.clicked.connect(self._on_export_button_clicked)
        self.cancel_button.clicked.connect(self.reject)
        self.save_button.clicked.connect(self._on_save_button_clicked)
        self.use_button.clicked.connect(self._on_use_button_clicked)
        bar = QWidget()
        set_role(bar, "window")
        row = QHBoxLayout(bar)
        row.setContentsMargins(20, 10, 20, 12)
        row.addWidget(self.import_button)
        row.addWidget(self.export_button)
        row.addStretch(1)
        row.addWidget(self.cancel_button)
        row.addWidget(self.save_button)
        row.addWidget(self.use_button)
        return bar

    # What it shows ------------------------------------------------------------------------------------------------

    def set_machine(self, profile: HardwareProfile | None, view: View) -> None:
        """Hold the kernel against a machine, with the policy and boundary of a view."""
        self.preview.set_machine(profile, view)

    def set_taken(self, taken: Mapping[str, str]) -> None:
        """Refuse these ids; the values say who has them, such as "the plugin acme-ops"."""
        self._taken = taken
        self.check()

    def set_document(self, document: Mapping[str, Any]) -> None:
        """Show a kernel document, right or wrong."""
        try:
            kernel_from_document(document)
            whole = True
        except KernelError:
            whole = False
        self.form.set_document(document, whole=whole)
        self.check()

    def document(self) -> dict[str, Any]:
        """Return the document as it stands in the form, right or wrong."""
        return self.form.document()

    def refresh_theme(self) -> None:
        """Take the colours of the theme now worn."""
        self.preview.refresh_theme()
        self.banner.refresh_theme()
        repaint_all(self)

    def check(self) -> None:
        """Look at the form now, and show the result or what is wrong with it."""
        self._timer.stop()
        try:
            self.kernel = kernel_from_document(self.document())
            self.faults = self._taken_faults(self.kernel.id)
        except KernelError as error:
            self.kernel, self.faults = None, error.faults
        self.faults = (*self.faults, *doubled_rows(self.form))
        homeless = show_faults(self.form, self.faults)
        if self.faults or self.kernel is None:
            self.kernel = None
            first = homeless[0] if homeless else sentence(self.faults[0], _dotted(self.faults[0].place))
            self.preview.show_faults(len(self.faults), first)
        else:
            self.preview.show_kernel(self.kernel)
        for button in (self.export_button, self.save_button, self.use_button):
            button.setEnabled(self.kernel is not None)

    def _taken_faults(self, id_: str) -> tuple[Fault, ...]:
        if id_ not in self._taken:
            return ()
        return (Fault(("id",), 0, f"is {id_!r}, which {self._taken[id_]} has already. Take another id."),)

    # Files --------------------------------------------------------------------------------------------------------

    def import_file(self, path: str | Path) -> None:
        """Show a kernel file; of one with faults, what can be shown, and the faults above it."""
        self._banner_row.hide()
        path = Path(path)
        try:
            self.set_document(kernel_to_document(load_kernel(path)))
            return
        except KernelError as error:
            problem = error
        document = _read_as_far_as_it_goes(path)
        if document is None:
            self._tell(f"{path.name} cannot be shown", str(problem).partition("\n")[0])
            return
        self.set_document(document)
        unknown = [one.place for one in problem.faults if one.text.startswith("is an unknown key")]
        left_out = (
            f" Left out, since no kernel has it: {', '.join(_dotted(one) for one in unknown)}."
            if unknown
            else ""
        )
        count = len(problem.faults)
        heading = f"{path.name} has {count} faults" if count > 1 else f"{path.name} has one fault"
        self._tell(heading, f"What is wrong is marked below.{left_out}")

    def _tell(self, heading: str, text: str) -> None:
        self.banner.set_reason(heading, text)
        self._banner_row.show()

    def export_file(self, path: str | Path) -> None:
        """Write the kernel into a file."""
        from rooflinestudio.core.study_files import write_atomically

        self.check()
        if self.kernel is None:
            return
        try:
            write_atomically(Path(path), dump_kernel(self.kernel))
            self._banner_row.hide()
        except OSError as error:
            self._tell("Not written", f"{Path(path).name}: {error.strerror or error}. Choose another place.")

    # What the user does -------------------------------------------------------------------------------------------

    def _on_form_edited(self) -> None:
        self._timer.start()

    def _on_import_button_clicked(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, "Import a kernel", "", f"{_FILES};;All files (*)")
        if path:
            self.import_file(path)

    def _on_export_button_clicked(self) -> None:
        name = f"{self.kernel.id}{SUFFIXES[0]}" if self.kernel is not None else f"kernel{SUFFIXES[0]}"
        path, _ = QFileDialog.getSaveFileName(self, "Export the kernel", name, _FILES)
        if path:
            self.export_file(path if Path(path).suffix.lower() in SUFFIXES else path + SUFFIXES[0])

    def _on_save_button_clicked(self) -> None:
        self._finish(save_to_folder=True)

    def _on_use_button_clicked(self) -> None:
        self._finish(save_to_folder=False)

    def _finish(self, *, save_to_folder: bool) -> None:
        self.check()  # what was typed a moment ago counts
        if self.kernel is not None:
            self.kernelAccepted.emit(self.document(), save_to_folder)
            self.accept()


def _read_as_far_as_it_goes(path: Path) -> dict[str, Any] | None:
    """Return what a file with faults holds; None where that is nothing that a form could show."""
    try:
        value = read_yaml_text(path.read_bytes()[:MAX_BYTES].decode("utf-8-sig")).value
    except (OSError, UnicodeDecodeError):
        return None
    return value if isinstance(value, dict) else None


def _dotted(place: Place) -> str:
    return ".".join(str(step + 1) if isinstance(step, int) else step for step in place)


def _button(text: str, tip: str) -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(tip)
    button.setAutoDefault(False)  # Enter in an entry must not end the dialog
    return button
