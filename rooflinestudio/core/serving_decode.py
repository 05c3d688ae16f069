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
from rooflinestudio.core.thresholds import bound_flip, traffic_crossover

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.core.study import Entry, View

__all__ = ["DECODE", "Decoding", "RateCurve", "TrafficCurve", "decode_row", "decode_rows", "rates", "traffic"]

DECODE: Final = "decode_step"
POINTS: Final = 121
_BATCH_END, _CONTEXT_END = 512, 131_072
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


@dataclass(frozen=True, eq=False)
class TrafficCurve:
    """Bytes of a step over batch or context.

    Attributes
    ----------
    over
        ``batch`` or ``context``.
    values, weight_bytes, kv_bytes
        The points.
    here
        The value that the step has.
    crossover
        Where the two are equal, or None.
    most
        The largest value that fits, or None where that is not known.
    """

    over: str
    values: NDArray[Any]
    weight_bytes: NDArray[Any]
    kv_bytes: NDArray[Any]
    here: int
    crossover: float | None
    most: int | None


@dataclass(frozen=True, eq=False)
class RateCurve:
    """Tokens per second over the batch, with the cache and without it.

    Attributes
    ----------
    most
        The largest batch that fits, or None where the capacity is not known.
    ridge_batch, ridge_rate
        Where the step without its cache meets the ridge, and its rate there; or None.
    here, here_rate, here_without
        The batch of the step, its rate, and the rate it would have without the cache.
    """

    values: NDArray[Any]
    with_cache: NDArray[Any]
    without_cache: NDArray[Any]
    most: int | None
    ridge_batch: int | None
    ridge_rate: float | None
    here: int
    here_rate: float
    here_without: float


def traffic(decoding: Decoding, over: str) -> TrafficCurve:
    """Return weights and cache per step, over the batch or over the context."""
    import numpy as np

    if over == "batch":
        here, crossover, most = decoding.batch, decoding.crossover_batch, decoding.max_batch
        end = _BATCH_END
    else:
        found = decoding.crossover_context
        here, crossover, most = decoding.context, None if found is None else float(found), _longest(decoding)
        end = _CONTEXT_END
    reached = [one for one in (here, most, crossover) if one is not None]
    values = _values(max(end, *(2.0 * one for one in reached if one < 1e6)))
    details = decoding.details_at({over: values})
    shape = values.shape
    weights, cache = (np.broadcast_to(details[name], shape) for name in ("weight_bytes", "kv_bytes"))
    return TrafficCurve(over, values, weights, cache, here, crossover, most)


def _longest(decoding: Decoding) -> int | None:
    """Return the longest context that this batch leaves room for, or None where the capacity is not known."""
    from rooflinestudio.core.thresholds import largest_that_fits

    try:
        found = largest_that_fits(decoding.subject, "context")
    except StudioError:
        return None
    if found is None:
        return 0 if decoding.details.get("fits") is False else None
    return int(found.below)


def rates(decoding: Decoding) -> RateCurve:
    """Return tokens per second over the batch."""
    import numpy as np

    alone, most, ridge = decoding.without_cache, decoding.max_batch, decoding.ridge_batch
    reached = [one for one in (decoding.batch, most, ridge) if one is not None and one < 1e6]
    values = _values(max(_BATCH_END, *(1.5 * one for one in reached)))
    given = {"batch": values}
    with_cache, without = (
        np.broadcast_to(one.details_at(given)["tokens_per_s"], values.shape) for one in (decoding, alone)
    )
    return RateCurve(
        values,
        with_cache,
        without,
        most,
        ridge,
        None if ridge is None else alone.rate_at(ridge),
        decoding.batch,
        decoding.tokens_per_s,
        alone.rate_at(decoding.batch),
    )


def _values(end: float) -> NDArray[Any]:
    import numpy as np

    return np.unique(np.rint(np.geomspace(1.0, min(end, _MOST), POINTS)))
