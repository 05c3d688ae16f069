"""Work by pipe: CUDA-core arithmetic from thread instructions, tensor cores from counted operations.

A multiply-add counts 2. Half-precision instructions count as packed pairs, the way the profiler's own charts do.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from plugins_builtin._ncu.metrics import SASS
from plugins_builtin._ncu.tensor import ADD_TENSOR, tensor_work
from plugins_builtin._ncu.values import Value, best, total

if TYPE_CHECKING:
    from plugins_builtin._ncu.counters import Counters
    from plugins_builtin._ncu.values import Bound

__all__ = ["ADD_WORK", "Work", "find_work"]

ADD_WORK: Final = f"smsp__{SASS}_{{fadd,fmul,ffma}}_pred_on.sum, or collect --set roofline"
"""What to collect for fp32 work, in words."""

_WEIGHT: Final = re.compile(r"\d × ")
_VOLTA: Final = "7.0"
_ALL_ON_PIPE: Final = ("7.", "8.")
_TENSOR_INSTRUCTIONS: Final = ("sm__inst_executed_pipe_tensor", "smsp__inst_executed_pipe_tensor")
_HALF_FMA: Final = (f"smsp__{SASS}_hfma_pred_on", f"sm__{SASS}_hfma_pred_on")
_PACKED_HALF: Final = (
    "tensor-pipe instructions equal HFMA / 32: packed half-precision instructions that run on that pipe, "
    "no tensor-core work"
)
_FLOP_PER_HMMA_884: Final = 512.0
_THREADS_PER_WARP: Final = 32.0


class _Precision(NamedTuple):
    pipe: str
    letter: str
    weights: dict[str, float]
    grouped: str
    packed: dict[str, float]


_PRECISIONS: Final = (
    _Precision(
        "fp32",
        "f",
        {"add": 1.0, "mul": 1.0, "fma": 2.0},
        "fadd_fmul_ffma",
        {"add2": 2.0, "mul2": 2.0, "fma2": 4.0},
    ),
    _Precision("fp64", "d", {"add": 1.0, "mul": 1.0, "fma": 2.0}, "dadd_dmul_dfma", {}),
    _Precision("fp16", "h", {"add": 2.0, "mul": 2.0, "fma": 4.0}, "hadd_hmul_hfma", {}),
)


class Work(NamedTuple):
    """Work by pipe, and what has to be said about it.

    Attributes
    ----------
    by_pipe
        FLOP, or FLOP/s. Zeros stand here only where they are a finding: all of fp32 was counted, and no tensor
        work can hide.
    notes
        Remarks, such as counts that cannot be converted.
    reason
        Why ``by_pipe`` is empty and what to collect, or why it holds zeros only; None where there is work.
    """

    by_pipe: dict[str, Value]
    notes: tuple[str, ...]
    reason: str | None


def find_work(counters: Counters, compute_capability: str | None, *, as_rates: bool) -> Work:
    """Work of one launch by pipe, in FLOP, or in FLOP/s where there are rates but no time."""
    vector = {
        precision.pipe: found
        for precision in _PRECISIONS
        if (found := _vector_work(counters, precision, as_rates=as_rates)) is not None
    }
    stems = {name.partition(".")[0] for name in counters.values if name.startswith("sm__ops_path_tensor")}
    lookup = counters.rate if as_rates else counters.amount
    counted = [(stem, found) for stem in sorted(stems) if (found := lookup(stem)) is not None]
    tensor = tensor_work(counted, compute_capability)
    notes: tuple[str, ...] = ()
    hidden = False
    if not tensor:
        converted, note = _tensor_instructions(counters, compute_capability, as_rates=as_rates)
        pipe = "fp16-tensor" if compute_capability == _VOLTA else "tensor"  # none, of whatever type
        tensor = {} if converted is None else {pipe: converted}
        notes = (note,) if note else ()
        hidden = note not in ("", _PACKED_HALF)
    return _conclude(vector, tensor, notes, hidden=hidden)


def _conclude(
    vector: dict[str, Value], tensor: dict[str, Value], notes: tuple[str, ...], *, hidden: bool
) -> Work:
    everything = {**vector, **tensor}
    positive = {pipe: value for pipe, value in everything.items() if value.value > 0}
    certain = {pipe: value for pipe, value in everything.items() if value.value > 0 or not value.bound}
    if positive:
        return Work(certain, notes, None)
    if hidden:
        return Work(
            {}, (), f"the work is on tensor cores and was not counted in operations: add {ADD_TENSOR}"
        )
    fp32 = vector.get("fp32")
    if fp32 is None or fp32.bound:
        counted = [f"{pipe} in part" if value.bound else pipe for pipe, value in everything.items()]
        beyond = f" beyond {', '.join(counted)} (0)" if counted else ""
        return Work({}, notes, f"no FLOP counters collected{beyond}: add {ADD_WORK}")
    pipes = ", ".join(pipe for pipe in certain)
    unseen = "" if tensor else f"; tensor cores were not counted: if the kernel uses them, add {ADD_TENSOR}"
    measured = "measured" if fp32.error != math.inf else "by the roofline rule (whole percents of the peak)"
    return Work(certain, notes, f"W = 0 {measured} on {pipes}: no place on a FLOP roofline{unseen}")


def _vector_work(counters: Counters, precision: _Precision, *, as_rates: bool) -> Value | None:
    """Count adds, multiplies and multiply-adds of one precision; a lower bound where one is missing."""
    found: dict[str, Value] = {}
    by_rule = _nothing_by_rule(counters, precision.pipe)
    for operation, weight in (*precision.weights.items(), *precision.packed.items()):
        part = _operations(counters, precision.letter + operation, weight, as_rates=as_rates)
        if part is not None:
            found[precision.letter + operation] = part
    if not found:
        return _grouped_work(counters, precision, as_rates=as_rates) or by_rule
    texts = tuple((name, part.text) for name, part in found.items())
    work = total(list(found.values()), _summed_text(texts))
    if precision.pipe == "fp16" and work.value > 0:
        work = work.bounded("upper", "every half instruction counted as a packed pair")
    missing = [name for name in map(precision.letter.__add__, precision.weights) if name not in found]
    if missing:
        # With a whole counter unknown, the pairing no longer makes it an upper bound.
        note = f"{', '.join(missing)} not collected"
        bound: Bound = "estimated" if work.bound else "lower"
        work = Value(work.value, work.error, f"{work.text}; {note}", bound)
    return work


def _nothing_by_rule(counters: Counters, pipe: str) -> Value | None:
    """Zero work where the roofline rule prints 0 percent of the peak: rounded, by how much the page does not say."""
    share = counters.get(f"rule__{pipe}.pct_of_peak")
    return Value(0.0, math.inf, share.text) if share is not None and share.value == 0 else None


@lru_cache(maxsize=512)
def _summed_text(parts: tuple[tuple[str, str], ...]) -> str:
    """Recipe of a sum over kinds of instruction, shortened where only the instruction differs."""
    patterns = {_WEIGHT.sub("", text.replace(name, "*")) for name, text in parts}
    if len(patterns) > 1 or len(parts) == 1:
        return " + ".join(text for _, text in parts)
    weights = [_WEIGHT.match(text) for _, text in parts]
    terms = [
        f"{weight.group() if weight else ''}{name}" for (name, _), weight in zip(parts, weights, strict=True)
    ]
    return f"{' + '.join(terms)}, each {patterns.pop()}"


def _operations(counters: Counters, name: str, weight: float, *, as_rates: bool) -> Value | None:
    """Work of one kind of instruction, by whichever of its counters is printed best."""
    stems, derived = _counters_of(name, weight)
    lookup = counters.rate if as_rates else counters.amount
    found = best([lookup(stem) for stem in stems if stem in counters.stems])
    if found is not None and weight != 1.0:
        found = found.scaled(weight, f"{weight:.0f} × {found.text}")
    if found is not None and not found.error:
        return found
    return best((found, counters.per_cycle(derived, as_rate=as_rates)))


@lru_cache(maxsize=64)
def _counters_of(name: str, weight: float) -> tuple[tuple[str, str], str]:
    """Counters of one kind of instruction, and the metric of a section that has multiplied it already."""
    stem = f"{SASS}_{name}_pred_on"
    return (f"smsp__{stem}", f"sm__{stem}"), f"derived__smsp__{stem}_x{weight:.0f}"


def _grouped_work(counters: Counters, precision: _Precision, *, as_rates: bool) -> Value | None:
    """Lower bound from a counter of adds, multiplies and multiply-adds together.

    It does not say whether a multiply-add counts 1 or 2, so the true work is between it and twice it.
    """
    lookup = counters.rate if as_rates else counters.amount
    found = best(lookup(f"{prefix}__{SASS}s_{precision.grouped}_pred_on") for prefix in ("smsp", "sm"))
    if found is None:
        return None
    return found.bounded("lower", "adds and multiply-adds in one counter; the work is up to twice this")


def _tensor_instructions(
    counters: Counters, compute_capability: str | None, *, as_rates: bool
) -> tuple[Value | None, str]:
    """Work from counted tensor instructions, where one instruction has one size or there are none; else a remark."""
    found = _instructions(counters, _TENSOR_INSTRUCTIONS, as_rates=as_rates)
    if found is None:
        return None, ""
    if compute_capability == _VOLTA:
        return found.scaled(_FLOP_PER_HMMA_884, f"512 × {found.text} (HMMA.884, compute capability 7.0)"), ""
    if not found.value:  # later chips have matrix instructions that this counter may not see
        counts_all = (compute_capability or "").startswith(_ALL_ON_PIPE)
        return (found.scaled(1.0, f"no instruction in {found.text}") if counts_all else None), ""
    if _only_packed_half(counters, as_rates=as_rates):
        return found.scaled(0.0, f"{found.text} counts HFMA / 32 and nothing else"), _PACKED_HALF
    where = f"compute capability {compute_capability}" if compute_capability else "an unknown chip"
    return None, (
        f"tensor-core instructions were counted but cannot be converted to FLOP on {where}: add {ADD_TENSOR}"
    )


def _only_packed_half(counters: Counters, *, as_rates: bool) -> bool:
    """Whether the tensor pipe ran HFMA2 alone, as on GA100, where that pipe also does packed half arithmetic."""
    tensor = _instructions(counters, _TENSOR_INSTRUCTIONS, as_rates=as_rates)
    half = _instructions(counters, _HALF_FMA, as_rates=as_rates)
    if tensor is None or half is None:
        return False
    rounding = tensor.error * _THREADS_PER_WARP + half.error
    return abs(tensor.value * _THREADS_PER_WARP - half.value) <= rounding + 1e-6 * half.value


def _instructions(counters: Counters, stems: tuple[str, ...], *, as_rates: bool) -> Value | None:
    lookup = counters.rate if as_rates else counters.amount
    return best(lookup(stem) for stem in stems)
