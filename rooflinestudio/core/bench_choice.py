"""Which chain of a study is on the bench, and with what settings (``panels.fusion``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.chains import chain_of
from rooflinestudio.core.fusion_state import DEFAULT_THREADS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.core.study import Entry, Study

__all__ = ["PANEL", "BenchSettings", "chain_entries", "entry_on_bench", "read_settings", "row_on_bench"]

PANEL: Final = "fusion"
_MOST: Final = {"threads": 1024, "elements_per_thread": 1024}


@dataclass(frozen=True, slots=True)
class BenchSettings:
    """What a study says of its bench.

    Attributes
    ----------
    chain
        Id of the chain, or of an entry that shows one; empty for the first one.
    threads, elements_per_thread
        The block that the live state is worked out for.
    """

    chain: str = ""
    threads: int = DEFAULT_THREADS
    elements_per_thread: int = 1


def read_settings(panel: Mapping[str, Any] | None) -> BenchSettings:
    """Read the part of a study that is about its bench; what makes no sense is as if it were not there."""
    given: Mapping[str, Any] = panel if panel is not None and hasattr(panel, "get") else {}
    chain = given.get("chain")
    plain = BenchSettings()
    return BenchSettings(
        chain if isinstance(chain, str) else "",
        _count(given, "threads", plain.threads),
        _count(given, "elements_per_thread", plain.elements_per_thread),
    )


def _count(given: Mapping[str, Any], name: str, default: int) -> int:
    value = given.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        return default
    return int(value) if 1 <= value <= _MOST[name] else default


def chain_entries(study: Study) -> tuple[Entry, ...]:
    """Return the entries that show a chain which is there."""
    return tuple(one for one in study.entries if chain_of(study, one) is not None)


def entry_on_bench(study: Study, *, selected: str | None, wanted: str, shown: str = "") -> Entry | None:
    """Return the entry whose chain is on the bench: the selected one, else that of the study, else the last shown."""
    entries = chain_entries(study)
    by_id = {one.id: one for one in entries}
    if selected in by_id:
        return by_id[selected]
    by_chain = {one.operator.partition(":")[2]: one for one in reversed(entries)}
    for found in (by_chain.get(wanted), by_id.get(wanted), by_id.get(shown)):
        if found is not None:
            return found
    return entries[0] if entries else None


def row_on_bench(placed: PlacedStudy, entry: Entry, machine: str) -> PlacedRow | None:
    """Return the row of an entry on a machine, else on the first that it stands on."""
    rows = placed.rows_of(entry.id)
    return next((one for one in rows if one.machine == machine), rows[0] if rows else None)
