"""Edits of a chain as written: operators put in, taken out, moved, and what is written beside them. All pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.fusion_notation import ChainSpec, ChainStep, parse_chain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.placing import EstimateSource

__all__ = [
    "checked_chain",
    "cuts_of",
    "step_of",
    "with_names",
    "with_step",
    "with_step_moved",
    "with_written",
    "without_step",
]


def cuts_of(spec: ChainSpec) -> tuple[int, ...]:
    """Return the numbers of the joints at which a kernel boundary stands, as studies keep them."""
    return tuple(at for at, cut in enumerate(spec.cuts) if cut)


def step_of(operator: str, parameters: Mapping[str, Any] | None = None) -> ChainStep:
    """Return an operator as a step, with parameters of its own."""
    own = tuple((name, _text(value)) for name, value in (parameters or {}).items())
    return ChainStep(operator, parameters=own)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def with_step(spec: ChainSpec, at: int, step: ChainStep) -> ChainSpec:
    """Return the chain with one operator more in front of the one at a place (from 0; the number of steps: the end).

    At the ends it comes behind a kernel boundary; inside, both sides of it are as the joint was.
    """
    at = min(max(at, 0), len(spec.steps))
    steps = (*spec.steps[:at], step, *spec.steps[at:])
    if at == 0:
        return replace(spec, steps=steps, cuts=(True, *spec.cuts))
    if at == len(spec.steps):
        return replace(spec, steps=steps, cuts=(*spec.cuts, True))
    before = spec.cuts[at - 1]
    return replace(spec, steps=steps, cuts=(*spec.cuts[: at - 1], before, before, *spec.cuts[at:]))


def without_step(spec: ChainSpec, at: int) -> ChainSpec:
    """Return the chain without one operator; a boundary on either side of it stays.

    Raises
    ------
    ParameterError
        If it is the only one.
    """
    if len(spec.steps) == 1:
        raise ParameterError("a chain needs at least one operator; remove its entry instead.")
    steps = (*spec.steps[:at], *spec.steps[at + 1 :])
    if at == 0:
        return replace(spec, steps=steps, cuts=spec.cuts[1:])
    if at == len(spec.steps) - 1:
        return replace(spec, steps=steps, cuts=spec.cuts[:-1])
    joined = spec.cuts[at - 1] or spec.cuts[at]
    return replace(spec, steps=steps, cuts=(*spec.cuts[: at - 1], joined, *spec.cuts[at + 1 :]))


def with_step_moved(spec: ChainSpec, at: int, to: int) -> ChainSpec:
    """Return the chain with one operator at another place; the boundaries stay where they are."""
    to = min(max(to, 0), len(spec.steps) - 1)
    rest = [*spec.steps[:at], *spec.steps[at + 1 :]]
    return replace(spec, steps=(*rest[:to], spec.steps[at], *rest[to:]))


def with_written(spec: ChainSpec, at: int, written: bool) -> ChainSpec:
    """Return the chain with an operator's result also written, or not."""
    return _exchanged(spec, at, replace(spec.steps[at], written=written))


def with_names(spec: ChainSpec, at: int, text: str) -> ChainSpec:
    """Return the chain with names for an operator's further inputs, parted by commas; empty: none.

    Raises
    ------
    ParameterError
        If one is no name.
    """
    step = spec.steps[at]
    parameters = [f"{name}={value}" for name, value in step.parameters]
    inside = [one.strip() for one in text.split(",") if one.strip()] + parameters
    read = parse_chain(f"{step.operator}({', '.join(inside)})" if inside else step.operator).steps[0]
    return _exchanged(spec, at, replace(read, written=step.written, place=step.place))


def _exchanged(spec: ChainSpec, at: int, step: ChainStep) -> ChainSpec:
    return replace(spec, steps=(*spec.steps[:at], step, *spec.steps[at + 1 :]))


def checked_chain(text: str, source: EstimateSource | None) -> ChainSpec:
    """Read a chain that was typed; its operators must be there, whether or not their shapes fit.

    Raises
    ------
    ParameterError, UnavailableError
        With the place and the mend.
    """
    spec = parse_chain(text)
    if source is not None:
        for step in spec.steps:
            source.operator(step.operator)
    return spec
