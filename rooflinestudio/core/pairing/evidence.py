"""What speaks for and against holding a kernel against an operator of given sizes, each with its weight and in words.

Work, traffic, tiles and the width of a head are compared; the time speaks against it where it is below the bound.
Figures that a counter could not have seen (tensor work where that pipe was not counted) are not compared.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from rooflinestudio.core.diagnosis.device import relation
from rooflinestudio.core.pairing.recorded import recorded_product
from rooflinestudio.core.quantities import format_number, format_quantity, format_ratio
from rooflinestudio.core.traffic import compulsory_bytes, tiled_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.measurement import Measurement
    from rooflinestudio.core.pairing.names import KernelName
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import PlacedRow

__all__ = ["Evidence", "gathered", "is_of_same_work", "is_refuted", "own_work"]

REFUTED: Final = -1.0
"""Weight of what cannot be."""

_EXACT, _NEAR, _LOOSE, _OTHER = 1.01, 1.1, 1.3, 2.0
"""Ratios up to which figures agree to 1%, to 10%, roughly; from the last on they do not belong together."""
_BELOW_BOUND: Final = 0.95
_FAR_BELOW: Final = 20.0  # times slower than the bound
_PERSISTENT: Final = 320  # blocks: a grid of so few may be one per SM, which says nothing about the shape
_PER_THREAD: Final = (1, 2, 4, 8, 16)


class Evidence(NamedTuple):
    """One thing that was compared.

    It has the weight that it adds to a score of 0 to 1, words (empty for what is not told), and the figure that it is
    of: ``W``, ``Q``, ``shapes`` or empty.
    """

    weight: float
    words: str
    figure: str = ""


def is_refuted(evidence: tuple[Evidence, ...]) -> bool:
    """Whether something cannot be."""
    return any(one.weight <= REFUTED for one in evidence)


def gathered(
    measurement: Measurement, name: KernelName, placement: Placement, known: frozenset[str] = frozenset()
) -> tuple[Evidence, ...]:
    """Return everything that speaks for and against; empty where there is nothing to compare.

    Parameters
    ----------
    name
        What the kernel's name says.
    placement
        The operator at the sizes in question, on the machine in view.
    known
        Figures that the sizes were taken from (``W``, ``Q``): that these agree says nothing.
    """
    found = (
        *_shapes(measurement, placement),
        *_work(measurement, placement),
        *_grid(measurement, name, placement),
        *_heads(name, placement),
        *_traffic(measurement, placement),
        *_format(measurement, name, placement),
        *_direction(name, placement),
        *_time(measurement, placement),
    )
    return tuple(one for one in found if one.weight and one.figure not in known)


# Work -------------------------------------------------------------------------------------------------------------


def own_work(row: PlacedRow) -> tuple[str, float]:
    """Return the main pipe of a row's operator and its work there; 0 for a composite, which is no single kernel."""
    placement = row.placement
    if placement is None or placement.parts:
        return "", 0.0
    pipe = placement.estimate.main_pipe
    return pipe, float(placement.estimate.work.get(pipe, 0.0))


def is_of_same_work(measurement: Measurement, pipe: str, work: float) -> bool:
    """Whether the work that was counted is that of an operator, to 10%: without a name nothing less will do."""
    found = _work_on(measurement, pipe) if work else None
    return bool(found) and max(found / work, work / found) <= _NEAR  # type: ignore[operator]


def _work(measurement: Measurement, placement: Placement) -> Iterator[Evidence]:
    pipe = placement.estimate.main_pipe
    wanted = float(placement.estimate.work.get(pipe, 0.0)) if not placement.parts else 0.0
    found = _work_on(measurement, pipe)
    if not found or not wanted:
        return
    text = format_quantity(found, "FLOP", digits=4)
    yield _agreement("W", found / wanted, text, strong=(0.4, 0.25, 0.0, -0.5))


def _work_on(measurement: Measurement, pipe: str) -> float | None:
    """Return the work that is comparable with that of a pipe: on a matrix pipe only what was seen on one."""
    matrix = pipe.endswith("tensor")
    amounts = [flop for name, flop in measurement.work.items() if name.endswith("tensor") == matrix]
    if matrix and not any(
        amounts
    ):  # a product may be done by the vector pipes, and then all of it was seen there
        return None
    return max(amounts, default=None)


def _agreement(
    symbol: str, ratio: float, text: str, *, strong: tuple[float, float, float, float]
) -> Evidence:
    """Weigh a ratio of two figures: the same to 1%, to 10%, roughly, and not at all."""
    apart = max(ratio, 1 / ratio)
    exact, near, loose, against = strong
    if apart <= _EXACT:
        return Evidence(exact, f"{symbol} agrees to 1% ({text})", symbol)
    if apart <= _NEAR:
        return Evidence(near, f"{symbol} agrees to 10% ({text})", symbol)
    weight = loose if apart <= _LOOSE else against / 3 if apart <= _OTHER else against
    return Evidence(weight, f"{symbol} is {format_number(ratio)}×", symbol)


def _shapes(measurement: Measurement, placement: Placement) -> Iterator[Evidence]:
    """Hold recorded shapes against those of a product: work alone does not tell m × n × k from m × k × n."""
    recorded, sizes = recorded_product(measurement), placement.parameters
    if recorded is None or not recorded.keys() <= sizes.keys():
        return
    if all(sizes[name] == size for name, size in recorded.items()):
        yield Evidence(0.3, "the recorded shapes are its own", "shapes")
    else:
        told = ", ".join(f"{name} = {size}" for name, size in recorded.items() if name != "batch" or size > 1)
        yield Evidence(-0.4, f"recorded was {told}", "shapes")


# Shape ------------------------------------------------------------------------------------------------------------


def _grid(measurement: Measurement, name: KernelName, placement: Placement) -> Iterator[Evidence]:
    if measurement.grid is None:
        return
    blocks = math.prod(measurement.grid)
    sizes = placement.parameters
    rows, columns = ("m", "n") if "m" in sizes else ("tokens", "vocabulary")
    if name.tile is not None and {rows, columns} <= sizes.keys():
        yield _tiles(blocks, name.tile, (int(sizes[rows]), int(sizes[columns]), int(sizes.get("batch", 1))))
    elif name.block_q is not None and {"seq_q", "heads", "batch"} <= sizes.keys():
        wanted = math.ceil(sizes["seq_q"] / name.block_q) * sizes["heads"] * sizes["batch"]
        yield _blocks(blocks, wanted, f"blocks of {name.block_q} queries, heads and batch")
    elif measurement.block is not None and "tokens" in sizes:
        yield from _elements(blocks, math.prod(measurement.block), placement)


def _tiles(blocks: int, tile: tuple[int, int, int], sizes: tuple[int, int, int]) -> Evidence:
    """Hold the number of blocks against that of tiles, whichever side of the tile lies along m."""
    m, n, batch = sizes
    for rows, columns in (tile[:2], tile[1::-1]):
        across, down = math.ceil(n / columns), math.ceil(m / rows)
        if blocks == across * down * batch:
            times = f" × {batch}" if batch > 1 else ""
            return Evidence(
                0.3, f"{_count(blocks)} blocks are {down} × {across}{times} tiles of {rows} × {columns}"
            )
    whole = math.ceil(m / tile[0]) * math.ceil(n / tile[1]) * batch
    if blocks % whole == 0 and 1 < blocks // whole <= 16:
        return Evidence(0.12, f"{_count(blocks)} blocks are its tiles, k cut in {blocks // whole}")
    if blocks <= _PERSISTENT:
        return Evidence(0.0, "")
    return Evidence(-0.25, f"{_count(blocks)} blocks are not its tiles of {tile[0]} × {tile[1]}")


def _blocks(blocks: int, wanted: float, what: str) -> Evidence:
    if blocks == wanted:
        return Evidence(0.3, f"{_count(blocks)} blocks are its {what}")
    return (
        Evidence(-0.15, f"{_count(blocks)} blocks are not its {what}")
        if blocks > _PERSISTENT
        else Evidence(0, "")
    )


def _elements(blocks: int, threads: int, placement: Placement) -> Iterator[Evidence]:
    """Hold a grid against rows and elements: a block per row or several rows, or so many elements per thread."""
    tokens = float(placement.parameters["tokens"])
    elements = max((float(one.elements) for one in placement.estimate.tensors), default=0.0)
    for each in _PER_THREAD:
        if elements and blocks == math.ceil(elements / (threads * each)):
            yield Evidence(
                0.25,
                f"{_count(blocks)} blocks × {threads} threads × {each} are its {_count(elements)} elements",
            )
            return
    for rows in (1, 2, 4, 8):
        if tokens > 1 and blocks == math.ceil(tokens / rows):
            yield Evidence(0.25, "a block for each row" if rows == 1 else f"a block for {rows} rows")
            return


def _heads(name: KernelName, placement: Placement) -> Iterator[Evidence]:
    width = placement.parameters.get("head_dim")
    if name.head_dim is None or width is None:
        return
    if name.head_dim == width:
        yield Evidence(0.12, f"heads of {name.head_dim}")
    else:
        yield Evidence(-0.3, f"heads of {name.head_dim}, not {width:g}")


# Traffic, format, direction, time ---------------------------------------------------------------------------------


def _traffic(measurement: Measurement, placement: Placement) -> Iterator[Evidence]:
    found = measurement.dram_bytes
    if not found or placement.parts or "dram" not in placement.estimate.crosses:
        return
    least, tiled = (
        float(sum(one)) for one in (compulsory_bytes(placement.estimate), tiled_bytes(placement.estimate))
    )
    if not least:
        return
    text = format_quantity(found, "B", digits=4)
    if not placement.estimate.blocked:  # each tensor crosses once: nothing else is expected
        yield _agreement("Q", found / least, text, strong=(0.35, 0.3, 0.1, -0.3))
    elif 0.95 * least <= found <= 1.05 * tiled:
        yield Evidence(0.12, f"Q of {text} lies between compulsory and tiled", "Q")
    elif found > 2 * tiled:
        yield Evidence(-0.2, f"Q is {format_number(found / tiled)}× even the tiled count", "Q")
    elif found < least / 2:
        yield Evidence(-0.1, f"Q is {format_number(found / least)}× the compulsory count", "Q")


def _format(measurement: Measurement, name: KernelName, placement: Placement) -> Iterator[Evidence]:
    counted = next(
        (pipe.removesuffix("-tensor") for pipe in measurement.work if pipe.endswith("-tensor")), ""
    )
    said = counted if counted != "tensor" and counted else name.dtype
    pipe = placement.estimate.main_pipe
    if not said or not pipe.endswith("-tensor"):
        return
    own = pipe.removesuffix("-tensor")
    if said == own:
        yield Evidence(0.06, said)
    elif not (said == "fp32" and own == "tf32"):
        yield Evidence(-0.12, f"{said}, not {own}")


def _direction(name: KernelName, placement: Placement) -> Iterator[Evidence]:
    direction = placement.parameters.get("direction")
    if direction in ("forward", "backward") and name.backward != (direction == "backward"):
        yield Evidence(-0.3, f"the {'backward' if name.backward else 'forward'} pass, not {direction}")


def _time(measurement: Measurement, placement: Placement) -> Iterator[Evidence]:
    """Nothing is faster than its bound; on another device nothing can be said."""
    time_s, bound_s = measurement.time_s, float(placement.time_s)
    if not time_s or not bound_s:
        return
    if measurement.device and relation(measurement.device, placement.profile.name) is None:
        return
    ratio = time_s / bound_s
    if ratio < _BELOW_BOUND:
        # Small tensors may have stayed in the cache since the kernel before: then only arithmetic bounds the time.
        cannot = time_s < _BELOW_BOUND * float(placement.compute_s)
        yield Evidence(
            REFUTED if cannot else -0.25,
            f"{format_ratio(ratio)} than the bound of {format_quantity(bound_s, 's')}",
        )
    elif ratio > _FAR_BELOW:
        yield Evidence(-0.12, f"{format_ratio(ratio)} than the bound")


def _count(number: float) -> str:
    return f"{number:,.0f}".replace(",", "\u202f")
