"""Machines and a source of operators for tests: built here, so that a test says all that it rests on."""

from __future__ import annotations

from typing import Any

from rooflinestudio.core.errors import UnavailableError
from rooflinestudio.core.hardware import Boundary, ComputeCeiling, Figure, HardwareProfile
from rooflinestudio.core.operators import Dtypes, Estimate, OperatorBase, OperatorOrigin, Parameter, Tensor

PEAK, FP32_PEAK, HBM, L2 = 1000e12, 50e12, 2e12, 8e12
"""Round figures: the ridge of the tensor pipe lies at 500 FLOP/byte at HBM and 125 at L2."""


def figure(value: float) -> Figure:
    return Figure(value, "published", source="made up for tests")


def machine(id_: str = "acme-one", *, peak: float = PEAK, hbm: float = HBM) -> HardwareProfile:
    """Return a machine with round figures and every kind of thing a profile can have."""
    ceilings = {"bf16-tensor": peak, "fp8-tensor": 2 * peak, "fp32": FP32_PEAK, "special": 10e12}
    return HardwareProfile(
        id=id_,
        name=f"{id_} 80 GB",
        short_name=id_,
        vendor="Acme",
        architecture="A1",
        year=2026,
        ceilings={name: ComputeCeiling(name, figure(rate)) for name, rate in ceilings.items()},
        boundaries={
            "l2": Boundary("l2", "L2", figure(L2), approximate=True),
            "dram": Boundary("dram", "HBM", figure(hbm), capacity=figure(80e9), latency=figure(500e-9)),
            "nvlink": Boundary("nvlink", "NVLink", figure(400e9)),
        },
        reference_ceiling="bf16-tensor",
        sms=figure(100),
        launch_overhead=figure(3e-6),
    )


class Copy(OperatorBase):
    """``flop`` FLOP per element over one read and one write; ``tiles`` re-reads when blocked."""

    id = "copy"
    label = "Copy"
    category = "Tests"
    summary = "Reads, computes and writes"
    parameters = (
        Parameter("elements", "elements", 1e9, low=0, high=1e15),
        Parameter("flop", "FLOP per element", 1, low=0, high=1e9, integer=False),
        Parameter("tiles", "re-reads", 1),
    )
    dtype_roles = {"activation": "bf16", "output": "bf16", "compute": "fp32"}  # noqa: RUF012

    def estimate(self, parameters: Any, dtypes: Dtypes) -> Estimate:
        n = 1.0 * parameters["elements"]
        pipe = dtypes["compute"].pipe
        read, write = n * dtypes["activation"].bytes, n * dtypes["output"].bytes
        return Estimate(
            {pipe: n * parameters["flop"]},
            pipe,
            (
                Tensor("x", n, dtypes["activation"], 1, 0, "input"),
                Tensor("y", n, dtypes["output"], 0, 1, "output"),
            ),
            {"dram": (read * parameters["tiles"], write)},
        )


class Source:
    """An estimate source over a few operators; counts how often it was asked."""

    def __init__(self, *operators: OperatorBase) -> None:
        self.operators = {one.id: one for one in operators or (Copy(),)}
        self.asked = 0

    def operator(self, id_: str, plugin: str = "") -> Any:
        try:
            return self.operators[id_]
        except KeyError:
            raise UnavailableError(f"no operator is called {id_!r}") from None

    def origin(self, id_: str) -> OperatorOrigin:
        return OperatorOrigin("tests", "1.0")

    def estimate(self, operator: Any, parameters: Any, dtypes: Dtypes) -> Estimate:
        self.asked += 1
        return operator.estimate(parameters, dtypes)
