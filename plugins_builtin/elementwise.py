"""Operators that touch each element a few times: sums, activations, norms, casts.

One class serves them all; what differs stands in a table. Their intensity is a constant, whatever their size:
FLOP per element over the bytes of the tensors that each element crosses in.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from plugins_builtin._gradients import DIRECTION, Gradient, gradient_estimate, passes
from plugins_builtin._row_kernels import (
    CATEGORY,
    TOKENS,
    WIDTH,
    Embedding,
    Reduce,
    work_by_pipe,
)
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
from rooflinestudio.plugins.arithmetic import is_number, larger, smaller, where

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.plugins import DType, Dtypes
    from rooflinestudio.plugins.arithmetic import Num

ENOUGH_BYTES: Final = 1e18
"""Bytes in flight that no machine is short of: what "not known" is in an array."""

QUANTIZED: Final = ("fp8", "int8", "mxfp8", "mxfp6", "fp6", "nvfp4", "mxfp4", "int4", "fp4")


@dataclass(frozen=True, slots=True)
class Spec:
    """One row of the table.

    Attributes
    ----------
    flop
        FLOP per element of the output.
    inputs
        Tensors read, the chained one first.
    row_weights
        Vectors of one row that are read once for all rows.
    special_results
        Results of the special-function units per element.
    to
        The parameter that chooses the format of the output, or None where it follows the role ``output``.
    assumption
        What the count takes for granted; empty where there is nothing to say.
    gradient
        The backward pass, where it is counted.
    """

    id: str
    label: str
    summary: str
    flop: float
    inputs: tuple[str, ...] = ("x",)
    row_weights: tuple[str, ...] = ()
    special_results: float = 0.0
    to: Parameter | None = None
    assumption: str = ""
    gradient: Gradient | None = None


_ONE_PASS = "One pass: a row stays on chip between its statistics and its result."
_TO = Parameter("to", "to", "fp32", choices=tuple(DTYPES), help="Format of the result.")
_QUANTIZE_TO = Parameter(
    "to", "to", "fp8", choices=QUANTIZED, help="Format of the result; block formats carry their scales in it."
)

SPECS: Final = (
    Spec("add", "Add", "Sum of two tensors, element by element: the residual add", 1, ("x", "residual")),
    Spec("mul", "Multiply", "Product of two tensors, element by element", 1, ("x", "factor")),
    Spec("scale", "Scale", "Every element times one number", 1),
    Spec("transpose", "Transpose", "The same elements with rows and columns exchanged", 0,
         assumption="Blocks are turned on chip, so that both sides of memory are contiguous."),
    Spec("cast", "Cast", "The same values in another format", 0, to=_TO),
    Spec("relu", "ReLU", "max(x, 0)", 1),
    Spec("silu", "SiLU", "x·sigmoid(x), also called swish", 5, special_results=2,
         assumption="An exponential and a reciprocal per element run on the special-function units."),
    Spec("gelu", "GELU", "Gaussian error linear unit, tanh approximation", 12, special_results=1,
         assumption="One tanh per element runs on the special-function units; the erf form is a few FLOP off."),
    Spec("swiglu", "SwiGLU", "silu(gate)·up, the gate of a feed-forward block", 6, ("gate", "up"), special_results=2,
         assumption="An exponential and a reciprocal per element run on the special-function units."),
    Spec("rmsnorm", "RMSNorm", "Rows divided by their root mean square, times a weight", 5,
         row_weights=("gain",), assumption=_ONE_PASS,
         gradient=Gradient(11, ("x",), ("gain",), ("gain",),
                           "2 for the statistic made again, 1 for the scaled row, 1 for dy·gain, 2 for the row sum, "
                           "3 for dx, 2 for the gradient of the gain")),
    Spec("layernorm", "LayerNorm", "Rows to mean 0 and variance 1, times a weight, plus a bias", 9,
         row_weights=("gain", "bias"), assumption=_ONE_PASS,
         gradient=Gradient(16, ("x",), ("gain",), ("gain", "bias"),
                           "4 for mean and variance made again, 1 for the scaled row, 1 for dy·gain, 3 for two row "
                           "sums, 4 for dx, 3 for the gradients of gain and bias")),
    Spec("softmax", "Softmax", "exp(x - max) over the sum of a row, in one pass", 6, special_results=1,
         assumption="One exponential per element runs on the special-function units; a row stays on chip.",
         gradient=Gradient(4, ("y",), (), (), "dx = y·(dy - Σ dy·y): 2 for the row sum, 2 for dx; no exponential")),
    Spec("rope", "RoPE", "Rotary position embedding: pairs of elements turned by their position", 3,
         assumption="Sines and cosines come from a table that stays in cache: its traffic is not counted."),
    Spec("dropout", "Dropout", "Elements set to zero at random, the rest scaled up", 2,
         assumption="The mask comes from a seed and is not stored."),
    Spec("quantize", "Quantize", "Scaled and rounded to a narrow format", 2, to=_QUANTIZE_TO,
         assumption="Plain formats take one scale for the whole tensor; block formats count the scales they store."),
)  # fmt: skip


class Elementwise(OperatorBase):
    """One row of the table as an operator."""

    category = CATEGORY

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.id = spec.id
        self.label = spec.label
        self.summary = spec.summary
        self.parameters = (TOKENS, WIDTH) if spec.to is None else (TOKENS, WIDTH, spec.to)
        if spec.gradient is not None:
            self.parameters += (DIRECTION,)
        names = {**dict.fromkeys(spec.inputs, "activation"), **dict.fromkeys(spec.row_weights, "weight")}
        names |= {"y": "output" if spec.to is None else ""}
        self.tensor_roles = MappingProxyType(
            names if spec.gradient is None else {**names, **spec.gradient.names}
        )
        roles = {"activation": "bf16"}
        if spec.row_weights:
            roles["weight"] = "bf16"
        if spec.to is None:
            roles["output"] = "bf16"
        # Named, compute says that this is vector work: fp32 for every format up to 32 bits.
        self.dtype_roles = MappingProxyType({**roles, "compute": "fp32"})

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        spec = self.spec
        if spec.gradient is not None and parameters["direction"] != "forward":
            if parameters["direction"] == "both":
                return passes(self, parameters, dtypes, (spec.flop, spec.gradient.flop))
            return gradient_estimate(spec.gradient, parameters, dtypes)
        width = parameters["width"]
        elements = 1.0 * parameters["tokens"] * width
        y_type = dtypes.of("y", "output") if spec.to is None else dtypes.get("y") or DTYPES[parameters["to"]]
        tensors = [Tensor(name, elements, dtypes.of(name, "activation"), 1) for name in spec.inputs]
        for name in spec.row_weights:
            tensors.append(Tensor(name, 1.0 * width, dtypes.of(name, "weight"), 1, 0, "weight"))
        tensors.append(Tensor("y", elements, y_type, 0, 1, "output"))
        work, pipe = work_by_pipe(spec.flop, spec.special_results, elements, dtypes)
        return Estimate(
            work,
            pipe,
            tuple(tensors),
            footprint_bytes=sum(one.elements * one.dtype.bytes for one in tensors),
            launch=Launch(),
            formulas=lambda: _formulas(spec, parameters, tensors),
            notes=(lambda: (spec.assumption,)) if spec.assumption else None,
        )


def _formulas(spec: Spec, p: Mapping[str, Any], tensors: list[Tensor]) -> tuple[Formula, ...]:
    values = {"tokens": p["tokens"], "width": p["width"], "y": tensors[-1].dtype.bytes}
    inputs, vectors = len(spec.inputs), len(spec.row_weights)
    symbols, template = _sizes(tensors[:inputs], values)
    symbols, template = f"({symbols} + s_y)·tokens·width", f"({template} + {{y}})·{{tokens}}·{{width}}"
    if vectors:
        own, own_template = _sizes(tensors[inputs:-1], values)
        own, own_template = (f"({own})", f"({own_template})") if " + " in own else (own, own_template)
        symbols, template = f"{symbols} + {own}·width", f"{template} + {own_template}·{{width}}"
    return (
        Formula(
            "work", f"W = {spec.flop:g}·tokens·width", put(f"{spec.flop:g}·{{tokens}}·{{width}}", **values),
            "FLOP per element of a usual implementation, give or take a few",
        ),
        Formula(
            "compulsory", f"Q = {symbols}", put(template, **values),
            "every input read once, the result written once" + (", row weights once for all rows" if vectors else ""),
        ),
    )  # fmt: skip


def _sizes(tensors: list[Tensor], values: dict[str, Any]) -> tuple[str, str]:
    """Return the bytes that an element of some tensors takes, as symbols and as a template; add their values."""
    first = tensors[0]
    plain = "w" if first.role == "weight" else "x"
    if len({one.dtype.id for one in tensors}) == 1:
        values[plain] = first.dtype.bytes
        times = f"{len(tensors)}·" if len(tensors) > 1 else ""
        return f"{times}s_{plain}", f"{times}{{{plain}}}"
    values |= {one.name: one.dtype.bytes for one in tensors}
    return " + ".join(f"s_{one.name}" for one in tensors), " + ".join(f"{{{one.name}}}" for one in tensors)


class GenericElementwise(OperatorBase):
    """Any elementwise kernel: FLOP, reads and writes per element are set by hand."""

    id = "elementwise"
    label = "Elementwise"
    category = CATEGORY
    summary = "Any elementwise kernel: set FLOP, reads and writes per element"
    parameters = (
        TOKENS,
        WIDTH,
        Parameter("flop", "FLOP", 1, "FLOP", low=0, high=1e9, integer=False, help="FLOP per element."),
        Parameter("reads", "reads", 1, low=0, high=1000, integer=False, help="Tensors read per element."),
        Parameter("writes", "writes", 1, low=0, high=1000, integer=False, help="Tensors written per element."),
        Parameter("special", "special results", 0, low=0, high=1000, integer=False,
                  help="Results of the special-function units per element: exp, tanh, reciprocal, logarithm."),
        Parameter("bytes_in_flight", "bytes in flight", 0, "B", low=0, high=1e12, integer=False,
                  help="Bytes the whole kernel keeps in flight, for the latency limit of a forecast; 0: not known."),
    )  # fmt: skip
    dtype_roles = MappingProxyType({"activation": "bf16", "output": "bf16", "compute": "fp32"})

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        p = parameters
        elements = 1.0 * p["tokens"] * p["width"]
        x_type, y_type = dtypes["activation"], dtypes["output"]
        work, pipe = work_by_pipe(p["flop"], p["special"], elements, dtypes)
        tensors = (
            # The chained input and output cross at most once; what goes beyond is other tensors of that size.
            Tensor("x", elements, x_type, smaller(p["reads"], 1), 0, "input"),
            Tensor("other inputs", elements, x_type, larger(p["reads"] - 1, 0), 0, "input"),
            Tensor("other outputs", elements, y_type, 0, larger(p["writes"] - 1, 0), "output"),
            Tensor("y", elements, y_type, 0, smaller(p["writes"], 1), "output"),
        )
        in_flight = p["bytes_in_flight"]
        return Estimate(
            work,
            pipe,
            tuple(one for one in tensors if not (_is_zero(one.reads) and _is_zero(one.writes))),
            footprint_bytes=elements * (p["reads"] * x_type.bytes + p["writes"] * y_type.bytes),
            launch=Launch(
                bytes_in_flight=None if _is_zero(in_flight) else where(in_flight > 0, in_flight, ENOUGH_BYTES)
            ),
            formulas=lambda: _generic_formulas(p, x_type, y_type),
        )


def _is_zero(value: Num) -> bool:
    return is_number(value) and value == 0


def _generic_formulas(p: Mapping[str, Any], x_type: DType, y_type: DType) -> tuple[Formula, ...]:
    values = {name: p[name] for name in ("tokens", "width", "flop", "reads", "writes")}
    values |= {"x": x_type.bytes, "y": y_type.bytes}
    traffic = put("({reads}·{x} + {writes}·{y})·{tokens}·{width}", **values)
    return (
        Formula(
            "work",
            "W = flop·tokens·width",
            put("{flop}·{tokens}·{width}", **values),
            "FLOP per element as set",
        ),
        Formula(
            "compulsory", "Q = (reads·s_x + writes·s_y)·tokens·width", traffic, "tensors per element as set"
        ),
    )


@hookimpl
def rooflinestudio_operators() -> list[OperatorBase]:
    """Bring the table, the generic operator, and what gathers or sums rows."""
    return [*(Elementwise(spec) for spec in SPECS), GenericElementwise(), Embedding(), Reduce()]
