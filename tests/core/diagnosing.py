"""Measured kernels for tests of the diagnosis, with figures that can be worked out in the head.

The machine is the H100 of :mod:`profiles`: 3.35 TB/s at 600 ns, bf16 tensor 989.4 TFLOP/s, fp32 66.9 TFLOP/s, 132 SMs,
3 µs per launch. In 100 µs it moves 335 MB and does 6.69 GFLOP in fp32.
"""

from __future__ import annotations

from rooflinestudio.core.diagnosis import diagnose
from rooflinestudio.core.measurement import MeasuredFigure, MeasuredTraffic, Measurement
from rooflinestudio.core.placement import place_estimate
from rooflinestudio.core.settings import Settings
from tests.core.kernels import kernel
from tests.core.profiles import H100

__all__ = ["GEMM_WORK", "answer", "asked", "gemm", "measured", "placed"]

GEMM_WORK = 2 * 4096**3
PEAK, FP32 = 3.35e12, 66.9e12


def measured(
    *,
    time=100e-6,
    work=None,
    dram=None,
    grid=(13200, 1, 1),
    block=(256, 1, 1),
    extra=None,
    quality="exact",
    **more,
):
    """Build a measurement: FLOP by pipe, bytes at dram, further figures by name; all with recipes."""
    work = {} if work is None else work
    figures = {
        f"work.{pipe}": MeasuredFigure(flop, f"{pipe} counted", "exact") for pipe, flop in work.items()
    }
    if time is not None:
        figures["time_s"] = MeasuredFigure(time, "gpu__time_duration.sum", "exact")
    traffic = {}
    if dram is not None:
        traffic["dram"] = MeasuredTraffic(None, None, dram)
        figures["dram_bytes"] = MeasuredFigure(dram, "dram__bytes.sum", quality)
    figures |= {
        name: MeasuredFigure(value, f"{name} counted", "exact") for name, value in (extra or {}).items()
    }
    return Measurement(
        launch=more.pop("launch", 0),
        kernel=more.pop("kernel", "saxpy(int, float *)"),
        time_s=time,
        work=work,
        traffic=traffic,
        grid=grid,
        block=block,
        figures=figures,
        **more,
    )


def placed(estimate, profile=H100, **settings):
    """Place an estimate under a name."""
    return place_estimate(
        estimate,
        profile,
        Settings(**settings),
        operator="gemm",
        parameters={"m": 4096, "n": 4096, "k": 4096},
    )


def gemm(profile=H100, **settings):
    """Place the product of three 4096 in bf16: 100.7 MB compulsory, 2181 MB tiled (tiles of 128 by 64)."""
    side = 2 * 4096**2
    estimate = kernel(GEMM_WORK, 2 * side, side, blocked={"dram": (64 * side, side)})
    return placed(estimate, profile, **settings)


def asked(measurement, profile=H100, **more):
    """Diagnose on the H100."""
    return diagnose(measurement, profile, **more)


def answer(id_, measurement, profile=H100, **more):
    """Answer to one question."""
    return asked(measurement, profile, **more).answer(id_)
