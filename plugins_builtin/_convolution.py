"""Two-dimensional convolution as the matrix product that it implies, over the tensors that are really there."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from plugins_builtin._text import put
from rooflinestudio.plugins import (
    Estimate,
    Formula,
    Launch,
    OnDemand,
    OperatorBase,
    Parameter,
    ParameterError,
    Tensor,
)
from rooflinestudio.plugins.arithmetic import ceil_div, is_number, larger

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.plugins import Dtypes
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["Conv2d"]

FRAGMENT_M: Final = 16.0
FRAGMENT_N: Final = 8.0


class Conv2d(OperatorBase):
    """Images times filters: m = batch·output points, n = filters, k = channels·kernel points, group by group."""

    id = "conv2d"
    label = "Image convolution"
    category = "Matrix products"
    summary = "Two-dimensional convolution as an implicit matrix product, nothing unfolded in memory"
    parameters = (
        Parameter("batch", "batch", 32, high=1e6, help="Images."),
        Parameter("in_channels", "input channels", 256, high=1e6, help="Channels of an image; a multiple of groups."),
        Parameter("out_channels", "filters", 256, high=1e6, help="Channels of the result; a multiple of groups."),
        Parameter("height", "height", 56, high=1e6, help="Rows of an image."),
        Parameter("width", "width", 56, high=1e6, help="Columns of an image."),
        Parameter("kernel_h", "kernel height", 3, high=1000, help="Rows of a filter."),
        Parameter("kernel_w", "kernel width", 3, high=1000, help="Columns of a filter."),
        Parameter("stride", "stride", 1, high=1000, help="Points between two positions of a filter."),
        Parameter("padding", "padding", 1, low=0, high=1000, help="Zeros around an image; they are not read."),
        Parameter("dilation", "dilation", 1, high=1000, help="Points between two taps of a filter."),
        Parameter("groups", "groups", 1, high=1e6, help="Groups of channels that do not mix; all of them: depthwise."),
        Parameter("tile_m", "tile m", 128, high=4096, auto="tile_m",
                  help="Output points that a block computes; auto takes the machine's own."),
        Parameter("tile_n", "tile n", 128, high=4096, auto="tile_n",
                  help="Filters that a block computes; auto takes the machine's own."),
    )  # fmt: skip
    dtype_roles = MappingProxyType(
        {"activation": "bf16", "weight": "bf16", "output": "bf16", "accumulate": "fp32"}
    )
    tensor_roles = MappingProxyType({"x": "activation", "filters": "weight", "y": "output"})

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        p = parameters
        points, taps = _shape(p)
        filters, groups = 1.0 * p["out_channels"] / p["groups"], p["groups"]
        x_type, w_type = dtypes.of("x", "activation"), dtypes.of("filters", "weight")
        y_type = dtypes.of("y", "output")
        tensors = (
            Tensor(
                "x", 1.0 * p["batch"] * p["in_channels"] * p["height"] * p["width"], x_type, 1, 0, "input"
            ),
            Tensor("filters", p["out_channels"] * taps, w_type, 1, 0, "weight"),
            Tensor("y", points * p["out_channels"], y_type, 0, 1, "output"),
        )
        x_bytes, w_bytes, y_bytes = (one.elements * one.dtype.bytes for one in tensors)
        unfolded = points * taps * groups * x_type.bytes
        rows, columns = ceil_div(points, p["tile_m"]), ceil_div(filters, p["tile_n"])
        pipe = f"{dtypes['compute'].pipe}-tensor"

        def tiled() -> tuple[Num, Num]:
            return larger(unfolded * columns, x_bytes) + w_bytes * rows, y_bytes

        def registers() -> tuple[Num, Num]:
            read = unfolded * filters / FRAGMENT_N + w_bytes * points / FRAGMENT_M
            return larger(read, x_bytes + w_bytes + y_bytes), 0.0

        def padded() -> Num:
            flop: Num = 2.0 * groups * taps * (rows * p["tile_m"]) * (columns * p["tile_n"])
            return flop

        return Estimate(
            {pipe: 2.0 * points * p["out_channels"] * taps},
            pipe,
            tensors,
            OnDemand({"register": registers, "dram": tiled}),
            footprint_bytes=x_bytes + w_bytes + y_bytes,
            launch=Launch(blocks=rows * columns * groups),
            padded_work=OnDemand({pipe: padded}),
            formulas=lambda: _formulas(p, tensors, points, taps),
            notes=lambda: (
                "Compulsory, image, filters and result cross once; the unfolded image never exists in memory.",
                "Tiled, every block reads the patches that it works on: neighbours that share points read them again.",
                "Zeros of the padding count as work, as the product does them.",
            ),
        )  # fmt: skip


def _shape(p: Mapping[str, Any]) -> tuple[Num, Num]:
    """Return the output points of all images, and the taps of a filter (its share of channels times its points).

    Raises
    ------
    ParameterError
        If a filter does not fit into the padded image, or the groups do not divide the channels.
    """
    for name in ("in_channels", "out_channels"):
        if _any(p[name] % p["groups"] != 0):
            raise ParameterError(
                f"conv2d: {name} = {_first(p[name])} is not a multiple of groups = {_first(p['groups'])}. "
                "Set groups to a common divisor of both numbers of channels."
            )
    sides = []
    for size, kernel in (("height", "kernel_h"), ("width", "kernel_w")):
        room = p[size] + 2.0 * p["padding"] - p["dilation"] * (p[kernel] - 1.0) - 1.0
        if _any(room < 0):
            raise ParameterError(
                f"conv2d: a filter with {kernel} = {_first(p[kernel])} and dilation = {_first(p['dilation'])} is "
                f"larger than the padded image with {size} = {_first(p[size])}. Use a smaller one, or more padding."
            )
        sides.append(room // p["stride"] + 1.0)
    return p["batch"] * sides[0] * sides[1], 1.0 * p["in_channels"] / p["groups"] * p["kernel_h"] * p[
        "kernel_w"
    ]


def _any(condition: Any) -> bool:
    return condition if isinstance(condition, bool) else bool(condition.any())


def _first(value: Any) -> str:
    return f"{value:g}" if is_number(value) else f"{float(value.flat[0]):g} …"


def _formulas(
    p: Mapping[str, Any], tensors: tuple[Tensor, ...], points: Num, taps: Num
) -> tuple[Formula, ...]:
    values = {name: p[name] for name in ("batch", "in_channels", "out_channels", "height", "width", "groups")}
    values |= {"tile_m": p["tile_m"], "tile_n": p["tile_n"], "points": points, "taps": taps}
    values |= dict(zip("xwy", (one.dtype.bytes for one in tensors), strict=True))
    once = "s_x·batch·in_channels·height·width + s_filters·out_channels·taps + s_y·points·out_channels"
    patches = "s_x·points·taps·groups·⌈out_channels/(groups·tile_n)⌉"
    return (
        Formula("points", "points = batch·output height·output width", put("{points}", **values),
                "per side ⌊(size + 2·padding - dilation·(kernel - 1) - 1)/stride⌋ + 1"),
        Formula("taps", "taps = in_channels/groups·kernel_h·kernel_w", put("{taps}", **values), "products in a sum"),
        Formula("work", "W = 2·points·out_channels·taps", put("2·{points}·{out_channels}·{taps}", **values),
                "the implied product, a multiply-add counts 2"),
        Formula("compulsory", f"Qc = {once}",
                put("{x}·{batch}·{in_channels}·{height}·{width} + {w}·{out_channels}·{taps}"
                    " + {y}·{points}·{out_channels}", **values), "the true tensors, each once"),
        Formula("tiled", f"Qt = {patches} + s_filters·out_channels·taps·⌈points/tile_m⌉ + s_y·points·out_channels",
                put("{x}·{points}·{taps}·{groups}·⌈{out_channels}/({groups}·{tile_n})⌉"
                    " + {w}·{out_channels}·{taps}·⌈{points}/{tile_m}⌉ + {y}·{points}·{out_channels}", **values),
                "patches read again by every column of tiles, filters by every row; the image at least once"),
    )  # fmt: skip
