"""Work and least traffic of an operator from the shapes of its inputs: a model, where a trace has no counters.

A product of [m, k] and [k, n] is 2 m n k FLOP, the bias not counted; a convolution is 2 x outputs x inputs per output.
Each tensor is taken to cross device memory once, which is the least that any kernel can do with.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["OPERATORS", "Modelled", "modelled", "pipe_of"]

Shape = tuple[int, ...]

_LARGEST: Final = 2**40  # of one dimension
_MOST_DIMENSIONS: Final = 16
_NUMBER: Final = re.compile(r"-?\d{1,12}")
_BYTES: Final = {
    "c10::bfloat16": 2, "c10::half": 2, "float": 4, "double": 8, "signed char": 1, "unsigned char": 1,
    "c10::float8_e4m3fn": 1, "c10::float8_e5m2": 1, "c10::float8_e4m3fnuz": 1, "c10::float8_e5m2fnuz": 1,
}  # fmt: skip
_PIPES: Final = {"c10::bfloat16": "bf16-tensor", "c10::half": "fp16-tensor", "float": "fp32", "double": "fp64",
                 "signed char": "int8-tensor", "unsigned char": "int8-tensor"}  # fmt: skip
_TF32: Final = re.compile(r"tf32|s1688gemm|s16816gemm", re.IGNORECASE)
_FP64_MATRIX: Final = re.compile(r"d884|d1688|dmma", re.IGNORECASE)


class Modelled(NamedTuple):
    """What the shapes of one operator say.

    Attributes
    ----------
    flop, least_bytes
        Of one call.
    dtype
        As the trace writes it, lower case.
    work_text, traffic_text
        How they were counted.
    """

    flop: float
    least_bytes: float
    dtype: str
    work_text: str
    traffic_text: str


class _Call(NamedTuple):
    shapes: list[Shape]
    types: list[str]
    concrete: list[str]


def modelled(name: str, arguments: dict[str, Any]) -> Modelled | None:
    """Model of one call; None where its shapes were not recorded or do not belong together."""
    rule = OPERATORS.get(name)
    shapes = arguments.get("Input Dims")
    if rule is None or not isinstance(shapes, list):
        return None
    call = _Call(
        [_shape(one) for one in shapes[:32]],
        [str(one).lower() for one in _list(arguments.get("Input type"))[:32]],
        [str(one)[:200] for one in _list(arguments.get("Concrete Inputs"))[:32]],
    )
    try:
        return rule(call)
    except IndexError:
        return None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _shape(value: Any) -> Shape:
    """Dimensions of one input; empty for a scalar, a list of tensors or anything odd."""
    if not isinstance(value, list) or len(value) > _MOST_DIMENSIONS:
        return ()
    if not all(type(one) is int and 0 < one < _LARGEST for one in value):
        return ()
    return tuple(value)


def _matmul(left: int, right: int, bias: int | None = None) -> Callable[[_Call], Modelled | None]:
    """Rule for a product of two inputs of two or three dimensions, and the tensor added to it."""

    def rule(call: _Call) -> Modelled | None:
        a, b = call.shapes[left], call.shapes[right]
        if not (len(a) == len(b) in (2, 3)) or a[-1] != b[-2] or a[:-2] != b[:-2]:
            return None
        added = math.prod(call.shapes[bias]) if bias is not None and call.shapes[bias] else 0
        return _product(call.types[left], a, b, added)

    return rule


def _product(dtype: str, a: Shape, b: Shape, added: int) -> Modelled | None:
    size = _BYTES.get(dtype)
    if size is None:
        return None
    *batch, m, k = a
    n = b[-1]
    out = math.prod(batch) * m * n
    result = 4 if "char" in dtype else 2 if size == 1 else size  # 8-bit products are stored wider
    elements = math.prod(a) + math.prod(b)
    times = f"{math.prod(batch):,} × " if batch else ""
    return Modelled(
        2.0 * out * k,
        float(elements * size + (out + added) * result),
        dtype,
        f"{times}2·{m}·{n}·{k} from the input shapes{', bias not counted' if added else ''}",
        f"[{_by(a)}], [{_by(b)}]{', bias' if added else ''} and result once each",
    )


def _convolution(stride: int, padding: int, dilation: int, groups: int) -> Callable[[_Call], Modelled | None]:
    """Rule for a convolution whose settings stand at these places of the inputs."""

    def rule(call: _Call) -> Modelled | None:
        image, weight, size = call.shapes[0], call.shapes[1], _BYTES.get(call.types[0])
        rank = len(image) - 2
        if size is None or rank not in (1, 2, 3) or len(weight) != len(image):
            return None
        steps, pads, gaps = (_numbers(call.concrete[place], rank) for place in (stride, padding, dilation))
        group = _numbers(call.concrete[groups], 1)
        if not steps or not pads or not gaps or not group:
            return None
        if min(steps) < 1 or min(pads) < 0 or min(gaps) < 1 or group[0] < 1:
            return None
        if weight[1] * group[0] != image[1]:
            return None
        places = [
            (extent + 2 * pad - gap * (kernel - 1) - 1) // step + 1
            for extent, kernel, step, pad, gap in zip(image[2:], weight[2:], steps, pads, gaps, strict=True)
        ]
        if min(places) < 1:
            return None
        out = image[0] * weight[0] * math.prod(places)
        inner = math.prod(weight[1:])
        return Modelled(
            2.0 * out * inner,
            float((math.prod(image) + math.prod(weight) + out) * size),
            call.types[0],
            f"2·{out}·{inner} (outputs × weights of one output) from the input shapes",
            f"[{_by(image)}], [{_by(weight)}] and result once each",
        )

    return rule


def _transposed(call: _Call) -> Modelled | None:
    """General convolution, which says itself whether it is transposed; such a one is not modelled."""
    if call.concrete[6].strip().lower() not in ("false", "0"):
        return None
    return _convolution(3, 4, 5, 8)(call)


def _numbers(text: str, count: int) -> list[int]:
    found = [int(one) for one in _NUMBER.findall(text)]
    found = found * count if len(found) == 1 else found
    return found if len(found) == count else []


def _by(shape: Shape) -> str:
    return ", ".join(map(str, shape))


OPERATORS: Final[dict[str, Callable[[_Call], Modelled | None]]] = {
    "aten::mm": _matmul(0, 1),
    "aten::bmm": _matmul(0, 1),
    "aten::_int_mm": _matmul(0, 1),
    "aten::_scaled_mm": _matmul(0, 1),
    "aten::addmm": _matmul(1, 2, 0),
    "aten::addmm_": _matmul(1, 2, 0),
    "aten::_addmm_activation": _matmul(1, 2, 0),
    "aten::baddbmm": _matmul(1, 2, 0),
    "aten::baddbmm_": _matmul(1, 2, 0),
    "aten::convolution": _transposed,
    "aten::_convolution": _transposed,
    "aten::cudnn_convolution": _convolution(3, 2, 4, 5),
    "aten::miopen_convolution": _convolution(4, 3, 5, 6),
}
"""Operators whose work follows from the shapes of their inputs."""


def pipe_of(dtype: str, kernel: str, *, amd: bool) -> str:
    """Pipe that a kernel of one operator runs on, as far as its format and name tell."""
    if dtype.startswith("c10::float8"):
        return "fp8-tensor"
    pipe = _PIPES.get(dtype, "fp32")
    if pipe.endswith("-tensor"):
        # A matrix times a vector has no use for matrix units: it is done with fp32 multiply-adds.
        return "fp32" if "gemv" in kernel.lower() else pipe
    if amd:
        return f"{pipe}-tensor"
    if pipe == "fp32":
        return "tf32-tensor" if _TF32.search(kernel) else pipe
    return "fp64-tensor" if _FP64_MATRIX.search(kernel) else pipe
