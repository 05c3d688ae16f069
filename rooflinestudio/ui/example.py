"""The example study: the kernels of a layer of a 70 B model, prefill and decode, beside what only moves bytes.

Built from code, so that it is always a valid study of this version; it needs no Qt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.study import Entry, PluginRef, Study, View

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placing import EstimateSource

__all__ = ["EXAMPLE_MACHINES", "example_study"]

EXAMPLE_MACHINES: Final = ("nvidia-h100-sxm5", "nvidia-a100-sxm4-80gb")
"""Profile ids, the strong roof first."""

_LAYER, _DECODE, _BYTES = "Llama 70B layer", "Decode", "Bandwidth bound"

_ATTENTION: Final = {
    "batch": 1, "heads": 64, "kv_heads": 8, "seq_q": 4096, "seq_kv": 4096, "head_dim": 128, "causal": True,
}  # fmt: skip
_DECODE_ATTENTION: Final = {"batch": 32, "heads": 64, "kv_heads": 8, "context": 4096, "head_dim": 128}
_TOKENS: Final = {"tokens": 65536, "width": 8192}
_SQUARE: Final = {"m": 4096, "n": 4096, "k": 4096}


def example_study(profiles: Iterable[HardwareProfile], source: EstimateSource | None = None) -> Study:
    """Return the study, modelled at HBM.

    Parameters
    ----------
    profiles
        The machines to hold it against, normally those of :data:`EXAMPLE_MACHINES`.
    source
        Tells which plugin each operator comes from; left out, the entries do not say.
    """
    machines = {one.id: one for one in profiles}
    return Study(
        entries=tuple(_entries(source)),
        profiles=machines,
        view=View(machines=tuple(machines), boundary="dram", policy="modelled"),
        notes="Kernels of one layer of a 70 B model: width 8192, 64 heads, 8 of them for keys and values, in bf16.",
    )


def _entries(source: EstimateSource | None) -> Iterable[Entry]:
    gemm = _entry(source, "gemm-1", "gemm", _SQUARE, "GEMM 4096³", slot=0, group=_LAYER)
    yield gemm
    yield from _variants(source)
    yield _entry(
        source,
        "attention-1",
        "attention",
        {**_ATTENTION, "implementation": "flash"},
        "Attention, flash",
        slot=2,
        group=_LAYER,
    )
    yield _entry(
        source,
        "attention-2",
        "attention",
        {**_ATTENTION, "implementation": "naive"},
        "Attention, naive",
        slot=3,
        group=_LAYER,
    )
    yield _entry(
        source,
        "gemm-4",
        "gemm",
        {"m": 1, "n": 8192, "k": 8192},
        "Decode GEMV, batch 1",
        slot=1,
        group=_DECODE,
    )
    yield _entry(
        source,
        "attention-decode-1",
        "attention_decode",
        _DECODE_ATTENTION,
        "Decode attention, GQA 8",
        slot=5,
        group=_DECODE,
    )
    yield _entry(source, "rmsnorm-1", "rmsnorm", _TOKENS, "RMSNorm", slot=6, group=_BYTES)
    yield _entry(
        source, "adam-1", "adam", {"parameter_count": 7e9}, "Adam, 7 B parameters", slot=4, group=_BYTES
    )
    yield _entry(source, "cast-1", "cast", {**_TOKENS, "to": "fp32"}, "Cast to fp32", slot=7, group=_BYTES)


def _variants(source: EstimateSource | None) -> Iterable[Entry]:
    """Return what the compare tab shows beside the product; they stand on the same spot, so the canvas hides them."""
    common: dict[str, Any] = {"variant_of": "gemm-1", "slot": 0, "group": _LAYER, "visible": False}
    tile = {**_SQUARE, "tile_m": 256, "tile_n": 128}
    yield _entry(source, "gemm-2", "gemm", tile, "tile 256 × 128", **common)
    # Only where there is an fp8 pipe: on the A100 it would be refused, rightly, and an example should hold.
    fp8: dict[str, Any] = {"dtypes": {"all": "fp8"}, "machines": ("nvidia-h100-sxm5",)}
    yield _entry(source, "gemm-3", "gemm", _SQUARE, "fp8 operands, fp8 out", **fp8, **common)


def _entry(
    source: EstimateSource | None,
    id_: str,
    operator: str,
    parameters: Mapping[str, Any],
    label: str,
    **more: Any,
) -> Entry:
    plugin = PluginRef()
    if source is not None:
        origin = source.origin(operator)
        plugin = PluginRef(origin.plugin, origin.version)
    return Entry(id_, operator, plugin, dict(parameters), label=label, **more)
