"""Columns of words in a table of shapes: number formats, choices and switches, few different ones in many rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.dtypes import DTYPES, DType, parse_dtypes
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.resolution import parameter_from_text, resolve_dtypes, resolve_parameters
from rooflinestudio.core.shapes.faults import ReadColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from rooflinestudio.core.operators import Operator, Parameter

__all__ = ["NO_CODE", "WordColumn", "dtype_column", "dtype_text", "value_text", "word_column"]

NO_CODE: Final = -1
MOST_WORDS: Final = 1000
"""Different words that a column may hold; a column with more is no column of choices."""

_TOO_MANY: Final = f"comes after {MOST_WORDS} other words in this column; is it the right column?"

_ALIASES: Final = {
    "half": "fp16", "float16": "fp16", "f16": "fp16", "r_16f": "fp16", "16f": "fp16",
    "bfloat16": "bf16", "bfloat": "bf16", "r_16bf": "bf16", "brain_float": "bf16",
    "float": "fp32", "float32": "fp32", "f32": "fp32", "single": "fp32", "r_32f": "fp32",
    "double": "fp64", "float64": "fp64", "f64": "fp64", "r_64f": "fp64",
    "float8": "fp8", "f8": "fp8", "float8_e4m3fn": "fp8", "float8_e5m2": "fp8", "fp8_e4m3": "fp8", "fp8_e5m2": "fp8",
    "e4m3": "fp8", "e5m2": "fp8", "i8": "int8", "s8": "int8", "r_8i": "int8", "tfloat32": "tf32",
}  # fmt: skip
_EDGES: Final = ("torch.", "jnp.", "np.", "numpy.", "cuda_", "dt_")


@dataclass(frozen=True, eq=False)
class WordColumn:
    """Words of many rows, each held once.

    Attributes
    ----------
    codes
        Index into ``values`` per row; -1 where a cell cannot be used.
    values
        What the words mean: choices, switches, or formats by role.
    """

    codes: NDArray[Any]
    values: tuple[Any, ...]

    def at(self, row: int) -> Any:
        """Return the value of one row."""
        return self.values[self.codes[row]]

    def of(self, rows: Any) -> WordColumn:
        """Return the column with some rows only."""
        return WordColumn(self.codes[rows], self.values)


def dtype_text(formats: Mapping[str, DType]) -> str:
    """Return formats by role as they are written: ``bf16,weight=int4``."""
    return ",".join(one.id if role == "all" else f"{role}={one.id}" for role, one in formats.items())


def value_text(value: Any) -> str:
    """Return a parameter as it is written: switches as true and false."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def word_column(operator: Operator, parameter: Parameter, cells: Sequence[str]) -> ReadColumn[WordColumn]:
    """Read a column of a choice, a switch, or a name such as a model's; paths of files are not taken from a table."""

    def meaning(cell: str) -> Any:
        if parameter.open_choices and ("/" in cell or "\\" in cell):
            raise StudioError("is a path; set it for all rows instead, apart from the table.")
        value = parameter_from_text(operator, parameter, cell)
        try:
            return resolve_parameters(operator, {parameter.name: value})[parameter.name]
        except StudioError as error:  # the cell itself is told anyway
            raise StudioError(
                str(error).removeprefix(f"{operator.id}: {parameter.name} = {value!r} ")
            ) from None

    return _words(cells, meaning)


def dtype_column(operator: Operator, cells: Sequence[str]) -> ReadColumn[WordColumn]:
    """Read a column of number formats: ``bf16``, ``torch.float16``, ``bf16,weight=int4``."""

    def meaning(cell: str) -> dict[str, DType]:
        try:
            formats = parse_dtypes(",".join(_known(part) for part in cell.split(",")))
        except StudioError as error:
            raise StudioError(f"is no number format: {error}") from None
        if not formats:
            raise StudioError("is empty; write a format such as bf16.")
        resolve_dtypes(operator, formats)
        return formats

    return _words(cells, meaning)


def _known(part: str) -> str:
    """Return one part of a dtype text with the spelling of other programs made ours."""
    role, equals, word = part.rpartition("=")
    word = word.strip().lower()
    for edge in _EDGES:
        word = word.removeprefix(edge)
    return f"{role}{equals}{word if word in DTYPES else _ALIASES.get(word, word)}"


def _words(cells: Sequence[str], meaning: Callable[[str], Any]) -> ReadColumn[WordColumn]:
    import numpy as np

    known: dict[str, int | str] = {}
    values: list[Any] = []
    for cell in dict.fromkeys(cells):  # in order, so that results do not vary
        known[cell] = _code(cell.strip(), meaning, values) if len(known) < MOST_WORDS else _TOO_MANY
    codes = np.array(
        [code if isinstance(code := known[cell], int) else NO_CODE for cell in cells], dtype=np.int32
    )
    wrong = np.flatnonzero(codes == NO_CODE)
    return ReadColumn(WordColumn(codes, tuple(values)), wrong, lambda at: str(known[cells[at]]))


def _code(cell: str, meaning: Callable[[str], Any], values: list[Any]) -> int | str:
    """Return where the meaning of a word stands among the values, or why it has none."""
    if not cell:
        return "is empty; write a value, or leave the column out."
    try:
        value = meaning(cell)
    except StudioError as error:
        return str(error)
    if value not in values:
        values.append(value)
    return values.index(value)
