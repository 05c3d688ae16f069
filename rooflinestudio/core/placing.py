"""From a study to what its views show: every entry held against every machine it is placed on.

``place`` is pure. Rows whose entry, profile and settings are the same as before are taken over from the
previous result, so that a slider step costs one placement per machine, and views find what changed with ``is``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Protocol

from rooflinestudio.core.chains import source_for
from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import StudioError, UnavailableError
from rooflinestudio.core.placement import Placement, place_estimate
from rooflinestudio.core.resolution import resolve_dtypes, resolve_parameters
from rooflinestudio.core.study import CHAIN_PREFIX, Entry, Study, settings_of
from rooflinestudio.core.traffic import POLICIES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.dtypes import DType
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.operators import Dtypes, Estimate, Operator, OperatorOrigin
    from rooflinestudio.core.settings import Settings

__all__ = ["EstimateSource", "PendingError", "PlacedRow", "PlacedStudy", "evaluate", "place"]

RowState = Literal["placed", "pending", "refused", "unavailable"]


class PendingError(StudioError):
    """Raised by a source whose answer is still being worked out elsewhere."""


class EstimateSource(Protocol):
    """Where operators and their answers come from; the plugin registry is one."""

    def operator(self, id_: str, plugin: str = "") -> Operator:
        """Return an operator, or raise ``UnavailableError`` that says what became of the plugin, if it is named."""
        ...

    def origin(self, id_: str) -> OperatorOrigin:
        """Return which plugin an operator came from."""
        ...

    def estimate(self, operator: Operator, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        """Ask an operator, guarded: a failure is a ``RefusedError`` that names the plugin."""
        ...


def evaluate(
    source: EstimateSource,
    operator_id: str,
    parameters: Mapping[str, Any],
    dtypes: Mapping[str, DType],
    profile: HardwareProfile,
    settings: Settings,
) -> Placement:
    """Resolve, estimate and place one operator.

    Raises
    ------
    UnavailableError, ParameterError, RefusedError, PendingError
        All of them ``StudioError``, with a text for the user.
    """
    operator = source.operator(operator_id)
    resolved = resolve_parameters(operator, parameters, profile)
    formats = resolve_dtypes(operator, dtypes)
    estimate = source.estimate(operator, resolved, formats)
    return place_estimate(
        estimate, profile, settings, operator=operator_id, parameters=resolved, dtypes=formats
    )


@dataclass(frozen=True)
class PlacedRow:
    """One entry on one machine.

    Attributes
    ----------
    state
        ``placed`` (then ``placement`` is there), ``pending``, ``refused`` or ``unavailable`` (``reason`` says why).
    profile
        The machine, or None if the study names one that is nowhere to be found.
    """

    entry: Entry
    machine: str
    profile: HardwareProfile | None
    settings: Settings
    state: RowState
    placement: Placement | None = None
    reason: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """Entry id and machine id."""
        return self.entry.id, self.machine

    @cached_property
    def policies(self) -> Mapping[str, Placement]:
        """The same kernel under all three policies, the chosen one included."""
        if self.placement is None or self.profile is None:
            return {}
        return {policy: self.varied(policy=policy) for policy in POLICIES}

    def varied(self, **changes: Any) -> Placement:
        """Place the same estimate under changed settings (``policy``, ``boundary``, …)."""
        placement = self.placement
        if placement is None or self.profile is None:
            raise ValueError(f"row {self.key} has no placement to vary")
        settings = replace(self.settings, **changes)
        if settings == self.settings:
            return placement
        return place_estimate(
            placement.estimate,
            self.profile,
            settings,
            operator=placement.operator,
            parameters=placement.parameters,
            dtypes=placement.dtypes,
        )


@dataclass(frozen=True)
class PlacedStudy:
    """A study and all its rows, in the order of entries, then machines."""

    study: Study
    profiles: Mapping[str, HardwareProfile]
    rows: tuple[PlacedRow, ...]

    @cached_property
    def by_key(self) -> Mapping[tuple[str, str], PlacedRow]:
        """Rows by (entry id, machine id)."""
        return {row.key: row for row in self.rows}

    def rows_of(self, entry_id: str) -> tuple[PlacedRow, ...]:
        """Return the rows of one entry, one per machine."""
        return tuple(row for row in self.rows if row.entry.id == entry_id)

    @property
    def machines(self) -> tuple[HardwareProfile, ...]:
        """The machines in view, as far as their profiles are there."""
        return tuple(self.profiles[id_] for id_ in self.study.view.machines if id_ in self.profiles)


def place(
    study: Study,
    profiles: Mapping[str, HardwareProfile],
    source: EstimateSource,
    *,
    previous: PlacedStudy | None = None,
) -> PlacedStudy:
    """Hold every entry against its machines.

    Parameters
    ----------
    profiles
        Machines known besides those in the study; the study's copies win.
    previous
        The last result; rows that cannot have changed are taken over from it.
    """
    known = {**profiles, **study.profiles} if profiles else study.profiles
    old = previous.by_key if previous is not None else {}
    source = source_for(source, study)
    cut_anew = _changed_chains(study, previous)
    rows: list[PlacedRow] = []
    for entry in study.entries:
        settings = settings_of(entry, study.view)
        for machine in study.machines_of(entry):
            profile = known.get(machine)
            row = old.get((entry.id, machine))
            if (
                row is None
                or row.state == "pending"
                or row.entry is not entry
                or row.profile is not profile
                or row.settings != settings
                or entry.operator in cut_anew
            ):
                row = _place_row(entry, machine, profile, settings, source)
            rows.append(row)
    if (
        previous is not None
        and len(rows) == len(previous.rows)
        and all(a is b for a, b in zip(rows, previous.rows, strict=True))
    ):
        return PlacedStudy(study, known, previous.rows)
    return PlacedStudy(study, known, tuple(rows))


def _changed_chains(study: Study, previous: PlacedStudy | None) -> frozenset[str]:
    """Return the operator ids of the chains that are not what they were."""
    if previous is None or study.chains is previous.study.chains:
        return frozenset()
    before = {one.id: one for one in previous.study.chains}
    after = {one.id: one for one in study.chains}
    changed = (id_ for id_ in before | after if before.get(id_) is not after.get(id_))
    return frozenset(f"{CHAIN_PREFIX}{id_}" for id_ in changed)


def _place_row(
    entry: Entry, machine: str, profile: HardwareProfile | None, settings: Settings, source: EstimateSource
) -> PlacedRow:
    def row(state: RowState, reason: str = "", placement: Placement | None = None) -> PlacedRow:
        return PlacedRow(entry, machine, profile, settings, state, placement, reason)

    if profile is None:
        return row(
            "refused",
            f"The study names the machine {machine!r}, but no profile of that id is there. "
            "Add it, or choose another machine.",
        )
    try:
        source.operator(entry.operator, entry.plugin.id)  # if it is gone, what became of its plugin says why
        placement = evaluate(
            source, entry.operator, entry.parameters, parse_dtypes(entry.dtypes), profile, settings
        )
    except UnavailableError as error:
        made_by = f" It was placed with {entry.plugin.id} {entry.plugin.version}." if entry.plugin.id else ""
        return row("unavailable", f"{error}{made_by}")
    except PendingError as error:
        return row("pending", str(error))
    except StudioError as error:
        return row("refused", str(error))
    return row("placed", placement=placement)
