"""The built-in operators by id, and one call that resolves, estimates and places one of them."""

from __future__ import annotations

import math
import re

from plugins_builtin import attention, collectives, elementwise, gemm, hpc, loss, optimizers, transformer
from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.placement import Settings, place_estimate
from rooflinestudio.core.resolution import resolve_dtypes, resolve_parameters
from tests.core.profiles import H100

__all__ = ["OPERATORS", "estimate_of", "formulas_of", "placed", "value_of"]

MODULES = (gemm, elementwise, attention, optimizers, collectives, loss, hpc, transformer)
OPERATORS = {one.id: one for module in MODULES for one in module.rooflinestudio_operators()}


def estimate_of(id_, *, dtype=None, profile=None, **parameters):
    """Return what an operator answers, with defaults for everything that is not given."""
    operator = OPERATORS[id_]
    return operator.estimate(
        resolve_parameters(operator, parameters, profile), resolve_dtypes(operator, parse_dtypes(dtype))
    )


def placed(id_, *, on=H100, dtype="bf16", settings=None, **parameters):
    """Return an operator held against a machine."""
    operator = OPERATORS[id_]
    resolved = resolve_parameters(operator, parameters, on)
    formats = resolve_dtypes(operator, parse_dtypes(dtype))
    return place_estimate(
        operator.estimate(resolved, formats), on, settings or Settings(),
        operator=id_, parameters=resolved, dtypes=formats,
    )  # fmt: skip


def value_of(formula):
    """Work out the arithmetic that a formula shows with its values put in."""
    text = re.sub(r"⌈([^⌉]+)⌉", r"math.ceil(\1)", formula.values.replace("·", "*"))
    assert re.fullmatch(r"[0-9.e+*/() -]+", text.replace("math.ceil", "")), text
    return eval(text, {"math": math})  # digits and operators only


def formulas_of(estimate):
    """Return the formulas of an estimate by the figure that they are of."""
    return {one.figure: one for one in estimate.formulas()}
