"""Levers in words for the command line, and as plain data for its JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rooflinestudio.core.quantities import format_quantity, format_ratio

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.levers import Lever

__all__ = ["lever_documents", "lever_lines"]


def lever_lines(levers: Sequence[Lever]) -> list[str]:
    """Return one line for each lever, aligned, under a heading."""
    if not levers:
        return ["  nothing that was tried would help"]
    width = max(len(one.words) for one in levers)
    lines = ["  what would help"]
    for one in levers:
        per = " for the same work" if one.change.per_work else ""
        time = format_quantity(one.time_s, "s")
        lines.append(f"    {format_ratio(one.ratio):<16}{one.words:<{width}}  {time}, {one.bound}{per}")
    return lines


def lever_documents(levers: Sequence[Lever]) -> list[dict[str, Any]]:
    """Return the levers as plain data: what is changed stands in ``change``."""
    return [
        {
            "kind": one.kind,
            "words": one.words,
            "ratio": one.ratio,
            "per_work": one.change.per_work,
            "time_s": one.time_s,
            "bound": one.bound,
            "change": {
                "parameters": dict(one.change.parameters),
                "dtype": dict(one.change.dtypes),
                "settings": dict(one.change.settings),
                "hardware": one.change.profile.id if one.change.profile is not None else None,
                "chain": one.change.chain or None,
            },
        }
        for one in levers
    ]
