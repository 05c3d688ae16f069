"""The operators of a chain, each with its parameters, its formats and its answer; and whether they fit together.

Parameters are given once and handed to every operator that has them. After a matrix product (an operator with m, n
and k) tokens is its rows, batch · m, and width its columns, n.
"""

from __future__ import annotations

import difflib
import math
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, Final, NoReturn

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.dtypes import ROLES
from rooflinestudio.core.errors import ParameterError, RefusedError, StudioError, UnavailableError
from rooflinestudio.core.fusion_notation import UNNAMED
from rooflinestudio.core.resolution import resolve_dtypes, resolve_parameters

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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
    """

    step: ChainStep
    label: str
    where: str
    operator: Operator
    parameters: Mapping[str, Any]
    dtypes: Dtypes
    estimate: Estimate
    foreign: tuple[tuple[int, str], ...]

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
        _refuse_unfit(estimate, where, first=at == 0, last=at == len(operators) - 1)
        step, label = spec.steps[at], spec.labels[at]
        foreign = _foreign(estimate, step, label, where)
        links.append(Link(step, label, where, operator, resolved, formats, estimate, foreign))
    handing.refuse_contradictions(operators, spec)
    for before, after in pairwise(links):
        _refuse_mismatch(before, after)
    _refuse_two_shapes(spec, links)
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
    roles = list(dict.fromkeys([*(role for one in operators for role in one.dtype_roles), *ROLES]))
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
    known = {*operator.dtype_roles, *ROLES, "all"}
    return {name: one for name, one in dtypes.items() if name in known}


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


# ------------------------------------------------------------------------------------ fitting together


def _refuse_unfit(estimate: Estimate, where: str, *, first: bool, last: bool) -> None:
    if estimate.parts:
        raise RefusedError(
            f"{where} is several kernels itself, and a chain is made of single ones. "
            "Put the kernels that it is made of into the chain, or evaluate it alone."
        )
    tensors = estimate.tensors
    if not first and (not tensors or _is_zero(tensors[0].reads)):
        raise RefusedError(
            f"{where} reads no tensor that it could take from the operator before. Put it first."
        )
    if not last and (not tensors or _is_zero(tensors[-1].writes)):
        raise RefusedError(
            f"{where} writes no tensor that the operator after it could take. Put it last, or leave the rest out."
        )


def _is_zero(value: Any) -> bool:
    return is_number(value) and value == 0


def _foreign(estimate: Estimate, step: ChainStep, label: str, where: str) -> tuple[tuple[int, str], ...]:
    """Name every tensor that is read besides the chained one: as the chain says, else after its operator."""
    others = [
        at
        for at, tensor in enumerate(estimate.tensors)
        if at > 0 and tensor.role != "intermediate" and not _is_zero(tensor.reads)
    ]
    if len(step.names) > len(others):
        have = ", ".join(estimate.tensors[at].name for at in others) or "none"
        raise ParameterError(
            f"{where} names {len(step.names)} further inputs, but it has {len(others)} ({have}). "
            f"Leave {step.names[len(others)]!r} out."
        )
    others.sort(
        key=lambda at: estimate.tensors[at].role != "input"
    )  # a name means an input before it means a weight
    given = [*step.names, *[UNNAMED] * (len(others) - len(step.names))]
    return tuple(
        (at, f"{label}.{estimate.tensors[at].name}" if name == UNNAMED else name)
        for at, name in zip(others, given, strict=True)
    )


def _refuse_mismatch(before: Link, after: Link) -> None:
    left, right = before.chained_out.elements, after.chained_in.elements
    if not _same(left, right):
        own = next((name for name in ("m", "tokens", "elements") if name in after.parameters), "")
        mend = f", or give {after.label} its own: {after.step.operator}({own}=…)" if own else ""
        raise RefusedError(
            f"{before.where} hands on {shape_words(before, left)}, but {after.where} takes "
            f"{shape_words(after, right)}. Give both the same size{mend}."
        )


def _refuse_two_shapes(spec: ChainSpec, links: list[Link]) -> None:
    """Refuse one name for tensors of different sizes."""
    seen: dict[str, tuple[Link, Any]] = {}
    if spec.input_name:
        seen[spec.input_name] = links[0], links[0].chained_in.elements
    for link in links:
        for at, name in link.foreign:
            elements = link.estimate.tensors[at].elements
            first, size = seen.setdefault(name, (link, elements))
            if not _same(size, elements):
                raise RefusedError(
                    f"{name!r} is {shape_words(first, size)} for {first.where}, but {shape_words(link, elements)} "
                    f"for {link.where}. A name is one tensor: give the second one a name of its own."
                )


def _same(left: Any, right: Any) -> bool:
    return math.isclose(left, right, rel_tol=1e-12)


def shape_words(link: Link, elements: Any) -> str:
    """Return a count of elements as the product of parameters that it is: ``4096 × 8192 = 33554432 elements``."""
    for factors in _factorings(link.parameters):
        if _same(math.prod(factors), elements):
            return f"{' × '.join(f'{one:.15g}' for one in factors)} = {elements:.15g} elements"
    return f"{elements:.15g} elements"


def _factorings(parameters: Mapping[str, Any]) -> Iterator[tuple[float, ...]]:
    sizes = [one for one in parameters.values() if is_number(one) and not isinstance(one, bool) and one > 1]
    for count in range(2, 5):
        yield from combinations(sizes[:10], count)
