"""What a kernel document answers: its formulas worked out for one set of parameters, and shown as formulas."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from rooflinestudio.core.custom.document import COMPUTE, VECTOR
from rooflinestudio.core.custom.traffic import Figures, blocked_traffic, format_of, traffic_tensors
from rooflinestudio.core.operators import Estimate, Launch, Tensor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.arithmetic import Num
    from rooflinestudio.core.custom.document import KernelSpec
    from rooflinestudio.core.operators import Dtypes

__all__ = ["estimate_of", "pipe_of"]


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
    figures = Figures(spec.id, names)
    work: dict[str, Num] = {}
    for key, formula in spec.work.items():
        pipe = pipe_of(key, spec, dtypes)
        work[pipe] = work.get(pipe, 0.0) + figures.of(f"work on {key}", formula)
    tensors, footprint = _tensors(spec, figures, dtypes)
    if spec.footprint is not None:
        footprint = figures.of("footprint_bytes", spec.footprint)
    blocked, raised = blocked_traffic(spec, figures, tensors)
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


def _tensors(spec: KernelSpec, figures: Figures, dtypes: Dtypes) -> tuple[tuple[Tensor, ...], Num | None]:
    """Return the tensors and the bytes that they take together; None for bytes where only traffic is known."""
    if not spec.tensors:
        return traffic_tensors(spec, figures, dtypes), None
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


def _notes(spec: KernelSpec, *, raised: bool) -> tuple[str, ...]:
    if not raised:
        return spec.notes
    return (
        "The tiled traffic of its formula is below the compulsory one, which no kernel can do with less than: "
        "the compulsory one stands in its place.",
        *spec.notes,
    )


def _formulas(spec: KernelSpec, names: Mapping[str, Any], dtypes: Dtypes) -> tuple[Any, ...]:
    from rooflinestudio.core.custom.formulas import formulas_of

    return formulas_of(spec, names, dtypes)
