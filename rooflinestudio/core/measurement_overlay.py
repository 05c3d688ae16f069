"""Overlays in study files: up to some hundred kernels in the document itself, more in a file beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.measurement_figures import MeasurementError
from rooflinestudio.core.measurement_records import from_record, to_record
from rooflinestudio.core.measurement_table import Overlay, checked_meta

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Overlay", "overlay_from_document", "overlay_to_document"]

_ROWS_FILE: Final = re.compile(r"[^/\\]+/[0-9a-f]{64}\.csv\.gz\Z")
_MOST_INLINE: Final = 10_000  # kernels that a document may hold itself


def overlay_to_document(
    overlay: Overlay, *, data_folder: str = "", inline_limit: int = 200
) -> dict[str, Any]:
    """Plain data for a study file.

    Parameters
    ----------
    data_folder
        Folder beside the study that holds the rows of large overlays.
    inline_limit
        Up to so many kernels stand in the document itself; of more it names the file, which the caller writes
        with :meth:`Overlay.write_rows` to ``<data_folder>/<digest>.csv.gz``.
    """
    document = overlay.meta()
    if len(overlay) > inline_limit:
        return {**document, "count": len(overlay), "rows": f"{data_folder}/{overlay.digest}.csv.gz"}
    recipes: dict[str, int] = {}
    kernels = []
    for index in range(len(overlay)):
        record: dict[str, Any] = overlay.record(index)
        for key in [key for key in record if key.startswith("recipe.")]:
            record[key] = recipes.setdefault(record[key], len(recipes))
        kernels.append(record)
    return {**document, "recipes": list(recipes), "kernels": kernels}


def overlay_from_document(document: Mapping[str, Any], *, folder: Path | None = None) -> Overlay:
    """Overlay of a document made by :func:`overlay_to_document`; keys that are not known are ignored.

    Parameters
    ----------
    folder
        Folder of the study, beside which large overlays lie.

    Raises
    ------
    MeasurementError
        A value is none, with the place and the mend; or the file with the rows is missing or broken.
    """
    meta = checked_meta(document)
    place = f"overlay {meta['name']!r}"
    if "rows" in document:
        return _from_rows(document["rows"], meta, folder)
    kernels, recipes = document.get("kernels"), document.get("recipes", [])
    if not isinstance(kernels, list) or len(kernels) > _MOST_INLINE:
        raise MeasurementError(f"{place}: kernels must be a list of at most {_MOST_INLINE:,} kernels.")
    if not isinstance(recipes, list) or not all(isinstance(text, str) for text in recipes):
        raise MeasurementError(f"{place}: recipes must be a list of texts.")
    records = []
    for index, kernel in enumerate(kernels):
        here = f"{place}, kernel {index}"
        if not isinstance(kernel, Mapping):
            raise MeasurementError(f"{here} must be a mapping.")
        records.append(to_record(from_record(_with_recipes(kernel, recipes, here), here)))
    return Overlay.from_records(meta, records, len(records))


def _from_rows(rows: Any, meta: Mapping[str, Any], folder: Path | None) -> Overlay:
    place = f"overlay {meta['name']!r}"
    if not isinstance(rows, str) or not _ROWS_FILE.match(rows) or rows.startswith(".."):
        raise MeasurementError(
            f"{place}: rows is {rows!r}; expected NAME.data/DIGEST.csv.gz beside the study."
        )
    if folder is None:
        raise MeasurementError(
            f"{place}: its kernels are in {rows} beside the study, which has no folder here."
        )
    overlay = Overlay.read_rows(folder / rows)
    if overlay.digest != meta["digest"]:
        raise MeasurementError(f"{place}: {rows} holds the kernels of another file.")
    return overlay.renamed(meta["name"])


def _with_recipes(kernel: Mapping[str, Any], recipes: list[str], place: str) -> dict[str, Any]:
    """Put the texts of recipes where a kernel has their numbers."""
    record = dict(kernel)
    for key, value in kernel.items():
        if str(key).startswith("recipe.") and not isinstance(value, str):
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < len(recipes):
                raise MeasurementError(
                    f"{place}: {key} is {value!r}; expected the number of one of the recipes."
                )
            record[key] = recipes[value]
    return record
