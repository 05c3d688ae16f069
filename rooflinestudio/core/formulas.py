"""Safe formulas over named parameters: text in, figures out, without ever running anybody's code.

A formula is read once into a syntax tree that holds nothing but numbers, known names, the operators and the functions
of :mod:`rooflinestudio.core.custom.arithmetic`; everything else is refused with its place and a way to mend it. The
tree is then walked by `simpleeval <https://github.com/danthedeckie/simpleeval>`_, for numbers and NumPy arrays alike.
"""

from __future__ import annotations

import ast
import math
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.custom.arithmetic import Evaluation
from rooflinestudio.core.custom.checks import Scope, checked
from rooflinestudio.core.custom.syntax import FormulaFault, read
from rooflinestudio.core.errors import StudioError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from contextlib import AbstractContextManager

    from rooflinestudio.core.arithmetic import Num

__all__ = ["Expression", "FormulaError", "FormulaFault", "Scope", "Worth", "compile_formula"]

_KEPT: Final = 2048
_SHOWN_NAMES: Final = 4


class FormulaError(StudioError):
    """A formula that cannot be read, or that has no value for some parameters.

    Attributes
    ----------
    faults
        Everything that is wrong, in the order of the text; empty where the formula is right and its value is not.
    """

    def __init__(self, message: str, faults: tuple[FormulaFault, ...] = ()) -> None:
        super().__init__(message)
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Expression:
    """A formula that was read and found right.

    Attributes
    ----------
    text
        As it was written, on one line.
    node
        The checked tree: numbers are floats, ``where`` is a choice, ``bytes(role)`` a name of its own.
    names
        The names that it uses, in the order in which they appear; ``bytes(role)`` among them.
    """

    text: str
    node: ast.expr
    names: tuple[str, ...]


def compile_formula(text: str | float, scope: Scope) -> Expression:
    """Read a formula; the answer is remembered by text and scope.

    Parameters
    ----------
    text
        The formula, or a plain number.
    scope
        The names that it may use.

    Raises
    ------
    FormulaError
        With every fault: the place in the text, what is wrong, and the mend.
    """
    if isinstance(text, bool):
        text = str(text)
    elif isinstance(text, int | float):
        text = _written(text)
    return _compiled(" ".join(text.split()), scope)


def _written(number: float) -> str:
    return repr(number)


@lru_cache(maxsize=_KEPT)
def _compiled(text: str, scope: Scope) -> Expression:
    faults: list[FormulaFault] = []
    tree = read(text, faults)
    node = checked(tree, text, scope, faults) if tree is not None else None
    if faults or node is None:
        words = "; ".join(f"at character {one.column} it {one.text}" for one in faults)
        raise FormulaError(f"The formula {shortened(text)!r} cannot be used: {words}", tuple(faults))
    return Expression(text, node, tuple(dict.fromkeys(_names(node))))


def _names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.IfExp):  # in the order of the text, not of the tree
        for part in (node.body, node.test, node.orelse):
            yield from _names(part)
    else:
        for child in node.args if isinstance(node, ast.Call) else ast.iter_child_nodes(node):
            yield from _names(child)


def shortened(text: str, length: int = 80) -> str:
    """Return a text for a message, cut where it is long."""
    return text if len(text) <= length else f"{text[: length - 1]}…"


class Worth:
    """The values of formulas for one set of names.

    Parameters
    ----------
    names
        Values by name: numbers, booleans, texts of choices, or arrays that broadcast; ``bytes(role)`` as such.

    Examples
    --------
    >>> worth = Worth({"n": 1000, "k": 3})
    >>> worth.number(compile_formula("2 * ceil_div(n, k)", Scope(numbers=frozenset({"n", "k"}))))
    668.0
    """

    __slots__ = ("_arrays", "_evaluation", "_names")

    def __init__(self, names: Mapping[str, Any]) -> None:
        self._names = {name: _plain(value) for name, value in names.items()}
        self._arrays = any(not is_number(one) and not isinstance(one, str) for one in self._names.values())
        self._evaluation = Evaluation()

    def number(self, expression: Expression, instead: Mapping[str, float] | None = None) -> Num:
        """Return the value of a formula: a float, or a float64 array; not necessarily finite for arrays.

        Parameters
        ----------
        instead
            Numbers that stand in place of those of some names, this time.

        Raises
        ------
        FormulaError
            Where it has no value: a division by zero, the root of a negative number, a result beyond all floats.
        """
        node = expression.node
        if isinstance(node, ast.Constant):  # most counts of crossings are plain numbers
            return float(node.value)  # type: ignore[arg-type]
        if isinstance(node, ast.Name) and type(self._names[node.id]) is float and not instead:
            return self._in_range(expression, self._names[node.id])
        try:
            with self._quietly():
                names = {**self._names, **instead} if instead else self._names
                value: Any = self._evaluation.value(node, names)
        except ZeroDivisionError:
            raise self._without_value(
                expression, "divides by zero", "write 'a / b if b > 0 else 0' or raise the least value"
            ) from None
        except OverflowError:
            raise self._without_value(
                expression, "goes beyond the largest number", "check its powers"
            ) from None
        except ValueError as error:
            reason = "takes a root or logarithm of a number that has none"
            reason = "raises a negative number to a fractional power" if "power" in str(error) else reason
            raise self._without_value(expression, reason, "write max(0, …), or max(1, …) in log2") from None
        if not is_number(value):
            array: Num = value if value.dtype.kind == "f" else value.astype(float)
            return array
        return self._in_range(expression, float(value))

    def _in_range(self, expression: Expression, value: float) -> float:
        if not math.isfinite(value):
            raise self._without_value(expression, "goes beyond the largest number", "check its powers")
        return value

    def _quietly(self) -> AbstractContextManager[Any]:
        """Keep NumPy from warning of what comes out infinite: a choice may drop it, and the rest is refused."""
        if not self._arrays:
            return nullcontext()
        import numpy as np

        return np.errstate(all="ignore")

    def with_values(self, expression: Expression) -> str:
        """Say for which values of its names a formula is meant: `` for n = 3, k = 0``; empty with arrays."""
        shown = [
            f"{name} = {self._names[name]:g}"
            for name in expression.names[:_SHOWN_NAMES]
            if is_number(self._names.get(name))
        ]
        return f" for {', '.join(shown)}" if shown else ""

    def _without_value(self, expression: Expression, reason: str, mend: str) -> FormulaError:
        where = self.with_values(expression)
        return FormulaError(f"'{shortened(expression.text)}' {reason}{where}: {mend}.")


def _plain(value: Any) -> Any:
    if isinstance(value, bool | str) or not isinstance(value, int):
        return value
    try:
        return float(value)
    except OverflowError:
        return math.inf
