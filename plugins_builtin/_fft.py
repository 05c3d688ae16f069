"""Fast Fourier transforms of many lines."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from plugins_builtin._logarithms import log2, whole_log
from plugins_builtin._text import put, shown
from rooflinestudio.plugins import Estimate, Formula, Launch, OperatorBase, Parameter, Tensor
from rooflinestudio.plugins.arithmetic import is_number, larger

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rooflinestudio.plugins import Dtypes
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["Fft"]


class Fft(OperatorBase):
    """Transforms of length n, complex to complex or real to complex."""

    id = "fft"
    label = "FFT"
    category = "Classical kernels"
    summary = "Fast Fourier transform of many lines of the same length"
    parameters = (
        Parameter("n", "n", 1_048_576, high=1e12, help="Points of one transform."),
        Parameter("batch", "batch", 1, high=1e9, help="Transforms of this length."),
        Parameter("kind", "kind", "complex", choices=("complex", "real"),
                  help="complex to complex, or real to the half spectrum that determines the rest."),
        Parameter("block", "points on chip", 4096, low=2, high=1e6,
                  help="Points that a block transforms on chip: a longer transform takes several passes."),
    )  # fmt: skip
    dtype_roles = MappingProxyType({"activation": "fp64", "output": "fp64", "compute": "fp32"})
    tensor_roles = MappingProxyType({"x": "activation", "X": "output"})

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        p, batch = parameters, 1.0 * parameters["batch"]
        real = p["kind"] == "real"
        # Numbers, not points: a complex point is two of them.
        numbers_in = batch * p["n"] * (1.0 if real else 2.0)
        numbers_out = batch * (p["n"] + 2.0 if real else 2.0 * p["n"])
        tensors = (
            Tensor("x", numbers_in, dtypes.of("x", "activation"), 1, 0, "input"),
            Tensor("X", numbers_out, dtypes.of("X", "output"), 0, 1, "output"),
        )
        passes = _passes(p)
        pipe = dtypes["compute"].pipe
        size_in, size_out = (one.elements * one.dtype.bytes for one in tensors)
        # What lies between two passes is as long as the output, and in its format.
        between = (passes - 1.0) * size_out
        return Estimate(
            {pipe: (2.5 if real else 5.0) * batch * p["n"] * log2(p["n"])},
            pipe,
            tensors,
            {"dram": (size_in + between, size_out + between)},
            footprint_bytes=size_in + size_out,
            launch=Launch(kernels=passes),
            formulas=lambda: _formulas(p, tensors, passes),
            notes=lambda: tuple(_notes(passes)),
        )


def _passes(p: Mapping[str, Any]) -> Num:
    return larger(whole_log(p["n"], p["block"]), 1.0)


def _formulas(p: Mapping[str, Any], tensors: tuple[Tensor, ...], passes: Num) -> tuple[Formula, ...]:
    real = p["kind"] == "real"
    x, out = (one.dtype.bytes for one in tensors)
    values = {"n": p["n"], "b": p["batch"], "x": x, "o": out, "log": log2(p["n"]), "passes": passes}
    flop = "2.5" if real else "5"
    read, written = ("s_x·n", "s_X·(n + 2)") if real else ("2·s_x·n", "2·s_X·n")
    put_read, put_written = ("{x}·{n}", "{o}·({n} + 2)") if real else ("2·{x}·{n}", "2·{o}·{n}")
    return (
        Formula("work", f"W = {flop}·batch·n·log2 n", put(f"{flop}·{{b}}·{{n}}·{{log}}", **values),
                "the usual count, that of radix 2 (Cooley and Tukey)" + (", halved for real input" if real else "")),
        Formula("compulsory", f"Qc = batch·({read} + {written})", put(f"{{b}}·({put_read} + {put_written})", **values),
                "two numbers per complex point; read once, written once"),
        Formula("tiled", f"Qt = batch·({read} + {written} + 2·(passes - 1)·{written}), passes = ⌈log n / log block⌉",
                put(f"{{b}}·({put_read} + {put_written} + 2·({{passes}} - 1)·{put_written})", **values),
                "what lies between two passes is written and read back"),
    )  # fmt: skip


def _notes(passes: Num) -> Iterator[str]:
    yield "FLOP are those of the usual convention; split-radix transforms do about a fifth fewer."
    yield "Twiddle factors come from tables in cache: their traffic is not counted."
    if is_number(passes) and passes > 1:
        yield f"One transform does not fit on chip: it takes {shown(passes)} passes over memory where it is blocked."
