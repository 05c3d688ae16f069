"""Work, traffic and time of AMD counters, as rocprof-compute (formerly Omniperf) collects them.

=========  ==========================================================================================
figure     recipe
=========  ==========================================================================================
time       end - start time stamp, in ns
W vector   64 x (ADD + MUL + TRANS + 2 x FMA) of ``SQ_INSTS_VALU_*``: all 64 lanes of a wave, so an upper bound
W matrix   512 x ``SQ_INSTS_VALU_MFMA_MOPS_*``
dram       32 x RDREQ_32B + 64 x (RDREQ - RDREQ_32B) + 64 x WRREQ_64B + 32 x (WRREQ - WRREQ_64B) of ``TCC_EA``;
           on CDNA 3 (``TCC_EA0``) ``TCC_BUBBLE`` counts reads of 128 bytes
l2         64 x requests from L1 to L2 (``TCP_TCC_*_REQ``)
l1         64 x ``TCP_TOTAL_CACHE_ACCESSES``, cache lines of MI200; 128 on CDNA 3
shared     128 x (``SQ_LDS_IDX_ACTIVE`` - ``SQ_LDS_BANK_CONFLICT``): the width of all banks, an upper bound
=========  ==========================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plugins_builtin._measured.drafts import Advice, Traffic
from plugins_builtin._ncu.values import Value

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ADVICE", "is_wanted", "traffic_of", "work_of"]

Counters = dict[str, float]

ADVICE: Final = Advice(
    work="no FLOP counters: profile with rocprof-compute profile --roof-only, or without --block",
    time="no time stamps: profile with rocprof-compute profile, which collects them",
    traffic="no traffic counters (TCC_EA_RDREQ, TCC_EA_WRREQ): profile with rocprof-compute profile --roof-only",
)

_LANES: Final = 64.0  # lanes of a wave
_MATRIX: Final = 512.0  # FLOP that one count of MFMA_MOPS stands for
_VECTOR: Final = {"fp64": "F64", "fp32": "F32", "fp16": "F16"}
_TENSOR: Final = {
    "fp64-tensor": "F64", "fp32-tensor": "F32", "tf32-tensor": "XF32", "bf16-tensor": "BF16", "fp16-tensor": "F16",
    "fp8-tensor": "F8", "int8-tensor": "I8",
}  # fmt: skip
_ALL_MATRIX: Final = ("F64", "F32", "F16", "BF16", "I8")
"""Formats that every generation counts."""
_KINDS: Final = ("ADD", "MUL", "TRANS", "FMA")
_REQUESTS: Final = (
    "TCP_TCC_READ_REQ",
    "TCP_TCC_WRITE_REQ",
    "TCP_TCC_ATOMIC_WITH_RET_REQ",
    "TCP_TCC_ATOMIC_WITHOUT_RET_REQ",
)
_EA: Final = ("RDREQ", "RDREQ_32B", "WRREQ", "WRREQ_64B")
_WANTED: Final = frozenset((
    *(f"SQ_INSTS_VALU_{kind}_{letters}" for letters in _VECTOR.values() for kind in _KINDS),
    *(f"SQ_INSTS_VALU_MFMA_MOPS_{letters}" for letters in _TENSOR.values()),
    *_REQUESTS,
    *(f"{unit}_{name}" for unit in ("TCC_EA", "TCC_EA0") for name in _EA),
    "TCC_BUBBLE",
    "TCP_TOTAL_CACHE_ACCESSES",
    "SQ_LDS_IDX_ACTIVE",
    "SQ_LDS_BANK_CONFLICT",
))  # fmt: skip


def is_wanted(counter: str) -> bool:
    """Whether a recipe uses a counter, given without ``_sum`` and channel number."""
    return counter in _WANTED


def work_of(counters: Mapping[str, float]) -> dict[str, Value]:
    """Work by pipe; of pipes without work only those whose counters were all there."""
    found: dict[str, Value] = {}
    for pipe, letters in _VECTOR.items():
        value = _vector(counters, letters)
        if value is not None and (value.value > 0 or value.bound == "upper"):
            found[pipe] = value
    # Where all formats were counted, no matrix work is a finding.
    complete = all(f"SQ_INSTS_VALU_MFMA_MOPS_{letters}" in counters for letters in _ALL_MATRIX)
    for pipe, letters in _TENSOR.items():
        name = f"SQ_INSTS_VALU_MFMA_MOPS_{letters}"
        if counters.get(name) or (complete and name in counters):
            found[pipe] = Value(_MATRIX * counters[name], 0.0, f"512 × {name}")
    return found


def _vector(counters: Mapping[str, float], letters: str) -> Value | None:
    names = {kind: f"SQ_INSTS_VALU_{kind}_{letters}" for kind in _KINDS}
    parts = {kind: counters[name] for kind, name in names.items() if name in counters}
    if not parts:
        return None
    instructions = sum(amount * (2.0 if kind == "FMA" else 1.0) for kind, amount in parts.items())
    text = " + ".join(("2 × " if kind == "FMA" else "") + names[kind] for kind in parts)
    value = Value(_LANES * instructions, 0.0, f"64 × ({text})")
    value = value.bounded("upper", "all 64 lanes counted, switched-off ones too")
    missing = [name for kind, name in names.items() if kind not in parts]
    return value.bounded("lower", f"{', '.join(missing)} not collected") if missing else value


def traffic_of(counters: Mapping[str, float]) -> dict[str, Traffic]:
    """Traffic by boundary; counters that contradict each other give none."""
    found = {
        "dram": _dram(counters, "TCC_EA") or _dram(counters, "TCC_EA0"),
        "l2": _l2(counters),
        "l1": _l1(counters),
        "shared": _shared(counters),
    }
    return {name: traffic for name, traffic in found.items() if traffic is not None}


def _dram(counters: Mapping[str, float], unit: str) -> Traffic | None:
    all_reads, small = counters.get(f"{unit}_RDREQ"), counters.get(f"{unit}_RDREQ_32B")
    all_writes, large = counters.get(f"{unit}_WRREQ"), counters.get(f"{unit}_WRREQ_64B")
    if all_reads is None and all_writes is None:
        return None
    new = unit == "TCC_EA0"
    wide = counters.get("TCC_BUBBLE", 0.0) if new else 0.0
    reads, writes = all_reads or 0.0, all_writes or 0.0
    read_bytes = 32.0 * (small or 0.0) + 128.0 * wide + 64.0 * (reads - (small or 0.0) - wide)
    write_bytes = 64.0 * (large or 0.0) + 32.0 * (writes - (large or 0.0))
    if (small or 0.0) + wide > reads or (large or 0.0) > writes:
        return None
    text = f"32 × {unit}_RDREQ_32B + 64 × ({unit}_RDREQ - {unit}_RDREQ_32B)"
    if new:
        text = (
            f"32 × {unit}_RDREQ_32B + 128 × TCC_BUBBLE + 64 × ({unit}_RDREQ - TCC_BUBBLE - {unit}_RDREQ_32B)"
        )
    writing = f"64 × {unit}_WRREQ_64B + 32 × ({unit}_WRREQ - {unit}_WRREQ_64B)"
    total = Value(read_bytes + write_bytes, 0.0, f"{text} + {writing}")
    if all_reads is None or all_writes is None:
        lacking = "RDREQ" if all_reads is None else "WRREQ"
        total = total.bounded("lower", f"{unit}_{lacking} not collected")
    elif small is None or large is None or (new and "TCC_BUBBLE" not in counters):
        total = total.bounded("estimated", "the size of some requests was not collected")
    return Traffic(
        total,
        None if all_reads is None else Value(read_bytes, 0.0, text),
        None if all_writes is None else Value(write_bytes, 0.0, writing),
    )


def _l2(counters: Mapping[str, float]) -> Traffic | None:
    names = [name for name in _REQUESTS if name in counters]
    if not names:
        return None
    amount = Value(64.0 * sum(counters[name] for name in names), 0.0, f"64 × ({' + '.join(names)})")
    if "TCP_TCC_READ_REQ" not in counters or "TCP_TCC_WRITE_REQ" not in counters:
        return Traffic(amount.bounded("lower", "one direction was not collected"))
    return Traffic(amount.bounded("estimated", "each request taken as 64 bytes"))


def _l1(counters: Mapping[str, float]) -> Traffic | None:
    name = "TCP_TOTAL_CACHE_ACCESSES"
    if name not in counters:
        return None
    if "TCC_EA0_RDREQ" in counters:  # CDNA 3 doubled the line of L1
        amount = Value(128.0 * counters[name], 0.0, f"128 × {name}")
        return Traffic(amount.bounded("estimated", "each access taken as a whole line of CDNA 3"))
    return Traffic(Value(64.0 * counters[name], 0.0, f"64 × {name}"))


def _shared(counters: Mapping[str, float]) -> Traffic | None:
    active, conflicts = counters.get("SQ_LDS_IDX_ACTIVE"), counters.get("SQ_LDS_BANK_CONFLICT", 0.0)
    if not active or conflicts > active:
        return None
    amount = Value(128.0 * (active - conflicts), 0.0, "128 × (SQ_LDS_IDX_ACTIVE - SQ_LDS_BANK_CONFLICT)")
    return Traffic(amount.bounded("upper", "each active cycle taken as the full width of all banks"))
