"""The same on a GPU, through PyTorch or CuPy if the user has one of them; neither is a dependency."""

from __future__ import annotations

import re
from importlib import import_module
from statistics import median
from typing import TYPE_CHECKING, Any, Final, Protocol

from rooflinestudio.core.hardware import Boundary, ComputeCeiling, Figure, HardwareProfile
from rooflinestudio.core.measured.ceilings import CeilingReading, MeasuredMachine
from rooflinestudio.core.measurement_figures import MeasurementCancelled
from rooflinestudio.core.measuring.result import TOOL
from rooflinestudio.core.measuring.trials import ROUNDS
from rooflinestudio.core.quantities import format_number, format_quantity

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Gpu", "find_gpu", "gpu_profile", "measure_gpu"]

_ARRAY_BYTES: Final = 2**30
_PRODUCT: Final = 8192
_LAUNCHES: Final = 2000
_STREAMS: Final = {"copy": 2, "triad": 3}
"""Arrays that cross: a GPU writes whole lines, so that nothing is read before it is written."""


class Gpu(Protocol):
    """A library on one device. Every maker returns a pass, which is started and not waited for."""

    device: str
    library: str
    products: tuple[str, ...]

    def stream(self, kind: str, elements: int) -> Callable[[], Any]:
        """Make ``copy`` (b = a) or ``triad`` (c = a + 3·b) over float32 arrays."""
        ...

    def product(self, ceiling: str, size: int) -> Callable[[], Any]:
        """Make a product of square matrices on one pipe."""
        ...

    def launch(self) -> Callable[[], Any]:
        """Make the smallest kernel there is."""
        ...

    def seconds(self, one: Callable[[], Any], repeats: int) -> float:
        """Return the time of one pass out of several, all waited for."""
        ...


class _TorchGpu:
    """PyTorch, with CUDA or ROCm."""

    products: tuple[str, ...] = ("bf16-tensor", "fp16-tensor", "tf32-tensor", "fp32", "fp64")

    def __init__(self, torch: Any) -> None:
        self._torch = torch
        self.device = str(torch.cuda.get_device_name(0))
        self.library = f"PyTorch {torch.__version__}"

    def stream(self, kind: str, elements: int) -> Callable[[], Any]:
        torch = self._torch
        a, b = (torch.ones(elements, device="cuda") for _ in range(2))
        if kind == "copy":
            return lambda: b.copy_(a)
        c = torch.empty_like(a)
        return lambda: torch.add(a, b, alpha=3.0, out=c)

    def product(self, ceiling: str, size: int) -> Callable[[], Any]:
        torch = self._torch
        names = {
            "bf16-tensor": "bfloat16",
            "fp16-tensor": "float16",
            "tf32-tensor": "float32",
            "fp32": "float32",
            "fp64": "float64",
        }
        dtype = getattr(torch, names[ceiling])
        a, b = (torch.randn(size, size, device="cuda", dtype=torch.float32).to(dtype) for _ in range(2))
        c = torch.empty_like(a)

        def run() -> None:
            torch.backends.cuda.matmul.allow_tf32 = ceiling == "tf32-tensor"
            torch.matmul(a, b, out=c)

        return run

    def launch(self) -> Callable[[], Any]:
        one = self._torch.zeros(1, device="cuda")
        return lambda: one.add_(1.0)

    def seconds(self, one: Callable[[], Any], repeats: int) -> float:
        cuda = self._torch.cuda
        start, end = (cuda.Event(enable_timing=True) for _ in range(2))
        cuda.synchronize()
        start.record()
        for _ in range(repeats):
            one()
        end.record()
        cuda.synchronize()
        return float(start.elapsed_time(end)) * 1e-3 / repeats


class _CupyGpu:
    """CuPy, with CUDA or ROCm."""

    products: tuple[str, ...] = ("fp16-tensor", "fp32", "fp64")

    def __init__(self, cupy: Any) -> None:
        self._cupy = cupy
        name = cupy.cuda.runtime.getDeviceProperties(0)["name"]
        self.device = name.decode() if isinstance(name, bytes) else str(name)
        self.library = f"CuPy {cupy.__version__}"
        self._triad = cupy.ElementwiseKernel("T a, T b", "T c", "c = a + (T)3 * b", "triad")

    def stream(self, kind: str, elements: int) -> Callable[[], Any]:
        cupy = self._cupy
        a, b = (cupy.ones(elements, cupy.float32) for _ in range(2))
        if kind == "copy":
            return lambda: cupy.copyto(b, a)
        c = cupy.empty_like(a)
        return lambda: self._triad(a, b, c)

    def product(self, ceiling: str, size: int) -> Callable[[], Any]:
        cupy = self._cupy
        dtype = {"fp16-tensor": cupy.float16, "fp32": cupy.float32, "fp64": cupy.float64}[ceiling]
        a, b = (cupy.random.rand(size, size).astype(dtype) for _ in range(2))
        c = cupy.empty_like(a)
        return lambda: cupy.matmul(a, b, out=c)

    def launch(self) -> Callable[[], Any]:
        one = self._cupy.zeros(1, self._cupy.float32)
        return lambda: self._cupy.add(one, 1, out=one)

    def seconds(self, one: Callable[[], Any], repeats: int) -> float:
        cuda = self._cupy.cuda
        start, end = cuda.Event(), cuda.Event()
        cuda.Device().synchronize()
        start.record()
        for _ in range(repeats):
            one()
        end.record()
        end.synchronize()
        return float(cuda.get_elapsed_time(start, end)) * 1e-3 / repeats


def find_gpu() -> Gpu | str:
    """Return the GPU that a library of the user's finds, or a sentence that says why none was measured."""
    told = []
    makers: tuple[tuple[str, Callable[[Any], Gpu | None]], ...] = (("torch", _torch), ("cupy", _cupy))
    for name, make in makers:
        try:
            found = make(import_module(name))
        except ImportError:
            told.append(f"{name} is not installed")
        except Exception as error:
            told.append(f"{name} fails: {type(error).__name__}: {error}")
        else:
            if found is not None:
                return found
            told.append(f"{name} finds no GPU")
    return f"No GPU was measured: {'; '.join(told)}."


def _torch(torch: Any) -> Gpu | None:
    return _TorchGpu(torch) if torch.cuda.is_available() else None


def _cupy(cupy: Any) -> Gpu | None:
    return _CupyGpu(cupy) if cupy.cuda.runtime.getDeviceCount() else None


def measure_gpu(
    gpu: Gpu, date: str, progress: Callable[[float], bool] | None = None, *, rounds: int = ROUNDS
) -> tuple[MeasuredMachine, Figure]:
    """Measure streams, products and launches on a GPU, interleaved; return the rates and the launch overhead.

    What the device cannot do, or has no memory for, is left out with a note.

    Raises
    ------
    MeasurementCancelled
        ``progress`` returned False.
    """
    elements = _ARRAY_BYTES // 4
    notes: list[str] = []
    amounts = {kind: count * 4.0 * elements for kind, count in _STREAMS.items()}
    amounts |= dict.fromkeys(gpu.products, 2.0 * _PRODUCT**3)
    amounts["launch"] = 1.0
    found: dict[str, list[float]] = {}
    for round_ in range(rounds):
        for at, key in enumerate(amounts):
            if progress is not None and not progress((round_ * len(amounts) + at) / (rounds * len(amounts))):
                raise MeasurementCancelled("Measuring was cancelled; nothing was written.")
            try:
                found.setdefault(key, []).append(_time(gpu, key, elements))
            except Exception as error:
                if round_ == 0:
                    notes.append(f"{key} was left out: {type(error).__name__}: {str(error)[:200]}")
    rates = {key: _reading(key, amounts[key], times) for key, times in found.items() if times}
    launches = found.get("launch") or [0.0]
    overhead = Figure(
        median(launches), "measured", f"{_LAUNCHES} launches in a row, one waits for the other", TOOL, date
    )
    machine = MeasuredMachine(
        gpu.device,
        TOOL,
        tuple(rates[key] for key in gpu.products if key in rates),
        tuple(rates[key] for key in _STREAMS if key in rates),
        date=date,
        conditions=gpu.library,
        notes=tuple(notes),
    )
    return machine, overhead


def _time(gpu: Gpu, key: str, elements: int) -> float:
    if key == "launch":
        return gpu.seconds(gpu.launch(), _LAUNCHES)
    one = gpu.stream(key, elements) if key in _STREAMS else gpu.product(key, _PRODUCT)
    gpu.seconds(one, 1)  # the first pass loads code and fetches pages
    return gpu.seconds(one, 10)


def _reading(key: str, amount: float, seconds: list[float]) -> CeilingReading:
    rates = sorted(amount / one for one in seconds)
    what = f"arrays of {format_quantity(_ARRAY_BYTES, 'B')}" if key in _STREAMS else f"product of {_PRODUCT}"
    return CeilingReading(
        "dram" if key in _STREAMS else key,
        rates[-1],
        median(rates),
        rates[0],
        rates[-1],
        len(rates),
        what,
        key,
    )


def gpu_profile(machine: MeasuredMachine, overhead: Figure) -> HardwareProfile | None:
    """Return a profile of the rates, or None where no product or no stream could be run."""
    if not machine.ceilings or not machine.boundaries:
        return None
    dram = max(machine.boundaries, key=lambda one: one.best)
    ids = [one.id for one in machine.ceilings]
    reference = next((one for one in ("bf16-tensor", "fp16-tensor") if one in ids), ids[0])
    slug = re.sub(r"[^a-z0-9]+", "-", machine.device.casefold()).strip("-") or "gpu"
    return HardwareProfile(
        id=f"measured-{slug}",
        name=f"{machine.device}, measured",
        short_name=f"{machine.device[:28]}, measured",
        vendor="AMD" if "AMD" in machine.device or "Radeon" in machine.device else "NVIDIA",
        architecture="",
        year=int(machine.date[:4]),
        ceilings={
            one.id: ComputeCeiling(one.id, _figure(one, "FLOP/s", machine)) for one in machine.ceilings
        },
        boundaries={"dram": Boundary("dram", "device memory", _figure(dram, "B/s", machine))},
        reference_ceiling=reference,
        launch_overhead=overhead if overhead.value > 0 else None,
        notes=(f"Measured with {TOOL} through {machine.conditions}.", *machine.notes),
    )


def _figure(one: CeilingReading, unit: str, machine: MeasuredMachine) -> Figure:
    assert one.median is not None
    assert one.low is not None
    spread = format_number(100 * (one.best - one.low) / one.median, digits=2)
    note = f"Best of {one.samples} runs; median {format_quantity(one.median, unit)}, runs within {spread}%."
    return Figure(one.best, "measured", f"{one.origin}, {one.condition}", TOOL, machine.date, note)
