"""How a custom kernel shows where its figures come from: symbols, and the same with values put in."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.custom.document import BLOCKED
from rooflinestudio.core.custom.estimate import pipe_of
from rooflinestudio.core.custom.notation import number_text, product, written
from rooflinestudio.core.custom.traffic import format_of
from rooflinestudio.core.operators import Formula

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rooflinestudio.core.custom.document import KernelSpec
    from rooflinestudio.core.custom.tensors import TensorSpec
    from rooflinestudio.core.dtypes import DType
    from rooflinestudio.core.formulas import Expression
    from rooflinestudio.core.operators import Dtypes

__all__ = ["formulas_of"]

_FIGURES: Final = {
    "dram_tiled": ("tiled", "Qt"),
    "l2": ("l2", "Q_l2"),
    "l1": ("l1", "Q_l1"),
    "shared": ("shared", "Q_shared"),
    "register": ("register", "Q_register"),
}


def formulas_of(spec: KernelSpec, names: Mapping[str, Any], dtypes: Dtypes) -> tuple[Formula, ...]:
    """Return the formulas of a kernel; values are left out where one of them is an array."""
    return tuple(_all(spec, names, dtypes))


def _all(spec: KernelSpec, names: Mapping[str, Any], dtypes: Dtypes) -> Iterator[Formula]:
    source = spec.source or f"formulas of {spec.id}"
    pipes = [pipe_of(key, spec, dtypes) for key in spec.work]
    for (key, formula), pipe in zip(spec.work.items(), pipes, strict=True):
        symbol = "W" if len(pipes) == 1 else f"W on {pipe}"
        figure = "work" if key == spec.main_pipe else f"work on {pipe}"
        yield Formula(figure, f"{symbol} = {written(formula.node)}", _values((formula,), names), source)
    if spec.tensors:
        yield _compulsory(spec, names, dtypes, source)
    else:
        yield _pair("compulsory", "Qc", spec.traffic["dram"], names, source)
    for key in BLOCKED:
        if key in spec.traffic:
            yield _pair(*_FIGURES[key], spec.traffic[key], names, source)
    if spec.footprint is not None:
        symbols = f"footprint = {written(spec.footprint.node)}"
        yield Formula("footprint", symbols, _values((spec.footprint,), names), source)


def _pair(
    figure: str, symbol: str, pair: tuple[Expression, Expression], names: Mapping[str, Any], source: str
) -> Formula:
    moving = tuple(one for one in pair if not _is_zero(one.node)) or pair[:1]
    symbols = " + ".join(written(one.node) for one in moving)
    return Formula(figure, f"{symbol} = {symbols}", _values(moving, names), f"{source}; read, then written")


def _compulsory(spec: KernelSpec, names: Mapping[str, Any], dtypes: Dtypes, source: str) -> Formula:
    """Return the sum over the tensors: bytes per element, elements, and how often each crosses."""
    moving = [one for one in spec.tensors if not (_is_zero(one.reads.node) and _is_zero(one.writes.node))]
    symbols = " + ".join(_term(one, None, None) for one in moving) or "0"
    known = all(_is_known(one, names) for tensor in moving for one in _formulas_in(tensor))
    values = " + ".join(_term(one, names, format_of(one.dtype, dtypes)) for one in moving) if known else ""
    return Formula(
        "compulsory", f"Qc = {symbols}", values, f"{source}; each tensor as often as it must cross"
    )


def _formulas_in(tensor: TensorSpec) -> tuple[Expression, ...]:
    return tensor.elements, tensor.reads, tensor.writes


def _term(tensor: TensorSpec, names: Mapping[str, Any] | None, dtype: DType | None) -> str:
    size = f"s_{tensor.name}" if dtype is None else number_text(dtype.bytes)
    crossings = [one for one in (tensor.reads.node, tensor.writes.node) if not _is_zero(one)]
    factors: list[str | ast.expr] = [size, tensor.elements.node]
    known = [one.value for one in crossings if isinstance(one, ast.Constant) and isinstance(one.value, float)]
    if len(known) == 2:
        factors.insert(0, number_text(sum(known)))
    elif len(crossings) == 2:
        factors.insert(0, f"({' + '.join(written(one, names) for one in crossings)})")
    elif not _is_constant(crossings[0], 1):
        factors.insert(0, crossings[0])
    return product(factors, names)


def _values(formulas: tuple[Expression, ...], names: Mapping[str, Any]) -> str:
    if not all(_is_known(one, names) for one in formulas):
        return ""
    return " + ".join(written(one.node, names) for one in formulas)


def _is_known(formula: Expression, names: Mapping[str, Any]) -> bool:
    return all(is_number(names[name]) or isinstance(names[name], str) for name in formula.names)


def _is_constant(node: ast.expr, value: float) -> bool:
    return isinstance(node, ast.Constant) and node.value == value


def _is_zero(node: ast.expr) -> bool:
    return _is_constant(node, 0)
