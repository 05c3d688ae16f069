"""The machine that the studio runs on, as far as its operating system tells."""

from __future__ import annotations

import contextlib
import os
import platform
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Cache", "Host", "clock_hz", "this_host"]

_CPU_FOLDER: Final = Path("/sys/devices/system/cpu")
_CPU_INFO: Final = Path("/proc/cpuinfo")
_FACTORS: Final = {"K": 2**10, "M": 2**20, "G": 2**30, "": 1}


@dataclass(frozen=True, slots=True)
class Cache:
    """The caches of one boundary: bytes of each one, and how many the usable cores have."""

    bytes_each: int
    instances: int

    def reach(self, threads: int) -> int:
        """Return the bytes that so many threads, each on a core of its own, can keep there."""
        return self.bytes_each * min(threads, self.instances)


@dataclass(frozen=True, slots=True)
class Host:
    """One machine.

    Attributes
    ----------
    name, processor
        Of the machine, and the maker's name of the processor.
    cores
        Processors that this process may use.
    caches
        By boundary (``l1`` data, ``l2``, ``l3``); empty where the system does not tell.
    memory_bytes
        Physical memory, or 0.
    system
        Operating system, and the versions that matter.
    """

    name: str
    processor: str
    cores: int
    caches: Mapping[str, Cache] = field(default_factory=dict)
    memory_bytes: int = 0
    system: str = ""


def this_host() -> Host:
    """Return the machine that this process runs on."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    caches = _linux_caches() if sys.platform == "linux" else _apple_caches(cores)
    return Host(
        platform.node() or "this machine",
        _processor(),
        cores,
        caches,
        _memory(),
        f"{platform.system()} {platform.release()}, Python {platform.python_version()}",
    )


def clock_hz() -> float | None:
    """Return the highest clock that a core runs at just now, or None where the system does not tell."""
    with contextlib.suppress(OSError, ValueError):
        found = re.findall(r"(?m)^cpu MHz\s*:\s*([\d.]+)", _CPU_INFO.read_text(encoding="utf-8"))
        return max(map(float, found)) * 1e6 if found else None
    return None


def _processor() -> str:
    with contextlib.suppress(OSError):
        found = re.search(r"(?m)^model name\s*:\s*(.+)$", _CPU_INFO.read_text(encoding="utf-8"))
        if found:
            return " ".join(found[1].split())
    return _sysctl("machdep.cpu.brand_string") or platform.processor() or platform.machine() or "CPU"


def _memory() -> int:
    with contextlib.suppress(ValueError, OSError, AttributeError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return 0


def _linux_caches() -> dict[str, Cache]:
    """Return the caches of the usable cores, each shared one once."""
    usable = os.sched_getaffinity(0)
    seen: dict[tuple[str, str], int] = {}
    for index in sorted(_CPU_FOLDER.glob("cpu[0-9]*/cache/index[0-9]*")):
        with contextlib.suppress(OSError, ValueError, KeyError):
            number = int(index.parts[-3].removeprefix("cpu"))
            if number not in usable or _text(index / "type") == "Instruction":
                continue
            shared = _text(index / "shared_cpu_list")
            seen[f"l{_text(index / 'level')}", shared] = _size(_text(index / "size"))
    sizes: dict[str, list[int]] = {}
    for (boundary, _shared), size in seen.items():
        sizes.setdefault(boundary, []).append(size)
    return {key: Cache(max(sizes[key]), len(sizes[key])) for key in ("l1", "l2", "l3") if key in sizes}


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8").strip()


def _size(text: str) -> int:
    number, factor = text[:-1], text[-1:]
    return int(text) if factor.isdecimal() else int(number) * _FACTORS[factor]


def _apple_caches(cores: int) -> dict[str, Cache]:
    """Return the caches of the fast cores of an Apple machine; empty elsewhere."""
    sizes = {
        "l1": (_sysctl("hw.perflevel0.l1dcachesize") or _sysctl("hw.l1dcachesize"), cores),
        "l2": (_sysctl("hw.perflevel0.l2cachesize") or _sysctl("hw.l2cachesize"), 1),
        "l3": (_sysctl("hw.l3cachesize"), 1),
    }
    return {
        key: Cache(int(text), count) for key, (text, count) in sizes.items() if text.isdecimal() and int(text)
    }


def _sysctl(name: str) -> str:
    if platform.system() != "Darwin":
        return ""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(["sysctl", "-n", name], capture_output=True, text=True, timeout=5, check=False)
        return done.stdout.strip()
    return ""
