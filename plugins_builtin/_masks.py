"""What the queries of an attention see, counted exactly and without a loop over tokens.

Query ``i`` of ``queries`` stands at position ``keys - queries + i``: the last query at the last key. Where there are
more queries than keys, the first ones stand before key 0. A causal mask shows a query the keys up to its own
position; a window shows it the keys less than ``window`` positions away, its own counted: under a causal mask those
behind it, without one those on both sides.

All functions take numbers or arrays that broadcast. Counts are exact while they stay below 2**53.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rooflinestudio.plugins.arithmetic import ceil_div, is_number, larger, smaller, where

if TYPE_CHECKING:
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["Band", "band", "floor_sum", "key_rows_touched", "query_keys_touched", "visible_pairs"]


class Band(NamedTuple):
    """The visible keys as a band around the diagonal.

    Attributes
    ----------
    queries, keys
        Lengths of the sequences.
    offset
        Position of the first query, negative where there are more queries than keys.
    back, ahead
        How many keys a query sees before and after its own position, before the sequence ends.
    full
        Whether every query certainly sees every key.
    """

    queries: Num
    keys: Num
    offset: Num
    back: Num
    ahead: Num
    full: bool


def band(queries: Num, keys: Num, *, causal: bool, window: Num) -> Band:
    """Return the band of a mask; a window of 0 is none."""
    everything = queries + keys
    windowed = not (is_number(window) and window == 0)
    back = where(window > 0, window - 1.0, everything) if windowed else everything
    return Band(
        queries, keys, keys - queries, back, 0.0 if causal else back, full=not causal and not windowed
    )


def visible_pairs(mask: Band) -> Num:
    """Return how many (query, key) pairs are visible."""
    if mask.full:
        return 1.0 * mask.queries * mask.keys
    above = _ramp_sum(mask.offset + mask.ahead + 1.0, mask.queries, mask.keys)
    return above - _ramp_sum(mask.offset - mask.back, mask.queries, mask.keys)


def _ramp_sum(start: Num, count: Num, limit: Num) -> Num:
    """Return the sum over i < count of ``start + i``, each held between 0 and ``limit``."""
    first = smaller(larger(-start, 0.0), count)
    last = smaller(larger(limit - start, 0.0), count)
    return (last - first) * (start + (first + last - 1.0) / 2.0) + (count - last) * limit


def query_keys_touched(mask: Band, *, block_q: Num, block_kv: Num, keys: Num) -> Num:
    """Return how many keys are loaded when each block of queries loads the key blocks that it sees any part of.

    Parameters
    ----------
    keys
        What a load never goes beyond: the keys themselves, or the keys padded to whole blocks.
    """
    if mask.full:
        return ceil_div(mask.queries, block_q) * keys
    return _touched(
        mask.queries, keys, (block_q, block_kv), (mask.offset - mask.back, mask.offset + mask.ahead)
    )


def key_rows_touched(mask: Band, *, block_q: Num, block_kv: Num) -> Num:
    """Return how many queries are loaded when each block of keys loads the query blocks that see any of it."""
    if mask.full:
        return ceil_div(mask.keys, block_kv) * mask.queries
    shifts = (-mask.offset - mask.ahead, mask.back - mask.offset)
    return _touched(mask.keys, mask.queries, (block_kv, block_q), shifts)


def _touched(outer: Num, inner: Num, blocks: tuple[Num, Num], shifts: tuple[Num, Num]) -> Num:
    """Sum over the blocks of ``outer`` what they touch of ``inner``, rounded out to whole blocks of it.

    The block of ``outer`` from a up to (not with) b touches ``inner`` from ``a + shifts[0]`` up to (not with)
    ``b + shifts[1]``.
    """
    block, unit = blocks
    low, high = shifts
    count = ceil_div(outer, block)
    ends = _rounded_sum(block + high, count - 1.0, block, unit, inner)
    ends = ends + smaller(larger(ceil_div(outer + high, unit), 0.0) * unit, inner)
    # Rounding a start down to a whole block is rounding the element one block short of it up.
    return ends - _rounded_sum(low - (unit - 1.0), count, block, unit, inner)


def _rounded_sum(start: Num, count: Num, step: Num, unit: Num, limit: Num) -> Num:
    """Return the sum over i < count of ``start + i·step`` rounded up to whole units, between 0 and ``limit``."""
    whole = limit // unit * unit
    first = smaller(larger(ceil_div(1.0 - start, step), 0.0), count)
    last = larger(smaller(ceil_div(whole + 1.0 - start, step), count), first)
    ramp = floor_sum(last - first, step, larger(start + first * step + unit - 1.0, 0.0), unit)
    return unit * ramp + (count - last) * limit


def floor_sum(count: Num, step: Num, start: Num, modulus: Num) -> Num:
    """Return the sum over i < count of ``floor((start + i·step) / modulus)``, none of them negative.

    Euclid's algorithm on step and modulus: as many rounds as it takes to find their common divisor, one where
    modulus divides step.
    """
    if not (is_number(count) and is_number(step) and is_number(start) and is_number(modulus)):
        return _floor_sums(count, step, start, modulus)
    result = 0.0
    while count > 0:
        result += count * (count - 1.0) / 2.0 * (step // modulus) + count * (start // modulus)
        step, start = step % modulus, start % modulus
        beyond = step * count + start
        count, start, step, modulus = beyond // modulus, beyond % modulus, modulus, step
    return result


def _floor_sums(count: Num, step: Num, start: Num, modulus: Num) -> Num:
    import numpy as np

    count, step, start, modulus = (
        np.array(one, dtype=float) for one in np.broadcast_arrays(count, step, start, modulus)
    )
    result = np.zeros_like(count)
    while (count > 0).any():
        result += count * (count - 1.0) / 2.0 * (step // modulus) + count * (start // modulus)
        step, start = step % modulus, start % modulus
        beyond = step * count + start
        count, start, step, modulus = beyond // modulus, beyond % modulus, modulus, step
        done = count == 0  # their modulus may be 0 by now
        modulus[done], step[done], start[done] = 1.0, 0.0, 0.0
    return result
