"""Checks of many measured kernels at once, for columns that come from a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooflinestudio.core.measurement_figures import QUALITIES, MeasurementError
from rooflinestudio.core.measurement_records import (
    DIMENSION_KEYS,
    POSITIVE_KEYS,
    WHOLE_KEYS,
    field_of,
    is_dimensions,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from rooflinestudio.core.measurement_table import Overlay

    Rows = npt.NDArray[np.bool_]

__all__ = ["check_columns"]


def check_columns(overlay: Overlay, place: str) -> None:
    """Check all kernels for what :func:`from_record` would refuse one by one.

    Raises
    ------
    MeasurementError
        A number is not finite or negative, or something that belongs together is not there together; the
        message starts with ``place`` and names the first kernel.
    """
    present = _present(overlay)
    _check_numbers(overlay, present, place)
    _check_texts(overlay, place)
    _check_belonging(overlay, present, place)


def _present(overlay: Overlay) -> dict[str, Rows]:
    """Kernels that have each key."""
    import numpy as np

    return {
        key: ~np.isnan(overlay.numbers(key)) if overlay.is_number(key) else overlay.texts(key)[0] >= 0
        for key in overlay.record_keys
    }


def _check_numbers(overlay: Overlay, present: dict[str, Rows], place: str) -> None:
    import numpy as np

    for key in filter(overlay.is_number, overlay.record_keys):
        values = overlay.numbers(key)
        bad = present[key] & ~((values >= 0) & np.isfinite(values))
        if key in POSITIVE_KEYS:
            bad |= values == 0
        if key in WHOLE_KEYS:
            bad |= present[key] & ((values % 1 != 0) | (values >= 2.0**53))
        if key == "count":
            bad |= values < 1
        _refuse(bad, place, f"{key} is no possible value")


def _check_texts(overlay: Overlay, place: str) -> None:
    import numpy as np

    for key in overlay.record_keys:
        if key.startswith("quality."):
            codes, texts = overlay.texts(key)
            wrong = [code for code, text in enumerate(texts) if text not in QUALITIES]
            _refuse(np.isin(codes, wrong), place, f"{key} is none of {', '.join(QUALITIES)}")
        elif key in DIMENSION_KEYS:
            codes, texts = overlay.texts(key)
            wrong = [code for code, text in enumerate(texts) if not is_dimensions(text)]
            _refuse(np.isin(codes, wrong), place, f"{key} is not three whole numbers between blanks")


def _check_belonging(overlay: Overlay, present: dict[str, Rows], place: str) -> None:
    import numpy as np

    nowhere = np.zeros(len(overlay), dtype=bool)
    for key in ("launch", "kernel"):
        _refuse(~present.get(key, nowhere), place, f"{key} is missing")
    for key in overlay.record_keys:
        group, _, name = key.partition(".")
        if group in ("read_bytes", "write_bytes"):
            _refuse(
                present[key] & ~present.get(f"bytes.{name}", nowhere), place, f"{key} has no bytes.{name}"
            )
        elif group in ("recipe", "quality"):
            value = present.get(f"value.{name}", nowhere) | present.get(field_of(name), nowhere)
            both = present.get(f"recipe.{name}", nowhere) & present.get(f"quality.{name}", nowhere)
            _refuse(present[key] & ~(value & both), place, f"{key} has no value, recipe or quality beside it")


def _refuse(bad: Rows, place: str, what: str) -> None:
    if bad.any():
        text = f"{place}, kernel {int(bad.argmax())}: {what}. Import the measured file again."
        raise MeasurementError(text)
