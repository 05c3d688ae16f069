"""How a chain of operators is written down, and read: ``x -> layernorm + gelu! | add(x)``.

``+`` fuses, ``|`` is a kernel boundary. An operator's first input is the output of the one before; the names in
parentheses are its other inputs, in its own order (``_`` leaves one unnamed); ``name=value`` there is a parameter of
this operator alone. ``!`` also writes the operator's output. A name before ``->`` is that of the chain's input.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["UNNAMED", "ChainSpec", "ChainStep", "parse_chain"]

UNNAMED: Final = "_"
"""Stands in parentheses for a foreign tensor that has no name and so is distinct from every other."""

LONGEST_TEXT: Final = 4000
MOST_STEPS: Final = 100

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*")
_ARROW: Final = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)?\s*(->|→)")
_EXAMPLE: Final = "Write for example 'add + rmsnorm | silu'."


@dataclass(frozen=True, slots=True)
class ChainStep:
    """One operator of a chain.

    Attributes
    ----------
    operator
        Operator id.
    names
        Names of its foreign tensors in its own order; fewer than it has, or ``_``, leaves the rest unnamed.
    written
        Whether its output is written to dram even where the next operator takes it from registers.
    parameters
        Parameters of this operator alone, as (name, text).
    place
        Position of the operator in the text, from 1; it says where an error is and does not count in comparisons.
    """

    operator: str
    names: tuple[str, ...] = ()
    written: bool = False
    parameters: tuple[tuple[str, str], ...] = ()
    place: int = field(default=0, compare=False)

    def __str__(self) -> str:
        inside = [*self.names, *(f"{name}={value}" for name, value in self.parameters)]
        return f"{self.operator}{'!' if self.written else ''}" + (f"({', '.join(inside)})" if inside else "")


@dataclass(frozen=True, slots=True)
class ChainSpec:
    """A chain as written: operators, and which joints are kernel boundaries.

    Attributes
    ----------
    steps
        At least one.
    cuts
        One per joint, so one fewer than steps: True where a kernel boundary stands, False where it fuses.
    input_name
        Name of the chain's input, or empty.
    """

    steps: tuple[ChainStep, ...]
    cuts: tuple[bool, ...] = ()
    input_name: str = ""

    def __post_init__(self) -> None:
        if not self.steps or len(self.cuts) != len(self.steps) - 1:
            raise ValueError(
                f"{len(self.steps)} operators have {max(0, len(self.steps) - 1)} joints, not {len(self.cuts)}"
            )

    def __str__(self) -> str:
        words = [f"{self.input_name} -> " if self.input_name else "", str(self.steps[0])]
        for step, cut in zip(self.steps[1:], self.cuts, strict=True):
            words.append(f" {'|' if cut else '+'} {step}")
        return "".join(words)

    @property
    def labels(self) -> tuple[str, ...]:
        """One distinct name per step: ``add``, ``rmsnorm``, ``add#2``."""
        seen: dict[str, int] = {}
        result = []
        for step in self.steps:
            seen[step.operator] = count = seen.get(step.operator, 0) + 1
            result.append(step.operator if count == 1 else f"{step.operator}#{count}")
        return tuple(result)

    def kernels(self) -> Iterator[range]:
        """Yield the step indices of each kernel."""
        first = 0
        for at, cut in enumerate(self.cuts, start=1):
            if cut:
                yield range(first, at)
                first = at
        yield range(first, len(self.steps))

    def toggled(self, joint: int) -> ChainSpec:
        """Return the chain with the boundary at one joint (counted from 0) taken away, or put there.

        Raises
        ------
        ParameterError
            If there is no such joint.
        """
        if not 0 <= joint < len(self.cuts):
            raise ParameterError(
                f"the chain has {len(self.cuts)} joints, counted from 0; there is none of number {joint}."
            )
        cuts = list(self.cuts)
        cuts[joint] = not cuts[joint]
        return replace(self, cuts=tuple(cuts))

    def split(self) -> ChainSpec:
        """Return what a fusion is compared with: every ``+`` as ``|``."""
        return replace(self, cuts=(True,) * len(self.cuts))

    def fused(self) -> ChainSpec:
        """Return the chain as a single kernel."""
        return replace(self, cuts=(False,) * len(self.cuts))


def parse_chain(text: str) -> ChainSpec:
    """Read a chain.

    Raises
    ------
    ParameterError
        If it cannot be read; the message names the place (counted from 1) and the mend.
    """
    if len(text) > LONGEST_TEXT:
        raise ParameterError(
            f"the chain is {len(text)} characters long; at most {LONGEST_TEXT} are read. Split it into several."
        )
    reader = _Reader(text)
    name = reader.input_name()
    steps, cuts = [reader.step()], []
    while (sign := reader.sign()) is not None:
        cuts.append(sign == "|")
        steps.append(reader.step())
        if len(steps) > MOST_STEPS:
            raise reader.fault(f"more than {MOST_STEPS} operators. Split the chain into several")
    return ChainSpec(tuple(steps), tuple(cuts), name)


class _Reader:
    """Reads a chain from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fault(self, what: str, at: int | None = None) -> ParameterError:
        place = (self.at if at is None else at) + 1
        return ParameterError(f"chain {self.text!r}, place {place}: {what}.")

    def rest(self) -> str:
        """Skip blanks and return the next character, empty at the end."""
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.text[self.at : self.at + 1]

    def input_name(self) -> str:
        found = _ARROW.match(self.text)
        if found is None:
            return ""
        if found[1] is None or found[1] == UNNAMED:
            raise self.fault(
                f"a name is missing before {found[2]!r}. Write 'x {found[2]} …', or leave it out"
            )
        self.at = found.end()
        return found[1]

    def sign(self) -> str | None:
        sign = self.rest()
        if sign in ("+", "|"):
            self.at += 1
            return sign
        if not sign:
            return None
        if self.text.startswith(("->", "→"), self.at):
            raise self.fault("the input is named once, at the head of the chain: 'x -> layernorm + gelu'")
        raise self.fault(f"expected '+', '|' or the end, found {sign!r}. {_EXAMPLE[:-1]}")

    def step(self) -> ChainStep:
        self.rest()
        found = _NAME.match(self.text, self.at)
        if found is None:
            what = f"found {self.text[self.at]!r}" if self.at < len(self.text) else "the chain ends"
            raise self.fault(f"an operator is missing: {what}. {_EXAMPLE[:-1]}")
        place, self.at = self.at + 1, found.end()
        written = self._mark()
        names, parameters = self._inside(found[0])
        written = self._mark() or written
        return ChainStep(found[0], names, written, parameters, place)

    def _mark(self) -> bool:
        if self.rest() != "!":
            return False
        self.at += 1
        return True

    def _inside(self, operator: str) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
        if self.rest() != "(":
            return (), ()
        opened = self.at
        end = self.text.find(")", opened)
        if end < 0:
            raise self.fault(f"the parenthesis after {operator} is not closed. Write {operator}(x)", opened)
        names: list[str] = []
        parameters: dict[str, str] = {}
        self.at = opened + 1
        for piece in self.text[opened + 1 : end].split(","):
            self._one(piece, operator, names, parameters)
            self.at += len(piece) + 1
        self.at = end + 1
        return tuple(names), tuple(parameters.items())

    def _one(self, piece: str, operator: str, names: list[str], parameters: dict[str, str]) -> None:
        name, equals, value = (part.strip() for part in piece.partition("="))
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
            raise self.fault(
                f"{piece.strip()!r} is no name of a tensor. Write {operator}(x), or {operator} without parentheses"
            )
        if not equals:
            names.append(name)
        elif name in parameters:
            raise self.fault(f"{operator} is given {name!r} twice. Keep one")
        elif not value:
            raise self.fault(f"{name!r} has no value. Write {operator}({name}=4096)")
        else:
            parameters[name] = value
