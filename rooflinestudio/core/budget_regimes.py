"""The same layer in prefill, in training and in decoding, side by side: what the budget tab shows beneath one another.

The regime of the entry itself is the row of the canvas; the others are placed beside it, without being in the study.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.budget import Budget, budget_of
from rooflinestudio.core.budget_words import regime_title
from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.placing import PendingError, evaluate
from rooflinestudio.core.quick import nothing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.placing import EstimateSource, PlacedRow

__all__ = ["REGIME", "BudgetSettings", "RegimeBudget", "RegimeBudgets", "read_settings", "regimes_of"]

REGIME: Final = "regime"
"""The parameter that switches between them."""

_REGIMES: Final = ("prefill", "train", "decode")


@dataclass(frozen=True)
class BudgetSettings:
    """What a study says of its budget (``panels.budget``).

    Attributes
    ----------
    entry
        The composite it is about, or an empty text for the first one.
    regimes
        Regimes to be shown, in this order; that of the entry is always shown, first.
    beside
        By regime, parameters in which it differs from the entry when it is shown beside it: decoding has more
        sequences at a time than prefill.
    """

    entry: str = ""
    regimes: tuple[str, ...] = _REGIMES
    beside: Mapping[str, Mapping[str, Any]] = field(default_factory=nothing)


def read_settings(panel: Mapping[str, Any] | None) -> BudgetSettings:
    """Read the part of a study that is about its budget; what makes no sense is as if it were not there."""
    panel = panel if hasattr(panel, "get") and panel is not None else {}
    entry, regimes, beside = panel.get("entry"), panel.get("regimes"), panel.get("beside")
    known: tuple[str, ...] = _REGIMES
    if isinstance(regimes, list | tuple):
        known = tuple(dict.fromkeys(one for one in regimes if isinstance(one, str) and one))
    differing = {
        regime: {name: value for name, value in _items(changes) if isinstance(name, str) and name != REGIME}
        for regime, changes in _items(beside)
        if isinstance(regime, str)
    }
    return BudgetSettings(entry if isinstance(entry, str) else "", known, differing)


def _items(value: Any) -> Iterable[tuple[Any, Any]]:
    found: Iterable[tuple[Any, Any]] = value.items() if hasattr(value, "items") else ()
    return found


@dataclass(frozen=True)
class RegimeBudget:
    """A layer in one regime.

    Attributes
    ----------
    regime
        Its id, or an empty text for a composite that has none.
    title
        Regime and size in words.
    budget
        The figures, or None where ``reason`` says why there are none.
    is_present
        Whether it is the entry as it stands in the study.
    parameters
        What it was placed with, or what was tried.
    is_pending
        Whether the answer is still being worked out.
    """

    regime: str
    title: str
    budget: Budget | None
    reason: str = ""
    is_present: bool = False
    parameters: Mapping[str, Any] = field(default_factory=nothing)
    is_pending: bool = False


def regimes_of(operator: Operator | None) -> tuple[str, ...]:
    """Return the regimes that an operator knows; none for most."""
    for one in operator.parameters if operator is not None else ():
        if one.name == REGIME and one.choices and not one.open_choices:
            return tuple(one.choices)
    return ()


class RegimeBudgets:
    """Makes the budgets of a row in every regime; the last answer is kept while row and settings are the same."""

    def __init__(self) -> None:
        self._asked: tuple[Any, ...] = ()
        self._known: tuple[RegimeBudget, ...] = ()

    def of(
        self, row: PlacedRow, settings: BudgetSettings, source: EstimateSource | None
    ) -> tuple[RegimeBudget, ...]:
        """Return the present regime first, then the others that are wanted; one budget where there are no regimes."""
        asked = (row, settings.regimes, settings.beside, source)
        same = len(self._asked) == len(asked) and row is self._asked[0] and self._asked[3] is source
        if same and self._asked[1:3] == asked[1:3]:
            return self._known
        found = tuple(_budgets(row, settings, source))
        is_final = not any(one.is_pending for one in found)
        self._asked, self._known = (asked, found) if is_final else ((), ())
        return found


def _budgets(row: PlacedRow, settings: BudgetSettings, source: EstimateSource | None) -> list[RegimeBudget]:
    operator = _operator(row, source)
    regimes = regimes_of(operator)
    present = present_regime(row, operator) if regimes else ""
    found = [_present(row, present)]
    if source is None or row.profile is None:
        return found
    others = (one for one in settings.regimes if one in regimes and one != present)
    return found + [_beside(row, one, settings.beside.get(one, {}), source) for one in others]


def _operator(row: PlacedRow, source: EstimateSource | None) -> Operator | None:
    try:
        return source.operator(row.entry.operator) if source is not None else None
    except StudioError:
        return None


def present_regime(row: PlacedRow, operator: Operator | None) -> str:
    """Return the regime that an entry is in, as set or as its operator's default."""
    default = next((one.default for one in operator.parameters if one.name == REGIME), "") if operator else ""
    return str(row.entry.parameters.get(REGIME, default))


def _present(row: PlacedRow, regime: str) -> RegimeBudget:
    placement = row.placement
    if placement is None or not placement.parts:
        reason = row.reason or "It is a single kernel."
        title = regime_title(regime, {}) if regime else ""
        return RegimeBudget(regime, title, None, reason, True, is_pending=row.state == "pending")
    title = regime_title(regime, placement.parameters) if regime else ""
    return RegimeBudget(regime, title, budget_of(placement), "", True, placement.parameters)


def _beside(row: PlacedRow, regime: str, changes: Mapping[str, Any], source: EstimateSource) -> RegimeBudget:
    entry, profile = row.entry, row.profile
    assert profile is not None
    parameters = {**entry.parameters, **changes, REGIME: regime}
    try:
        placement = evaluate(
            source, entry.operator, parameters, parse_dtypes(entry.dtypes), profile, row.settings
        )
        budget = budget_of(placement)
    except (StudioError, ValueError) as error:
        return RegimeBudget(
            regime,
            regime_title(regime, {}),
            None,
            str(error),
            False,
            parameters,
            isinstance(error, PendingError),
        )
    title = regime_title(regime, placement.parameters)
    return RegimeBudget(regime, title, budget, "", False, placement.parameters)
