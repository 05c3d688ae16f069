"""Formulas as a person writes them: ``2·m·n·k``, ``⌈n/tile⌉``; with symbols, or with the values put in."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.arithmetic import is_number

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["number_text", "product", "written"]

_CHOICE, _OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(10)

_BINARY: Final[Mapping[type[ast.AST], tuple[str, int]]] = {
    ast.Add: (" + ", _SUM),
    ast.Sub: (" − ", _SUM),
    ast.Mult: ("·", _PRODUCT),
    ast.Div: ("/", _PRODUCT),
    ast.Mod: (" mod ", _PRODUCT),
    ast.Pow: ("^", _POWER),
}
_COMPARISONS: Final[Mapping[type[ast.AST], str]] = {
    ast.Lt: "<", ast.LtE: "≤", ast.Gt: ">", ast.GtE: "≥", ast.Eq: "=", ast.NotEq: "≠",
}  # fmt: skip
_AROUND: Final[Mapping[str, tuple[str, str]]] = {
    "ceil": ("⌈", "⌉"), "floor": ("⌊", "⌋"), "abs": ("|", "|"), "sqrt": ("√(", ")"),
}  # fmt: skip


def number_text(value: float) -> str:
    """Write a number as in a formula: whole ones in full (``65536``), others with six digits."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.6g}"


def written(node: ast.expr, names: Mapping[str, Any] | None = None) -> str:
    """Write a checked tree.

    Parameters
    ----------
    names
        Values by name to put in; without them the names stand, ``bytes(role)`` as ``s_role``.
    """
    return _text(node, names)[0]


def product(factors: list[str | ast.expr], names: Mapping[str, Any] | None = None) -> str:
    """Write a product of texts and trees; what is a sum is put into brackets."""
    texts = [one if isinstance(one, str) else _bracketed(_text(one, names), _PRODUCT) for one in factors]
    return "·".join(texts)


def _bracketed(piece: tuple[str, int], least: int) -> str:
    text, rank = piece
    return text if rank >= least else f"({text})"


def _text(node: ast.expr, names: Mapping[str, Any] | None) -> tuple[str, int]:
    """Return the text of a piece and how tightly it holds together."""
    match node:
        case ast.Constant(value=value):
            return (number_text(value), _ATOM) if type(value) is float else (str(value), _ATOM)
        case ast.Name(id=name):
            return _name(name, names)
        case ast.BinOp():
            return _binary(node, names)
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return f"not {_bracketed(_text(inner, names), _NOT)}", _NOT
        case ast.UnaryOp(op=sign, operand=inner):
            mark = "−" if isinstance(sign, ast.USub) else "+"
            return f"{mark}{_bracketed(_text(inner, names), _SIGN)}", _SIGN
        case ast.BoolOp(op=link, values=values):
            word, rank = (" and ", _AND) if isinstance(link, ast.And) else (" or ", _OR)
            return word.join(_bracketed(_text(one, names), rank + 1) for one in values), rank
        case ast.Compare():
            pieces = [_bracketed(_text(node.left, names), _SUM)]
            for order, other in zip(node.ops, node.comparators, strict=True):
                pieces += [_COMPARISONS[type(order)], _bracketed(_text(other, names), _SUM)]
            return " ".join(pieces), _COMPARE
        case ast.IfExp():
            then, test, otherwise = (_text(one, names)[0] for one in (node.body, node.test, node.orelse))
            return f"{then} if {test} else {otherwise}", _CHOICE
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _call(name, arguments, names), _ATOM
    raise AssertionError(f"{type(node).__name__} is in no checked formula")


def _name(name: str, names: Mapping[str, Any] | None) -> tuple[str, int]:
    if names is None:
        return (f"s_{name[6:-1]}" if name.startswith("bytes(") else name), _ATOM
    value = names[name]
    if isinstance(value, bool | str) or not is_number(value):
        return str(value), _ATOM
    return (number_text(value), _ATOM) if value >= 0 else (f"−{number_text(-value)}", _SIGN)


def _binary(node: ast.BinOp, names: Mapping[str, Any] | None) -> tuple[str, int]:
    left, right = _text(node.left, names), _text(node.right, names)
    if isinstance(node.op, ast.FloorDiv):
        return f"⌊{_bracketed(left, _PRODUCT)}/{_bracketed(right, _SIGN)}⌋", _ATOM
    mark, rank = _BINARY[type(node.op)]
    if isinstance(node.op, ast.Pow):  # to the right first: a^b^c is a^(b^c)
        return f"{_bracketed(left, _ATOM)}{mark}{_bracketed(right, _SIGN)}", rank
    same = isinstance(node.op, ast.Add) or (isinstance(node.op, ast.Mult) and not _divides(node.right))
    return f"{_bracketed(left, rank)}{mark}{_bracketed(right, rank if same else rank + 1)}", rank


def _divides(node: ast.expr) -> bool:
    """Whether a right factor would read otherwise without brackets: a·(b mod c)."""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)


def _call(name: str, arguments: list[ast.expr], names: Mapping[str, Any] | None) -> str:
    if name == "ceil_div":
        above, below = (_text(one, names) for one in arguments)
        return f"⌈{_bracketed(above, _PRODUCT)}/{_bracketed(below, _SIGN)}⌉"
    texts = [_text(one, names)[0] for one in arguments]
    if name in _AROUND:
        before, after = _AROUND[name]
        return f"{before}{texts[0]}{after}"
    return f"{name}({', '.join(texts)})"
