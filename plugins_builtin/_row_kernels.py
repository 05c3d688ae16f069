"""Kernels over rows beside the elementwise ones: rows gathered from a table, rows summed up."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from plugins_builtin._text import put
from rooflinestudio.plugins import Estimate, Formula, Launch, OperatorBase, Parameter, Tensor
from rooflinestudio.plugins.arithmetic import is_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.plugins import Dtypes
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["CATEGORY", "SPECIAL_FLOP", "TOKENS", "WIDTH", "Embedding", "Reduce", "work_by_pipe"]

CATEGORY: Final = "Elementwise and norms"

SPECIAL_FLOP: Final = 4.0
"""What one result of the special-function units (exp, tanh, reciprocal, …) counts on the pipe ``special``."""

TOKENS = Parameter("tokens", "tokens", 65536, help="Rows: batch times sequence length.")
WIDTH = Parameter("width", "width", 8192, help="Elements in a row.")


def work_by_pipe(flop: Num, results: Num, elements: Num, dtypes: Dtypes) -> tuple[dict[str, Num], str]:
    """Return the work by pipe and the main pipe; a pipe that certainly has none is left out.

    Parameters
    ----------
    flop, results
        FLOP, and results of the special-function units, per element.
    """
    pipe = dtypes["compute"].pipe
    work = {pipe: flop * elements, "special": SPECIAL_FLOP * results * elements}
    return {name: one for name, one in work.items() if not (is_number(one) and one == 0)}, pipe


class Embedding(OperatorBase):
    """One row of a table for each token."""

    id = "embedding"
    label = "Embedding"
    category = CATEGORY
    summary = "One row of a table for each token: a gather, no arithmetic"
    parameters = (
        TOKENS,
        WIDTH,
        Parameter("vocabulary", "vocabulary", 128_256, help="Rows of the table; what must fit, not what is read."),
    )  # fmt: skip
    dtype_roles = MappingProxyType({"weight": "bf16", "output": "bf16", "compute": "fp32"})
    tensor_roles = MappingProxyType({"rows": "weight", "y": "output"})

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        p = parameters
        elements = 1.0 * p["tokens"] * p["width"]
        table, out = dtypes.of("rows", "weight"), dtypes.of("y", "output")
        return Estimate(
            {},
            dtypes["compute"].pipe,
            (Tensor("rows", elements, table, 1, 0, "weight", "gather"), Tensor("y", elements, out, 0, 1, "output")),
            footprint_bytes=1.0 * p["vocabulary"] * p["width"] * table.bytes + elements * out.bytes,
            launch=Launch(),
            formulas=lambda: (
                Formula("work", "W = 0", "0", "rows are copied"),
                Formula("compulsory", "Q = (s_rows + s_y)·tokens·width",
                        put("({w} + {y})·{t}·{d}", w=table.bytes, y=out.bytes, t=p["tokens"], d=p["width"]),
                        "one row of the table read and written for each token"),
            ),
            notes=lambda: (
                "Rows are gathered: they run at the machine's gather slope where its profile has one.",
                "A row that several tokens ask for is counted each time; the indices themselves are not.",
            ),
        )  # fmt: skip


class Reduce(OperatorBase):
    """Sums (or maxima) over rows, columns or everything."""

    id = "reduce"
    label = "Reduce"
    category = CATEGORY
    summary = "The sum or maximum of every row, of every column, or of everything"
    parameters = (
        TOKENS,
        WIDTH,
        Parameter("over", "over", "width", choices=("width", "tokens", "all"),
                  help="width: one result per row; tokens: one per column; all: a single one."),
    )  # fmt: skip
    dtype_roles = MappingProxyType({"activation": "bf16", "output": "bf16", "compute": "fp32"})
    tensor_roles = MappingProxyType({"x": "activation", "y": "output"})

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        p = parameters
        elements = 1.0 * p["tokens"] * p["width"]
        kept = {"width": "tokens", "tokens": "width"}.get(p["over"])
        results = 1.0 if kept is None else 1.0 * p[kept]
        x_type, y_type = dtypes.of("x", "activation"), dtypes.of("y", "output")
        work, pipe = work_by_pipe(1.0, 0.0, elements, dtypes)
        return Estimate(
            work,
            pipe,
            (Tensor("x", elements, x_type, 1, 0, "input"), Tensor("y", results, y_type, 0, 1, "output")),
            footprint_bytes=elements * x_type.bytes + results * y_type.bytes,
            launch=Launch(),
            formulas=lambda: (
                Formula("work", "W = tokens·width", put("{t}·{d}", t=p["tokens"], d=p["width"]),
                        "one sum or comparison per element"),
                Formula("compulsory", f"Q = s_x·tokens·width + s_y{'' if kept is None else '·' + kept}",
                        put("{x}·{t}·{d} + {y}·{n}", x=x_type.bytes, y=y_type.bytes, t=p["tokens"], d=p["width"],
                            n=results), "every element read once, the results written once"),
            ),
            notes=lambda: ("Partial results that blocks hand to each other stay in cache and are not counted.",),
        )  # fmt: skip
