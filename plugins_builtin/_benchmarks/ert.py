"""Empirical Roofline Toolkit: ``roofline.json`` with rates and bandwidths that it found, in decimal G.

The toolkit finds levels as plateaus of a curve and names them from the inside: L1, L2 and so on, the last DRAM. On a
GPU, whose plain loads may pass by the L1, its first level can be the L2.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import math
import re
from typing import TYPE_CHECKING, Any, Final

from plugins_builtin._benchmarks.found import GIGA, Device, Rate
from plugins_builtin._measured.json_text import GZIP_MAGIC, head_of_json
from plugins_builtin._ncu.lines import encoding_of
from rooflinestudio.plugins import MeasurementError, format_quantity

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["ErtDocument", "looks_like_ert", "read_document"]

_MEND: Final = "Give the roofline.json that the toolkit writes beside its results."
_MOST_BYTES: Final = 2_000_000
_MOST_ROWS: Final = 200
_LARGEST: Final = 1e15  # G per second
_PIPES: Final[Mapping[str, str]] = {
    "FP64": "fp64", "FP32": "fp32", "FP16": "fp16", "DP": "fp64", "SP": "fp32", "HP": "fp16",
}  # fmt: skip
_BOUNDARIES: Final[Mapping[str, str]] = {
    "L1": "l1", "L2": "l2", "L3": "l3", "DRAM": "dram", "HBM": "dram", "MCDRAM": "dram", "MEM": "dram",
    "SHARED": "shared", "LDS": "shared",
}  # fmt: skip
_BY_ORDER: Final = ("l1", "l2", "l3", "dram")
_FLOPS: Final = re.compile(r"(?:(?P<format>[A-Za-z]{2}\d{0,2}) )?GFLOPs?(?:/s| EMP)?\Z", re.IGNORECASE)
_YEARS: Final = (946_684_800.0, 4_102_444_800.0)  # 2000 to 2100, in seconds


class ErtDocument:
    """What a document says.

    Attributes
    ----------
    device
        With its readings.
    digest
        SHA-256 of the file.
    """

    def __init__(self, device: Device, digest: str) -> None:
        self.device, self.digest = device, digest


def looks_like_ert(head: bytes) -> bool:
    """Whether a file begins like a document of the toolkit."""
    text = None if head.startswith(GZIP_MAGIC) else head_of_json(head)
    return (
        text is not None
        and text.startswith("{")
        and '"empirical"' in text
        and ('"gflops"' in text or '"gbytes"' in text)
    )


def read_document(path: Path) -> ErtDocument:
    """Read a document.

    Raises
    ------
    MeasurementError
        The file cannot be read, is too large, or is no whole document of the toolkit.
    """
    content = _content(path)
    encoding = encoding_of(content[:65_536]) or "utf-8"
    try:
        document = json.loads(content.decode(encoding, errors="replace").lstrip("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise MeasurementError(
            f"{path}: this is no whole JSON document ({str(error)[:100]}). {_MEND}"
        ) from error
    empirical = document.get("empirical") if isinstance(document, dict) else None
    if not isinstance(empirical, dict):
        raise MeasurementError(f"{path}: there is no object “empirical” in it. {_MEND}")
    device = Device("", "Empirical Roofline Toolkit", date=_date(empirical))
    _add_ceilings(device, _rows(empirical, "gflops"))
    _add_boundaries(device, _rows(empirical, "gbytes"))
    _note_stated(device, document.get("spec"))
    return ErtDocument(device, hashlib.sha256(content).hexdigest())


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise MeasurementError(f"{path}: cannot be read ({error.strerror or error}).") from error
    if len(content) > _MOST_BYTES:
        raise MeasurementError(
            f"{path}: a document of the toolkit has some kilobytes, this one over 2 MB. {_MEND}"
        )
    return content


def _rows(part: Mapping[str, Any], key: str) -> list[tuple[str, float]]:
    """Names and rates of ``data``, in G per second; what is no rate above zero is left out."""
    block = part.get(key)
    data = block.get("data") if isinstance(block, dict) else None
    rows = []
    for row in data[:_MOST_ROWS] if isinstance(data, list) else ():
        if isinstance(row, list) and len(row) >= 2 and isinstance(row[0], str) and _is_rate(row[1]):
            rows.append((row[0].strip()[:60], float(row[1])))
    return rows


def _is_rate(value: object) -> bool:
    """Whether a value of the document is a rate: a number, not too large to be one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return (
        math.isfinite(value) and 0 < value < _LARGEST
        if isinstance(value, float)
        else 0 < value < int(_LARGEST)
    )


def _add_ceilings(device: Device, rows: list[tuple[str, float]]) -> None:
    for name, rate in rows:
        match = _FLOPS.match(name)
        form = (match["format"] or "").upper() if match is not None else "?"
        pipe = _PIPES.get(form, "fp64" if not form else "")
        if not pipe:
            device.note(f"Not taken: {name}, which names no format that is known.")
            continue
        condition = "" if form else "format not named, double assumed"
        device.add_ceiling(pipe, Rate(rate * GIGA, name, condition))


def _add_boundaries(device: Device, rows: list[tuple[str, float]]) -> None:
    """Take the bandwidths; where no cache is named, levels are l1 to l3 and dram by their order."""
    ids = [_BOUNDARIES.get(name.upper().partition(" ")[0]) for name, _ in rows]
    by_order = bool(rows) and len(rows) <= len(_BY_ORDER) and not any(ids[:-1])
    by_order = by_order and (len(rows) > 1 or ids[0] is None)
    if by_order:
        ids = [*_BY_ORDER[: len(rows) - 1], "dram"]
    for (name, rate), id_ in zip(rows, ids, strict=True):
        if id_ is None:
            device.note(f"Not taken: {name}, a level that no profile has.")
            continue
        condition = "level by its order in the file" if by_order else "level as the toolkit found it"
        device.add_boundary(id_, Rate(rate * GIGA, name, condition))
    if any(id_ == "l1" for id_ in ids):
        device.note("The toolkit counts levels from the inside: on a GPU its L1 may be the L2.")


def _date(empirical: Mapping[str, Any]) -> str:
    """Return the day on which the document was written, where it says so."""
    for key in ("gbytes", "gflops", ""):
        block = empirical.get(key) if key else empirical
        metadata = block.get("metadata") if isinstance(block, dict) else None
        stamp = metadata.get("TIMESTAMP_DB") if isinstance(metadata, dict) else None
        if isinstance(stamp, int | float) and not isinstance(stamp, bool) and _YEARS[0] < stamp < _YEARS[1]:
            return datetime.datetime.fromtimestamp(stamp, datetime.UTC).date().isoformat()
    return ""


def _note_stated(device: Device, spec: object) -> None:
    """Say what the user stated for the graph, which is no measurement."""
    if not isinstance(spec, dict):
        return
    stated = [(name or "memory", value, "FLOP/s") for name, value in _rows(spec, "gflops")[:4]]
    stated += [(name or "memory", value, "B/s") for name, value in _rows(spec, "gbytes")[:4]]
    words = [f"{name} {format_quantity(value * GIGA, unit, digits=4)}" for name, value, unit in stated]
    if words:
        device.note(f"Stated in its configuration, not measured: {', '.join(words)}.")
