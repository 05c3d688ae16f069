"""What a multiprocessor of each architecture does per clock, dense, as the vendors' papers and data sheets give it.

The rates follow from published peak / (multiprocessors × clock), which is a power of two within 1.5 % for nearly
every part (NVIDIA architecture papers; AMD CDNA and RDNA papers, where a compute unit stands for a multiprocessor).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.hardware import HardwareProfile

__all__ = ["FAMILIES", "Family", "family_of", "is_geforce"]


@dataclass(frozen=True, slots=True)
class Family:
    """One architecture.

    Attributes
    ----------
    name
        For people.
    tensor
        FLOP per clock and multiprocessor of the 16-bit matrix pipe, dense; 0 where only ratios are known.
    ratios
        Rate of each matrix format as a multiple of that; what is not there is not judged.
    vector
        FLOP per clock and multiprocessor of fp32, a multiply-add as two: the usual count, then others that occur.
    shared
        Bytes per clock and multiprocessor of shared memory; 0 where not known.
    links
        By id of a link, the rates that parts of this family have, one direction, all links of the device together.
    """

    name: str
    tensor: float = 0.0
    ratios: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    vector: tuple[float, ...] = ()
    shared: float = 0.0
    links: Mapping[str, tuple[float, ...]] = field(default_factory=lambda: MappingProxyType({}))


_HALF_UP: Final = {"bf16": 1.0, "fp16": 1.0, "tf32": 0.5, "int8": 2.0}
_EIGHT: Final = {**_HALF_UP, "fp8": 2.0}
_BLACKWELL: Final = {**_EIGHT, "fp6": 2.0, "fp4": 4.0}


def _nvidia(
    name: str, tensor: float, ratios: dict[str, float], lanes: int, nvlink: tuple[float, ...] = ()
) -> Family:
    return Family(
        name,
        tensor,
        MappingProxyType(ratios),
        (2.0 * lanes,),
        128.0,
        MappingProxyType({"nvlink": nvlink, "c2c": (450e9,)}),
    )


def _amd(
    name: str,
    tensor: float,
    ratios: dict[str, float],
    vector: tuple[float, ...],
    xgmi: tuple[float, ...] = (),
) -> Family:
    return Family(name, tensor, MappingProxyType(ratios), vector, 128.0, MappingProxyType({"xgmi": xgmi}))


def _ratios(name: str, links: dict[str, tuple[float, ...]] | None = None, **ratios: float) -> Family:
    return Family(name, ratios=MappingProxyType(ratios), links=MappingProxyType(links or {}))


FAMILIES: Final[Mapping[str, Family]] = MappingProxyType(
    {
        "pascal": _nvidia("Pascal", 0, {}, 64, (80e9,)),
        "volta": _nvidia("Volta", 1024, {"fp16": 1}, 64, (150e9,)),
        "turing": _nvidia("Turing", 1024, {"fp16": 1, "int8": 2, "int4": 4}, 64, (50e9, 25e9)),
        "ga100": _nvidia(
            "Ampere (GA100)", 2048, {**_HALF_UP, "int4": 4, "fp64": 1 / 16}, 64, (300e9, 200e9, 100e9)
        ),
        "ga10b": _nvidia("Ampere (GA10B)", 2048, {**_HALF_UP}, 128),
        "ga102": _nvidia("Ampere (GA102)", 1024, {**_HALF_UP, "int4": 4}, 128, (56.25e9,)),
        "hopper": _nvidia("Hopper", 4096, {**_EIGHT, "fp64": 1 / 16}, 128, (450e9, 300e9, 200e9)),
        "ada": _nvidia("Ada", 1024, {**_EIGHT}, 128),
        "blackwell": _nvidia("Blackwell", 8192, {**_BLACKWELL, "fp64": 1 / 64}, 128, (900e9,)),
        "blackwell-ultra": _nvidia(
            "Blackwell Ultra",
            8192,
            {key: ratio for key, ratio in _BLACKWELL.items() if key != "int8"} | {"fp4": 6.0},
            128,
            (900e9,),
        ),
        "gb20x": _nvidia("Blackwell (GB20x)", 1024, {**_BLACKWELL}, 128),
        "cdna1": _amd("CDNA 1", 1024, {"fp16": 1, "bf16": 0.5, "int8": 1, "fp32": 0.25}, (128,), (138e9,)),
        "cdna2": _amd(
            "CDNA 2",
            1024,
            {"fp16": 1, "bf16": 1, "int8": 1, "fp32": 0.25, "fp64": 0.25},
            (128, 256),
            (350e9, 200e9, 175e9, 150e9),
        ),
        "cdna3": _amd("CDNA 3", 2048, {**_EIGHT, "fp32": 1 / 8, "fp64": 1 / 8}, (256,), (448e9, 384e9)),
        "cdna4": _amd(
            "CDNA 4",
            4096,
            {"bf16": 1, "fp16": 1, "fp8": 2, "int8": 2, "fp6": 4, "fp4": 4, "fp32": 1 / 16, "fp64": 1 / 32},
            (256,),
            (537.6e9,),
        ),
        "rdna3": _amd("RDNA 3", 512, {"fp16": 1, "bf16": 1, "int8": 1, "int4": 2}, (256, 128)),
        "rdna4": _amd("RDNA 4", 1024, {"fp16": 1, "bf16": 1, "fp8": 2, "int8": 2, "int4": 4}, (256, 128)),
        "xe-hpc": Family(
            "Xe-HPC",
            4096,
            MappingProxyType({**_HALF_UP}),
            (256.0,),
            512.0,
            MappingProxyType({"xe_link": (159e9,)}),
        ),
        "gaudi2": _ratios("Gaudi 2", {"roce": (300e9,)}, bf16=1, fp8=2),
        "gaudi3": _ratios("Gaudi 3", {"roce": (600e9,)}, bf16=1, fp8=1, tf32=0.25, fp16=0.25),
        "tpu-v3": _ratios("TPU v3", {"ici": (400e9,)}, bf16=1),
        "tpu-v4": _ratios("TPU v4", {"ici": (270e9,)}, bf16=1, int8=1),
        "tpu-v5": _ratios("TPU v5", {"ici": (540e9, 180e9)}, bf16=1, int8=2, int4=4),
        "tpu-v6": _ratios("TPU v6", {"ici": (360e9,)}, bf16=1, fp8=1, int8=2, int4=4),
        "tpu-v7": _ratios("TPU v7", {"ici": (600e9,)}, bf16=1, fp8=2),
        "neuron-v2": _ratios(
            "NeuronCore-v2", {"neuronlink": (192e9, 96e9)}, bf16=1, fp16=1, tf32=1, fp8=1, int8=2, fp32=0.25
        ),
        "neuron-v3": _ratios(
            "NeuronCore-v3", {"neuronlink": (640e9,)}, bf16=1, fp16=1, tf32=1, fp8=2, fp32=0.25
        ),
        "groq": _ratios("TSP", fp16=1, int8=4),
    }
)

# (words, memory, family): the first found in architecture and name counts. "HBM" asks for it, "-HBM" for another.
_SIGNS: Final = (
    (r"blackwell ultra|gb110|gb300|b300", "", "blackwell-ultra"),
    (r"gb20[2-7]|gb10|gb20b", "", "gb20x"),
    (r"blackwell", "-HBM", "gb20x"),
    (r"blackwell|gb100|gb102|gb200|b100|b200", "", "blackwell"),
    (r"hopper|gh100|gh200|h100|h200|h800|h20", "", "hopper"),
    (r"ada|ada lovelace|ad10[2-7]", "", "ada"),
    (r"ga10b|orin", "", "ga10b"),
    (r"ga100|a100|a800|a30", "", "ga100"),
    (r"ga10[2-7]", "", "ga102"),
    (r"ampere", "HBM", "ga100"),
    (r"ampere", "-HBM", "ga102"),
    (r"turing|tu10[2-6]|tu11[67]", "", "turing"),
    (r"volta|gv100|v100", "", "volta"),
    (r"gp100|p100", "", "pascal"),
    (r"cdna ?4|mi350x|mi355x", "", "cdna4"),
    (r"cdna ?3|mi300[ax]?|mi308x|mi325x", "", "cdna3"),
    (r"cdna ?2|mi210|mi250x?", "", "cdna2"),
    (r"cdna ?1?|mi100", "", "cdna1"),
    (r"rdna ?4", "", "rdna4"),
    (r"rdna ?3(?:[ .]5)?", "", "rdna3"),
    (r"xe hpc|ponte vecchio", "", "xe-hpc"),
    (r"gaudi ?2", "", "gaudi2"),
    (r"gaudi ?3", "", "gaudi3"),
    (r"tpu v3", "", "tpu-v3"),
    (r"tpu v4", "", "tpu-v4"),
    (r"tpu v5[ep]?", "", "tpu-v5"),
    (r"tpu v6e?", "", "tpu-v6"),
    (r"tpu v7x?", "", "tpu-v7"),
    (r"neuroncore v2", "", "neuron-v2"),
    (r"neuroncore v3", "", "neuron-v3"),
    (r"groq|tsp", "", "groq"),
)
_MAKERS: Final = frozenset(("nvidia", "amd", "intel", "habana", "google", "aws", "amazon", "groq"))
_GEFORCE: Final = re.compile(r"\bgeforce\b|\brtx (?:20|30|40|50)[5-9]0\b|\btitan\b")
_NOT_WORD: Final = re.compile(r"[^a-z0-9]+")


def family_of(profile: HardwareProfile) -> Family | None:
    """Return the architecture of a machine, or None where it is not one of these."""
    if profile.kind == "cpu" or profile.vendor.lower() not in _MAKERS:
        return None
    words = _words(f"{profile.architecture} {profile.name} {profile.id}")
    dram = profile.boundaries.get("dram")
    has_hbm = dram is not None and "HBM" in dram.label.upper()
    for pattern, memory, key in _SIGNS:
        if memory and has_hbm == memory.startswith("-"):
            continue
        if re.search(rf"\b(?:{pattern})\b", words):
            return FAMILIES[key]
    return None


def is_geforce(profile: HardwareProfile) -> bool:
    """Whether tensor products with fp32 accumulation run at half rate, as on cards of the GeForce series."""
    if profile.vendor.lower() != "nvidia":
        return False
    names = _words(f"{profile.name} {profile.short_name}")
    return bool(_GEFORCE.search(names)) or any(id_.endswith("-fp16acc") for id_ in profile.ceilings)


def _words(text: str) -> str:
    return _NOT_WORD.sub(" ", text.lower())
