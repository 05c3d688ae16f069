"""The operators of a chain, each with its parameters, its formats and its answer; and whether they fit together.

Parameters are given once and handed to every operator that has them. After a matrix product (an operator with m, n
and k) tokens is its rows, batch · m, and width its columns, n.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NoReturn

from rooflinestudio.core.dtypes import ROLES
from rooflinestudio.core.errors import ParameterError, RefusedError, StudioError, UnavailableError
from rooflinestudio.core.fusion_fit import (
    agree_on_formats,
    name_foreign,
    refuse_mismatch,
    refuse_two_shapes,
    refuse_unfit,
    tensor_roles,
)
from rooflinestudio.core.resolution import resolve_dtypes, resolve_parameters

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.dtypes import DType
    from rooflinestudio.core.fusion_notation import ChainSpec, ChainStep
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.operators import Dtypes, Estimate, Operator, Tensor
    from rooflinestudio.core.placing import EstimateSource

__all__ = ["Link", "UnknownStepError", "resolve_chain"]

PRODUCT: Final = frozenset(("m", "n", "k"))
"""An operator with these parameters is a matrix product of m x k and k x n."""


class UnknownStepError(UnavailableError, ParameterError):
    """A chain names an operator that is not there: mistyped, or its plugin is missing."""


@dataclass(frozen=True)
class Link:
    """One operator of a chain, resolved.

    Attributes
    ----------
    label
        Its distinct name in the chain.
    where
        What it is called in messages: label and place in the chain.
    foreign
        Its inputs other than the chained one, as (index among its tensors, name in the chain).
    converted
        What is to be said where it takes another format than its own, or has the one before write another; or empty.
    """

    step: ChainStep
    label: str
    where: str
    operator: Operator
    parameters: Mapping[str, Any]
    dtypes: Dtypes
    estimate: Estimate
    foreign: tuple[tuple[int, str], ...]
    converted: str = ""

    @property
    def chained_in(self) -> Tensor:
        """What it takes from the operator before."""
        return self.estimate.tensors[0]

    @property
    def chained_out(self) -> Tensor:
        """What it hands to the operator after."""
        return self.estimate.tensors[-1]

    @property
    def is_product(self) -> bool:
        """Whether it is a matrix product, which takes an epilogue and brings its tiles along."""
        return self.parameters.keys() >= PRODUCT


def resolve_chain(
    spec: ChainSpec,
    parameters: Mapping[str, Any],
    dtypes: Mapping[str, DType],
    profile: HardwareProfile | None,
    source: EstimateSource,
) -> tuple[Link, ...]:
    """Resolve and ask every operator of a chain, and check that they fit.

    Raises
    ------
    UnknownStepError, ParameterError, RefusedError
        With the operator, its place in the chain and the mend.
    """
    operators = [_operator(spec, at, source) for at in range(len(spec.steps))]
    _refuse_unknown(operators, parameters, dtypes)
    handing = _Handing(parameters)
    links = []
    for at, operator in enumerate(operators):
        where = place_words(spec, at)
        try:
            resolved = resolve_parameters(operator, handing.of(operator, spec.steps[at]), profile)
            formats = resolve_dtypes(operator, _formats(operator, dtypes))
            estimate = source.estimate(operator, resolved, formats)
        except StudioError as error:
            _reraise(error, where)
        handing.after(resolved)
        refuse_unfit(estimate, where, first=at == 0, last=at == len(operators) - 1)
        step, label = spec.steps[at], spec.labels[at]
        foreign = name_foreign(estimate, step, label, where)
        links.append(Link(step, label, where, operator, resolved, formats, estimate, foreign))
    handing.refuse_contradictions(operators, spec)
    for before, after in pairwise(links):
        refuse_mismatch(before, after)
    refuse_two_shapes(spec, links)
    agree_on_formats(links)
    return tuple(links)


def place_words(spec: ChainSpec, at: int) -> str:
    """Return what a step is called in messages."""
    place = spec.steps[at].place
    return (
        f"{spec.labels[at]} (place {place} of the chain)" if place else f"{spec.labels[at]} (step {at + 1})"
    )


def _reraise(error: StudioError, where: str) -> NoReturn:
    kind = type(error) if type(error) in (ParameterError, RefusedError, UnavailableError) else RefusedError
    raise kind(f"{where}: {error}") from None


def _operator(spec: ChainSpec, at: int, source: EstimateSource) -> Operator:
    try:
        return source.operator(spec.steps[at].operator)
    except UnavailableError as error:
        raise UnknownStepError(f"{place_words(spec, at)}: {error}") from None


# ------------------------------------------------------------------------------------ handing out


def _refuse_unknown(
    operators: list[Operator], parameters: Mapping[str, Any], dtypes: Mapping[str, DType]
) -> None:
    names = list(dict.fromkeys(one.name for operator in operators for one in operator.parameters))
    roles = list(dict.fromkeys([*(role for one in operators for role in _formats_of(one)), *ROLES]))
    for kind, given, known in (
        ("parameter", parameters, names),
        ("tensor or role", dtypes, [*roles, "all"]),
    ):
        wrong = next((name for name in given if name not in known), None)
        if wrong is not None:
            near = difflib.get_close_matches(wrong, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"they have {', '.join(known)}."
            raise ParameterError(f"no operator of the chain has a {kind} {wrong!r}; {hint}")


def _formats(operator: Operator, dtypes: Mapping[str, DType]) -> dict[str, DType]:
    """Leave out the tensors that this operator does not have; roles that anybody may name stay."""
    known = {*_formats_of(operator), *ROLES, "all"}
    return {name: one for name, one in dtypes.items() if name in known}


def _formats_of(operator: Operator) -> tuple[str, ...]:
    """Name the roles and tensors that an operator takes a format for."""
    return *operator.dtype_roles, *tensor_roles(operator)


class _Handing:
    """Hands the parameters out, and follows the shape from product to product."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = given
        self.carried: dict[str, Any] = {}
        self.shape: tuple[Any, Any] | None = None
        self.used: set[str] = set()
        self.overridden: dict[str, Any] = {}

    def of(self, operator: Operator, step: ChainStep) -> dict[str, Any]:
        names = {one.name for one in operator.parameters}
        result = {name: value for name, value in self.given.items() if name in names}
        carried = {name: value for name, value in self.carried.items() if name in names}
        own = dict(step.parameters)
        self.used |= result.keys() - carried.keys() - own.keys()
        self.overridden |= {name: carried[name] for name in result.keys() & carried.keys()}
        if names >= PRODUCT and self.shape is not None:  # a product takes the shape that comes, unless told
            rows, columns = self.shape
            result = {"m": rows, "k": columns} | result
        return result | carried | own

    def after(self, resolved: Mapping[str, Any]) -> None:
        if resolved.keys() >= PRODUCT:
            rows = resolved["m"] * resolved.get("batch", 1)
            self.carried = {"tokens": rows, "width": resolved["n"]}
            self.shape = rows, resolved["n"]
        elif resolved.keys() >= {"tokens", "width"}:
            self.shape = resolved["tokens"], resolved["width"]

    def refuse_contradictions(self, operators: list[Operator], spec: ChainSpec) -> None:
        """Refuse a size that was given for the operators after a product and is not what the product leaves."""
        for name in self.overridden.keys() - self.used:
            at, operator = next(
                (i, one) for i, one in enumerate(operators) if any(p.name == name for p in one.parameters)
            )
            told = resolve_parameters(operator, {name: self.given[name]})[name]
            if told != self.overridden[name]:
                raise RefusedError(
                    f"{place_words(spec, at)}: {name} = {told:g} was given, but the matrix product before it leaves "
                    f"tokens × width = {self.carried['tokens']:g} × {self.carried['width']:g}. "
                    f"Leave {name} out, or change the product."
                )
