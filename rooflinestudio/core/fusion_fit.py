"""Whether the operators of a chain fit together: sizes, names and formats of what they hand on."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.errors import ParameterError, RefusedError
from rooflinestudio.core.fusion_notation import UNNAMED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rooflinestudio.core.fusion_links import Link
    from rooflinestudio.core.fusion_notation import ChainSpec, ChainStep
    from rooflinestudio.core.operators import Estimate, Operator

__all__ = [
    "agree_on_formats", "name_foreign", "refuse_mismatch", "refuse_two_shapes", "refuse_unfit", "shape_words",
    "tensor_roles",
]  # fmt: skip


def tensor_roles(operator: Operator) -> Mapping[str, str]:
    """Return the role of each tensor whose format may be named by itself."""
    roles: Mapping[str, str] = getattr(operator, "tensor_roles", {})  # a stranger's class need not have it
    return roles


def refuse_unfit(estimate: Estimate, where: str, *, first: bool, last: bool) -> None:
    """Refuse what cannot stand where it stands: several kernels in one, or nothing to take or to hand on."""
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


def name_foreign(estimate: Estimate, step: ChainStep, label: str, where: str) -> tuple[tuple[int, str], ...]:
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


def refuse_mismatch(before: Link, after: Link) -> None:
    """Refuse neighbours of which one hands on another size than the other takes."""
    left, right = before.chained_out.elements, after.chained_in.elements
    if not any(_same(one, other) for one in _sizes(before, left) for other in _sizes(after, right)):
        own = next((name for name in ("m", "tokens", "elements") if name in after.parameters), "")
        mend = f", or give {after.label} its own: {after.step.operator}({own}=…)" if own else ""
        raise RefusedError(
            f"{before.where} hands on {shape_words(before, left)}, but {after.where} takes "
            f"{shape_words(after, right)}. Give both the same size{mend}."
        )


def refuse_two_shapes(spec: ChainSpec, links: list[Link]) -> None:
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


def _sizes(link: Link, elements: Any) -> list[Any]:
    """Return the sizes that a tensor at a joint can be said to have.

    A collective's tensors count what one rank moves; what it takes or leaves is the buffer, or one rank's share of it.
    """
    buffer = link.parameters.get("elements")
    if link.estimate.home == "dram" or buffer is None:
        return [elements]
    return [elements, buffer, buffer / link.parameters.get("ranks", 1)]


def agree_on_formats(links: list[Link]) -> None:
    """Give a tensor that is handed on one format: the one it is written in, unless the taker pins its own."""
    for at in range(1, len(links)):
        before, after = links[at - 1], links[at]
        written, own = before.chained_out.dtype, after.chained_in.dtype
        if written.id == own.id:
            continue
        role = tensor_roles(after.operator).get(after.chained_in.name, "activation")
        if role in after.operator.pinned:
            tensors = (*before.estimate.tensors[:-1], replace(before.chained_out, dtype=own))
            links[at - 1] = replace(before, estimate=replace(before.estimate, tensors=tensors))
            said = f"{after.label} takes {own} whatever is set: {before.label} writes {own} instead of {written}."
        else:
            tensors = (replace(after.chained_in, dtype=written), *after.estimate.tensors[1:])
            after = replace(after, estimate=replace(after.estimate, tensors=tensors))
            said = (
                f"{before.label} hands on {written}, while {after.label} is set to {own}: it reads {written}, "
                "as it was written."
            )
        links[at] = replace(after, converted=said)


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
