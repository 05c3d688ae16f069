"""A trace of the PyTorch profiler (Kineto): the time of each kernel, and a model of its work where shapes allow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from plugins_builtin._measured.drafts import Advice, Draft, Traffic
from plugins_builtin._measured.json_pieces import JsonPieces
from plugins_builtin._measured.json_text import head_of_json
from plugins_builtin._measured.tables import READING_SHARE, built
from plugins_builtin._ncu.explain import counted
from plugins_builtin._ncu.values import Value
from plugins_builtin._torch_trace.events import Events, KernelEvent
from plugins_builtin._torch_trace.shapes import OPERATORS, pipe_of
from rooflinestudio.plugins import MeasurementError, MeasurementFile, format_quantity

if TYPE_CHECKING:
    from pathlib import Path

    from rooflinestudio.plugins import Progress

__all__ = ["looks_like_trace", "read_file"]

_ADVICE: Final = Advice(
    work="no W: a trace has no counters. Pair it with an operator, or profile the kernel with Nsight Compute",
    time="no duration in the trace",
    traffic="no Q: a trace has no counters, add them with ncu --set roofline or rocprof-compute",
)
_DIGITS: Final = 8
_RESOLUTION_S: Final = 0.5e-9  # times are printed in microseconds with three decimals


def looks_like_trace(head: bytes) -> bool:
    """Whether a file begins like a trace, plain or packed."""
    text = head_of_json(head)
    if not text:
        return False
    if text.startswith("["):
        return '"ph"' in text and '"cat"' in text
    if not text.startswith("{"):
        return False
    return '"traceEvents"' in text or ('"schemaVersion"' in text and '"deviceProperties"' in text)


def read_file(path: Path, progress: Progress | None = None) -> MeasurementFile:
    """Read a trace event by event.

    Raises
    ------
    MeasurementError
        The file cannot be read or is no trace.
    MeasurementCancelled
        ``progress`` returned False.
    """
    pieces = JsonPieces(path, "traceEvents", progress, READING_SHARE)
    events = Events()
    for event in pieces:
        events.add(event)
    if not events.total and (pieces.problem or not pieces.found_array):
        what = pieces.problem or "it has no list of traceEvents"
        raise MeasurementError(
            f"{path}: no trace of the PyTorch profiler: {what}. Export one with prof.export_chrome_trace(…)."
        )
    reader = _Drafting(events, pieces.rest)
    drafts = map(reader.draft, events.kernels)
    made = built(drafts, len(events.kernels), _ADVICE, path, progress)
    return MeasurementFile(
        str(path), "pytorch-trace", tuple(_warnings(events, pieces, reader)), made, pieces.digest
    )


class _Drafting:
    """Joins kernels to the operators that launched them."""

    def __init__(self, events: Events, rest: dict[str, Any]) -> None:
        self._events = events
        self._devices = _devices(rest.get("deviceProperties"))
        self._hip = events.hip or any(key.startswith("hip_") for key in rest)
        self._shares: dict[int, list[KernelEvent]] = {}
        self.modelled = 0
        for kernel in events.kernels:
            identity = events.operator_of(kernel)
            if identity is not None and identity in events.models:
                self._shares.setdefault(identity, []).append(kernel)

    def draft(self, kernel: KernelEvent) -> Draft:
        """One kernel with what is known of it."""
        draft = Draft(kernel.name, block=kernel.block)
        if kernel.time_s is not None:
            draft.time = Value(kernel.time_s, _RESOLUTION_S, "dur × 1e-6")
        draft.device, draft.compute_capability = self._device(kernel)
        draft.grid = self._grid(kernel)
        self._model(kernel, draft)
        return draft

    def _device(self, kernel: KernelEvent) -> tuple[str | None, str | None]:
        known = self._devices.get(-1 if kernel.device is None else kernel.device)
        if known is None and len(self._devices) == 1:
            (known,) = (
                self._devices.values()
            )  # a process that sees one device calls it 0, the driver by its number
        name, capability = known or (None, None)
        return name, None if self._hip else capability

    def _grid(self, kernel: KernelEvent) -> tuple[int, int, int] | None:
        """Blocks; ROCm writes work-items in their place."""
        if not self._hip or kernel.grid is None:
            return kernel.grid
        if kernel.block is None or not all(kernel.block):
            return None
        x, y, z = (-(-items // size) for items, size in zip(kernel.grid, kernel.block, strict=True))
        return x, y, z

    def _model(self, kernel: KernelEvent, draft: Draft) -> None:
        identity = self._events.operator_of(kernel)
        model = None if identity is None else self._events.models.get(identity)
        if identity is None or model is None:
            draft.missing = (self._why_no_model(identity),)
            return
        operator, together = self._events.operators[identity], self._shares[identity]
        if kernel is not max(together, key=lambda one: one.time_s or 0.0):
            draft.missing = (
                f"no W: {operator} launched {len(together)} kernels, and its work stands with the longest",
            )
            return
        self.modelled += 1
        several = f"; the longest of {len(together)} kernels" if len(together) > 1 else ""
        pipe = pipe_of(model.dtype, kernel.name, amd=self._hip)
        work = Value(model.flop, 0.0, f"model, not measured: {operator}, {model.work_text}{several}")
        least = Value(
            model.least_bytes,
            0.0,
            f"model, not measured: compulsory traffic of {operator}, {model.traffic_text}",
        )
        draft.work[pipe] = work.bounded("estimated")
        draft.traffic["dram"] = Traffic(least.bounded("lower"))
        draft.notes = (
            f"W and Q are a model from the shapes of {operator}: Q is the least that is possible, so the intensity "
            "is an upper bound. Only the time was measured.",
        )

    def _why_no_model(self, identity: int | None) -> str:
        operator = None if identity is None else self._events.operators.get(identity)
        if operator is None:
            return "no W: the trace does not say which operator launched this kernel"
        if operator not in OPERATORS:
            return f"no W: {operator} is no matrix product or convolution whose work follows from shapes"
        if not self._events.shapes_recorded:
            return f"no W: the shapes of {operator} were not recorded; profile with record_shapes=True"
        return f"no W: the shapes or formats of {operator} were not recorded in full"


def _devices(properties: Any) -> dict[int, tuple[str | None, str | None]]:
    found: dict[int, tuple[str | None, str | None]] = {}
    for one in properties[:1024] if isinstance(properties, list) else ():
        if isinstance(one, dict) and type(one.get("id")) is int and isinstance(one.get("name"), str):
            major, minor = one.get("computeMajor"), one.get("computeMinor")
            known = type(major) is int and type(minor) is int and 0 < major < 100 and 0 <= minor < 100
            found[one["id"]] = (one["name"][:200], f"{major}.{minor}" if known else None)
    return found


def _warnings(events: Events, pieces: JsonPieces, reader: _Drafting) -> list[str]:
    texts: list[str] = []
    if pieces.problem:
        texts.append(f"The trace was read up to a fault: {pieces.problem}. What stood before was taken.")
    kernels = len(events.kernels)
    if not kernels:
        texts.append(
            f"There is no kernel among {counted(events.total, 'event', 'events')}: profile with "
            "activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA] and run something on the GPU."
        )
    else:
        seconds = sum(kernel.time_s or 0.0 for kernel in events.kernels)
        texts.append(
            f"{counted(kernels, 'kernel', 'kernels')} of {_in_full(seconds)} together. "
            + (
                f"W and Q of {reader.modelled:,} are a model from the shapes of their operators, not measured; "
                if reader.modelled
                else "Their W and Q are not known: "
            )
            + "a trace has no counters."
        )
    if kernels and not events.shapes_recorded:
        texts.append("No operator has the shapes of its inputs: profile with record_shapes=True.")
    if events.copies:
        texts.append(f"Left out: {counted(events.copies, 'copy or fill', 'copies and fills')} of memory.")
    if events.too_many:
        texts.append(
            f"Left out: {counted(events.too_many, 'kernel', 'kernels')} beyond the first {kernels:,}."
        )
    if events.odd or pieces.too_large:
        texts.append(
            f"Passed over: {events.odd:,} events that are none, {pieces.too_large:,} values too large."
        )
    return texts


def _in_full(seconds: float) -> str:
    """Write a time with all its digits, without zeros at their end."""
    number, _, unit = format_quantity(seconds, "s", digits=_DIGITS).rpartition(" ")
    return f"{number.rstrip('0').rstrip('.') if '.' in number else number} {unit}"
