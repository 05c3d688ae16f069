"""From the text of a formula to a syntax tree, and what is wrong with it, in words with a mend."""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FOREIGN_SIGNS", "LONGEST", "NOT_IN_FORMULAS", "USE", "FormulaFault", "read"]

LONGEST: Final = 1000
"""Characters that a formula may have."""

_DEEPEST: Final = 60
_MOST_NODES: Final = 400


@dataclass(frozen=True, slots=True)
class FormulaFault:
    """One thing that is wrong with a formula.

    Attributes
    ----------
    column
        Place in the text, from 1.
    text
        What is wrong and how to mend it, in words that follow "it".
    """

    column: int
    text: str


_SIGNS: Final[Mapping[str, str]] = {
    "×": "*", "·": "*", "⋅": "*", "∗": "*", "÷": "/", "−": "-", "–": "-", "≤": "<=", "≥": ">=", "≠": "!=",
    "²": "**2", "³": "**3", "⌈": "ceil(…)", "⌊": "floor(…)", "√": "sqrt(…)", "{": "(", "}": ")",
}  # fmt: skip


def read(text: str, faults: list[FormulaFault]) -> ast.expr | None:
    """Parse a formula; None, with a fault, where it is no expression or too large."""
    if not text:
        faults.append(FormulaFault(1, "is empty. Write a number or a formula."))
        return None
    if len(text) > LONGEST:
        faults.append(FormulaFault(LONGEST, f"is longer than {LONGEST} characters. Split it into tensors."))
        return None
    found = [(at, sign) for at, sign in enumerate(text) if sign in _SIGNS]
    if found:
        faults.extend(FormulaFault(at + 1, f"has the sign {s!r}. Write {_SIGNS[s]}.") for at, s in found[:3])
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # "1if n else 0" is read, and odd texts are refused in our own words
            tree = ast.parse(text, mode="eval").body
    except SyntaxError as error:
        faults.append(_syntax_fault(error, text))
        return None
    except (ValueError, MemoryError, RecursionError):
        faults.append(FormulaFault(1, "is nested too deeply, or holds a character that no formula has."))
        return None
    if (fault := _size_fault(tree)) is not None:
        faults.append(fault)
        return None
    return tree


def _size_fault(tree: ast.expr) -> FormulaFault | None:
    """Look at the size without recursion: what is read later may be as deep as this allows."""
    open_nodes: list[tuple[ast.AST, int]] = [(tree, 1)]
    count = 0
    while open_nodes:
        node, depth = open_nodes.pop()
        count += 1
        if depth > _DEEPEST:
            return FormulaFault(1, f"is nested deeper than {_DEEPEST} levels. Give parts of it to tensors.")
        if count > _MOST_NODES:
            return FormulaFault(1, f"has more than {_MOST_NODES} parts. Give some of them to tensors.")
        open_nodes += ((child, depth + 1) for child in ast.iter_child_nodes(node))
    return None


def _syntax_fault(error: SyntaxError, text: str) -> FormulaFault:
    column = max(1, min(error.offset or 1, len(text) + 1))
    message = error.msg or "invalid syntax"
    if "decimal literal" in message or re.search(r"\d[A-Za-z_(]|\)[\w(]", text):
        return FormulaFault(
            column, "runs a number or bracket into what follows. Write the product out: 2 * n."
        )
    if "never closed" in message or "unexpected EOF" in message:
        return FormulaFault(column, "opens a bracket that is never closed. Close it.")
    if "unmatched" in message:
        return FormulaFault(column, "closes a bracket that was never opened. Leave it out.")
    if re.search(r"(?<![<>=!])=(?!=)", text):
        at = re.search(r"(?<![<>=!])=(?!=)", text)
        place = at.start() + 1 if at is not None else column
        return FormulaFault(place, "assigns with =. Write only the right side, or == to compare.")
    if column > len(text) or text[-1] in "+-*/%<>=,.":
        return FormulaFault(len(text) + 1, "ends too early. Write what comes after the last sign.")
    return FormulaFault(column, f"cannot be read from {text[column - 1 :][:20]!r} on. Write an expression.")


# ------------------------------------------------------------------------------------------------- words

NOT_IN_FORMULAS: Final[Mapping[type[ast.AST], str]] = {
    ast.Attribute: "takes an attribute with a point, which no formula has. Leave it out",
    ast.Subscript: "takes an element with [ ], which no formula has. Leave it out",
    ast.Lambda: "defines a function, which no formula can. Leave it out",
    ast.NamedExpr: "assigns with :=, which no formula can. Leave it out",
    ast.Tuple: "lists several values. Write a decimal point for a decimal comma, and one value",
    ast.List: "lists several values. Write one value",
    ast.Set: "lists several values. Write one value",
    ast.Dict: "holds a mapping. Write one value",
    ast.ListComp: "loops, which no formula can. Write the sum as a formula",
    ast.SetComp: "loops, which no formula can. Write the sum as a formula",
    ast.DictComp: "loops, which no formula can. Write the sum as a formula",
    ast.GeneratorExp: "loops, which no formula can. Write the sum as a formula",
    ast.JoinedStr: "holds a text. Write a number or a name",
    ast.Starred: "unpacks with *, which no formula can. Write the arguments one by one",
    ast.Await: "waits, which no formula can. Leave it out",
    ast.Yield: "yields, which no formula can. Leave it out",
}
FOREIGN_SIGNS: Final[Mapping[type[ast.AST], str]] = {
    ast.BitXor: "has the sign ^. Write ** for a power",
    ast.BitAnd: "has the sign &. Write 'and' between conditions",
    ast.BitOr: "has the sign |. Write 'or' between conditions",
    ast.Invert: "has the sign ~. Write 'not' before a condition",
    ast.LShift: "has the sign <<. Write * 2 ** n",
    ast.RShift: "has the sign >>. Write // 2 ** n",
    ast.MatMult: "has the sign @. Write the work of the product, such as 2 * m * n * k",
    ast.In: "asks with 'in'. Compare with == and 'or'",
    ast.NotIn: "asks with 'not in'. Compare with != and 'and'",
    ast.Is: "asks with 'is'. Compare with ==",
    ast.IsNot: "asks with 'is not'. Compare with !=",
}


USE: Final[Mapping[str, str]] = {
    "min": "Write min(a, b).",
    "max": "Write max(a, b).",
    "ceil": "Write ceil(x).",
    "floor": "Write floor(x).",
    "ceil_div": "Write ceil_div(n, tile).",
    "log2": "Write log2(x).",
    "sqrt": "Write sqrt(x).",
    "abs": "Write abs(x).",
    "where": "Write where(condition, value, otherwise).",
    "bytes": "Write bytes(activation).",
}
