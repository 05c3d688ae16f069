"""Classical kernels of scientific computing: streams, sparse products, stencils and Fourier transforms."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from plugins_builtin._fft import Fft
from plugins_builtin._stencil import Stencil
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
from rooflinestudio.plugins.arithmetic import larger, smaller

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.plugins import Dtypes
    from rooflinestudio.plugins.arithmetic import Num

CATEGORY: Final = "Classical kernels"

_ELEMENTS = Parameter("elements", "elements", 100_000_000, high=1e13, help="Elements of each vector.")

INDEX: Final = DTYPES["int32"]
"""Format of the indices of a sparse matrix."""


@dataclass(frozen=True, slots=True)
class Spec:
    """One kernel over vectors: FLOP per element, and the vectors by what happens to them.

    Attributes
    ----------
    vectors
        Name, reads and writes of each; the chained input first, the output last.
    result
        Elements of a result that is not a vector, written once.
    """

    id: str
    label: str
    summary: str
    expression: str
    vectors: tuple[tuple[str, int, int], ...]
    note: str
    result: float = 0.0


_ALLOCATE: Final = (
    "Stores that first read their line (a CPU's caches do, unless told otherwise) add one read of the output."
)

SPECS: Final = (
    Spec("stream_triad", "STREAM triad", "a = b + s·c, the classical measure of memory bandwidth", "b + s·c",
         (("b", 1, 0), ("c", 1, 0), ("a", 0, 1)), f"Counted as McCalpin's STREAM does. {_ALLOCATE}"),
    Spec("axpy", "AXPY", "y = a·x + y, the update of a vector by a multiple of another", "a·x + y",
         (("x", 1, 0), ("y", 1, 1)), "y is read and written in place."),
    Spec("dot", "Dot product", "The sum of the products of two vectors", "Σ x·y",
         (("x", 1, 0), ("y", 1, 0)), "Partial sums of the blocks stay in cache and are not counted.", 1.0),
)  # fmt: skip


class VectorKernel(OperatorBase):
    """One row of the table: one multiply-add per element."""

    category = CATEGORY
    parameters = (_ELEMENTS,)
    # Named, compute says that this is vector work: fp64 for fp64, fp32 for all that is narrower.
    dtype_roles = MappingProxyType({"activation": "fp64", "output": "fp64", "compute": "fp32"})

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.id = spec.id
        self.label = spec.label
        self.summary = spec.summary
        names = {name: _role(writes) for name, _, writes in spec.vectors}
        self.tensor_roles = MappingProxyType({**names, "result": "output"} if spec.result else names)

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        spec, elements = self.spec, 1.0 * parameters["elements"]
        tensors = [
            Tensor(name, elements, dtypes.of(name, _role(writes)), reads, writes, "output" if writes else "input")
            for name, reads, writes in spec.vectors
        ]  # fmt: skip
        if spec.result:
            tensors.append(Tensor("result", spec.result, dtypes.of("result", "output"), 0, 1, "output"))
        pipe = dtypes["compute"].pipe
        return Estimate(
            {pipe: 2.0 * elements},
            pipe,
            tuple(tensors),
            footprint_bytes=sum(one.elements * one.dtype.bytes for one in tensors),
            launch=Launch(),
            formulas=lambda: _vector_formulas(spec, parameters, tensors),
            notes=lambda: (spec.note,),
        )


def _role(writes: int) -> str:
    return "output" if writes else "activation"


def _vector_formulas(spec: Spec, p: Mapping[str, Any], tensors: list[Tensor]) -> tuple[Formula, ...]:
    vectors = tensors[: len(spec.vectors)]
    symbols = " + ".join(("2·" if one.reads and one.writes else "") + f"s_{one.name}" for one in vectors)
    size = sum((one.reads + one.writes) * one.dtype.bytes for one in vectors)
    single, template = ("", "")
    if spec.result:
        single, template = " + s_result", f" + {tensors[-1].dtype.bytes:g}"
    return (
        Formula("work", "W = 2·elements", put("2·{n}", n=p["elements"]), f"one multiply-add each: {spec.expression}"),
        Formula(
            "compulsory", f"Q = ({symbols})·elements{single}",
            put("{size}·{n}" + template, size=size, n=p["elements"]), "each vector as often as the expression names it",
        ),
    )  # fmt: skip


class Spmv(OperatorBase):
    """y = A·x with A in compressed rows."""

    id = "spmv"
    label = "Sparse matrix-vector"
    category = CATEGORY
    summary = "y = A·x with a sparse A in compressed rows (CSR)"
    parameters = (
        Parameter("rows", "rows", 1_000_000, high=1e10, help="Rows of A, elements of y."),
        Parameter("columns", "columns", 1_000_000, high=1e10, help="Columns of A, elements of x."),
        Parameter("nonzeros_per_row", "nonzeros per row", 27, high=1e6, integer=False,
                  help="Stored elements of a row, on average; 27 for a grid with all its neighbours."),
    )  # fmt: skip
    dtype_roles = MappingProxyType(
        {"weight": "fp64", "activation": "fp64", "output": "fp64", "compute": "fp32"}
    )
    tensor_roles = MappingProxyType(
        {"values": "weight", "x": "activation", "y": "output", "column indices": "", "row starts": ""}
    )

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        p = parameters
        rows, columns = 1.0 * p["rows"], 1.0 * p["columns"]
        nonzeros = rows * p["nonzeros_per_row"]
        x_type = dtypes.of("x", "activation")
        touched = smaller(columns, nonzeros)  # no more of x than there are elements to multiply it with
        tensors = (
            Tensor("x", touched, x_type, 1, 0, "input", "gather"),
            Tensor("values", nonzeros, dtypes.of("values", "weight"), 1, 0, "weight"),
            Tensor("column indices", nonzeros, dtypes.get("column indices") or INDEX, 1, 0, "weight"),
            Tensor("row starts", rows + 1.0, dtypes.get("row starts") or INDEX, 1, 0, "weight"),
            Tensor("y", rows, dtypes.of("y", "output"), 0, 1, "output"),
        )
        once = sum(one.elements * one.dtype.bytes for one in tensors[1:4])
        pipe = dtypes["compute"].pipe
        return Estimate(
            {pipe: 2.0 * nonzeros},
            pipe,
            tensors,
            {"dram": (once + larger(nonzeros, touched) * x_type.bytes, rows * tensors[-1].dtype.bytes)},
            footprint_bytes=once + columns * x_type.bytes + rows * tensors[-1].dtype.bytes,
            launch=Launch(),
            formulas=lambda: _spmv_formulas(p, tensors),
            notes=lambda: (
                "Compulsory, x is read once; tiled, once for every stored element, as if no cache held any of it.",
                "Elements of x are gathered: they run at the machine's gather slope where its profile has one.",
                "Rows of unequal length leave threads idle; that is not counted.",
            ),
        )


def _spmv_formulas(p: Mapping[str, Any], tensors: tuple[Tensor, ...]) -> tuple[Formula, ...]:
    values: dict[str, Num] = {"rows": p["rows"], "z": p["nonzeros_per_row"], "touched": tensors[0].elements}
    values |= dict(zip(("x", "v", "i", "r", "y"), (one.dtype.bytes for one in tensors), strict=True))
    matrix = "(s_values + s_index)·nonzeros + s_index·(rows + 1)"
    put_matrix = "({v} + {i})·{rows}·{z} + {r}·({rows} + 1)"
    return (
        Formula("work", "W = 2·nonzeros", put("2·{rows}·{z}", **values), "one multiply-add per stored element"),
        Formula("compulsory", f"Qc = {matrix} + s_x·min(columns, nonzeros) + s_y·rows",
                put(put_matrix + " + {x}·{touched} + {y}·{rows}", **values),
                "values, column indices and row starts once, x once, y written"),
        Formula("tiled", f"Qt = {matrix} + s_x·nonzeros + s_y·rows",
                put(put_matrix + " + {x}·{rows}·{z} + {y}·{rows}", **values),
                "x read again for every stored element"),
    )  # fmt: skip


@hookimpl
def rooflinestudio_operators() -> list[OperatorBase]:
    """Bring the classical kernels."""
    return [*(VectorKernel(spec) for spec in SPECS), Spmv(), Stencil(), Fft()]
