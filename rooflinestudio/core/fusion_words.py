"""A chain in words, and as the JSON document of the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rooflinestudio.core.evaluation import plain
from rooflinestudio.core.fusion_state import reduces_rows
from rooflinestudio.core.quantities import format_number, format_quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.fusion import FusedChain, FusedKernel
    from rooflinestudio.core.fusion_links import Link
    from rooflinestudio.core.fusion_training import Side, TrainingChoice

__all__ = ["fusion_document", "notes", "training_words"]


def notes(chain: FusedChain) -> Iterator[str]:
    """Yield what a reader should know beside the figures, most important first."""
    for kernel in chain.kernels:
        if len(kernel.operators) > 1:
            yield from filter(None, [kernel.live_state.warning(kernel.label)])
            yield from _reduction_notes(kernel)
            yield from _product_notes(kernel)
    if any(len(kernel.operators) > 1 for kernel in chain.kernels):
        yield from _not_judged(chain)
        yield from _reach(chain)
    yield from (link.converted for link in chain.links if link.converted)
    for link in chain.links:
        if link.estimate.home != "dram":
            yield (
                f"{link.label} also crosses a link between devices: only dram counts here. "
                "Evaluate it alone for the link."
            )
    yield from dict.fromkeys(note for kernel in chain.kernels for note in kernel.placement.notes)


def _reduction_notes(kernel: FusedKernel) -> Iterator[str]:
    links = kernel.kernel.links
    reducing = [link for link in links if reduces_rows(link)]
    if not reducing:
        return
    names = " and ".join(link.label for link in reducing)
    product = next((link for link in links if link.is_product), None)
    text = f"{kernel.label} runs through a row reduction ({names}): a block must have whole rows"
    if kernel.live_state.row_bytes:
        text += f" ({kernel.live_state.row_bytes / 1024:,.4g} KiB at 4 bytes an element)"
    text += " on chip between the statistics and the result, or go over them twice, or use an online form."
    if product is not None and links.index(product) < links.index(reducing[-1]):
        tile, n = product.parameters.get("tile_n", 0), product.parameters["n"]
        if tile < n:
            text += (
                f" A block of {product.label} has {tile:g} of the {n:g} columns of its rows: "
                "blocks have to exchange their sums, which is not counted."
            )
    yield text


def _product_notes(kernel: FusedKernel) -> Iterator[str]:
    links = kernel.kernel.links
    for at, link in enumerate(links):
        if not link.is_product:
            continue
        if at + 1 < len(links):
            yield (
                f"{link.label} takes {_names(links[at + 1 :])} as its epilogue: the output of the chain replaces its "
                "result, its tiles stay as they are."
            )
        if at > 0:
            yield (
                f"{_names(links[:at])} in front of {link.label} is done again by every column of its tiles; "
                "here it is counted once, and its input is read once."
            )


def _names(links: tuple[Link, ...]) -> str:
    return " + ".join(link.label for link in links)


def _not_judged(chain: FusedChain) -> Iterator[str]:
    profile = chain.profile
    if profile.registers_per_sm is None or profile.shared_bytes_per_sm is None:
        lacks = "registers" if profile.registers_per_sm is None else "shared memory"
        yield (
            f"The profile of {profile.name} does not say how much {lacks} an SM has: the live state is held only "
            "against the size at which kernels usually begin to spill."
        )


def _reach(chain: FusedChain) -> Iterator[str]:
    """Say how far fusion gets: it divides Q, and rarely changes which side of the ridge a chain is on."""
    if chain.speedup_vs_split <= 1 or any(kernel.bound != "memory" for kernel in chain.kernels):
        return
    placement = chain.kernels[0].placement
    ridge = placement.at("dram").ridge
    if 0 < chain.intensity < ridge:
        yield (
            f"Fusion moves it along the slope, not over the ridge: {format_number(chain.intensity)} FLOP/byte "
            f"against {format_number(ridge)} for {placement.ceiling_id}. What comes in once and goes out once stays."
        )


# ------------------------------------------------------------------------------------ training


def training_words(choice: TrainingChoice | None) -> str:
    """Return stash and recompute in one sentence."""
    if choice is None:
        return "The backward pass needs nothing of what is kept on chip."
    stash, again = choice.stash, choice.recompute
    return (
        f"The backward pass needs {', '.join(choice.needed)}: writing and reading it takes "
        f"{format_quantity(stash.traffic_bytes, 'B')} and {format_quantity(stash.time_s, 's')}, working it out again "
        f"{format_quantity(again.work_flop, 'FLOP')}, {format_quantity(again.traffic_bytes, 'B')} and "
        f"{format_quantity(again.time_s, 's')}. By the roofline, {_choice(choice.cheaper)} is cheaper."
    )


def _choice(side: str) -> str:
    return "to write it" if side == "stash" else "to recompute it"


# ------------------------------------------------------------------------------------ the document


def fusion_document(chain: FusedChain) -> dict[str, Any]:
    """Return the document of one chain, in the key order of the command line's description, then what is more."""
    document: dict[str, Any] = plain({
        "chain": str(chain.spec),
        "hardware": chain.profile.id,
        "model": "forecast" if chain.settings.forecast else "bound",
        "boundary": "dram",
        "policy": "compulsory",
        "kernels": [_kernel(kernel) for kernel in chain.kernels],
        "work_flop": chain.work_flop,
        "traffic_bytes": chain.traffic_bytes,
        "intensity": chain.intensity,
        "time_s": chain.time_s,
        "speedup_vs_split": chain.speedup_vs_split,
        "split": {"traffic_bytes": chain.split_traffic_bytes, "time_s": chain.split_time_s},
        "training": _training(chain.training),
        "notes": list(chain.notes),
    })  # fmt: skip
    return document


def _kernel(kernel: FusedKernel) -> dict[str, Any]:
    state = kernel.live_state
    return {
        "operators": list(kernel.operators),
        "work_flop": kernel.work_flop,
        "traffic_bytes": kernel.traffic_bytes,
        "intensity": kernel.intensity,
        "time_s": kernel.time_s,
        "bound": kernel.bound,
        "binding": kernel.binding,
        "kept_on_chip": [one.name for one in kernel.kept_on_chip],
        "saved_bytes": kernel.saved_bytes,
        "reads": [{"tensor": one.name, "bytes": one.bytes} for one in kernel.kernel.reads],
        "writes": [{"tensor": one.name, "bytes": one.bytes} for one in kernel.kernel.writes],
        "live_state": {
            "at": state.label,
            "tensors": state.tensors,
            "threads": state.threads,
            "bytes": state.bytes,
            "row_bytes": state.row_bytes,
            "spills": state.spills,
        },
        "parameters": dict(kernel.placement.parameters),
    }


def _training(choice: TrainingChoice | None) -> dict[str, Any] | None:
    if choice is None:
        return None
    return {
        "needed": list(choice.needed),
        "stash": _side(choice.stash),
        "recompute": _side(choice.recompute),
        "cheaper": choice.cheaper,
    }


def _side(side: Side) -> dict[str, Any]:
    return {"work_flop": side.work_flop, "traffic_bytes": side.traffic_bytes, "time_s": side.time_s}
