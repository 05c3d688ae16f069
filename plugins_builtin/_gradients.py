"""Backward passes of kernels that work row by row: RMSNorm, LayerNorm, softmax.

What the forward pass does not write is made again: a row stays on chip, so that its statistics cost FLOP and no bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from plugins_builtin._row_kernels import work_by_pipe
from plugins_builtin._text import put
from rooflinestudio.plugins import Estimate, Formula, Launch, Parameter, Part, Tensor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.plugins import Dtypes
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["DIRECTION", "Gradient", "gradient_estimate", "passes"]

DIRECTION = Parameter(
    "direction", "direction", "forward", choices=("forward", "backward", "both"),
    help="Forward pass, backward pass, or one after the other.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Gradient:
    """The backward pass of one kernel.

    Attributes
    ----------
    flop
        FLOP per element.
    saved
        What the forward pass left for it besides dy: its input ``x``, or its result ``y``.
    weights
        Row weights that it reads, once for all rows.
    weight_gradients
        Row weights whose gradients it writes, summed over all rows.
    words
        What the FLOP are made of.
    """

    flop: float
    saved: tuple[str, ...]
    weights: tuple[str, ...]
    weight_gradients: tuple[str, ...]
    words: str

    @property
    def names(self) -> Mapping[str, str]:
        """The tensors that it adds to those of the forward pass, with their roles."""
        gradients = {f"d{name}": "weight" for name in self.weight_gradients}
        return MappingProxyType({"dy": "output", "dx": "", **gradients})


class _Kernel(Protocol):
    """An operator, as far as it is needed here."""

    id: str

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate: ...


def gradient_estimate(gradient: Gradient, p: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
    """Return the backward pass; gradients have the format of what they are the gradient of, unless named."""
    width = 1.0 * p["width"]
    elements: Num = p["tokens"] * width
    role = {"x": "activation", "y": "output"}
    tensors = [
        Tensor("dy", elements, dtypes.of("dy", "y", "output"), 1, 0, "input"),
        *(Tensor(name, elements, dtypes.of(name, role[name]), 1, 0, "input") for name in gradient.saved),
        *(Tensor(name, width, dtypes.of(name, "weight"), 1, 0, "weight") for name in gradient.weights),
        *(
            Tensor(f"d{name}", width, dtypes.of(f"d{name}", name, "weight"), 0, 1, "output")
            for name in gradient.weight_gradients
        ),
        Tensor("dx", elements, dtypes.of("dx", "x", "activation"), 0, 1, "output"),
    ]
    work, pipe = work_by_pipe(gradient.flop, 0.0, elements, dtypes)
    return Estimate(
        work,
        pipe,
        tuple(tensors),
        footprint_bytes=sum(one.elements * one.dtype.bytes for one in tensors),
        launch=Launch(),
        formulas=lambda: _formulas(gradient, p, tensors),
        notes=lambda: _notes(gradient),
    )


def passes(operator: _Kernel, p: Mapping[str, Any], dtypes: Dtypes, flop: tuple[float, float]) -> Estimate:
    """Return forward and backward pass as two kernels, one after the other.

    Parameters
    ----------
    flop
        FLOP per element of both.
    """
    parts = []
    for label in ("Forward", "Backward"):
        own = {**p, "direction": label.lower()}
        parts.append(Part(label, operator.id, own, dtypes, 1, operator.estimate(own, dtypes)))
    forward, backward = (part.estimate for part in parts)
    held = {one.name: one for kernel in (forward, backward) for one in kernel.tensors}
    return Estimate(
        {},
        forward.main_pipe,
        (),
        footprint_bytes=sum(one.elements * one.dtype.bytes for one in held.values()),
        parts=tuple(parts),
        formulas=lambda: _both_formulas(flop, p),
    )


def _formulas(gradient: Gradient, p: Mapping[str, Any], tensors: list[Tensor]) -> tuple[Formula, ...]:
    vectors = {*gradient.weights, *(f"d{name}" for name in gradient.weight_gradients)}
    rows = [one for one in tensors if one.name not in vectors]
    lines = [one for one in tensors if one.name in vectors]
    values = {one.name: one.dtype.bytes for one in tensors} | {"tokens": p["tokens"], "width": p["width"]}
    symbols = f"({' + '.join(f's_{one.name}' for one in rows)})·tokens·width"
    template = f"({' + '.join(f'{{{one.name}}}' for one in rows)})·{{tokens}}·{{width}}"
    if lines:
        symbols += f" + ({' + '.join(f's_{one.name}' for one in lines)})·width"
        template += f" + ({' + '.join(f'{{{one.name}}}' for one in lines)})·{{width}}"
    flop = f"{gradient.flop:g}"
    return (
        Formula("work", f"W = {flop}·tokens·width", put(f"{flop}·{{tokens}}·{{width}}", **values), gradient.words),
        Formula("compulsory", f"Q = {symbols}", put(template, **values),
                f"dy and {' and '.join(gradient.saved)} read, dx written"
                + (", row weights and their gradients once for all rows" if lines else "")),
    )  # fmt: skip


def _both_formulas(flop: tuple[float, float], p: Mapping[str, Any]) -> tuple[Formula, ...]:
    sums = f"({flop[0]:g} + {flop[1]:g})"
    values = put(f"{sums}·{{tokens}}·{{width}}", tokens=p["tokens"], width=p["width"])
    source = "forward and backward pass; traffic and time are those of the parts, summed"
    return (Formula("work", f"W = {sums}·tokens·width", values, source),)


def _notes(gradient: Gradient) -> tuple[str, ...]:
    if gradient.saved == ("y",):
        return ("It works from the result of the forward pass, which must still be there.",)
    return (
        "The statistics of a row are made again from x; a forward pass that writes them saves these FLOP.",
        "Sums over all rows are made in partial sums that stay in cache; they are not counted.",
    )
