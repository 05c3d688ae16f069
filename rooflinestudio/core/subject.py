"""What is swept or searched: one operator on one machine, placed at many points."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.placement import Placement, place_estimate
from rooflinestudio.core.resolution import resolve_dtypes, resolve_parameters
from rooflinestudio.core.settings import DEFAULT_SETTINGS, Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rooflinestudio.core.dtypes import DType
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.operators import Dtypes, Estimate, Operator
    from rooflinestudio.core.placing import EstimateSource

__all__ = ["CHUNK", "Subject", "placed_blocks"]

CHUNK: Final = 65_536
"""Points in one vectorised call: what stays in cache."""


@dataclass(frozen=True)
class Subject:
    """What is swept or searched: one operator on one machine, with the parameters that stay fixed.

    Attributes
    ----------
    source
        Where operators and their answers come from.
    operator_id
        The operator.
    profile
        The machine.
    fixed
        Parameters that do not vary; what is left out takes the operator's default.
    dtypes
        Formats by role.
    """

    source: EstimateSource
    operator_id: str
    profile: HardwareProfile
    fixed: Mapping[str, Any] = field(default_factory=dict)
    dtypes: Mapping[str, DType] = field(default_factory=dict)
    settings: Settings = DEFAULT_SETTINGS

    @cached_property
    def operator(self) -> Operator:
        """The operator; ``UnavailableError`` if there is none of this id."""
        return self.source.operator(self.operator_id)

    @cached_property
    def formats(self) -> Dtypes:
        """The formats by role, resolved."""
        return resolve_dtypes(self.operator, self.dtypes)

    def estimate(self, values: Mapping[str, Any]) -> Estimate:
        """Ask the operator with some parameters set, without holding the answer against the machine.

        Raises
        ------
        StudioError
            Where the operator refuses.
        """
        resolved = resolve_parameters(self.operator, {**self.fixed, **values}, self.profile)
        return self.source.estimate(self.operator, resolved, self.formats)

    def at(self, values: Mapping[str, Any]) -> Placement:
        """Place the operator with some parameters set, to numbers or to arrays that broadcast.

        Raises
        ------
        StudioError
            Where it is refused; for arrays, where any point is.
        """
        resolved = resolve_parameters(self.operator, {**self.fixed, **values}, self.profile)
        return place_estimate(
            self.source.estimate(self.operator, resolved, self.formats),
            self.profile,
            self.settings,
            operator=self.operator_id,
            parameters=resolved,
            dtypes=self.formats,
        )


def placed_blocks(
    subject: Subject, values: Mapping[str, Any], count: int
) -> Iterator[tuple[slice, Placement | StudioError]]:
    """Place many points: in one call where that works, else in ever smaller ones until only those refused are left.

    Parameters
    ----------
    values
        Arrays of ``count`` points by parameter, besides single values.

    Yields
    ------
    tuple
        Which points, and their placement or why they are refused. A single point is placed with plain numbers.

    Where first, middle and last point are refused in the same words it is not the values: then all of them are.
    """
    pending = [(0, count)]
    while pending:
        start, stop = pending.pop()
        try:
            yield slice(start, stop), subject.at(_some(subject, values, start, stop))
            continue
        except StudioError as error:
            if stop - start == 1:
                yield slice(start, stop), error
                continue
        if stop - start == count and (same := _same_refusal(subject, values, count)) is not None:
            yield slice(0, count), same
            return
        middle = (start + stop) // 2
        pending += [(middle, stop), (start, middle)]


def _same_refusal(subject: Subject, values: Mapping[str, Any], count: int) -> StudioError | None:
    """Return the one reason for which points far apart are refused, or None."""
    if count < 3:
        return None
    errors: list[StudioError] = []
    for at in (0, count // 2, count - 1):
        try:
            subject.at(_some(subject, values, at, at + 1))
        except StudioError as error:
            errors.append(error)
    return errors[0] if len(errors) == 3 and len({str(error) for error in errors}) == 1 else None


def _some(subject: Subject, values: Mapping[str, Any], start: int, stop: int) -> dict[str, Any]:
    if stop - start > 1:
        return {
            name: value[start:stop] if getattr(value, "ndim", 0) else value for name, value in values.items()
        }
    whole = {one.name for one in subject.operator.parameters if one.integer}
    single = {
        name: value[start].item() if getattr(value, "ndim", 0) else value for name, value in values.items()
    }
    return {
        name: int(one) if name in whole and isinstance(one, float) else one for name, one in single.items()
    }
