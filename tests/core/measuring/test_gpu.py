"""The same on a GPU, with a made-up device: no test needs a real one."""

from __future__ import annotations

import sys
import types

import pytest

from rooflinestudio.core.measurement import MeasurementCancelled
from rooflinestudio.core.measuring.gpu import find_gpu, gpu_profile, measure_gpu
from rooflinestudio.core.profile_files import dump_profile, load_profile

TIMES = {"copy": 2e-3, "triad": 4e-3, "bf16-tensor": 2e-3, "fp32": 20e-3, "launch": 4e-6}


class Device:
    """A device whose passes take the times above; fp64 has no memory."""

    device, library = "Acme G1", "Made Up 1.0"
    products = ("bf16-tensor", "fp32", "fp64")

    def stream(self, kind, elements):
        assert elements == 2**28  # 1 GiB of float32
        return lambda: kind

    def product(self, ceiling, size):
        if ceiling == "fp64":
            raise MemoryError("out of memory")
        return lambda: ceiling

    def launch(self):
        return lambda: "launch"

    def seconds(self, one, repeats):
        return TIMES[one()]


def test_a_gpu_gets_a_profile_of_what_it_did():
    machine, overhead = measure_gpu(Device(), "2026-11-30", rounds=3)
    profile = gpu_profile(machine, overhead)
    # 2 x 8192^3 FLOP in 2 ms.
    assert profile.ceilings["bf16-tensor"].flop_per_s == pytest.approx(2 * 8192**3 / 2e-3)
    # copy moves 2 GiB in 2 ms: 1.07 TB/s; triad 3 GiB in 4 ms: 0.81 TB/s.
    assert profile.boundary("dram").bytes_per_s == pytest.approx(2**31 / 2e-3)
    assert profile.launch_overhead.value == 4e-6
    assert profile.reference_ceiling == "bf16-tensor"
    assert "fp64" not in profile.ceilings
    assert any("fp64 was left out: MemoryError" in one for one in profile.notes)
    assert load_profile(dump_profile(profile)) == profile


def test_it_can_be_cancelled():
    with pytest.raises(MeasurementCancelled):
        measure_gpu(Device(), "2026-11-30", lambda share: share < 0.5)


def test_a_device_that_does_nothing_has_no_profile():
    class Dead(Device):
        def seconds(self, one, repeats):
            raise RuntimeError("no kernel image")

    machine, overhead = measure_gpu(Dead(), "2026-11-30", rounds=1)
    assert gpu_profile(machine, overhead) is None
    assert len(machine.notes) == 6


def test_without_a_library_or_a_device_it_says_why(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)  # as if it were not installed
    cupy = types.ModuleType("cupy")
    cupy.cuda = types.SimpleNamespace(runtime=types.SimpleNamespace(getDeviceCount=lambda: 0))
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    assert find_gpu() == "No GPU was measured: torch is not installed; cupy finds no GPU."


def test_a_broken_library_does_not_stop_it(monkeypatch):
    torch = types.ModuleType("torch")
    torch.cuda = types.SimpleNamespace(is_available=lambda: 1 / 0)
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert "torch fails: ZeroDivisionError" in find_gpu()
