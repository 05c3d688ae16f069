"""Machines, operators and studies for tests of the canvas: small, with figures that can be worked out by hand."""

from __future__ import annotations

import hashlib

from rooflinestudio.core.errors import UnavailableError
from rooflinestudio.core.hardware import Boundary, ComputeCeiling, Figure, HardwareProfile
from rooflinestudio.core.measurement import MeasuredTraffic, Measurement, MeasurementFile
from rooflinestudio.core.measurement_overlay import Overlay
from rooflinestudio.core.operators import Estimate, Launch, OperatorBase, OperatorOrigin, Parameter, Tensor
from rooflinestudio.core.placing import place
from rooflinestudio.core.study import Entry, Study, View

__all__ = ["FAST", "SLOW", "Source", "entry", "measurement", "overlay", "placed", "study"]


def figure(value):
    return Figure(value, "published")


def machine(id_, short_name, *, ceilings, boundaries, overhead_s=1e-6, reference="bf16-tensor"):
    return HardwareProfile(
        id_, f"{short_name} board", short_name, "Acme", "A", 2024,
        {key: ComputeCeiling(key, figure(rate)) for key, rate in ceilings.items()},
        {
            key: Boundary(key, label, figure(rate), approximate=approximate)
            for key, (label, rate, approximate) in boundaries.items()
        },
        reference,
        launch_overhead=None if overhead_s is None else Figure(overhead_s, "assumed"),
    )  # fmt: skip


FAST = machine(
    "fast", "Fast 1",
    ceilings={"fp32": 50e12, "bf16-tensor": 1000e12, "fp16-tensor": 1000e12, "fp8-tensor": 2000e12, "special": 20e12},
    boundaries={
        "l2": ("L2", 10e12, True),
        "dram": ("HBM", 4e12, False),
        "nvlink": ("Link", 400e9, False),
    },
)  # fmt: skip
"""Ridge at HBM 250, at L2 100, at the link 2 500 FLOP/byte."""

SLOW = machine(
    "slow", "Slow 1",
    ceilings={"fp32": 20e12, "bf16-tensor": 300e12},
    boundaries={"dram": ("HBM", 2e12, False)},
)  # fmt: skip
"""Ridge at HBM 150 FLOP/byte."""


class Product(OperatorBase):
    """W on the matrix pipe; Q compulsory, and ``blocked`` times that when tiled and at L2."""

    id = "product"
    label = "Product"
    category = "Test"
    summary = "x"
    parameters = (
        Parameter("work", "work", 1e12, low=0, high=1e30, integer=False),
        Parameter("traffic", "traffic", 1e10, low=0, high=1e30, integer=False),
        Parameter("blocked", "blocked", 1, integer=False),
    )

    def estimate(self, parameters, dtypes):
        elements = parameters["traffic"] / dtypes["activation"].bytes
        tensor = Tensor("x", elements, dtypes["activation"], 1, 0)
        tiled = (parameters["traffic"] * parameters["blocked"], 0.0)
        blocked = {"dram": tiled, "l2": tiled} if parameters["blocked"] != 1 else {}
        pipe = f"{dtypes['compute'].pipe}-tensor"
        return Estimate({pipe: parameters["work"]}, pipe, (tensor,), blocked, launch=Launch())


class Vector(OperatorBase):
    """Work on the vector pipe, 4 bytes of traffic per element; ``flop`` per element."""

    id = "vector"
    label = "Vector"
    category = "Test"
    summary = "x"
    parameters = (Parameter("elements", "elements", 1e9), Parameter("flop", "flop", 5, low=0))

    def estimate(self, parameters, dtypes):
        elements = 1.0 * parameters["elements"]
        tensors = (
            Tensor("x", elements, dtypes["activation"], 1, 0),
            Tensor("y", elements, dtypes["output"], 0, 1, "output"),
        )
        return Estimate({"fp32": elements * parameters["flop"]}, "fp32", tensors)


class Source:
    """Operators by id, without a plugin host."""

    def __init__(self):
        self.operators = {one.id: one for one in (Product(), Vector())}

    def operator(self, id_, plugin=""):
        if id_ not in self.operators:
            raise UnavailableError(f"No plugin offers the operator {id_!r}.")
        return self.operators[id_]

    def origin(self, _id):
        return OperatorOrigin("test", "1")

    def estimate(self, operator, parameters, dtypes):
        return operator.estimate(parameters, dtypes)


def entry(id_="one", operator="product", *, dtypes=None, label="", slot=0, **settings):
    own = {
        key: settings.pop(key)
        for key in (
            "machines",
            "boundary",
            "policy",
            "absorption",
            "ceiling",
            "overlap",
            "visible",
            "variant_of",
        )
        if key in settings
    }
    return Entry(
        id_, operator, parameters=settings, dtypes=dtypes or {}, label=label or id_, slot=slot, **own
    )


def study(*entries, machines=(FAST,), overlays=(), pairs=(), **view):
    shown = View(machines=tuple(one.id for one in machines), **view)
    profiles = {one.id: one for one in machines}
    return Study(entries=entries, profiles=profiles, view=shown, overlays=overlays, pairs=pairs)


def placed(*entries, previous=None, **more):
    return place(study(*entries, **more), {}, Source(), previous=previous)


def measurement(
    launch, *, kernel="kernel", time_s=1e-3, work_flop=1e12, traffic_bytes=1e10, pipe="bf16-tensor"
):
    return Measurement(
        launch=launch,
        kernel=kernel,
        time_s=time_s,
        work={pipe: work_flop} if work_flop else {},
        traffic={"dram": MeasuredTraffic(traffic_bytes, 0.0, traffic_bytes)}
        if traffic_bytes is not None
        else {},
    )


def overlay(*measurements, name="run.csv"):
    digest = hashlib.sha256(repr((name, len(measurements))).encode()).hexdigest()
    return Overlay.from_file(MeasurementFile(name, "ncu-csv-long", (), tuple(measurements), digest))
