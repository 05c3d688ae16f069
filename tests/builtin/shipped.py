"""The shipped profiles by id, and all figures of one by their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooflinestudio.core.profile_files import find_profile, shipped_profiles

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import Figure, HardwareProfile

__all__ = ["IDS", "figures", "profile"]

IDS = (
    "amd-epyc-9654", "amd-epyc-9755", "amd-mi100", "amd-mi210", "amd-mi250x", "amd-mi250x-gcd", "amd-mi300a",
    "amd-mi300x", "amd-mi325x", "amd-mi350x", "amd-mi355x", "amd-rx-7900-xtx", "apple-m1-max", "apple-m2-ultra",
    "apple-m3-max", "apple-m4-max", "aws-graviton4", "aws-inferentia2", "aws-trainium1", "aws-trainium2",
    "cerebras-wse3", "google-tpu-v3", "google-tpu-v4", "google-tpu-v5e", "google-tpu-v5p", "google-tpu-v6e",
    "google-tpu-v7", "groq-lpu", "intel-gaudi2", "intel-gaudi3", "intel-max-1550", "intel-xeon-6980p",
    "intel-xeon-8480plus", "nvidia-a10", "nvidia-a100-pcie-40gb", "nvidia-a100-pcie-80gb", "nvidia-a100-sxm4-40gb",
    "nvidia-a100-sxm4-80gb", "nvidia-a30", "nvidia-b100", "nvidia-b200", "nvidia-b300", "nvidia-dgx-spark-gb10",
    "nvidia-gb200", "nvidia-gh200", "nvidia-grace", "nvidia-h100-nvl", "nvidia-h100-pcie", "nvidia-h100-sxm5",
    "nvidia-h200-sxm", "nvidia-jetson-agx-orin-64gb", "nvidia-l4", "nvidia-l40s", "nvidia-p100-sxm2-16gb",
    "nvidia-rtx-3090", "nvidia-rtx-4090", "nvidia-rtx-5090", "nvidia-rtx-6000-ada", "nvidia-rtx-pro-6000-blackwell",
    "nvidia-t4", "nvidia-v100-sxm2-16gb", "nvidia-v100-sxm2-32gb",
)  # fmt: skip


def profile(id_: str) -> HardwareProfile:
    return find_profile(shipped_profiles(), id_).load()


def figures(one: HardwareProfile) -> dict[str, Figure]:
    """Return all figures of a profile by their place, known ones that are not in use too."""
    found: dict[str, Figure | None] = {f"clocks.{name}": figure for name, figure in one.clocks.items()}
    for name in ("sms", "launch_overhead", "registers_per_sm", "shared_bytes_per_sm", "tdp"):
        found[name] = getattr(one, name)
    for id_, boundary in one.boundaries.items():
        found |= {f"{id_}.{name}": getattr(boundary, name) for name in ("bandwidth", "capacity", "latency")}
        found |= {f"{id_}.{name}": slope for name, slope in boundary.slopes.items()}
    found |= {id_: ceiling.figure for id_, ceiling in one.ceilings.items()}
    for id_, limit in (*one.ceilings.items(), *one.boundaries.items()):
        found |= {f"{id_}.published": limit.published, f"{id_}.measured": limit.measured}
        if (known := limit.achievable) is not None:
            found |= {f"{id_}.achievable.{name}": getattr(known, name) for name in ("typical", "low", "high")}
    return {place: figure for place, figure in found.items() if figure is not None}
