"""Every number explains itself: formula, values put in, convention and source of each figure of a placement.

Made when somebody asks, never while placing. The arithmetic shown comes to the figure; a formula of an operator that
does not is not shown.
"""

from __future__ import annotations

from dataclasses import replace
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.explain_counts import (
    count_explanations,
    crossed,
    footprint_explanation,
    formulas_of,
    traffic_explanation,
)
from rooflinestudio.core.explain_times import (
    boundary_time,
    compute_times,
    expected_explanations,
    forecast_terms,
    intensity_explanation,
    rates,
    ridge_explanation,
    time_explanation,
)
from rooflinestudio.core.explain_words import Explanation
from rooflinestudio.core.traffic import POLICIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.placement import Placement

__all__ = ["Explanation", "explain", "explanation_lines", "traffic_under_every_policy"]

_WIDTH: Final = 24
_COLUMNS: Final = 112


def explain(placement: Placement) -> tuple[Explanation, ...]:
    """Explain every figure of a placement, from the counts to the result.

    Traffic stands once for each boundary that is crossed, and at dram for each policy; a composite explains its own
    sums first, then work, traffic and time of each of its kernels. Several points at once (arrays) have formulas
    without values.
    """
    if not is_number(placement.time_s) or not is_number(placement.work_flop):
        formulas = formulas_of(placement.estimate).values()
        return tuple(Explanation(one.figure, one.symbols, "", None, "", "", one.source) for one in formulas)
    return tuple(_all(placement))


def _all(placement: Placement) -> Iterator[Explanation]:
    yield from count_explanations(placement)
    places = crossed(placement)
    for id_ in places:
        if id_ == "dram":
            yield from traffic_under_every_policy(placement)
        else:
            yield traffic_explanation(placement, id_)
    for id_ in places:
        yield intensity_explanation(placement, id_)
        yield ridge_explanation(placement, id_)
    yield from compute_times(placement)
    yield from (one for id_ in places if (one := boundary_time(placement, id_)) is not None)
    yield from forecast_terms(placement)
    yield time_explanation(placement)
    yield from rates(placement)
    yield from expected_explanations(placement)
    footprint = footprint_explanation(placement)
    if footprint is not None:
        yield footprint
    for part in placement.parts:
        yield from _of_part(part.label, part.placement)


def traffic_under_every_policy(placement: Placement) -> Iterator[Explanation]:
    """Explain the traffic at dram under each policy that counts differently, the chosen one among them."""
    from rooflinestudio.core.placement import place_estimate

    chosen = placement.settings.policy
    if placement.parts or "dram" not in placement.estimate.blocked:
        yield traffic_explanation(placement, "dram")
        return
    for policy in POLICIES:
        if policy == chosen:
            yield traffic_explanation(placement, "dram")
            continue
        other = place_estimate(
            placement.estimate, placement.profile, replace(placement.settings, policy=policy),
            operator=placement.operator, parameters=placement.parameters, dtypes=placement.dtypes,
        )  # fmt: skip
        yield traffic_explanation(other, "dram")


def _of_part(label: str, placement: Placement) -> Iterator[Explanation]:
    for one in count_explanations(placement):
        if one.figure == "work":
            yield replace(one, figure=f"{label}: work")
    boundary = placement.boundary_id
    yield replace(traffic_explanation(placement, boundary), figure=f"{label}: traffic {boundary}")
    yield replace(time_explanation(placement), figure=f"{label}: time")


def explanation_lines(explanations: tuple[Explanation, ...]) -> list[str]:
    """Return explanations as aligned lines of text: symbols, values with result, then convention and source.

    A convention or source that stood before is not told again.
    """
    lines: list[str] = []
    seen: set[str] = set()
    for one in explanations:
        result = one.result_text()
        values = one.values if one.values != result else ""
        equation = [f"= {text}" for text in (values, result) if text]
        if len(" ".join(equation)) <= _COLUMNS - _WIDTH:
            equation = [" ".join(equation)] if equation else []
        texts = [one.symbols, *equation]
        for text in (*one.convention.split("; "), *one.source.split("; ")):
            if text and not any(text in one for one in seen):
                seen.add(text)
                texts.append(text)
        wrapped = [
            line for text in texts for line in wrap(text, _COLUMNS - _WIDTH - 3, subsequent_indent="  ")
        ]
        lines.append(f"  {one.figure:<{_WIDTH}} {wrapped[0]}".rstrip())
        lines += [f"  {'':<{_WIDTH}} {line}" for line in wrapped[1:]]
    return lines
