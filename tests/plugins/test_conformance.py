"""Every built-in operator satisfies what is asked of a stranger's."""

from __future__ import annotations

import pytest

from rooflinestudio.plugins.host import PluginHost
from rooflinestudio.plugins.testing import assert_conformant

REGISTRY = PluginHost.discover(disable="all").load_builtins()


@pytest.mark.parametrize("operator", REGISTRY.operators, ids=lambda operator: operator.id)
def test_a_built_in_operator_conforms(operator):
    assert_conformant(operator)


def test_there_are_built_in_operators():
    assert {"gemm", "add", "attention", "attention_decode", "adam"} <= {one.id for one in REGISTRY.operators}
