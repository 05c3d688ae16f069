"""Exchanges between ranks: what one of them sends over its link, and moves through its own memory meanwhile.

A ring passes shares of the buffer on: of n bytes over p ranks each rank sends (p-1)/p·n to gather or to reduce and
scatter them, and twice that to do both (Patarasuk and Yuan 2009; Thakur, Rabenseifner and Gropp 2005).
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from plugins_builtin._logarithms import whole_log2
from plugins_builtin._text import put, shown
from rooflinestudio.plugins import (
    DTYPES,
    Dtypes,
    Estimate,
    Formula,
    Launch,
    OperatorBase,
    Parameter,
    Part,
    Tensor,
    hookimpl,
)
from rooflinestudio.plugins.arithmetic import is_number, where

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rooflinestudio.plugins import DType, Placement
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["exchange_part"]

LINK: Final = "link"
"""The machine's first link, whatever it is called there."""

_CROSSES: Final = frozenset((LINK, "dram"))
_MOST_RANKS: Final = 1_048_576

_ELEMENTS = Parameter("elements", "elements", 67_108_864, high=1e15, help="Elements of the whole buffer.")
_HELD = Parameter("elements", "elements", 67_108_864, high=1e15, help="Elements that one rank holds.")
_RANKS = Parameter("ranks", "ranks", 8, high=_MOST_RANKS, help="Devices that take part.")


@dataclass(frozen=True, slots=True)
class Way:
    """One algorithm: the share of the buffer that one rank sends, in how many steps, and what it says.

    Attributes
    ----------
    share, steps
        Symbols of both, in p; what they come to is in :func:`_share` and :func:`_steps`.
    reduces
        Whether the ranks add up what they get, (p-1)/p FLOP per element of the buffer.
    words
        How it works, for the formula's source.
    """

    share: str
    steps: str
    words: str
    reduces: bool = False


@dataclass(frozen=True, slots=True)
class Spec:
    """One collective: its ways by name, the usual one first."""

    id: str
    label: str
    summary: str
    ways: Mapping[str, Way]
    elements: Parameter = _ELEMENTS
    note: str = ""


_ONCE, _TWICE = "(p-1)/p", "2·(p-1)/p"
_RING_STEPS, _LOG_STEPS = "p-1", "⌈log2 p⌉"

SPECS: Final = (
    Spec("all_reduce", "All-reduce", "The sum over all ranks, on every rank", {
        "ring": Way(_TWICE, "2·(p-1)", "a ring reduces and scatters the shares, then gathers them", reduces=True),
        "tree": Way(_TWICE, "2·⌈log2 p⌉", "sums go up a tree and down again: p-1 edges, each both ways, over p ranks",
                    reduces=True),
        "in_switch": Way("(p+1)/p", "2", "the switch adds: a rank sends the buffer in, and its own sums out to all"),
    }),
    Spec("all_gather", "All-gather", "The shares of all ranks, on every rank", {
        "ring": Way(_ONCE, _RING_STEPS, "every share but one passes by every rank"),
        "doubling": Way(_ONCE, _LOG_STEPS, "pairs swap what they have: 1, 2, 4 … shares"),
    }),
    Spec("reduce_scatter", "Reduce-scatter", "The sum over all ranks, each rank keeping its share", {
        "ring": Way(_ONCE, _RING_STEPS, "sums of every share but one pass by every rank", reduces=True),
        "halving": Way(_ONCE, _LOG_STEPS, "pairs swap and add halves, quarters, eighths …", reduces=True),
    }),
    Spec("all_to_all", "All-to-all", "Every rank sends every other its own share", {
        "direct": Way(_ONCE, _RING_STEPS, "one share to each of the other ranks"),
        "bruck": Way("⌈log2 p⌉/2", _LOG_STEPS, "half the buffer in each of ⌈log2 p⌉ rounds: fewer, larger messages"),
    }, _HELD, "Expert-parallel layers deal tokens out so; uneven routing makes the fullest rank slower."),
    Spec("send", "Send", "One buffer from one rank to another", {
        "direct": Way("1", "1", "the whole buffer, once"),
    }, note="Pipeline stages hand activations on so; the figures are those of the sender."),
)  # fmt: skip


class Collective(OperatorBase):
    """One row of the table; its home is the link."""

    category = "Collectives"
    dtype_roles = MappingProxyType({"activation": "bf16", "compute": "fp32"})
    tensor_roles = MappingProxyType({"sent": "activation", "received": "activation"})

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.id = spec.id
        self.label = spec.label
        self.summary = spec.summary
        self.parameters: tuple[Parameter, ...] = (spec.elements, _RANKS)
        if len(spec.ways) > 1:
            ways = tuple(spec.ways)
            words = "How the ranks pass it on; what one rank sends, and in how many steps, follows from it."
            self.parameters += (Parameter("algorithm", "algorithm", ways[0], choices=ways, help=words),)

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        spec = self.spec
        name = parameters.get("algorithm") or next(iter(spec.ways))
        way, ranks = spec.ways[name], parameters["ranks"]
        elements = 1.0 * parameters["elements"]
        sent = _share(spec.id, name, ranks) * elements
        # At the link traffic is what one rank sends; in dram it is read once, and what comes in is written once.
        sent_type, received_type = dtypes.of("sent", "activation"), dtypes.of("received", "activation")
        pipe = dtypes["compute"].pipe
        return Estimate(
            {pipe: _saved_share(ranks) * elements} if way.reduces else {},
            pipe,
            (Tensor("sent", sent, sent_type, 1, 0, "input"), Tensor("received", sent, received_type, 0, 1, "output")),
            {LINK: (0.0, sent * sent_type.bytes)},
            crosses=_CROSSES,
            footprint_bytes=elements * sent_type.bytes,
            launch=Launch(kernels=_if_several(ranks, 1.0)),
            formulas=lambda: _formulas(way, parameters, sent_type, received_type),
            notes=lambda: tuple(_notes(spec, way, name, ranks)),
            home=LINK,
        )  # fmt: skip

    def details(self, placement: Placement) -> Mapping[str, Any]:
        """Return in how many steps the ranks pass on how much each."""
        p, estimate = placement.parameters, placement.estimate
        name = p.get("algorithm") or next(iter(self.spec.ways))
        steps = _steps(name, self.spec.ways[name], p["ranks"])
        sent = estimate.blocked[LINK][1]
        return {"sent_bytes": sent, "steps": steps, "bytes_per_step": sent / where(steps > 0, steps, 1.0)}


def _if_several(ranks: Num, value: Num) -> Num:
    return where(ranks > 1, value, 0.0)


def _saved_share(ranks: Num) -> Num:
    """Return (p-1)/p, 0 for a rank alone."""
    return (ranks - 1.0) / ranks


def _share(id_: str, name: str, ranks: Num) -> Num:
    """Return the share of the buffer that one rank sends."""
    if id_ == "send":
        return _if_several(ranks, 1.0)
    if name == "bruck":
        return whole_log2(ranks) / 2.0
    if name == "in_switch":
        return _if_several(ranks, (ranks + 1.0) / ranks)
    return (2.0 if id_ == "all_reduce" else 1.0) * _saved_share(ranks)


def _steps(name: str, way: Way, ranks: Num) -> Num:
    """Return how many messages one rank sends after each other."""
    if "log2" in way.steps:
        return (2.0 if name == "tree" else 1.0) * whole_log2(ranks)
    if "p-1" in way.steps:
        return (2.0 if way.share == _TWICE else 1.0) * (ranks - 1.0)
    return _if_several(ranks, float(way.steps))


def _formulas(way: Way, p: Mapping[str, Any], sent: DType, received: DType) -> tuple[Formula, ...]:
    values = {"n": p["elements"], "p": p["ranks"], "s": sent.bytes, "r": received.bytes}
    share = way.share
    template = share.replace("p", "{p}")
    if "log2" in share:
        values["log"] = whole_log2(p["ranks"])
        template = "{log}/2"
    if is_number(p["ranks"]) and p["ranks"] <= 1:
        template = "0"
    return (
        Formula(
            "work", "W = (p-1)/p·n" if way.reduces else "W = 0",
            put("({p}-1)/{p}·{n}", **values) if way.reduces else "0",
            "every rank adds up its share, p-1 sums per element" if way.reduces else "only bytes move on the devices",
        ),
        Formula(
            "link", f"Q_link = s·{share}·n", put(f"{{s}}·{template}·{{n}}", **values),
            f"what one of p ranks sends of n elements: {way.words}",
        ),
        Formula(
            "compulsory", f"Q_dram = (s_sent + s_received)·{share}·n",
            put(f"({{s}} + {{r}})·{template}·{{n}}", **values),
            "in its own memory what is sent is read once, and as much that comes in is written once",
        ),
    )  # fmt: skip


def _notes(spec: Spec, way: Way, name: str, ranks: Num) -> Iterator[str]:
    steps = _steps(name, way, ranks)
    count = f" = {shown(steps)}" if is_number(steps) else ""
    yield f"Bandwidth only: the {way.steps}{count} steps of this algorithm wait for the link's latency besides."
    yield "The link is counted in one direction, and as if all ranks were one hop apart with the same bandwidth."
    if name == "in_switch":
        yield "The switch does the sums: the device computes nothing; it needs a network that can."
    if spec.note:
        yield spec.note


_BY_ID: Final = {spec.id: Collective(spec) for spec in SPECS}


def exchange_part(label: str, id_: str, *, elements: Num, ranks: Num, dtype: DType) -> Part:
    """Return a collective as part of a composite, with its usual algorithm.

    Parameters
    ----------
    id_
        One of the collectives here, such as ``reduce_scatter``.
    elements, ranks
        As the collective's own parameters; numbers or arrays.
    dtype
        Format of the buffer.
    """
    operator = _BY_ID[id_]
    formats = Dtypes({"activation": dtype, "compute": DTYPES["fp32"]})
    parameters: dict[str, Any] = {"elements": elements, "ranks": ranks}
    parameters |= {one.name: one.default for one in operator.parameters if one.name == "algorithm"}
    return Part(label, id_, parameters, formats, 1, operator.estimate(parameters, formats))


@hookimpl
def rooflinestudio_operators() -> list[OperatorBase]:
    """Bring the collectives."""
    return list(_BY_ID.values())
