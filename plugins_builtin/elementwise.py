"""Operators that touch each element a few times: sums, activations, norms, casts.

One class serves them all; what differs stands in a table. Their intensity is a constant, whatever their size:
FLOP per element over the bytes of the tensors that each element crosses in.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

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

CATEGORY: Final = "Elementwise and norms"

SPECIAL_FLOP: Final = 4.0
"""What one result of the special-function units (exp, tanh, reciprocal, …) counts on the pipe ``special``."""

ENOUGH_BYTES: Final = 1e18
"""Bytes in flight that no machine is short of: what "not known" is in an array."""

QUANTIZED: Final = ("fp8", "int8", "mxfp8", "mxfp6", "fp6", "nvfp4", "mxfp4", "int4", "fp4")

_TOKENS = Parameter("tokens", "tokens", 65536, help="Rows: batch times sequence length.")
_WIDTH = Parameter("width", "width", 8192, help="Elements in a row.")


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


_ONE_PASS = "One pass: a row stays on chip between its statistics and its result."
_TO = Parameter("to", "to", "fp32", choices=tuple(DTYPES), help="Format of the result.")
_QUANTIZE_TO = Parameter(
    "to", "to", "fp8", choices=QUANTIZED, help="Format of the result; block formats carry their scales in it."
)

SPECS: Final = (
    Spec("add", "Add", "Sum of two tensors, element by element: the residual add", 1, ("x", "residual")),
    Spec("mul", "Multiply", "Product of two tensors, element by element", 1, ("x", "factor")),
    Spec("scale", "Scale", "Every element times one number", 1),
    Spec("cast", "Cast", "The same values in another format", 0, to=_TO),
    Spec("relu", "ReLU", "max(x, 0)", 1),
    Spec("silu", "SiLU", "x·sigmoid(x), also called swish", 5, special_results=2,
         assumption="An exponential and a reciprocal per element run on the special-function units."),
    Spec("gelu", "GELU", "Gaussian error linear unit, tanh approximation", 12, special_results=1,
         assumption="One tanh per element runs on the special-function units; the erf form is a few FLOP off."),
    Spec("swiglu", "SwiGLU", "silu(gate)·up, the gate of a feed-forward block", 6, ("gate", "up"), special_results=2,
         assumption="An exponential and a reciprocal per element run on the special-function units."),
    Spec("rmsnorm", "RMSNorm", "Rows divided by their root mean square, times a weight", 5,
         row_weights=("gain",), assumption=_ONE_PASS),
    Spec("layernorm", "LayerNorm", "Rows to mean 0 and variance 1, times a weight, plus a bias", 9,
         row_weights=("gain", "bias"), assumption=_ONE_PASS),
    Spec("softmax", "Softmax", "exp(x - max) over the sum of a row, in one pass", 6, special_results=1,
         assumption="One exponential per element runs on the special-function units; a row stays on chip."),
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
        self.parameters = (_TOKENS, _WIDTH) if spec.to is None else (_TOKENS, _WIDTH, spec.to)
        roles = {"activation": "bf16"}
        if spec.row_weights:
            roles["weight"] = "bf16"
        if spec.to is None:
            roles["output"] = "bf16"
        # Named, compute says that this is vector work: fp32 for every format up to 32 bits.
        self.dtype_roles = MappingProxyType({**roles, "compute": "fp32"})

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        spec = self.spec
        width = parameters["width"]
        elements = 1.0 * parameters["tokens"] * width
        x_type = dtypes["activation"]
        y_type = dtypes["output"] if spec.to is None else DTYPES[parameters["to"]]
        tensors = [Tensor(name, elements, x_type, 1) for name in spec.inputs]
        if spec.row_weights:
            weight = dtypes["weight"]
            tensors += [Tensor(name, 1.0 * width, weight, 1, 0, "weight") for name in spec.row_weights]
        tensors.append(Tensor("y", elements, y_type, 0, 1, "output"))
        work, pipe = _work(spec.flop, spec.special_results, elements, dtypes)
        return Estimate(
            work,
            pipe,
            tuple(tensors),
            footprint_bytes=sum(one.elements * one.dtype.bytes for one in tensors),
            launch=Launch(),
            formulas=lambda: _formulas(spec, parameters, dtypes, y_type),
            notes=(lambda: (spec.assumption,)) if spec.assumption else None,
        )


def _work(flop: Num, results: Num, elements: Num, dtypes: Dtypes) -> tuple[dict[str, Num], str]:
    """Return the work by pipe and the main pipe; a pipe that certainly has none is left out."""
    pipe = dtypes["compute"].pipe
    work = {pipe: flop * elements, "special": SPECIAL_FLOP * results * elements}
    return {name: one for name, one in work.items() if not (is_number(one) and one == 0)}, pipe


def _formulas(spec: Spec, p: Mapping[str, Any], dtypes: Dtypes, y_type: DType) -> tuple[Formula, ...]:
    values = {"tokens": p["tokens"], "width": p["width"], "x": dtypes["activation"].bytes, "y": y_type.bytes}
    inputs, vectors = len(spec.inputs), len(spec.row_weights)
    reads = f"{inputs}·" if inputs > 1 else ""
    symbols, template = f"({reads}s_x + s_y)·tokens·width", f"({reads}{{x}} + {{y}})·{{tokens}}·{{width}}"
    if vectors:
        values["w"] = dtypes["weight"].bytes
        times = f"{vectors}·" if vectors > 1 else ""
        symbols, template = f"{symbols} + {times}s_w·width", f"{template} + {times}{{w}}·{{width}}"
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


class GenericElementwise(OperatorBase):
    """Any elementwise kernel: FLOP, reads and writes per element are set by hand."""

    id = "elementwise"
    label = "Elementwise"
    category = CATEGORY
    summary = "Any elementwise kernel: set FLOP, reads and writes per element"
    parameters = (
        _TOKENS,
        _WIDTH,
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
        work, pipe = _work(p["flop"], p["special"], elements, dtypes)
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
    """Bring the table and the generic operator."""
    return [*(Elementwise(spec) for spec in SPECS), GenericElementwise()]
