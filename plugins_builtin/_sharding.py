"""Optimizers over several ranks: each updates its share, and the link carries what that takes.

Sharding the state makes no bytes disappear. What a rank no longer moves in its own memory comes back as gradients
that are reduced and scattered before the update, and weights that are gathered after it (Rajbhandari and others 2020).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from plugins_builtin._text import put
from plugins_builtin.collectives import exchange_part
from rooflinestudio.plugins import Estimate, Formula, Parameter, Part

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.plugins import DType, Dtypes
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["RANKS", "sharded"]

RANKS = Parameter(
    "ranks", "ranks", 1, high=1_048_576,
    help="Devices that share the update: each does its part, and exchanges gradients and results over its link.",
)  # fmt: skip


class _Update(Protocol):
    """An optimizer, as far as it is needed here."""

    id: str

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate: ...


def sharded(
    operator: _Update,
    own: Mapping[str, Any],
    dtypes: Dtypes,
    *,
    elements: Num,
    ranks: Num,
    formats: tuple[DType, DType],
) -> Estimate:
    """Return the update of one rank between the exchange of gradients and that of results.

    Parameters
    ----------
    own
        Parameters of the share that one rank updates.
    elements
        Parameters of the whole model.
    formats
        Formats that gradients and results are exchanged in.
    """
    gradient, result = formats
    update = operator.estimate(own, dtypes)
    parts = (
        exchange_part("Reduce-scatter of gradients", "reduce_scatter", elements=elements, ranks=ranks, dtype=gradient),
        Part("Update", operator.id, own, dtypes, 1, update),
        exchange_part("All-gather of results", "all_gather", elements=elements, ranks=ranks, dtype=result),
    )  # fmt: skip
    share = update.footprint_bytes if update.footprint_bytes is not None else 0.0
    return Estimate(
        {},
        update.main_pipe,
        (),
        footprint_bytes=share + (1.0 - 1.0 / ranks) * elements * (gradient.bytes + result.bytes),
        parts=parts,
        formulas=lambda: _formulas(update, elements, ranks, formats),
        notes=_notes,
    )


def _formulas(
    update: Estimate, elements: Num, ranks: Num, formats: tuple[DType, DType]
) -> tuple[Formula, ...]:
    gradient, result = formats
    pipe, flop = next(iter(update.work.items()))
    values = {"n": elements, "p": ranks, "g": gradient.bytes, "w": result.bytes, "u": flop}
    values |= {"read": sum(one.reads * one.elements * one.dtype.bytes for one in update.tensors)}
    values |= {"written": sum(one.writes * one.elements * one.dtype.bytes for one in update.tensors)}
    return (
        Formula(
            "work", "W = W_update + (p-1)/p·parameters", put("{u} + ({p}-1)/{p}·{n}", **values),
            f"the update of one of p ranks on {pipe}, and the sums of the reduce-scatter",
        ),
        Formula(
            "compulsory", "Q_dram = Q_update + 2·(p-1)/p·(s_gradient + s_weight)·parameters",
            put("{read} + {written} + 2·({p}-1)/{p}·({g} + {w})·{n}", **values),
            "a p-th of the state, and what the exchanges read and write in the rank's own memory",
        ),
        Formula(
            "link", "Q_link = (p-1)/p·(s_gradient + s_weight)·parameters",
            put("({p}-1)/{p}·({g} + {w})·{n}", **values),
            "gradients reduced and scattered, results gathered; the link's bandwidth rules them",
        ),
    )  # fmt: skip


def _notes() -> tuple[str, ...]:
    return (
        "Sharding moves traffic, it removes none: memory moves 1/p of the state, the link the gradients and weights.",
        "The exchanges are counted one after the other with the update; overlapped with the passes before and after, "
        "they may cost less.",
        "The footprint holds all gradients and all weights beside the rank's share of the state.",
    )
