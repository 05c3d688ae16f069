"""What a formula may be made of: its tree is rebuilt from known pieces, and everything else is refused by name."""

from __future__ import annotations

import ast
import difflib
import keyword
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from rooflinestudio.core.custom.arithmetic import ARITY, OPERATORS
from rooflinestudio.core.custom.syntax import FOREIGN_SIGNS, NOT_IN_FORMULAS, USE, FormulaFault

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Scope", "checked", "name_fault"]

_LARGEST_POWER: Final = 64

Kind = Literal["number", "condition", "text", "unknown"]
_Checked = tuple[ast.expr, Kind]


@dataclass(frozen=True, slots=True)
class Scope:
    """The names that a formula may use.

    Attributes
    ----------
    numbers, switches
        Parameters with a number, and those that are true or false.
    choices
        Parameters with a closed set of texts, each with its texts.
    roles
        Roles and tensors whose bytes per element can be asked for: ``bytes(weight)``.
    """

    numbers: frozenset[str] = frozenset()
    switches: frozenset[str] = frozenset()
    choices: tuple[tuple[str, tuple[str, ...]], ...] = ()
    roles: frozenset[str] = frozenset()

    def choices_of(self, name: str) -> tuple[str, ...]:
        """Return the texts of a choice; empty for any other name."""
        return dict(self.choices).get(name, ())

    @property
    def names(self) -> tuple[str, ...]:
        """All names but the roles, sorted."""
        return tuple(sorted({*self.numbers, *self.switches, *(name for name, _ in self.choices)}))


_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")


def name_fault(name: str) -> str:
    """Say why a text cannot be the name of a parameter; empty if it can."""
    if not _NAME.fullmatch(name):
        return "must be a letter followed by at most 39 letters, digits or underscores, such as seq_q"
    if name in ARITY or keyword.iskeyword(name):
        return f"is a word of formulas ({name}). Take another name, such as {name}_"
    return ""


def checked(
    tree: ast.expr, text: str, scope: Scope, faults: list[FormulaFault] | None = None
) -> ast.expr | None:
    """Return a tree of nothing but what formulas have; None, with faults added, where something else is in it."""
    found = [] if faults is None else faults
    before = len(found)
    checker = _Checker(text, scope, found)
    node = checker.number(tree)
    return node if len(found) == before else None


class _Checker:
    """Rebuilds a tree piece by piece, so that nothing that was not looked at can be in it."""

    def __init__(self, text: str, scope: Scope, faults: list[FormulaFault]) -> None:
        self._text, self._scope, self._faults = text, scope, faults

    def number(self, node: ast.expr) -> ast.expr:
        """Return a piece that must be a number."""
        made, kind = self._piece(node)
        if kind == "condition":
            self._fault(
                node, "has a condition where a number must stand. Write for example (1 if n > 3 else 0)."
            )
        elif kind == "text":
            self._fault(node, f"has a text where a number must stand. {self._text_mend(node)}")
        return made

    def condition(self, node: ast.expr) -> ast.expr:
        """Return a piece that must be a condition; a number is one, and holds where it is not 0."""
        made, kind = self._piece(node)
        if kind == "text":
            self._fault(node, f"has a text where a condition must stand. {self._text_mend(node)}")
        return made

    def _piece(self, node: ast.expr) -> _Checked:
        match node:
            case ast.Constant():
                return self._constant(node)
            case ast.Name():
                return self._name(node)
            case ast.BinOp():
                self._sign(node.op, node)
                return ast.BinOp(self.number(node.left), node.op, self._right(node)), "number"
            case ast.UnaryOp(op=ast.Not()):
                return ast.UnaryOp(node.op, self.condition(node.operand)), "condition"
            case ast.UnaryOp():
                self._sign(node.op, node)
                return ast.UnaryOp(node.op, self.number(node.operand)), "number"
            case ast.BoolOp():
                return ast.BoolOp(node.op, [self.condition(one) for one in node.values]), "condition"
            case ast.Compare():
                return self._comparison(node), "condition"
            case ast.IfExp():
                return self._choice(node.test, node.body, node.orelse), "number"
            case ast.Call():
                return self._call(node), "number"
        self._fault(node, f"{NOT_IN_FORMULAS.get(type(node), 'has something that no formula has')}.")
        return node, "unknown"

    def _constant(self, node: ast.Constant) -> _Checked:
        value = node.value
        if isinstance(value, bool):
            return ast.Constant(value), "condition"
        if isinstance(value, str):
            return ast.Constant(value), "text"
        if isinstance(value, int | float):
            try:
                number = float(value)
            except OverflowError:
                number = math.inf
            if not math.isfinite(number):
                self._fault(node, "has a number beyond 1.8e308, the largest. Write a smaller one.")
            return ast.Constant(number), "number"
        self._fault(node, f"has {value!r}, which is no number. Write a number or a name.")
        return node, "unknown"

    def _name(self, node: ast.Name) -> _Checked:
        scope = self._scope
        if node.id in scope.numbers:
            return ast.Name(node.id, ast.Load()), "number"
        if node.id in scope.switches:
            return ast.Name(node.id, ast.Load()), "condition"
        if scope.choices_of(node.id):
            return ast.Name(node.id, ast.Load()), "text"
        if node.id in ARITY:
            self._fault(node, f"names the function {node.id} without calling it. Write {node.id}(…).")
        elif node.id in scope.roles:
            self._fault(
                node, f"names the format {node.id}. Write bytes({node.id}) for its bytes per element."
            )
        else:
            self._fault(node, f"names {node.id!r}, which is no parameter. {_nearest(node.id, scope.names)}")
        return node, "unknown"

    def _right(self, node: ast.BinOp) -> ast.expr:
        right = self.number(node.right)
        if isinstance(node.op, ast.Pow):
            exponent = _constant_of(right)
            if exponent is not None and abs(exponent) > _LARGEST_POWER:
                self._fault(
                    node.right,
                    f"raises to the power {exponent:g}; {_LARGEST_POWER} is the largest. Write a smaller one.",
                )
        return right

    def _comparison(self, node: ast.Compare) -> ast.expr:
        for sign in node.ops:
            self._sign(sign, node)
        pieces = [node.left, *node.comparators]
        if any(self._is_choice(one) for one in pieces):
            return self._chosen(node)
        return ast.Compare(self.number(node.left), node.ops, [self.number(one) for one in node.comparators])

    def _is_choice(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and bool(self._scope.choices_of(node.id))

    def _chosen(self, node: ast.Compare) -> ast.expr:
        """Return the comparison of a choice with one of its texts."""
        left, right = node.left, node.comparators[0]
        if not self._is_choice(left):
            left, right = right, left
        texts = self._scope.choices_of(left.id) if isinstance(left, ast.Name) else ()
        plain = len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq | ast.NotEq)
        if not plain or not isinstance(right, ast.Constant) or not isinstance(right.value, str):
            self._fault(node, f"compares a choice with something else. {self._text_mend(left)}")
        elif right.value not in texts:
            near = _nearest(right.value, texts)
            self._fault(right, f"compares with {right.value!r}, which is none of its choices. {near}")
        return ast.Compare(ast.Name(getattr(left, "id", ""), ast.Load()), node.ops, [right])

    def _text_mend(self, node: ast.expr) -> str:
        texts = self._scope.choices_of(node.id) if isinstance(node, ast.Name) else ()
        if isinstance(node, ast.Name) and texts:
            return f"Compare it with one of its choices: {node.id} == {texts[0]!r}."
        return "Write a number or a name."

    def _choice(self, test: ast.expr, body: ast.expr, orelse: ast.expr) -> ast.expr:
        return ast.IfExp(self.condition(test), self.number(body), self.number(orelse))

    def _call(self, node: ast.Call) -> ast.expr:
        if not isinstance(node.func, ast.Name):
            self._piece(node.func)
            return node
        name = node.func.id
        if name not in ARITY:
            self._fault(node, f"calls {name!r}, which is no function. {_nearest(name, ARITY)}")
            return node
        low, high = ARITY[name]
        if node.keywords:
            self._fault(node, f"names the arguments of {name}. Write them in their order, without names.")
            return node
        if not low <= len(node.args) <= high:
            count = str(low) if low == high else f"{low} to {high}"
            self._fault(
                node, f"gives {len(node.args)} argument(s) to {name}, which takes {count}. {USE[name]}"
            )
            return node
        if name == "bytes":
            return self._bytes(node.args[0])
        if name == "where":
            return self._choice(*node.args)
        return ast.Call(ast.Name(name, ast.Load()), [self.number(one) for one in node.args], [])

    def _bytes(self, node: ast.expr) -> ast.expr:
        role = node.id if isinstance(node, ast.Name) else getattr(node, "value", None)
        if not isinstance(role, str) or role not in self._scope.roles:
            roles = sorted(self._scope.roles)
            self._fault(
                node, f"asks for the bytes of something that has no format. {_nearest(str(role), roles)}"
            )
            return node
        return ast.Name(f"bytes({role})", ast.Load())

    def _sign(self, sign: ast.AST, node: ast.expr) -> None:
        if type(sign) not in OPERATORS:
            self._fault(node, f"{FOREIGN_SIGNS.get(type(sign), 'has a sign that no formula has')}.")

    def _fault(self, node: ast.expr, text: str) -> None:
        before = self._text.encode()[: node.col_offset].decode(errors="ignore")
        self._faults.append(FormulaFault(len(before) + 1, text))


def _nearest(name: str, known: Iterable[str]) -> str:
    names = tuple(known)
    near = difflib.get_close_matches(name, names, n=1)
    if near:
        return f"Did you mean {near[0]}?"
    return f"There are {', '.join(names)}." if names else "There are none."


def _constant_of(node: ast.expr) -> float | None:
    """Return the number that a piece is, signs included; None for anything else."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        inner = _constant_of(node.operand)
        return None if inner is None else (-inner if isinstance(node.op, ast.USub) else inner)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, float) else None
