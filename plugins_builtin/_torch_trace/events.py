"""Events of a trace, sorted while they pass: kernels, the operators that launched them, and what is neither."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from plugins_builtin._measured.drafts import usable
from plugins_builtin._measured.tables import MOST_KERNELS
from plugins_builtin._torch_trace.shapes import OPERATORS, Modelled, modelled

__all__ = ["Events", "KernelEvent"]

_CALLS: Final = frozenset(("cuda_runtime", "cuda_driver", "hip_runtime", "runtime", "driver"))
_COPIES: Final = frozenset(("gpu_memcpy", "gpu_memset", "memcpy", "memset"))
_OPERATORS: Final = frozenset(("cpu_op", "operator"))
_LONGEST_NAME: Final = 20_000
_LARGEST_ID: Final = 2**63


class KernelEvent(NamedTuple):
    """One kernel as the trace has it; time in s, ids None where they are missing."""

    name: str
    time_s: float | None
    external: int | None
    correlation: int | None
    device: int | None
    grid: tuple[int, int, int] | None
    block: tuple[int, int, int] | None


@dataclass(slots=True)
class Events:
    """What the events of a trace hold.

    Attributes
    ----------
    operators, models
        Name and model of an operator by its ``External id``.
    external_of
        ``External id`` of a runtime call by its ``correlation``.
    copies, too_many, odd
        Copies and fills; kernels beyond the limit; events that are no JSON object or have no duration.
    shapes_recorded
        Whether any operator has the shapes of its inputs.
    """

    kernels: list[KernelEvent] = field(default_factory=list)
    operators: dict[int, str] = field(default_factory=dict)
    models: dict[int, Modelled] = field(default_factory=dict)
    external_of: dict[int, int] = field(default_factory=dict)
    total: int = 0
    copies: int = 0
    too_many: int = 0
    odd: int = 0
    shapes_recorded: bool = False
    hip: bool = False

    def add(self, event: Any) -> None:
        """Take one event, whatever it is."""
        self.total += 1
        if not isinstance(event, dict):
            self.odd += 1
            return
        kind = str(event.get("cat", "")).lower()
        arguments = event.get("args")
        arguments = arguments if isinstance(arguments, dict) else {}
        if kind == "kernel" and event.get("ph", "X") == "X":
            self._kernel(event, arguments)
        elif kind in _OPERATORS:
            self._operator(event, arguments)
        elif kind in _CALLS:
            self.hip = self.hip or str(event.get("name", "")).startswith("hip")
            external, correlation = _external(arguments), _identity(arguments.get("correlation"))
            if external is not None and correlation is not None:
                self.external_of.setdefault(correlation, external)
        elif kind in _COPIES:
            self.copies += 1

    def _kernel(self, event: dict[str, Any], arguments: dict[str, Any]) -> None:
        if len(self.kernels) >= MOST_KERNELS:
            self.too_many += 1
            return
        micros = _number(event.get("dur"))
        self.kernels.append(
            KernelEvent(
                sys.intern(str(event.get("name") or "(no name)")[:_LONGEST_NAME]),
                micros / 1e6 if micros else None,
                _external(arguments),
                _identity(arguments.get("correlation")),
                _identity(arguments.get("device")),
                _dimensions(arguments.get("grid")),
                _dimensions(arguments.get("block")),
            )
        )

    def _operator(self, event: dict[str, Any], arguments: dict[str, Any]) -> None:
        identity = _external(arguments)
        if identity is None:
            return
        name = sys.intern(str(event.get("name", ""))[:200])
        self.operators.setdefault(identity, name)
        self.shapes_recorded = self.shapes_recorded or "Input Dims" in arguments
        if name in OPERATORS:
            model = modelled(name, arguments)
            if model is not None and usable(model.flop) and usable(model.least_bytes):
                self.models.setdefault(identity, model)

    def operator_of(self, kernel: KernelEvent) -> int | None:
        """``External id`` of the operator that launched a kernel; None where the trace does not say."""
        if kernel.external is not None:
            return kernel.external
        return None if kernel.correlation is None else self.external_of.get(kernel.correlation)


def _external(arguments: dict[str, Any]) -> int | None:
    found = arguments.get("External id")
    return _identity(arguments.get("external id") if found is None else found)


def _identity(value: Any) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 19:
        return int(value)
    return value if type(value) is int and 0 <= value < _LARGEST_ID else None


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) and number >= 0 and usable(number) else None


def _dimensions(value: Any) -> tuple[int, int, int] | None:
    if not isinstance(value, list) or len(value) != 3:
        return None
    if not all(type(one) is int and 0 <= one < 2**32 for one in value):
        return None
    x, y, z = value
    return x, y, z
