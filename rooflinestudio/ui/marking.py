"""Several entries at once: which ones are meant, how they are dragged, what is done to all of them as one edit."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QMimeData

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.study_edits import with_variant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.study import Study
    from rooflinestudio.ui.furnishing import Furnishing
    from rooflinestudio.ui.session import Session

__all__ = [
    "ENTRIES_MIME",
    "duplicate_all",
    "entries_of",
    "fuse_entries",
    "mime_of",
    "names_of",
    "show_or_hide",
    "toggled",
]

ENTRIES_MIME: Final = "application/x-rooflinestudio-entries"
"""Ids of entries of the study, as a JSON list."""

_NAMED: Final = 3
"""Up to so many entries are called by their names in the undo menu."""


def toggled(chosen: Sequence[str], id_: str) -> tuple[str, ...]:
    """Return what is chosen once an entry is put in, or taken out where it was in."""
    return tuple(one for one in chosen if one != id_) if id_ in chosen else (*chosen, id_)


def mime_of(ids: Sequence[str]) -> QMimeData:
    """Return entries as what is dragged."""
    data = QMimeData()
    data.setData(ENTRIES_MIME, json.dumps(list(ids)).encode())
    return data


def entries_of(data: QMimeData) -> tuple[str, ...]:
    """Return the entries that are being dragged, or none."""
    if not data.hasFormat(ENTRIES_MIME):
        return ()
    try:
        ids = json.loads(bytes(data.data(ENTRIES_MIME).data()))
    except ValueError:
        return ()
    return tuple(id_ for id_ in ids if isinstance(id_, str)) if isinstance(ids, list) else ()


def names_of(study: Study, ids: Sequence[str]) -> str:
    """Return what an edit calls entries: their names, or how many they are."""
    if len(ids) > _NAMED:
        return f"{len(ids)} entries"
    return ", ".join(study.entry(id_).label or id_ for id_ in ids)


def show_or_hide(session: Session, ids: Sequence[str]) -> None:
    """Hide entries; show them where all are hidden."""
    study = made = session.study
    visible = not any(study.entry(id_).visible for id_ in ids)
    for id_ in ids:
        made = made.replacing(replace(study.entry(id_), visible=visible))
    session.edit(f"{'Show' if visible else 'Hide'} {names_of(study, ids)}", made)


def duplicate_all(session: Session, ids: Sequence[str]) -> None:
    """Place a variant behind each entry as one edit; the variants are marked then."""
    study = session.study
    text, made = f"Duplicate {names_of(study, ids)}", []
    for id_ in ids:
        entry = study.entry(id_)
        variant = replace(entry, id="", variant_of=id_, label=f"{entry.label} variant")
        study, new = with_variant(study, variant)
        made.append(new)
    session.edit(text, study)
    session.mark(made)


def fuse_entries(inside: Furnishing, ids: Sequence[str]) -> None:
    """Put the operators of entries on the bench as one chain, in the outline's order; or say why that is impossible."""
    from rooflinestudio.core.bench_chains import chain_of_rows

    session = inside.session
    rows = [inside.wiring.row_of(id_) for id_ in inside.panels.outline.in_order(ids)]
    try:
        chain = chain_of_rows([row for row in rows if row is not None], session.source)
    except StudioError as error:
        inside.notices.tell("warn", "No chain can be made of these", str(error))
        return
    if inside.panels.has_tabs:
        inside.wiring.show_tab("fusion")
    inside.panel_wishes.new_chain(chain.spec, chain.parameters, chain.dtypes, chain.label)
