"""Where the faults of a kernel document are mended in the form: section, and row of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.yaml_text import Fault
from rooflinestudio.ui.custom_kernel.sections import sentence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rooflinestudio.ui.custom_kernel.form import KernelForm
    from rooflinestudio.ui.custom_kernel.sections import RowsSection

__all__ = ["doubled_rows", "show_faults"]

_HOMES: Final = {
    "id": "about", "label": "about", "category": "about", "summary": "about", "footprint_bytes": "launch",
    "notes": "closing", "source": "closing", "pinned": "dtypes", "main_pipe": "work",
}  # fmt: skip
"""Where the keys stand that have no section of their own name."""


def doubled_rows(form: KernelForm) -> tuple[Fault, ...]:
    """Return the rows that say the same twice, which a document cannot."""
    faults = []
    for section, head, key in (
        (form.formats, "dtypes", "role"), (form.work, "work", "pipe"), (form.blocked, "traffic", "boundary"),
    ):  # fmt: skip
        names = [str(one.get(key) or "") for one in section.values()]
        twice = dict.fromkeys(name for at, name in enumerate(names) if name and name in names[:at])
        faults += [Fault((head, name), 0, "is given twice. Keep one of the two.") for name in twice]
    return tuple(faults)


def show_faults(form: KernelForm, faults: Iterable[Fault]) -> tuple[str, ...]:
    """Put each fault where it can be mended; return those that belong nowhere, as sentences."""
    groups: dict[str, list[Fault]] = {}
    for fault in faults:
        groups.setdefault(_home(form, fault), []).append(fault)
    for name in ("about", "launch", "least", "closing"):
        getattr(form, name).show_faults(groups.pop(name, ()))
    form.parameters.show_faults(groups.pop("parameters", ()), _by_number)
    form.tensors.show_faults(groups.pop("tensors", ()), _by_number)
    form.formats.show_faults(groups.pop("dtypes", ()), partial(_row_with, form.formats, "role"))
    form.work.show_faults(groups.pop("work", ()), partial(_row_with, form.work, "pipe"))
    form.blocked.show_faults(groups.pop("traffic", ()), partial(_row_with, form.blocked, "boundary"))
    return tuple(sentence(one) for group in groups.values() for one in group)


def _home(form: KernelForm, fault: Fault) -> str:
    head = str(fault.place[0]) if fault.place else ""
    if head == "traffic" and len(fault.place) > 1 and fault.place[1] == "dram":
        return "tensors" if form.mode.value() == "tensors" else "least"
    return _HOMES.get(head, head)


def _by_number(fault: Fault) -> int | None:
    at = fault.place[1] if len(fault.place) > 1 else None
    return at if isinstance(at, int) else None


def _row_with(section: RowsSection, key: str, fault: Fault) -> int | None:
    if len(fault.place) < 2:
        return None
    wanted = str(fault.place[1])
    return next((at for at, row in enumerate(section.rows) if (row.cell(key).value() or "") == wanted), None)
