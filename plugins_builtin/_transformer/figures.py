"""Figures of a model's pass that are sums over its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.plugins.arithmetic import total, where

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rooflinestudio.plugins import Part
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["activation_bytes", "link_bytes", "part_work", "read_bytes", "solved"]

_HALVINGS: Final = 60


def read_bytes(parts: Iterable[Part], role: str, label: str = "") -> Num:
    """Return the bytes of the tensors of one role that cross dram, of parts whose label starts so."""
    return total(
        part.count * one.elements * one.reads * one.dtype.bytes
        for part in parts
        if part.label.startswith(label)
        for one in part.estimate.tensors
        if one.role == role
    )


def activation_bytes(parts: Iterable[Part]) -> Num:
    """Return the bytes of everything that is neither weight nor cache, each tensor once per kernel."""
    return total(
        part.count * one.elements * one.dtype.bytes
        for part in parts
        if part.estimate.home != "link"
        for one in part.estimate.tensors
        if one.role not in ("weight", "cache")
    )


def link_bytes(parts: Iterable[Part]) -> Num:
    """Return the bytes that one device sends over its link."""
    return total(
        part.count * sum(part.estimate.blocked["link"]) for part in parts if part.estimate.home == "link"
    )


def part_work(parts: Iterable[Part], *operators: str, others: bool = False) -> Num:
    """Return the FLOP of the parts made by some operators, or by all others; special functions are no part of it."""
    return total(
        part.count * flop
        for part in parts
        if (part.operator in operators) is not others
        for pipe, flop in part.estimate.work.items()
        if pipe != "special"
    )


def solved(rises: object, low: Num, high: Num) -> Num:
    """Return where a rising function of a number crosses 0 between two ends, by halving.

    Parameters
    ----------
    rises
        A function of one number or array.
    """
    assert callable(rises)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        above = rises(middle) > 0
        low, high = where(above, low, middle), where(above, middle, high)
    return high
