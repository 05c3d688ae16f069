"""What all plugins brought together: operators, machines and readers by id, each with its origin.

A registry never changes; the host makes a new one when further plugins have been loaded. It is the core's source of
estimates.
"""

from __future__ import annotations

import copy
import difflib
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.errors import ProfileError, UnavailableError
from rooflinestudio.plugins.calling import OperatorCaller

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.operators import Dtypes, Estimate, Operator, OperatorOrigin
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.plugins.hookspecs import ProfileSource
    from rooflinestudio.plugins.rows import PluginRow
    from rooflinestudio.plugins.sources import GuardedProfile, GuardedReader

__all__ = ["YOUR_MACHINES", "Registry"]

YOUR_MACHINES: Final = "your machines"
"""Stands where a plugin's name stands, for profiles of the user's folder."""


class Registry:
    """Operators, profiles and readers of all plugins.

    Attributes
    ----------
    operators
        In the order of the palette: by category, then by label.
    profiles
        Sources, each with ``id``, ``label`` and ``load()``, in the order in which they came; nothing is read yet.
    readers
        In the order in which they came.
    rows
        What became of every plugin.
    """

    def __init__(
        self,
        operators: Iterable[tuple[Operator, OperatorOrigin]] = (),
        profiles: Iterable[GuardedProfile] = (),
        readers: Iterable[GuardedReader] = (),
        rows: tuple[PluginRow, ...] = (),
    ) -> None:
        ordered = sorted(operators, key=lambda pair: _palette_order(pair[0]))
        self.operators: tuple[Operator, ...] = tuple(operator for operator, _ in ordered)
        self._operators = {operator.id: operator for operator, _ in ordered}
        self._origins = {operator.id: origin for operator, origin in ordered}
        self._caller = OperatorCaller(self._origins)
        self.profiles: tuple[GuardedProfile, ...] = tuple(profiles)
        self._profiles = {source.id: source for source in self.profiles}
        self.readers: tuple[GuardedReader, ...] = tuple(readers)
        self.rows = rows

    # ------------------------------------------------------------------------------------ look-up

    def __contains__(self, operator_id: object) -> bool:
        return operator_id in self._operators

    def operator(self, id_: str, plugin: str = "") -> Operator:
        """Return an operator.

        Parameters
        ----------
        plugin
            Distribution that the operator came from when a study was saved, if known.

        Raises
        ------
        UnavailableError
            If there is none of this id; the text offers the nearest, or says what became of its plugin.
        """
        try:
            return self._operators[id_]
        except KeyError:
            raise UnavailableError(f"No operator is called {id_!r}{self._hint(id_, plugin)}") from None

    def origin(self, id_: str) -> OperatorOrigin:
        """Return which plugin an operator came from; ``UnavailableError`` if there is no such operator."""
        self.operator(id_)
        return self._origins[id_]

    def load_profile(self, id_: str) -> HardwareProfile:
        """Return a machine, read at its first use and always the same object.

        Raises
        ------
        ProfileError
            If there is none of this id (the text offers the nearest), or it cannot be read.
        """
        source = self._profiles.get(id_)
        if source is None:
            near = difflib.get_close_matches(id_, self._profiles, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(self._profiles) or 'none'}."
            raise ProfileError(f"No hardware profile is called {id_!r}; {hint}")
        return source.load()

    def with_user_profiles(self, profiles: Iterable[ProfileSource]) -> Registry:
        """Return the same registry with the user's own profiles; an id that a plugin has already stays the plugin's."""
        from rooflinestudio.core.operators import OperatorOrigin
        from rooflinestudio.plugins.sources import GuardedProfile

        origin = OperatorOrigin(YOUR_MACHINES, "")
        own = [one for one in self.profiles if one.origin.plugin != YOUR_MACHINES]
        taken = {one.id for one in own}
        own += [GuardedProfile(one, origin) for one in profiles if one.id not in taken]
        made = copy.copy(self)
        made.profiles = tuple(own)
        made._profiles = {source.id: source for source in own}
        return made

    def _hint(self, id_: str, plugin: str) -> str:
        for row in self.rows:
            for problem in row.problems:
                if f"{id_!r}" in problem:
                    return f": {row.distribution} {row.version} brings it, and it was refused. {problem}"
        rows = [row for row in self.rows if plugin and row.distribution == plugin]
        if rows:
            row = next((one for one in rows if one.state != "loaded"), rows[0])
            became = {"failed": "failed", "partly": "failed in part", "disabled": "is off"}.get(row.state)
            what = f"{became}: {row.reason}" if became else "is there, but brings it no longer."
            return f"; its plugin {row.distribution} {row.version} {what}"
        if plugin:
            return f"; its plugin {plugin} is not installed here."
        near = difflib.get_close_matches(id_, self._operators, n=1)
        return (
            f"; did you mean {near[0]!r}?"
            if near
            else "; the plugin that brings it is not installed here, or failed."
        )

    # ------------------------------------------------------------------------------------ estimates

    def estimate(self, operator: Operator, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        """Ask an operator for work and traffic, guarded; see :meth:`OperatorCaller.estimate`.

        Raises
        ------
        RefusedError
            If the operator raises, or answers nonsense; the text names the plugin, the figure and the value.
        """
        return self._caller.estimate(operator, parameters, dtypes)

    def details(self, placement: Placement) -> Mapping[str, Any]:
        """Return the figures that the operator of a placement adds to it, empty if it adds none.

        An operator that fails here costs its details only: then ``problem`` says what happened.
        """
        operator = self._operators.get(placement.operator)
        return {} if operator is None else self._caller.details(operator, placement)


CATEGORIES: Final = (
    "matrix products",
    "attention",
    "elementwise and norms",
    "loss",
    "optimizers",
    "transformer",
    "collectives",
    "classical kernels",
)
"""Headings in the order in which an engineer looks for them; those of strangers follow by name."""


def _palette_order(operator: Operator) -> tuple[int, str, str, str]:
    category = operator.category.casefold()
    rank = CATEGORIES.index(category) if category in CATEGORIES else len(CATEGORIES)
    return rank, category, operator.label.casefold(), operator.id
