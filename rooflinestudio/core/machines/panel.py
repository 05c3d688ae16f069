"""What the machines tab shows, as a study keeps it; and the edits that it asks for. All pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.machines.what_if import changed_machine, factors_of, what_if_id

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.study import Study

__all__ = ["PAGES", "PANEL", "MachinesPanel", "machines_panel", "with_factors", "with_what_if_shown"]

PANEL: Final = "machines"
PAGES: Final = ("figures", "what_if", "gains", "all", "years")
_WHAT_IF: Final = "what_if"


@dataclass(frozen=True, slots=True)
class MachinesPanel:
    """Settings of the tab.

    Attributes
    ----------
    page
        One of :data:`PAGES`.
    different
        Whether only figures that differ are listed.
    what_if
        Factors by machine and resource, not yet checked against the machine.
    """

    page: str = "figures"
    different: bool = False
    what_if: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


def machines_panel(study: Study) -> MachinesPanel:
    """Read the settings; a wrong value falls back to its default."""
    known = study.panels.get(PANEL, {})
    page, what_if = known.get("page"), known.get(_WHAT_IF)
    return MachinesPanel(
        str(page) if page in PAGES else "figures",
        known.get("different") is True,
        {str(key): one for key, one in what_if.items() if isinstance(one, Mapping)}
        if isinstance(what_if, Mapping)
        else {},
    )


def with_factors(study: Study, profile: HardwareProfile, factors: Mapping[str, float]) -> Study:
    """Return the study with other factors for a machine; the changed machine follows where it is shown.

    Parameters
    ----------
    profile
        The machine itself, not the changed one.
    factors
        By resource; 1 takes one out, none at all take the machine's out.
    """
    kept: dict[str, Any] = dict(machines_panel(study).what_if)
    known = factors_of(profile, factors)
    kept[profile.id] = known
    if not known:
        del kept[profile.id]
    made = study.with_panel(PANEL, {_WHAT_IF: kept or None})
    if what_if_id(profile) not in study.profiles:
        return made
    return made.with_profile(changed_machine(profile, known), shown=False)


def with_what_if_shown(study: Study, profile: HardwareProfile, *, shown: bool) -> Study:
    """Return the study with the changed machine shown beside the others, or gone."""
    id_ = what_if_id(profile)
    if not shown:
        gone = study.without_machine(id_)
        return replace(gone, profiles={key: one for key, one in gone.profiles.items() if key != id_})
    factors = factors_of(profile, machines_panel(study).what_if.get(profile.id))
    return study.with_profile(changed_machine(profile, factors))
