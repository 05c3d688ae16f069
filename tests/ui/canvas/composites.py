"""A composite for tests of the canvas: parts with figures that can be worked out by hand."""

from __future__ import annotations

from rooflinestudio.core.operators import Estimate, OperatorBase, Parameter, Part
from rooflinestudio.core.placing import place
from tests.ui.canvas.samples import Product, Source, entry, study

__all__ = ["composite", "placed_composite"]

PARTS = (
    ("compute", 1e13, 1e10, 1),  # 1 000 FLOP/byte, 10 ms at 1 000 TFLOP/s
    ("memory", 1e11, 1e10, 4),  # 10 FLOP/byte, four times 2.5 ms at 40 TFLOP/s
    ("inside", 1e12, 0.0, 1),  # nothing crosses: 1 ms, and no place on the axes
)


class Layer(OperatorBase):
    """Three kinds of kernels, 21 ms together on the fast machine; ``copies`` of the first more."""

    id = "layer"
    label = "Layer"
    category = "Test"
    summary = "x"
    parameters = (Parameter("copies", "copies", 0, low=0),)

    def estimate(self, parameters, dtypes):
        # Copies differ, so that they can be told apart: the later the slower.
        more = [
            (f"copy {n}", 1e13 * (2 + n), 1e10 * (2 + n) ** 2, 1) for n in range(int(parameters["copies"]))
        ]
        parts = [
            Part(
                label, "product", {}, dtypes, count,
                Product().estimate({"work": work, "traffic": traffic, "blocked": 1}, dtypes),
            )
            for label, work, traffic, count in (*PARTS, *more)
        ]  # fmt: skip
        return Estimate({}, parts[0].estimate.main_pipe, (), parts=tuple(parts))


class LayerSource(Source):
    def __init__(self):
        super().__init__()
        self.operators["layer"] = Layer()


def composite(id_="layer", **settings):
    return entry(id_, "layer", label="My layer", **settings)


def placed_composite(*entries, previous=None, **more):
    return place(study(*(entries or (composite(),)), **more), {}, LayerSource(), previous=previous)
