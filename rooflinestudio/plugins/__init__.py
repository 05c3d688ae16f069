"""The public API for plugin authors: everything a plugin imports comes from here.

A plugin is a distribution with an entry point in the group ``rooflinestudio`` that names a module; functions of
that module marked with :data:`hookimpl` answer the hooks of :mod:`rooflinestudio.plugins.hookspecs`. Arithmetic that
serves numbers and arrays alike is in :mod:`rooflinestudio.plugins.arithmetic`, the checks that an operator must pass
are in :mod:`rooflinestudio.plugins.testing`.

What belongs to machines and to measured kernels is imported when it is first asked for.
"""

from __future__ import annotations

import importlib
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import pluggy

from rooflinestudio.core.dtypes import DTYPES, DType, compute_of, dtype
from rooflinestudio.core.errors import ParameterError, RefusedError, StudioError
from rooflinestudio.core.on_demand import OnDemand
from rooflinestudio.core.operators import (
    Dtypes,
    Estimate,
    Formula,
    Launch,
    Operator,
    OperatorBase,
    Parameter,
    Part,
    Tensor,
)
from rooflinestudio.core.quantities import format_number, format_quantity, parse_quantity

if TYPE_CHECKING:
    from rooflinestudio.core.boundary_figures import BoundaryFigures
    from rooflinestudio.core.custom.kernels import (
        CustomKernel,
        KernelError,
        KernelFile,
        dump_kernel,
        kernel_from_document,
        kernel_to_document,
        kernels_in,
        load_kernel,
        save_kernel,
    )
    from rooflinestudio.core.hardware import Boundary, ComputeCeiling, Figure, HardwareProfile, Provenance
    from rooflinestudio.core.importing.proposal import ColumnKind, StatedColumn, TableProposal
    from rooflinestudio.core.importing.questions import MarkQuestion, UndecidedMarkError
    from rooflinestudio.core.measurement import (
        CeilingReading,
        MeasuredFigure,
        MeasuredMachine,
        MeasuredTraffic,
        Measurement,
        MeasurementCancelled,
        MeasurementError,
        MeasurementFile,
        MeasurementReader,
        Progress,
        Quality,
    )
    from rooflinestudio.core.measurement_packed import MeasurementPacker, PackedMeasurements
    from rooflinestudio.core.models.cards import ModelCard, load_model, model_ids
    from rooflinestudio.core.models.counts import (
        cached_tokens,
        expected_experts,
        kv_bytes_per_sequence,
        kv_bytes_per_token,
        kv_values_per_layer,
        matrix_parameters_per_token,
        parameter_count,
        weight_groups,
    )
    from rooflinestudio.core.placement import Placement, place_estimate
    from rooflinestudio.core.profile_index import profile_index, shipped_profiles
    from rooflinestudio.plugins.hookspecs import ProfileSource
    from rooflinestudio.plugins.layered import LayeredSource

hookimpl = pluggy.HookimplMarker("rooflinestudio")
"""Marks a function of a plugin as the answer to a hook."""

__all__ = [
    "DTYPES",
    "Boundary",
    "BoundaryFigures",
    "CeilingReading",
    "ColumnKind",
    "ComputeCeiling",
    "CustomKernel",
    "DType",
    "Dtypes",
    "Estimate",
    "Figure",
    "Formula",
    "HardwareProfile",
    "KernelError",
    "KernelFile",
    "Launch",
    "LayeredSource",
    "MarkQuestion",
    "MeasuredFigure",
    "MeasuredMachine",
    "MeasuredTraffic",
    "Measurement",
    "MeasurementCancelled",
    "MeasurementError",
    "MeasurementFile",
    "MeasurementPacker",
    "MeasurementReader",
    "ModelCard",
    "OnDemand",
    "Operator",
    "OperatorBase",
    "PackedMeasurements",
    "Parameter",
    "ParameterError",
    "Part",
    "Placement",
    "ProfileSource",
    "Progress",
    "Provenance",
    "Quality",
    "RefusedError",
    "StatedColumn",
    "StudioError",
    "TableProposal",
    "Tensor",
    "UndecidedMarkError",
    "cached_tokens",
    "compute_of",
    "dtype",
    "dump_kernel",
    "expected_experts",
    "format_number",
    "format_quantity",
    "hookimpl",
    "kernel_from_document",
    "kernel_to_document",
    "kernels_in",
    "kv_bytes_per_sequence",
    "kv_bytes_per_token",
    "kv_values_per_layer",
    "load_kernel",
    "load_model",
    "matrix_parameters_per_token",
    "model_ids",
    "parameter_count",
    "parse_quantity",
    "place_estimate",
    "profile_index",
    "save_kernel",
    "shipped_profiles",
    "weight_groups",
]  # fmt: skip

_HARDWARE = ("Boundary", "ComputeCeiling", "Figure", "HardwareProfile", "Provenance")
_MEASUREMENT = (
    "CeilingReading", "MeasuredFigure", "MeasuredMachine", "MeasuredTraffic", "Measurement", "MeasurementCancelled",
    "MeasurementError", "MeasurementFile", "MeasurementReader", "Progress", "Quality",
)  # fmt: skip
_COUNTS = (
    "cached_tokens", "expected_experts", "kv_bytes_per_sequence", "kv_bytes_per_token", "kv_values_per_layer",
    "matrix_parameters_per_token", "parameter_count", "weight_groups",
)  # fmt: skip
_KERNELS = (
    "CustomKernel", "KernelError", "KernelFile", "dump_kernel", "kernel_from_document", "kernel_to_document",
    "kernels_in", "load_kernel", "save_kernel",
)  # fmt: skip
_LATER: Final = MappingProxyType(
    {
        **dict.fromkeys(("ModelCard", "load_model", "model_ids"), "rooflinestudio.core.models.cards"),
        **dict.fromkeys(_COUNTS, "rooflinestudio.core.models.counts"),
        **dict.fromkeys(_HARDWARE, "rooflinestudio.core.hardware"),
        **dict.fromkeys(_MEASUREMENT, "rooflinestudio.core.measurement"),
        **dict.fromkeys(
            ("MeasurementPacker", "PackedMeasurements"), "rooflinestudio.core.measurement_packed"
        ),
        **dict.fromkeys(
            ("ColumnKind", "StatedColumn", "TableProposal"), "rooflinestudio.core.importing.proposal"
        ),
        **dict.fromkeys(("MarkQuestion", "UndecidedMarkError"), "rooflinestudio.core.importing.questions"),
        "BoundaryFigures": "rooflinestudio.core.boundary_figures",
        **dict.fromkeys(("Placement", "place_estimate"), "rooflinestudio.core.placement"),
        **dict.fromkeys(("profile_index", "shipped_profiles"), "rooflinestudio.core.profile_index"),
        **dict.fromkeys(_KERNELS, "rooflinestudio.core.custom.kernels"),
        "LayeredSource": "rooflinestudio.plugins.layered",
        "ProfileSource": "rooflinestudio.plugins.hookspecs",
    }
)


def __getattr__(name: str) -> Any:
    module = _LATER.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
