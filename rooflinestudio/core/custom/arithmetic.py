"""What formulas can do: their functions and operators, for numbers and for arrays, and the evaluator that walks them.

Numbers are floats throughout, so that no power and no product can grow into an integer of a million digits.
"""

from __future__ import annotations

import ast
import math
import operator
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.arithmetic import ceil_div, is_number, larger, smaller, where

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rooflinestudio.core.arithmetic import Num

__all__ = ["ARITY", "FUNCTIONS", "OPERATORS", "Evaluation", "holds"]


def _least(*values: Num) -> Num:
    result = values[0]
    for value in values[1:]:
        result = smaller(result, value)
    return result


def _largest(*values: Num) -> Num:
    result = values[0]
    for value in values[1:]:
        result = larger(result, value)
    return result


def _rounded_up(value: Num) -> Num:
    if is_number(value):
        return float(math.ceil(value))
    import numpy as np

    return np.ceil(value)


def _rounded_down(value: Num) -> Num:
    if is_number(value):
        return float(math.floor(value))
    import numpy as np

    return np.floor(value)


def _log2(value: Num) -> Num:
    if is_number(value):
        return math.log2(value)
    import numpy as np

    return np.log2(value)


def _square_root(value: Num) -> Num:
    if is_number(value):
        return math.sqrt(value)
    import numpy as np

    return np.sqrt(value)


def _power(base: Num, exponent: Num) -> Num:
    if is_number(base) and is_number(exponent) and base < 0 and exponent != math.floor(exponent):
        raise ValueError("a negative number has no fractional power")  # Python would answer a complex one
    power: Num = base**exponent
    return power


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "min": _least,
    "max": _largest,
    "ceil": _rounded_up,
    "floor": _rounded_down,
    "ceil_div": ceil_div,
    "log2": _log2,
    "sqrt": _square_root,
    "abs": abs,
}
"""Functions of formulas besides ``where`` and ``bytes``, which are put in place when a formula is read."""

ARITY: Final[Mapping[str, tuple[int, int]]] = {
    "min": (2, 16),
    "max": (2, 16),
    "ceil": (1, 1),
    "floor": (1, 1),
    "ceil_div": (2, 2),
    "log2": (1, 1),
    "sqrt": (1, 1),
    "abs": (1, 1),
    "where": (3, 3),
    "bytes": (1, 1),
}
"""How many arguments each function takes, at least and at most."""

OPERATORS: Final[Mapping[type[ast.AST], Callable[..., Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Not: lambda value: not value if is_number(value) else ~holds(value),
}

_WALKED: Final = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Call)


def holds(value: Any) -> Any:
    """Return a condition as such: a number holds where it is not 0."""
    if is_number(value):
        return bool(value)
    return value if value.dtype.kind == "b" else value != 0


class Evaluation:
    """Works out formulas; made anew for each evaluation of a kernel, since it holds the names of the moment."""

    __slots__ = ("_inner", "_walk")

    def __init__(self) -> None:
        from simpleeval import SimpleEval

        # Handed over so that formulas see neither Python's own functions nor simpleeval's defaults.
        inner = SimpleEval(operators=OPERATORS, functions=FUNCTIONS, names={})
        inner.nodes = {kind: inner.nodes[kind] for kind in _WALKED} | {
            ast.IfExp: self._choose,
            ast.BoolOp: self._join,
            ast.Compare: self._compare,
        }
        self._inner: Any = inner
        self._walk: Callable[[ast.AST], Any] = inner._eval

    def value(self, node: ast.expr, names: Mapping[str, Any]) -> Any:
        """Return what a checked syntax tree comes to.

        Parameters
        ----------
        names
            Values by name: floats, booleans, texts of choices, or NumPy arrays that broadcast.
        """
        self._inner.names = names
        return self._walk(node)

    def _choose(self, node: ast.IfExp) -> Any:
        """Evaluate one branch for numbers, and both for arrays, where the other may well be infinite."""
        condition = holds(self._walk(node.test))
        if is_number(condition):
            return self._walk(node.body if condition else node.orelse)
        return where(condition, self._walk(node.body), self._walk(node.orelse))

    def _join(self, node: ast.BoolOp) -> Any:
        both = isinstance(node.op, ast.And)
        result: Any = both
        for one in node.values:
            if is_number(result) and result is not both:
                return result
            value = holds(self._walk(one))
            result = value if is_number(result) else (result & value if both else result | value)
        return result

    def _compare(self, node: ast.Compare) -> Any:
        left = self._walk(node.left)
        result: Any = True
        for sign, other in zip(node.ops, node.comparators, strict=True):
            right = self._walk(other)
            value = OPERATORS[type(sign)](left, right)
            result = value if result is True else result & value
            left = right
        return result
