"""What the bench's cards and joints say in tool tips and to screen readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooflinestudio.core.bench_words import joint_lines, subtitle, toggle_words
from rooflinestudio.core.quantities import format_number

if TYPE_CHECKING:
    from rooflinestudio.core.bench import Bench

__all__ = ["card_words", "joint_words", "row_words"]


def row_words(bench: Bench) -> str:
    """Return the chain in one line."""
    return f"Fusion bench, {subtitle(bench)}: {bench.spec}"


def joint_words(bench: Bench, index: int) -> str:
    """Return what stands at a joint, and what a click or Space does."""
    joint = bench.joints[index]
    name, size, how = joint_lines(joint)
    state = "kernel boundary" if joint.is_cut else "fused"
    figures = ", ".join(one for one in (how, size) if one)
    return f"{state} at {name}: {figures}\n{toggle_words(bench, index)} (Space)"


def card_words(bench: Bench, index: int) -> str:
    """Return what an operator costs by itself, or why the chain stops at it."""
    card = bench.cards[index]
    lines = [f"{card.title}: {card.notation}"]
    if card.fault:
        lines.append(card.fault)
    elif card.flop_per_element is not None:
        lines.append(
            f"{format_number(card.flop_per_element)} FLOP per element, reads {format_number(card.reads or 0)}, "
            f"writes {format_number(card.writes or 0)}"
        )
    if card.is_written:
        lines.append("its result is also written")
    lines.append("Drag or Ctrl+arrow moves it, Delete removes it, Enter opens its menu")
    return "\n".join(lines)
