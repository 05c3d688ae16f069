"""What a kernel document answers: its formulas worked out for one set of parameters, and shown as formulas."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.arithmetic import any_true, is_number, where
from rooflinestudio.core.custom_document import BLOCKED, COMPUTE, VECTOR
from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.errors import RefusedError
from rooflinestudio.core.formulas import FormulaError, Worth, shortened
from rooflinestudio.core.operators import Estimate, Launch, Tensor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.arithmetic import Num
    from rooflinestudio.core.custom_document import KernelSpec
    from rooflinestudio.core.dtypes import DType
    from rooflinestudio.core.formulas import Expression
    from rooflinestudio.core.operators import Dtypes

__all__ = ["estimate_of", "pipe_of"]

_COUNTED_IN: Final = ("activation", "weight", "kv", "output")


def estimate_of(spec: KernelSpec, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
    """Work a kernel's formulas out.

    Raises
    ------
    RefusedError
        If one of them has no value, or an impossible one.
    """
    formats = {tensor.name: format_of(tensor.dtype, dtypes) for tensor in spec.tensors}
    formats |= {role: dtypes[role] for role in spec.dtypes}
    names = {**parameters, **{f"bytes({role})": one.bytes for role, one in formats.items()}}
    figures = _Figures(spec.id, Worth(names))
    work: dict[str, Num] = {}
    for key, formula in spec.work.items():
        pipe = pipe_of(key, spec, dtypes)
        work[pipe] = work.get(pipe, 0.0) + figures.of(f"work on {key}", formula)
    tensors, footprint = _tensors(spec, figures, dtypes)
    if spec.footprint is not None:
        footprint = figures.of("footprint_bytes", spec.footprint)
    blocked, raised = _blocked(spec, figures, tensors)
    launch = {key: figures.of(f"launch.{key}", formula) for key, formula in spec.launch.items()}
    return Estimate(
        work,
        pipe_of(spec.main_pipe, spec, dtypes),
        tensors,
        blocked,
        footprint_bytes=footprint,
        launch=Launch(**launch),
        formulas=partial(_formulas, spec, names, dtypes),
        notes=partial(_notes, spec, raised=raised) if spec.notes or raised else None,
    )


def pipe_of(key: str, spec: KernelSpec, dtypes: Dtypes) -> str:
    """Return the pipe that a key of ``work`` stands for under some formats."""
    if key == COMPUTE:
        return f"{dtypes['compute'].pipe}-tensor"
    if key != VECTOR:
        return key
    compute = dtypes.get("compute")
    if compute is None:
        return "fp32"
    if COMPUTE in spec.work:  # there the format belongs to the product
        return "fp64" if compute.id == "fp64" else "fp32"
    return compute.pipe


def format_of(dtype: str, dtypes: Dtypes) -> DType:
    """Return the format of a role, or the one that an id names for good."""
    return dtypes[dtype] if dtype in dtypes else DTYPES[dtype]


class _Figures:
    """Figures of one kernel for one set of parameters."""

    def __init__(self, kernel: str, worth: Worth) -> None:
        self._kernel, self._worth = kernel, worth

    def of(self, field: str, formula: Expression) -> Num:
        """Return one figure, finite and at least 0."""
        try:
            value = self._worth.number(formula)
        except FormulaError as error:
            raise RefusedError(f"{self._kernel}: {field}: {error}") from None
        if is_number(value):
            if value < 0:
                raise self._impossible(field, formula, f"{value:g}{self._worth.with_values(formula)}")
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


def _tensors(spec: KernelSpec, figures: _Figures, dtypes: Dtypes) -> tuple[tuple[Tensor, ...], Num | None]:
    """Return the tensors and the bytes that they take together; None for bytes where only traffic is known."""
    if not spec.tensors:
        return _traffic_as_tensors(spec, figures, dtypes), None
    made = tuple(
        Tensor(
            one.name,
            figures.of(f"elements of {one.name}", one.elements),
            format_of(one.dtype, dtypes),
            figures.of(f"reads of {one.name}", one.reads),
            figures.of(f"writes of {one.name}", one.writes),
            one.role,
            one.slope,
        )
        for one in spec.tensors
    )
    footprint: Num = 0.0
    for one in made:
        footprint = footprint + one.elements * one.dtype.bytes
    return made, footprint


def _traffic_as_tensors(spec: KernelSpec, figures: _Figures, dtypes: Dtypes) -> tuple[Tensor, ...]:
    """Return one tensor for all that is read and one for all that is written.

    The bytes are counted in elements of a role that follows the shorthand, so that the traffic does so, too; where
    there is none, in bytes.
    """
    read, written = spec.traffic["dram"]
    roles = [role for role in _COUNTED_IN if role in spec.dtypes and role not in spec.pinned]
    first = dtypes[roles[0]] if roles else DTYPES["int8"]
    last = dtypes["output"] if "output" in roles else first
    read_bytes, write_bytes = figures.of("bytes read", read), figures.of("bytes written", written)
    return (
        Tensor("read", read_bytes / first.bytes, first, 1, 0, "input"),
        Tensor("written", write_bytes / last.bytes, last, 0, 1, "output"),
    )


def _blocked(
    spec: KernelSpec, figures: _Figures, tensors: tuple[Tensor, ...]
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
    below = read + written < least_read + least_written
    raised = any_true(below)
    if not raised:
        return pair, False
    return (where(below, least_read, read), where(below, least_written, written)), raised


def _notes(spec: KernelSpec, *, raised: bool) -> tuple[str, ...]:
    if not raised:
        return spec.notes
    return (
        "The tiled traffic of its formula is below the compulsory one, which no kernel can do with less than: "
        "the compulsory one stands in its place.",
        *spec.notes,
    )


def _formulas(spec: KernelSpec, names: Mapping[str, Any], dtypes: Dtypes) -> tuple[Any, ...]:
    from rooflinestudio.core.custom_formulas import formulas_of

    return formulas_of(spec, names, dtypes)
