"""How work and traffic come about: the operator's own formula where its arithmetic gives the figure, else a sum."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.explain_arithmetic import agrees, value_of
from rooflinestudio.core.explain_words import (
    COLD,
    DENSE,
    FMA,
    ONCE,
    Explanation,
    amount,
    count,
    summed,
    told,
)
from rooflinestudio.core.hardware import INSIDE
from rooflinestudio.core.pipes import SPECIAL
from rooflinestudio.core.traffic import compulsory_bytes, tiled_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rooflinestudio.core.operators import Estimate, Formula
    from rooflinestudio.core.placement import Placement

__all__ = ["count_explanations", "crossed", "footprint_explanation", "formulas_of", "traffic_explanation"]

_FIGURES: Final = ("work", "special", "compulsory", "tiled", "register", "shared", "l1", "l2", "l3", "link")
_SPECIAL: Final = "4 FLOP per result of the special-function units; beside the work, never in it"
_UNITS: Final = MappingProxyType({"Q": "B", "M": "B", "W": "FLOP", "T": "s"})
_MINUS: Final = "\u2212"


def formulas_of(estimate: Estimate) -> Mapping[str, Formula]:
    """Return the operator's own formulas by the figure that they are of."""
    made = estimate.formulas() if estimate.formulas is not None else ()
    return {one.figure: one for one in made}


def count_explanations(placement: Placement) -> Iterator[Explanation]:
    """Explain work by pipe, and whatever else the operator counts on the way (visible pairs, expected experts)."""
    formulas = formulas_of(placement.estimate)
    for name, formula in formulas.items():
        if name not in _FIGURES and (value := value_of(formula.values)) is not None:
            unit = _UNITS.get(formula.symbols[:1], "")  # as symbols go: Q is traffic, W work, T time
            yield Explanation(name, formula.symbols, formula.values, value, unit, "", formula.source)
    work = float(placement.work_flop)
    yield _counted("work", formulas.get("work"), work, _work_sum(placement), ("FLOP", f"{FMA}; {DENSE}"))
    special = _special(placement)
    if special:
        terms = summed(_special_terms(placement))
        own = ("W_special = Σ over kernels" if placement.parts else "W_special", terms, "")
        yield _counted("work special", formulas.get("special"), special, own, ("FLOP", _SPECIAL))


def _counted(
    figure: str, formula: Formula | None, result: float, own: tuple[str, str, str], kind: tuple[str, str]
) -> Explanation:
    """Take the operator's formula if its arithmetic gives the figure; else its symbols at most, and ``own`` values."""
    symbols, values, source = own
    unit, convention = kind
    if formula is not None:
        if formula.values and agrees(formula.values, result):
            return Explanation(
                figure, formula.symbols, formula.values, result, unit, convention, formula.source
            )
        if not formula.values:  # it says how, but not with which numbers
            symbols, source = formula.symbols, formula.source
    return Explanation(figure, symbols, values, result, unit, convention, source)


def _work_sum(placement: Placement) -> tuple[str, str, str]:
    if placement.parts:
        terms = [_times(one.count, amount(float(one.placement.work_flop), "FLOP")) for one in placement.parts]
        return "W = Σ count·W(kernel)", summed(terms), "summed over its kernels"
    pipes = [float(flop) for pipe, flop in placement.estimate.work.items() if pipe != SPECIAL]
    symbols = "W = Σ W(pipe)" if len(pipes) > 1 else "W, as the operator counts it"
    return symbols, summed(amount(flop, "FLOP") for flop in pipes), ""


def _times(number: object, text: str) -> str:
    return text if number == 1 else f"{count(float(number))}·{text}"  # type: ignore[arg-type]


def _special(placement: Placement) -> float:
    if placement.parts:
        return sum(float(one.count) * _special(one.placement) for one in placement.parts)
    return float(placement.estimate.work.get(SPECIAL, 0.0))


def _special_terms(placement: Placement) -> Iterator[str]:
    if not placement.parts:
        yield amount(_special(placement), "FLOP")
    for one in placement.parts:
        if special := _special(one.placement):
            yield _times(one.count, amount(special, "FLOP"))


# Traffic ------------------------------------------------------------------------------------------------------------


def traffic_explanation(placement: Placement, boundary: str) -> Explanation:
    """Explain the traffic of a placement at one boundary under its policy."""
    figures = placement.at(boundary)
    total = float(figures.traffic_bytes)
    name = f"traffic {boundary}"
    if placement.parts:
        return _summed_traffic(placement, boundary, total)
    estimate = placement.estimate
    if not figures.crosses:
        own = (f"Q({boundary}) = Qc, if every tensor crossed it once", _sides(placement, boundary), "")
        return _counted(name, None, total, own, ("B", ONCE))
    if boundary in INSIDE:
        return _inside(placement, boundary, total)
    if boundary in ("dram", "l3"):
        return _at_memory(placement, boundary, total)
    own = (f"Q({boundary}) = read + write, what one rank sends and receives", _sides(placement, boundary), "")
    formulas = formulas_of(estimate)
    return _counted(name, formulas.get("link") or formulas.get("compulsory"), total, own, ("B", COLD))


def _sides(placement: Placement, boundary: str) -> str:
    figures = placement.at(boundary)
    return f"{amount(float(figures.read_bytes), 'B')} + {amount(float(figures.write_bytes), 'B')}"


def _summed_traffic(placement: Placement, boundary: str, total: float) -> Explanation:
    inner = [(one, one.placement.at(boundary)) for one in placement.parts]
    counted = [pair for pair in inner if pair[1].crosses] or inner
    terms = summed(
        _times(one.count, amount(float(figures.traffic_bytes), "B"))
        for one, figures in counted
        if figures.traffic_bytes > 0
    )
    symbols = f"Q({boundary}) = Σ count·Q(kernel)"
    formula = formulas_of(placement.estimate).get("compulsory")
    if formula is not None and boundary == "dram" and placement.settings.policy == "compulsory":
        return _counted(f"traffic {boundary}", formula, total, (symbols, terms, ""), ("B", ONCE))
    return Explanation(
        f"traffic {boundary}", symbols, terms, total, "B", ONCE, "summed over the kernels that cross it"
    )


def _inside(placement: Placement, boundary: str, total: float) -> Explanation:
    formulas = formulas_of(placement.estimate)
    outward = (*INSIDE[INSIDE.index(boundary) :], "dram")
    counted = next((id_ for id_ in outward if id_ in placement.estimate.blocked), None)
    convention = "the blocked count holds inside dram under every policy; decimal bytes"
    if counted is None:
        own = (f"Q({boundary}) = Qc, nothing is blocked", _sides(placement, boundary), "")
        return _counted(f"traffic {boundary}", formulas.get("compulsory"), total, own, ("B", convention))
    named = formulas.get("tiled" if counted == "dram" else counted)
    source = "" if counted == boundary else f"the count of {counted}, the next one outward"
    own = (f"Q({boundary}) = read + write, as blocked", _sides(placement, boundary), source)
    return _counted(f"traffic {boundary}", named, total, own, ("B", convention))


def _at_memory(placement: Placement, boundary: str, total: float) -> Explanation:
    policy = placement.settings.policy
    estimate = placement.estimate
    name = f"traffic {boundary} {policy}"
    formulas = formulas_of(estimate)
    compulsory, tiled = float(sum(compulsory_bytes(estimate))), float(sum(tiled_bytes(estimate)))
    if policy == "compulsory" or "dram" not in estimate.blocked:
        own = (
            "Qc = Σ bytes·elements·(reads + writes)",
            _tensor_terms(estimate),
            "each tensor as often as it must",
        )
        return _counted(name, formulas.get("compulsory"), total, own, ("B", ONCE))
    if policy == "tiled":
        own = ("Qt = read + write, as blocked", _sides(placement, boundary), "")
        return _counted(name, formulas.get("tiled"), total, own, ("B", f"every re-read crosses; {ONCE}"))
    kept = f"1 {_MINUS} {placement.settings.absorption:g}"
    qc, qt = amount(compulsory, "B"), amount(tiled, "B")
    return Explanation(
        name, f"Q = Qc + (1 {_MINUS} a)·(Qt {_MINUS} Qc)", f"{qc} + ({kept})·({qt} {_MINUS} {qc})", total, "B",
        "a: the share of the re-reads that the next cache absorbs, set and not computed; decimal bytes",
        "Qc and Qt are explained under their own policies",
    )  # fmt: skip


def _tensor_terms(estimate: Estimate) -> str:
    """Write the compulsory traffic tensor by tensor."""
    terms = []
    for tensor in estimate.tensors:
        crossings = float(tensor.reads) + float(tensor.writes)
        if crossings and float(tensor.elements):
            times = "" if crossings == 1 else f"·{count(crossings)}"
            terms.append(f"{count(tensor.dtype.bytes)}·{count(float(tensor.elements))}{times}")
    return summed(terms)


def footprint_explanation(placement: Placement) -> Explanation | None:
    """Explain what must fit into dram at once, and against which capacity it is held."""
    footprint = placement.estimate.footprint_bytes
    if footprint is None or not is_number(footprint):
        return None
    dram = placement.profile.boundaries.get("dram")
    capacity = dram.capacity if dram is not None else None
    source = ""
    if dram is not None and capacity is not None:
        source = f"{dram.label} holds {amount(capacity.value, 'B')}, {told(capacity)}"
    tensors = sum(float(one.elements) * one.dtype.bytes for one in placement.estimate.tensors)
    whole = "M = Σ bytes·elements, each tensor once", summed(_held(placement.estimate)), source
    if not agrees(whole[1], footprint):
        whole = "M = weights + cache + what else is alive at once", amount(footprint, "B"), source
    if tensors and footprint > tensors and not agrees(whole[1], tensors):
        rest = amount(footprint - tensors, "B")
        whole = "M = tensors + intermediates", f"{amount(tensors, 'B')} + {rest}", source
    formula = formulas_of(placement.estimate).get("footprint")
    convention = "capacities in powers of 1000: 80 GB = 80e9 B = 74.5 GiB"
    made = _counted("footprint", formula, float(footprint), whole, ("B", convention))
    return made if made.source else Explanation(*_fields(made), source)


def _fields(one: Explanation) -> tuple[str, str, str, float | None, str, str]:
    return one.figure, one.symbols, one.values, one.result, one.unit, one.convention


def _held(estimate: Estimate) -> Iterator[str]:
    for tensor in estimate.tensors:
        if float(tensor.elements):
            yield f"{count(tensor.dtype.bytes)}·{count(float(tensor.elements))}"


def crossed(placement: Placement) -> tuple[str, ...]:
    """Return the boundaries that a placement crosses, and the one that it stands at, from the inside outward."""
    return tuple(
        id_
        for id_ in placement.profile.boundaries
        if placement.at(id_).crosses or id_ == placement.boundary_id
    )
