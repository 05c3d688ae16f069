"""Parameter updates: kernels that move a lot of state for a few FLOP, and Muon, which multiplies matrices instead."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from plugins_builtin._muon import Muon
from plugins_builtin._sharding import RANKS, sharded
from plugins_builtin._text import put
from rooflinestudio.plugins import (
    DTYPES,
    Estimate,
    Formula,
    Launch,
    OperatorBase,
    Parameter,
    Tensor,
    hookimpl,
)
from rooflinestudio.plugins.arithmetic import is_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.plugins import DType, Dtypes
    from rooflinestudio.plugins.arithmetic import Num

_GRADIENTS: Final = ("fp32", "bf16", "fp16", "fp8")
_COUNT = Parameter("parameter_count", "parameters", 7e9, high=1e14, help="Parameters that are updated.")
_FIRST_MOMENT = Parameter("first_moment", "first moment", default=True,
                          help="Keep a moving average of the gradients beside the factored second moment.")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Spec:
    """One row of the table.

    Attributes
    ----------
    flop
        FLOP per parameter.
    state
        What is kept for every parameter besides the master weights, read and written in every step, by format.
    gradient
        Format of the gradients unless another is chosen.
    counted
        Where the FLOP come from.
    note
        What the count takes for granted; empty where there is nothing to say.
    extra
        Switch for the state of its own name.
    """

    id: str
    label: str
    summary: str
    flop: float
    state: Mapping[str, str]
    counted: str
    gradient: str = "fp32"
    note: str = ""
    extra: Parameter | None = None


_MOMENTS: Final = "two moving averages, their bias correction, a root, a division and the update"

SPECS: Final = (
    Spec("sgd", "SGD", "Plain gradient descent: fp32 master weights, and a copy for the next forward pass", 2.0, {},
         "one multiply-add"),
    Spec("sgd_momentum", "SGD with momentum", "Gradient descent with one moving average, kept in fp32 like the weights",
         4.0, {"momentum": "fp32"}, "one multiply-add for the average, one for the update"),
    Spec("adam", "Adam", "Adam update: fp32 master weights and moments, and a copy for the next forward pass", 12.0,
         {"m": "fp32", "v": "fp32"}, _MOMENTS),
    Spec("adam_8bit", "Adam, 8-bit", "Adam with both moments in 8 bits, scaled block by block", 12.0,
         {"m": "int8", "v": "int8"}, f"as for Adam: {_MOMENTS}", "bf16",
         "The scales, one fp32 number for a block of 256 or more values, are not counted: at most 0.4 %."),
    Spec("adafactor", "Adafactor", "Second moment factored into rows and columns, with or without a first moment", 12.0,
         {"first_moment": "fp32"}, "as for Adam, which it follows element by element",
         note="The factored second moment, a sum for each row and column of a matrix, is not counted.",
         extra=_FIRST_MOMENT),
)  # fmt: skip


class Optimizer(OperatorBase):
    """One row of the table: all parameters in one fused kernel."""

    category = "Optimizers"

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.id = spec.id
        self.label = spec.label
        self.summary = spec.summary
        formats = Parameter("gradient_dtype", "gradient format", spec.gradient, choices=_GRADIENTS,
                            help="Format that the gradients are stored in.")  # fmt: skip
        extra = () if spec.extra is None else (spec.extra,)
        self.parameters = (_COUNT, formats, *extra, RANKS)
        kept = {"master": "fp32", **spec.state}
        self.dtype_roles = MappingProxyType({"weight": "bf16", **kept, "compute": "fp32"})
        self.tensor_roles = MappingProxyType({"gradient": "", "weights": "weight"})
        self.pinned = frozenset(kept)

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        ranks = parameters["ranks"]
        if is_number(ranks) and ranks <= 1:
            return self._update(parameters, dtypes, 1.0 * parameters["parameter_count"])
        gradient, copy = self._gradient(parameters, dtypes), dtypes.of("weights", "weight")
        return sharded(
            self,
            {**parameters, "parameter_count": parameters["parameter_count"] / (1.0 * ranks), "ranks": 1},
            dtypes,
            elements=1.0 * parameters["parameter_count"],
            ranks=ranks,
            formats=(gradient, dtypes["master"] if copy.id == "fp32" else copy),
        )

    def _gradient(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> DType:
        return dtypes.get("gradient") or DTYPES[parameters["gradient_dtype"]]

    def _update(self, parameters: Mapping[str, Any], dtypes: Dtypes, count: Num) -> Estimate:
        spec = self.spec
        kept = [name for name in spec.state if spec.extra is None or parameters[spec.extra.name]]
        state = [Tensor(name, count, dtypes[name], 1, 1, "state") for name in (*kept, "master")]
        tensors = [Tensor("gradient", count, self._gradient(parameters, dtypes), 1), *state]
        copy = dtypes.of("weights", "weight")
        if copy.id != "fp32":  # else the forward pass reads the master weights themselves
            tensors.append(Tensor("weights", count, copy, 0, 1, "output"))
        pipe = dtypes["compute"].pipe
        return Estimate(
            {pipe: spec.flop * count},
            pipe,
            tuple(tensors),
            footprint_bytes=sum(one.elements * one.dtype.bytes for one in tensors),
            launch=Launch(),
            formulas=lambda: _formulas(spec, count, tensors),
            notes=lambda: _notes(spec),
        )


def _formulas(spec: Spec, count: Num, tensors: list[Tensor]) -> tuple[Formula, ...]:
    terms: list[tuple[str, float]] = []
    for one in tensors:
        name = "weight" if one.role == "output" else one.name
        terms.append(
            (f"2·s_{name}", 2 * one.dtype.bytes) if one.role == "state" else (f"s_{name}", one.dtype.bytes)
        )
    symbols = " + ".join(symbol for symbol, _ in terms)
    traffic = put(f"({' + '.join(f'{size:g}' for _, size in terms)})·{{count}}", count=count)
    copied = "; the copy for the forward pass written" if tensors[-1].role == "output" else ""
    return (
        Formula("work", f"W = {spec.flop:g}·parameters", put(f"{spec.flop:g}·{{count}}", count=count), spec.counted),
        Formula("compulsory", f"Q = ({symbols})·parameters", traffic,
                f"gradient read; state and master weights read and written{copied}"),
    )  # fmt: skip


def _notes(spec: Spec) -> tuple[str, ...]:
    usual = "Independent of batch and sequence: every step moves all of the state."
    return (usual, spec.note) if spec.note else (usual,)


@hookimpl
def rooflinestudio_operators() -> list[OperatorBase]:
    """Bring the optimizers."""
    return [*(Optimizer(spec) for spec in SPECS), Muon()]
