"""One sweep of a stencil over a grid."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from plugins_builtin._text import put
from rooflinestudio.plugins import Estimate, Formula, Launch, OnDemand, OperatorBase, Parameter, Tensor
from rooflinestudio.plugins.arithmetic import ceil_div, larger, smaller, where

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.plugins import Dtypes
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["Stencil"]

_AXES = (("nx", "tile_x"), ("ny", "tile_y"), ("nz", "tile_z"))


class Stencil(OperatorBase):
    """Every point becomes a weighted sum of its neighbours, with constant weights."""

    id = "stencil"
    label = "Stencil"
    category = "Classical kernels"
    summary = "One sweep over a grid: every point a weighted sum of its neighbours"
    parameters = (
        Parameter("nx", "points in x", 512, high=1e6, help="Points along x."),
        Parameter("ny", "points in y", 512, high=1e6, help="Points along y; 1 for a line."),
        Parameter("nz", "points in z", 512, high=1e6, help="Points along z; 1 for a plane."),
        Parameter("radius", "radius", 1, high=1000, help="How far the neighbours reach in each direction."),
        Parameter("shape", "shape", "star", choices=("star", "box"),
                  help="star: neighbours along the axes; box: all neighbours within the radius."),
        Parameter("tile_x", "tile x", 32, high=4096, help="Points along x that a block holds on chip."),
        Parameter("tile_y", "tile y", 8, high=4096, help="Points along y that a block holds on chip."),
        Parameter("tile_z", "tile z", 8, high=4096, help="Points along z that a block holds on chip."),
    )  # fmt: skip
    dtype_roles = MappingProxyType({"activation": "fp64", "output": "fp64", "compute": "fp32"})
    tensor_roles = MappingProxyType({"u": "activation", "v": "output"})

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        p = parameters
        points = 1.0 * p["nx"] * p["ny"] * p["nz"]
        u_type, v_type = dtypes.of("u", "activation"), dtypes.of("v", "output")
        neighbours = _neighbours(p)
        written = points * v_type.bytes
        pipe = dtypes["compute"].pipe
        tensors = (Tensor("u", points, u_type, 1, 0, "input"), Tensor("v", points, v_type, 0, 1, "output"))
        return Estimate(
            {pipe: (2.0 * neighbours - 1.0) * points},
            pipe,
            tensors,
            OnDemand({
                "shared": lambda: (neighbours * points * u_type.bytes, written),
                "dram": lambda: (_loaded(p) * u_type.bytes, written),
            }),
            footprint_bytes=points * u_type.bytes + written,
            launch=Launch(blocks=_blocks(p)),
            formulas=lambda: _formulas(p, tensors, neighbours),
            notes=lambda: (
                "Compulsory, every point is read once and written once: neighbours come from cache.",
                "Tiled, every block reads its points and the halo around them; a star needs no corners of it.",
                "Points at the edge count like all others; the weights are constants.",
            ),
        )  # fmt: skip


def _neighbours(p: Mapping[str, Any]) -> Num:
    """Return the points that one sum takes, its own among them; an axis of one point has no neighbours."""
    radius = 1.0 * p["radius"]
    across = [where(p[axis] > 1, 2.0 * radius, 0.0) for axis, _ in _AXES]
    if p["shape"] == "star":
        return 1.0 + across[0] + across[1] + across[2]
    return (1.0 + across[0]) * (1.0 + across[1]) * (1.0 + across[2])


def _blocks(p: Mapping[str, Any]) -> Num:
    blocks: Num = 1.0
    for axis, tile in _AXES:
        blocks = blocks * ceil_div(p[axis], p[tile])
    return blocks


def _loaded(p: Mapping[str, Any]) -> Num:
    """Return the points that all blocks load: along an axis each its tile and a halo, which the grid's edge cuts off.

    The tiles of an axis together are the axis; their halos are two radii for every cut between two tiles, as long as
    neither is wider than the axis.
    """
    own, with_halo = [], []
    for axis, tile in _AXES:
        size, cuts = 1.0 * p[axis], ceil_div(p[axis], p[tile]) - 1.0
        own.append(size)
        with_halo.append(smaller(size + 2.0 * p["radius"] * cuts, size * (cuts + 1.0)))
    if p["shape"] == "box":
        return with_halo[0] * with_halo[1] * with_halo[2]
    inner = own[0] * own[1] * own[2]
    loaded = inner
    for at in range(3):
        loaded = loaded + (with_halo[at] - own[at]) * (inner / own[at])
    return larger(loaded, inner)


def _formulas(p: Mapping[str, Any], tensors: tuple[Tensor, ...], neighbours: Num) -> tuple[Formula, ...]:
    u, v = (one.dtype.bytes for one in tensors)
    values = {"x": p["nx"], "y": p["ny"], "z": p["nz"], "k": neighbours, "u": u, "v": v, "loaded": _loaded(p)}
    count = "1 + 2·radius·axes" if p["shape"] == "star" else "(1 + 2·radius)^axes"
    halos = "points + Σ halos along each axis" if p["shape"] == "star" else "Π (points + halos along an axis)"
    return (
        Formula("neighbours", f"k = {count}", put("{k}", **values), "points in a sum, its own among them"),
        Formula("work", "W = (2·k - 1)·nx·ny·nz", put("(2·{k} - 1)·{x}·{y}·{z}", **values),
                "k products and k - 1 sums per point"),
        Formula("compulsory", "Qc = (s_u + s_v)·nx·ny·nz", put("({u} + {v})·{x}·{y}·{z}", **values),
                "the grid read once and written once"),
        Formula("tiled", f"Qt = s_u·({halos}) + s_v·nx·ny·nz", put("{u}·{loaded} + {v}·{x}·{y}·{z}", **values),
                "a halo of two radii at every cut between blocks, at most one whole axis per block"),
        Formula("shared", "Q_shared = (s_u·k + s_v)·nx·ny·nz", put("({u}·{k} + {v})·{x}·{y}·{z}", **values),
                "every sum reads all of its points there"),
    )  # fmt: skip
