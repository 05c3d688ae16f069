"""Every number explains itself, and the arithmetic shown comes to the figure."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.explain import explain, explanation_lines
from rooflinestudio.core.explain_arithmetic import agrees, value_of
from rooflinestudio.core.explain_words import amount
from rooflinestudio.core.operators import Formula, Launch, Tensor
from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.placement import Settings, place_estimate
from rooflinestudio.core.profile_files import shipped_profiles
from rooflinestudio.core.placing import evaluate
from rooflinestudio.plugins.host import PluginHost
from tests.core.kernels import composite, kernel
from tests.core.profiles import H100, TINY

PREFIX = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18, "m": 1e-3, "µ": 1e-6, "n": 1e-9, "p": 1e-12}


def worked_out(text: str) -> float:
    """Work the arithmetic of a substitution out with Python's own arithmetic: an independent reading of it."""
    text = re.sub(r"(?<=\d) ([kMGTPEmµnp]?)(FLOP/s|FLOP/byte|FLOP|B/s|B|s)(?![A-Za-z])",
                  lambda match: f"*{PREFIX[match[1]]!r}", text)  # fmt: skip
    # "a / 3 TB/s" divides by all of 3e12: each number with its prefix goes into parentheses.
    text = re.sub(r"(\d[\d.]*(?:e[+\-−]?\d+)?)\*([\d.e+-]+)", r"(\1*\2)", text)
    text = text.replace("·", "*").replace("−", "-")
    text = re.sub(r"⌈", "math.ceil(", text).replace("⌉", ")")
    assert re.fullmatch(r"[0-9.e+*/(), -]*", re.sub(r"math\.ceil|max|min", "", text)), text
    return float(eval(text, {"math": math, "max": max, "min": min}))  # digits, operators, three functions


@pytest.fixture(scope="module")
def registry():
    host = PluginHost.discover()
    host.load_builtins()
    return host.registry


@pytest.fixture(scope="module")
def machines():
    return {entry.id: entry.load() for entry in shipped_profiles()}


OPERATORS = [operator.id for operator in (lambda host: (host.load_builtins(), host.registry.operators)[1])(PluginHost.discover())]
HELD = [
    Settings(boundary=boundary, policy=policy, forecast=forecast)
    for boundary in (None, "all", "l2", "shared", "nvlink")
    for policy in ("compulsory", "tiled", "modelled")
    for forecast in (False, True)
]


@pytest.mark.parametrize("id_", OPERATORS)
def test_what_is_shown_comes_to_the_figure_at_every_boundary_under_every_policy(id_, registry, machines) -> None:
    checked = 0
    for settings in HELD:
        for dtype in ({}, {"all": DTYPES["fp32"]}):
            try:
                placement = evaluate(registry, id_, {}, dtype, machines["nvidia-h100-sxm5"], settings)
            except StudioError:  # nothing crosses there, or no such pipe
                continue
            for one in explain(placement):
                assert one.symbols and one.convention + one.source, one
                if not one.values:
                    assert one.result is None or math.isinf(one.result), one
                    continue
                assert worked_out(one.values) == pytest.approx(one.result, rel=3e-5, abs=1e-300), one
                checked += 1
    assert checked > 50
