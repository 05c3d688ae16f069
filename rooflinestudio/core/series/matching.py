"""Which kernels of two files are the same: by normalised name, grid and block, the n-th launch with the n-th.

Everything is done on columns, so that files of a million launches are matched in well under a second.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.measurement_names import normalised_kernel_name

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from rooflinestudio.core.measurement_overlay import Overlay

    Codes = npt.NDArray[np.int64]
    Mask = npt.NDArray[np.bool_]

__all__ = ["FEW_LAUNCHES", "SeriesMatch", "match_series"]

FEW_LAUNCHES: Final = 3
"""Up to so many matching launches of one kernel each is a line of its own; of more the sums are held together."""


@dataclass(frozen=True, eq=False)
class SeriesMatch:
    """Two files held together. A line is one kernel of both, or its launches that only one of the two has.

    Attributes
    ----------
    before, after
        The files.
    pairs_before, pairs_after
        Positions of the kernels that match, one array for each file.
    pair_lines
        Number of the line of each pair.
    gone, gone_lines, new, new_lines
        Positions of the kernels that only the file from before or from after has, and their lines.
    change
        For each line: 0 matched, 1 new, 2 gone.
    by_name
        For each line whether grid or block differ: such kernels match because each file has only one left of that name.
    uses_shape
        Whether grids and blocks were looked at: not where one of the files has none.
    """

    before: Overlay
    after: Overlay
    pairs_before: Codes
    pairs_after: Codes
    pair_lines: Codes
    gone: Codes
    gone_lines: Codes
    new: Codes
    new_lines: Codes
    change: npt.NDArray[np.int8]
    by_name: Mask
    uses_shape: bool

    @property
    def lines(self) -> int:
        """How many lines there are."""
        return len(self.change)

    def line_of(self, digest: str, index: int) -> int:
        """Return the line of a kernel, -1 for one of another file."""
        if digest == self.before.digest:
            return int(self._lines_before[index])
        return int(self._lines_after[index]) if digest == self.after.digest else -1

    @cached_property
    def _lines_before(self) -> Codes:
        return self._placed(
            len(self.before), (self.pairs_before, self.pair_lines), (self.gone, self.gone_lines)
        )

    @cached_property
    def _lines_after(self) -> Codes:
        return self._placed(len(self.after), (self.pairs_after, self.pair_lines), (self.new, self.new_lines))

    @staticmethod
    def _placed(count: int, *parts: tuple[Codes, Codes]) -> Codes:
        import numpy as np

        lines = np.full(count, -1, dtype=np.int64)
        for kernels, of_kernel in parts:
            lines[kernels] = of_kernel
        return lines


def match_series(before: Overlay, after: Overlay) -> SeriesMatch:
    """Return which kernels of two files are the same.

    The k-th launch of a kernel in one file belongs to its k-th launch in the other. A kernel that is launched on
    another grid than before is the same one where each of the files has just one left over of that name.
    """
    import numpy as np

    codes, other, names, uses_shape = _keys(before, after)
    size = int(max(codes.max(initial=-1), other.max(initial=-1))) + 1
    other, moved = _same_name_alone(codes, other, names, size)
    counts, others = np.bincount(codes, minlength=size), np.bincount(other, minlength=size)
    matched = np.minimum(counts, others)
    single = matched <= FEW_LAUNCHES
    of_key = np.where(single, matched, 1) + (counts != others)
    first = np.cumsum(of_key) - of_key
    order, nth = _numbered(codes, counts)
    other_order, other_nth = _numbered(other, others)
    here, there = nth < matched[codes[order]], other_nth < matched[other[other_order]]
    ours, theirs = order[here], other_order[there]
    lines = first[codes[ours]] + np.where(single[codes[ours]], nth[here], 0)
    gone, new = order[~here], other_order[~there]
    last = first + of_key - 1
    change = np.zeros(int(of_key.sum()), dtype=np.int8)
    change[last[codes[gone]]], change[last[other[new]]] = 2, 1
    by_name = np.repeat(moved, of_key) & (change == 0)
    return SeriesMatch(
        before, after, ours, theirs, lines, gone, last[codes[gone]], new, last[other[new]], change, by_name, uses_shape
    )  # fmt: skip


def _numbered(codes: Codes, counts: Codes) -> tuple[Codes, Codes]:
    """Return kernels in the order of their keys, and which launch of its key each is."""
    import numpy as np

    order = np.argsort(codes, kind="stable")
    starts = np.cumsum(counts) - counts
    return order, np.arange(len(codes)) - starts[codes[order]]


def _keys(before: Overlay, after: Overlay) -> tuple[Codes, Codes, Codes, bool]:
    """Return the key of each kernel of both files, numbered as they come, and the number of the name of each key."""
    import numpy as np

    size = len(before)
    names = _joined_codes(before, after, "kernel")
    wide, uses_shape = names, _have_shapes(before, after)
    if uses_shape:
        for dimension in ("grid", "block"):
            shapes = _joined_codes(before, after, dimension)
            wide = wide * (int(shapes.max(initial=-1)) + 2) + shapes + 1
    _, at, codes = np.unique(wide, return_index=True, return_inverse=True)
    place = np.empty_like(at)
    order = np.argsort(at)
    place[order] = np.arange(len(at))
    keys = place[codes.reshape(-1)]
    return keys[:size], keys[size:], names[at[order]], uses_shape


def _have_shapes(before: Overlay, after: Overlay) -> bool:
    return all(bool((one.texts("grid")[0] >= 0).any()) for one in (before, after))


def _joined_codes(before: Overlay, after: Overlay, key: str) -> Codes:
    """Return the codes of both files over one set of texts; names in their normal form. Without a text: the last."""
    import numpy as np

    form: Any = normalised_kernel_name if key == "kernel" else str
    known: dict[str, int] = {}
    forms: dict[str, int] = {}  # a name that both files have is brought into its form once
    parts = []
    for one in (before, after):
        codes, texts = one.texts(key)
        for text in texts:
            if text not in forms:
                forms[text] = known.setdefault(form(text), len(known))
        table = np.array([*(forms[text] for text in texts), -1], dtype=np.int64)
        parts.append(table[codes])
    joined = np.concatenate(parts)
    return np.where(joined < 0, len(known), joined) if key == "kernel" else joined


def _same_name_alone(codes: Codes, other: Codes, names: Codes, size: int) -> tuple[Codes, Mask]:
    """Give the key from before to kernels on another grid, where both files have one key of that name left over."""
    import numpy as np

    here = np.bincount(codes, minlength=size) > 0
    there = np.bincount(other, minlength=size) > 0
    gone, new = np.flatnonzero(here & ~there), np.flatnonzero(there & ~here)
    count = int(names.max(initial=-1)) + 1
    alone = (np.bincount(names[gone], minlength=count) == 1) & (np.bincount(names[new], minlength=count) == 1)
    moved = np.zeros(size, dtype=bool)
    gone, new = gone[alone[names[gone]]], new[alone[names[new]]]
    gone, new = gone[np.argsort(names[gone])], new[np.argsort(names[new])]
    moved[gone] = True
    target = np.arange(size)
    target[new] = gone
    return target[other], moved
