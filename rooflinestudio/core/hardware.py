"""Machines: compute ceilings, memory boundaries and the figures they are made of, each with its provenance."""

from __future__ import annotations

import difflib
import hashlib
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.figures import Achievable, Figure, KnownRate, Provenance, Use

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "BOUNDARY_ORDER", "INSIDE", "LINKS", "Achievable", "Boundary", "ComputeCeiling", "Figure", "HardwareProfile",
    "Provenance", "Use",
]  # fmt: skip

BOUNDARY_ORDER: Final = (
    "register", "shared", "l1", "l2", "l3", "dram",
    "nvlink", "xgmi", "ici", "neuronlink", "xe_link", "roce", "c2c", "pcie", "network",
)  # fmt: skip
"""Boundary ids from the innermost outward."""

INSIDE: Final = ("register", "shared", "l1", "l2")
"""Boundaries inside the last-level cache: they take the blocked count under every policy (MODEL 1.5)."""

LINKS: Final = BOUNDARY_ORDER[6:]
"""Boundaries that leave the device; crossed only by operators that say so."""

COLLECTIVE_HOMES: Final = ("nvlink", "xgmi", "ici", "pcie", "network")


@dataclass(frozen=True, slots=True)
class ComputeCeiling(KnownRate):
    """Rate of one pipe in one dtype, dense, in FLOP/s (operations per second for integers).

    Attributes
    ----------
    figure
        The rate in use.
    achievable
        Which share of it real kernels reach, where that is known.
    published
        The figure of documents, where a measured one is in use.
    measured
        The figure of a measurement, where one is known and not in use.
    """

    id: str
    figure: Figure
    achievable: Achievable | None = None
    published: Figure | None = None
    measured: Figure | None = None

    @property
    def flop_per_s(self) -> float:
        """The rate."""
        return self.figure.value

    @property
    def label(self) -> str:
        """The id in words: ``bf16 tensor``."""
        return {"fp32-no-fma": "fp32 no FMA"}.get(self.id, self.id.replace("-", " "))


@dataclass(frozen=True, slots=True)
class Boundary(KnownRate):
    """A place where bytes cross.

    Attributes
    ----------
    id
        One of :data:`BOUNDARY_ORDER`.
    label
        The machine's own word, such as ``HBM3``.
    bandwidth
        Bytes per second.
    capacity, latency
        Bytes and seconds, or None where no figure is known.
    approximate
        Whether the bandwidth is a rounded reading rather than a figure.
    feeds_matrix
        False where the matrix pipe takes its operands from elsewhere: then shown, never binding for products.
    slopes
        Further slopes by name: ``streaming``, ``strided``, ``gather``.
    achievable
        Which share of the bandwidth real kernels reach; its typical share, if left out, is that of ``streaming``.
    published, measured
        The bandwidth of documents where a measured one is in use, and a measured one that is not in use.
    """

    id: str
    label: str
    bandwidth: Figure
    capacity: Figure | None = None
    latency: Figure | None = None
    approximate: bool = False
    feeds_matrix: bool = True
    slopes: Mapping[str, Figure] = field(default_factory=lambda: MappingProxyType({}))
    achievable: Achievable | None = None
    published: Figure | None = None
    measured: Figure | None = None

    _FIELD = "bandwidth"

    @property
    def bytes_per_s(self) -> float:
        """The bandwidth in bytes per second."""
        return self.bandwidth.value


@dataclass(frozen=True)
class HardwareProfile:
    """A machine, as far as the model needs it; ids are lower-case and stable (``nvidia-h100-sxm5``).

    Attributes
    ----------
    ceilings, boundaries
        By id, in the order of the file (boundaries from the innermost outward).
    reference_ceiling
        The pipe shown beside the operator's own one, normally ``bf16-tensor`` (``fp16-tensor`` where there is no bf16).
    sms, launch_overhead, registers_per_sm, shared_bytes_per_sm
        Figures, or None where nothing is known. The overhead is in seconds per launch.
    matrix_tile
        Better tiles for products on this machine: ``tile_m``, ``tile_n``, ``warp_m``, ``warp_n``; what ``auto`` takes.
    clocks
        Hertz by name: ``base``, ``boost``, ``tensor``, ``sustained``, ``profiled``.
    tdp
        Watts that the part is built to take, or None.
    based_on
        Id of the profile that this one was made from, or empty.
    explained
        Why a finding of the self-check is right as it stands, by the id of the finding.
    sources
        Documents by key, as cited by the figures.
    """

    id: str
    name: str
    short_name: str
    vendor: str
    architecture: str
    year: int
    ceilings: Mapping[str, ComputeCeiling]
    boundaries: Mapping[str, Boundary]
    reference_ceiling: str
    kind: str = "gpu"
    sms: Figure | None = None
    launch_overhead: Figure | None = None
    registers_per_sm: Figure | None = None
    shared_bytes_per_sm: Figure | None = None
    matrix_tile: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    clocks: Mapping[str, Figure] = field(default_factory=lambda: MappingProxyType({}))
    sources: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    notes: tuple[str, ...] = ()
    tdp: Figure | None = None
    based_on: str = ""
    explained: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def ceiling(self, id_: str) -> ComputeCeiling:
        """Return the ceiling of this id; ``KeyError`` with the nearest match if there is none."""
        found: ComputeCeiling = _named(self.ceilings, id_, f"ceiling of {self.id}")
        return found

    def boundary(self, id_: str) -> Boundary:
        """Return the boundary of this id; ``KeyError`` with the nearest match if there is none."""
        found: Boundary = _named(self.boundaries, id_, f"boundary of {self.id}")
        return found

    def ridge(self, ceiling_id: str | None = None, boundary_id: str = "dram") -> float:
        """Return the intensity, in FLOP/byte, at which a ceiling and a slope meet."""
        return (
            self.ceiling(ceiling_id or self.reference_ceiling).flop_per_s
            / self.boundary(boundary_id).bytes_per_s
        )

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 over everything the profile says; equal profiles have equal hashes."""
        return hashlib.sha256(repr(_plain(self)).encode()).hexdigest()

    @cached_property
    def collective_home(self) -> str | None:
        """The link that collectives run on: the first of nvlink, xgmi, ici, pcie, network that is there."""
        return next((link for link in COLLECTIVE_HOMES if link in self.boundaries), None)

    def __hash__(self) -> int:
        return hash(self.id)


def _named(table: Mapping[str, Any], id_: str, kind: str) -> Any:
    try:
        return table[id_]
    except KeyError:
        near = difflib.get_close_matches(id_, table, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(table)}."
        raise KeyError(f"no {kind} is called {id_!r}; {hint}") from None


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return [type(value).__name__, *((f.name, _plain(getattr(value, f.name))) for f in fields(value))]
    if isinstance(value, dict | MappingProxyType):  # equal mappings may differ in order
        return sorted((str(key), _plain(one)) for key, one in value.items())
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return float(value) if isinstance(value, int) else value  # 132 SMs are 132.0 SMs
