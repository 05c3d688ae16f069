"""Operators for the tests, each answering in its own way."""

from __future__ import annotations

from rooflinestudio.core.operators import OperatorOrigin
from rooflinestudio.core.resolution import resolve_dtypes, resolve_parameters
from rooflinestudio.plugins import DTYPES, Estimate, OperatorBase, Parameter, Tensor
from rooflinestudio.plugins.registry import Registry

FP32 = DTYPES["fp32"]
FOREIGN = OperatorOrigin("acme-ops", "1.2.0", foreign=True)
OWN = OperatorOrigin("rooflinestudio", "0.1.0")


class Row(OperatorBase):
    """n x m elements are read and written, 2 FLOP each."""

    id = "acme.row"
    label = "row"
    category = "Tests"
    summary = "Reads and writes n·m elements"
    parameters = (
        Parameter("n", "n", 10, help="Rows."),
        Parameter("m", "m", 4, help="Columns."),
        Parameter("kind", "kind", "a", choices=("a", "b"), help="A choice."),
    )
    dtype_roles = {"activation": "fp32", "output": "fp32", "compute": "fp32"}  # noqa: RUF012 - read only

    def estimate(self, parameters, dtypes):
        return self.answer(1.0 * parameters["n"] * parameters["m"])

    def answer(self, elements, **changes):
        tensors = (Tensor("x", elements, FP32, 1, 0), Tensor("y", elements, FP32, 0, 1, "output"))
        return Estimate(
            **{"work": {"fp32": 2.0 * elements}, "main_pipe": "fp32", "tensors": tensors, **changes}
        )


def answering(answer, **attributes):
    """An operator that answers with what ``answer(self, parameters, dtypes)`` returns."""
    return type("Answering", (Row,), {"estimate": answer, **attributes})()


def always(value):
    """An operator that answers the same, whatever it is asked."""
    return answering(lambda self, parameters, dtypes: value)


def registry_of(*operators, origin=FOREIGN):
    return Registry([(operator, origin) for operator in operators])


def ask(operator, given=None, origin=FOREIGN):
    """Ask through a registry, as everybody does."""
    registry = registry_of(operator, origin=origin)
    return registry.estimate(
        operator, resolve_parameters(operator, given or {}), resolve_dtypes(operator, {})
    )
