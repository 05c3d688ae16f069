"""The public API for plugin authors: everything a plugin imports comes from here.

A plugin is a distribution with an entry point in the group ``rooflinestudio`` that names a module; functions of that module
marked with :data:`hookimpl` answer the hooks of :mod:`rooflinestudio.plugins.hookspecs`.
"""

from __future__ import annotations

import pluggy

from rooflinestudio.core.dtypes import DTYPES, DType, compute_of, dtype
from rooflinestudio.core.errors import ParameterError, RefusedError, StudioError
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

hookimpl = pluggy.HookimplMarker("rooflinestudio")
"""Marks a function of a plugin as the answer to a hook."""

__all__ = [
    "DTYPES", "DType", "Dtypes", "Estimate", "Formula", "Launch", "Operator", "OperatorBase", "Parameter", "ParameterError",
    "Part", "RefusedError", "StudioError", "Tensor", "compute_of", "dtype", "format_number", "format_quantity", "hookimpl",
    "parse_quantity",
]  # fmt: skip
