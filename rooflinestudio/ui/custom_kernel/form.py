"""The left pane: a kernel document as entries, section by section."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QVBoxLayout, QWidget

from rooflinestudio.core.custom.document import CATEGORY, FORMAT, LAUNCH
from rooflinestudio.ui.custom_kernel.cells import FormulaCell, TextCell
from rooflinestudio.ui.custom_kernel.columns import (
    FORMATS,
    LAUNCH_WORDS,
    PARAMETERS,
    TENSORS,
    TRAFFIC,
    WORK,
)
from rooflinestudio.ui.custom_kernel.fields import FieldsSection
from rooflinestudio.ui.custom_kernel.sections import RowsSection, Section
from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.segmented import SegmentedControl

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["KernelForm"]

FUNCTIONS: Final = (
    "Formulas know + − * / // % **, comparisons, 'a if c else b', and, or, not; the functions min, max, ceil, floor, "
    "ceil_div, log2, sqrt, abs, where; the parameters by name, and bytes(role), the bytes per element of a format."
)
_NOTES_PX: Final = 56


class KernelForm(QWidget):
    """Entries for everything that a kernel document says.

    Signals
    -------
    edited
        The user changed something.
    """

    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "surface")
        self._loaded: dict[str, Any] | None = None
        self._shown: dict[str, Any] = {}
        self._make_sections()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 14, 20, 20)
        layout.setSpacing(10)
        for section in self._sections:
            if section in (
                self.parameters,
                self.formats,
                self.work,
                self.traffic_head,
                self.launch,
                self.closing,
            ):
                line = QFrame()
                set_role(line, "hairline")
                layout.addWidget(line)
            layout.addWidget(section)
            section.edited.connect(self.edited)
        layout.addStretch(1)
        self._show_mode("tensors")

    def _make_sections(self) -> None:
        self.about = FieldsSection(
            "Kernel",
            (
                ("id", "id", TextCell("id", "my.axpy"), 1),
                ("label", "name", TextCell("name", "AXPY"), 1),
                ("category", "category", TextCell("category", CATEGORY), 1),
                ("summary", "summary", TextCell("summary", "one line about it"), 3),
            ),
        )
        self.parameters = RowsSection(
            "Parameters", PARAMETERS, "parameter", hint="What can be set, and its range.", keeps=("integer",)
        )
        self.formats = RowsSection(
            "Formats", FORMATS, "format",
            hint="Number formats by role: activation, weight, kv and output follow what is set for the whole kernel.",
            marks="dtype",
        )  # fmt: skip
        self.work = RowsSection("Work W", WORK, "pipe", hint=FUNCTIONS, marks="formula")
        self._make_traffic()
        self._make_rest()

    def _make_traffic(self) -> None:
        self.traffic_head = Section(
            "Traffic Q", "What crosses device memory at least: each tensor, or plain bytes."
        )
        self.mode = SegmentedControl((("tensors", "Tensors"), ("bytes", "Bytes")), "Traffic as", compact=True)
        self.mode.chosen.connect(self._on_mode_chosen)
        self.traffic_head.head.addWidget(self.mode)
        self.tensors = RowsSection("", TENSORS, "tensor", keeps=("slope",))
        self.least = FieldsSection(
            "",
            (
                ("read_bytes", "bytes read", FormulaCell("bytes read", "bytes(activation) * n"), 1),
                ("write_bytes", "bytes written", FormulaCell("bytes written", "bytes(output) * n"), 1),
            ),
        )
        self.blocked = RowsSection(
            "With re-reads of the blocking", TRAFFIC, "boundary",
            hint="Bytes that a blocked kernel moves; a boundary inside without a count takes the next one outward.",
        )  # fmt: skip

    def _make_rest(self) -> None:
        self.launch = FieldsSection(
            "Launch and footprint",
            (
                *((key, LAUNCH_WORDS[key], FormulaCell(LAUNCH_WORDS[key]), 1) for key in LAUNCH),
                (
                    "footprint_bytes",
                    "bytes held at once",
                    FormulaCell("bytes held at once", "of all tensors"),
                    3,
                ),
            ),
            hint="For the forecast. What is left empty is not judged.",
        )
        self.closing = FieldsSection(
            "Notes and source", (("source", "source", TextCell("source", "where the counts come from"), 3),)
        )
        self.notes = QPlainTextEdit()
        self.notes.setAccessibleName("Notes, one a line")
        self.notes.setPlaceholderText("What a reader should know; one note a line")
        self.notes.setFont(font("label"))
        self.notes.setFixedHeight(_NOTES_PX)
        self.notes.setTabChangesFocus(True)
        self.notes.textChanged.connect(self.edited)
        self.closing.column.addWidget(self.notes)

    @property
    def _sections(self) -> tuple[Section, ...]:
        return (
            self.about, self.parameters, self.formats, self.work, self.traffic_head, self.tensors, self.least,
            self.blocked, self.launch, self.closing,
        )  # fmt: skip

    # The document -------------------------------------------------------------------------------------------------

    def document(self) -> dict[str, Any]:
        """Return the document; the loaded one, key for key, as long as nothing was changed."""
        now = self._built()
        if self._loaded is not None and now == self._shown:
            return deepcopy(self._loaded)
        return now

    def set_document(self, document: Mapping[str, Any], *, whole: bool = True) -> None:
        """Show a document.

        Parameters
        ----------
        whole
            Whether it is right as it stands; of one with faults only what the form knows is kept.
        """
        self.blockSignals(True)  # one change, told by whoever loads it
        self._show(document)
        self.blockSignals(False)
        self._shown = self._built()
        self._loaded = deepcopy(dict(document)) if whole else None

    def _show(self, document: Mapping[str, Any]) -> None:
        traffic, launch = _table(document.get("traffic")), _table(document.get("launch"))
        pinned = document.get("pinned") if isinstance(document.get("pinned"), list | tuple) else []
        self.about.set_values(document)
        self.parameters.set_values(_tables(document.get("parameters")))
        roles = _table(document.get("dtypes")).items()
        self.formats.set_values(
            [{"role": role, "dtype": one, "pinned": role in (pinned or ())} for role, one in roles]
        )
        work = _table(document.get("work")).items()
        self.work.set_values([{"pipe": pipe, "formula": one} for pipe, one in work])
        tensors = _tables(document.get("tensors"))
        self.tensors.set_values(tensors)
        self.least.set_values(_table(traffic.get("dram")))
        self.blocked.set_values(
            [{"boundary": key, **_table(one)} for key, one in traffic.items() if key != "dram"]
        )
        self.launch.set_values({**launch, "footprint_bytes": document.get("footprint_bytes")})
        self.closing.set_values(document)
        notes = document.get("notes")
        self.notes.setPlainText("\n".join(map(str, notes)) if isinstance(notes, list | tuple) else "")
        self._main_pipe = document.get("main_pipe")
        self._show_mode("tensors" if tensors or "dram" not in traffic else "bytes")

    _main_pipe: Any = None

    def _built(self) -> dict[str, Any]:
        about, launch = self.about.values(), self.launch.values()
        formats = self.formats.values()
        notes = [line.strip() for line in self.notes.toPlainText().splitlines() if line.strip()]
        by_tensors = self.mode.value() == "tensors"
        traffic = {} if by_tensors else {"dram": self.least.values()}
        traffic |= {
            one.get("boundary") or "": {key: value for key, value in one.items() if key != "boundary"}
            for one in self.blocked.values()
        }
        work = {one.get("pipe") or "": one.get("formula") for one in self.work.values()}
        parts = {
            **about,
            "parameters": self.parameters.values(),
            "dtypes": {str(one["role"]): one.get("dtype") or "" for one in formats if one.get("role")},
            "pinned": [one["role"] for one in formats if one.get("pinned") and one.get("role")],
            "work": {pipe: "" if formula is None else formula for pipe, formula in work.items()},
            "main_pipe": self._main_pipe if self._main_pipe in work else None,
            "tensors": self.tensors.values() if by_tensors else None,
            "traffic": traffic,
            "launch": {key: value for key, value in launch.items() if key != "footprint_bytes"},
            "footprint_bytes": launch.get("footprint_bytes"),
            "notes": notes,
            "source": self.closing.values().get("source"),
        }
        return {"format": FORMAT, **{key: one for key, one in parts.items() if one not in (None, "", {}, [])}}

    # Tensors or bytes ---------------------------------------------------------------------------------------------

    def _on_mode_chosen(self, mode: str) -> None:
        self._show_mode(mode)
        self.edited.emit()

    def _show_mode(self, mode: str) -> None:
        self.mode.set_value(mode)
        self.tensors.setVisible(mode == "tensors")
        self.least.setVisible(mode == "bytes")


def _table(value: Any) -> Mapping[str, Any]:
    return {str(key): one for key, one in value.items()} if isinstance(value, dict) else {}


def _tables(value: Any) -> Sequence[Mapping[str, Any]]:
    return [_table(one) for one in value] if isinstance(value, list | tuple) else []
