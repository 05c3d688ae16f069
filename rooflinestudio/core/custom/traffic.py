"""The figures of a kernel document: each worked out and checked, and its traffic as tensors and by boundary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.arithmetic import any_true, is_number, where
from rooflinestudio.core.custom.document import BLOCKED
from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.errors import RefusedError
from rooflinestudio.core.formulas import FormulaError, Worth, shortened
from rooflinestudio.core.operators import Tensor

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rooflinestudio.core.arithmetic import Num
    from rooflinestudio.core.custom.document import KernelSpec
    from rooflinestudio.core.dtypes import DType
    from rooflinestudio.core.formulas import Expression
    from rooflinestudio.core.operators import Dtypes, TensorRole

__all__ = ["Figures", "blocked_traffic", "format_of", "traffic_tensors"]

_BYTE: Final = DTYPES["int8"]
"""What bytes that follow no format are counted in."""

_CLOSE: Final = 1e-9


def format_of(dtype: str, dtypes: Dtypes) -> DType:
    """Return the format of a role, or the one that an id names for good."""
    return dtypes[dtype] if dtype in dtypes else DTYPES[dtype]


class Figures:
    """Figures of one kernel for one set of parameters."""

    def __init__(self, kernel: str, names: Mapping[str, Any]) -> None:
        self._kernel, self.worth = kernel, Worth(names)

    def of(self, field: str, formula: Expression) -> Num:
        """Return one figure, finite and at least 0."""
        try:
            value = self.worth.number(formula)
        except FormulaError as error:
            raise RefusedError(f"{self._kernel}: {field}: {error}") from None
        if is_number(value):
            if value < 0:
                raise self._impossible(field, formula, f"{value:g}{self.worth.with_values(formula)}")
            return value
        self._check_array(field, formula, value)
        return value

    def _check_array(self, field: str, formula: Expression, value: Any) -> None:
        import numpy as np

        wrong = ~((value >= 0) & np.isfinite(value))
        if wrong.any():
            place = ", ".join(str(int(axis[0])) for axis in wrong.nonzero())
            raise self._impossible(field, formula, f"{value[wrong][0]:g} at element {place}")

    def _impossible(self, field: str, formula: Expression, what: str) -> RefusedError:
        text = shortened(formula.text)
        return RefusedError(
            f"{self._kernel}: {field}: '{text}' is {what}; it must be finite and at least 0. Write max(0, …), or a "
            "choice such as 'a / b if b > 0 else 0'."
        )


def traffic_tensors(spec: KernelSpec, figures: Figures, dtypes: Dtypes) -> tuple[Tensor, ...]:
    """Return what crosses dram as tensors, where a document gives plain bytes.

    Bytes that grow with the format of a role become a tensor of that format, so that they follow it from there on; the
    rest is counted in bytes.
    """
    read, written = spec.traffic["dram"]
    return (
        *_moved(figures, ("read", read), "input", dtypes),
        *_moved(figures, ("written", written), "output", dtypes),
    )


def _moved(
    figures: Figures, what: tuple[str, Expression], role: TensorRole, dtypes: Dtypes
) -> Iterator[Tensor]:
    word, formula = what
    total = figures.of(f"bytes {word}", formula)
    crossings = (0, 1) if role == "output" else (1, 0)
    formats = {
        name[6:-1]: dtypes[name[6:-1]]
        for name in formula.names
        if name.startswith("bytes(") and name[6:-1] in dtypes
    }
    shares = _shares(formula, figures.worth, formats, total) if formats else {}
    if shares is None:  # not a sum over formats: all of it follows the first
        first, shares = next(iter(formats.items())), {}
        yield Tensor(f"{word} {first[0]}", total / first[1].bytes, first[1], *crossings, role)
        return
    for name, share in shares.items():
        yield Tensor(f"{word} {name}", share / formats[name].bytes, formats[name], *crossings, role)
        total = total - share
    if any_true(total > 0) or not shares:
        yield Tensor(word, where(total > 0, total, 0.0), _BYTE, *crossings, role)


def _shares(
    formula: Expression, worth: Worth, formats: Mapping[str, DType], total: Num
) -> dict[str, Num] | None:
    """Return the bytes that follow each format; None where the formula is no sum over them."""
    nothing = {f"bytes({name})": 0.0 for name in formats}
    try:
        fixed = worth.number(formula, nothing)
        shares: dict[str, Num] = {
            name: worth.number(formula, {**nothing, f"bytes({name})": one.bytes}) - fixed
            for name, one in formats.items()
        }
    except FormulaError:
        return None
    rest: Any = total - fixed
    for share in shares.values():
        rest = rest - share
    sound = (abs(rest) <= _CLOSE * total) & (fixed >= 0)
    for share in shares.values():
        sound = sound & (share >= 0)
    return shares if not any_true(_not(sound)) else None


def _not(condition: Any) -> Any:
    return not condition if is_number(condition) else ~condition


def blocked_traffic(
    spec: KernelSpec, figures: Figures, tensors: tuple[Tensor, ...]
) -> tuple[dict[str, tuple[Num, Num]], bool]:
    """Return blocked traffic by boundary, and whether the tiled count had to be raised to the compulsory one."""
    result: dict[str, tuple[Num, Num]] = {}
    raised = False
    for key, boundary in BLOCKED.items():
        if key not in spec.traffic:
            continue
        read, written = spec.traffic[key]
        pair = figures.of(f"bytes read at {key}", read), figures.of(f"bytes written at {key}", written)
        if boundary == "dram":
            pair, raised = _never_below(pair, tensors)
        result[boundary] = pair
    return result, raised


def _never_below(pair: tuple[Num, Num], tensors: tuple[Tensor, ...]) -> tuple[tuple[Num, Num], bool]:
    """Put the compulsory traffic in place of a tiled count that is below it: no kernel can do with less."""
    least_read: Num = 0.0
    least_written: Num = 0.0
    for one in tensors:
        size = one.elements * one.dtype.bytes
        least_read, least_written = least_read + size * one.reads, least_written + size * one.writes
    read, written = pair
    below = read + written < (least_read + least_written) * (1 - _CLOSE)
    raised = any_true(below)
    if not raised:
        return pair, False
    return (where(below, least_read, read), where(below, least_written, written)), raised
