"""One decoding step of a model as a serving engineer looks at it: what streams, what fits, where it stops scaling.

Weights are streamed once per step, whatever the batch; each sequence streams a cache of its own. All figures are the
operator's: it is placed with one parameter varied, never counted anew.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.study import settings_of
from rooflinestudio.core.subject import Subject
from rooflinestudio.core.thresholds import bound_flip, largest_that_fits, traffic_crossover

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.core.study import Entry, View

__all__ = ["DECODE", "Decoding", "decode_row", "decode_rows"]

DECODE: Final = "decode_step"
_MOST: Final = 1e9
"""What ``batch`` and ``context`` may be at most."""


def decode_rows(placed: PlacedStudy) -> tuple[Entry, ...]:
    """Return the decode steps of a study."""
    return tuple(one for one in placed.study.entries if one.operator == DECODE)


def decode_row(placed: PlacedStudy, wanted: Sequence[object] = (), machine: str = "") -> PlacedRow | None:
    """Return the row of the first of some entry ids that is a decode step, else of the first decode step there is.

    Of its machines it is the one asked for, else the first that it could be placed on.
    """
    entries = decode_rows(placed)
    if not entries:
        return None
    ids = [one.id for one in entries]
    chosen = next((one for one in wanted if one in ids), ids[0])
    rows = placed.rows_of(str(chosen))
    ranked = sorted(rows, key=lambda row: (row.state != "placed", row.machine != machine))
    return ranked[0] if ranked else None


@dataclass(frozen=True)
class Decoding:
    """A decode step on one machine, and what it is asked for.

    Attributes
    ----------
    entry
        The entry that it stands for.
    subject
        Operator, machine, parameters, formats and settings; its source answers ``details`` too.
    """

    entry: Entry
    subject: Subject

    @classmethod
    def of(cls, source: Any, row: PlacedRow) -> Decoding:
        """Return the decoding of a placed row.

        Raises
        ------
        StudioError
            Why the row is not placed.
        """
        if row.placement is None or row.profile is None:
            raise StudioError(row.reason or "The decode step is not placed.")
        entry = row.entry
        subject = Subject(
            source, entry.operator, row.profile, entry.parameters, parse_dtypes(entry.dtypes), row.settings
        )
        return cls(entry, subject)

    @classmethod
    def of_entry(cls, source: Any, entry: Entry, profile: Any, view: View) -> Decoding:
        """Return the decoding of an entry on a machine, under the settings of a view."""
        settings = settings_of(entry, view)
        return cls(
            entry,
            Subject(source, entry.operator, profile, entry.parameters, parse_dtypes(entry.dtypes), settings),
        )

    @cached_property
    def placement(self) -> Placement:
        """The step as it is."""
        return self.subject.at({})

    @cached_property
    def details(self) -> Mapping[str, Any]:
        """What the operator says besides: rates, bytes, capacity."""
        return self.details_at({})

    def details_at(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the operator's details with some parameters set, to numbers or to arrays."""
        placement = self.subject.at(values) if values else self.placement
        found: Mapping[str, Any] = self.subject.source.details(placement)  # type: ignore[attr-defined]
        return {**found, "time_s": placement.time_s}

    def rate_at(self, batch: int) -> float:
        """Return tokens per second of all sequences at a batch."""
        return float(self.details_at({"batch": batch})["tokens_per_s"])

    def parameter(self, name: str) -> Any:
        """Return a parameter as the operator resolved it."""
        return self.placement.parameters[name]

    @property
    def batch(self) -> int:
        """Sequences that are decoded together."""
        return int(self.parameter("batch"))

    @property
    def context(self) -> int:
        """Cached tokens of each."""
        return int(self.parameter("context"))

    @property
    def weight_bytes(self) -> float:
        """Weights read in a step."""
        return float(self.details["weight_bytes"])

    @property
    def kv_bytes(self) -> float:
        """Keys and values read in a step."""
        return float(self.details["kv_bytes"])

    @property
    def kv_share(self) -> float:
        """Share of keys and values in what a step reads."""
        return self.kv_bytes / (self.weight_bytes + self.kv_bytes)

    @property
    def tokens_per_s(self) -> float:
        """Tokens per second of all sequences."""
        return float(self.details["tokens_per_s"])

    @property
    def max_batch(self) -> int | None:
        """The largest batch that fits; None where the machine's capacity is not known."""
        found = self.details.get("max_batch")
        return None if found is None else int(found)

    @cached_property
    def rate_at_most(self) -> float | None:
        """Tokens per second at the largest batch; None where none fits or the capacity is not known."""
        return self.rate_at(min(self.max_batch, int(_MOST))) if self.max_batch else None

    @property
    def crossover_batch(self) -> float | None:
        """The batch from which on the caches are more bytes than the weights; None without a cache."""
        found = self.details.get("crossover_batch")
        return None if found is None else float(found)

    @cached_property
    def crossover_context(self) -> int | None:
        """The first context at which the caches of this batch are more bytes than the weights, or None."""
        found = traffic_crossover(self.subject, "context")
        return None if found is None else int(found.at)

    @cached_property
    def max_context(self) -> int | None:
        """The longest context that this batch leaves room for; None where the capacity is not known."""
        try:
            found = largest_that_fits(self.subject, "context")
        except StudioError:
            return None
        if found is None:
            return 0 if self.details.get("fits") is False else None
        return int(found.below)

    @cached_property
    def without_cache(self) -> Decoding:
        """The same step over an empty cache: what batching alone would give."""
        fixed = {**self.subject.fixed, "context": 0}
        return replace(self, subject=replace(self.subject, fixed=fixed))

    @cached_property
    def ridge_batch(self) -> int | None:
        """The first batch at which the step without its cache is bound by compute; None if it never is."""
        try:
            found = bound_flip(self.without_cache.subject, "batch")
        except StudioError:
            return None
        return int(found.at) if found is not None and found.placed_at.bound == "compute" else None
