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
    from rooflinestudio.core.hardware import Boundary, ComputeCeiling, Figure, HardwareProfile, Provenance
    from rooflinestudio.core.measurement import (
        MeasuredFigure,
        MeasuredTraffic,
        Measurement,
        MeasurementCancelled,
        MeasurementError,
        MeasurementFile,
        MeasurementReader,
        Progress,
        Quality,
    )
    from rooflinestudio.core.placement import BoundaryFigures, Placement
    from rooflinestudio.core.profile_index import profile_index, shipped_profiles
    from rooflinestudio.plugins.hookspecs import ProfileSource

hookimpl = pluggy.HookimplMarker("rooflinestudio")
"""Marks a function of a plugin as the answer to a hook."""

__all__ = [
    "DTYPES",
    "Boundary",
    "BoundaryFigures",
    "ComputeCeiling",
    "DType",
    "Dtypes",
    "Estimate",
    "Figure",
    "Formula",
    "HardwareProfile",
    "Launch",
    "MeasuredFigure",
    "MeasuredTraffic",
    "Measurement",
    "MeasurementCancelled",
    "MeasurementError",
    "MeasurementFile",
    "MeasurementReader",
    "OnDemand",
    "Operator",
    "OperatorBase",
    "Parameter",
    "ParameterError",
    "Part",
    "Placement",
    "ProfileSource",
    "Progress",
    "Provenance",
    "Quality",
    "RefusedError",
    "StudioError",
    "Tensor",
    "compute_of",
    "dtype",
    "format_number",
    "format_quantity",
    "hookimpl",
    "parse_quantity",
    "profile_index",
    "shipped_profiles",
]  # fmt: skip

_HARDWARE = ("Boundary", "ComputeCeiling", "Figure", "HardwareProfile", "Provenance")
_MEASUREMENT = (
    "MeasuredFigure", "MeasuredTraffic", "Measurement", "MeasurementCancelled", "MeasurementError", "MeasurementFile",
    "MeasurementReader", "Progress", "Quality",
)  # fmt: skip
_LATER: Final = MappingProxyType(
    {
        **dict.fromkeys(_HARDWARE, "rooflinestudio.core.hardware"),
        **dict.fromkeys(_MEASUREMENT, "rooflinestudio.core.measurement"),
        **dict.fromkeys(("BoundaryFigures", "Placement"), "rooflinestudio.core.placement"),
        **dict.fromkeys(("profile_index", "shipped_profiles"), "rooflinestudio.core.profile_index"),
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
