"""The plugin host: finds plugins, loads each alone, and keeps a row for every one of them.

Start-up takes two steps: :meth:`PluginHost.load_builtins` before the window paints, :meth:`PluginHost.load_foreign`
after it. After each the host has a new :class:`Registry`; an older one stays valid as it was.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.errors import PluginError
from rooflinestudio.core.operators import OperatorOrigin
from rooflinestudio.plugins.discovery import (
    OWN_DISTRIBUTION,
    Disabled,
    PluginEntry,
    installed_entries,
    own_entries,
)
from rooflinestudio.plugins.loading import Contribution, load_plugin
from rooflinestudio.plugins.registry import Registry
from rooflinestudio.plugins.rows import PluginRow
from rooflinestudio.plugins.sources import GuardedProfile, guarded_reader, plugin_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from importlib.metadata import Distribution

    from rooflinestudio.core.operators import Operator
    from rooflinestudio.plugins.rows import PluginState
    from rooflinestudio.plugins.sources import GuardedReader
    from rooflinestudio.plugins.user_plugins import UserPluginFile, UserPlugins

__all__ = ["PluginHost"]

_NO_BUILTINS: Final = (
    "No operators of the studio's own were found: the distribution rooflinestudio is not installed in this Python. "
    "Install it, with pip install . in the project's folder."
)


class PluginHost:
    """Loads plugins and answers for what became of them.

    Parameters
    ----------
    entries
        The plugins that are there; :meth:`discover` finds them.
    find_foreign
        Asked for further ones, once, when foreign plugins are to be loaded; None for no more.
    disabled
        Which foreign ones are turned off.
    user_plugins
        The user's folder of single files, or None.
    """

    def __init__(
        self,
        entries: Iterable[PluginEntry],
        *,
        find_foreign: Callable[[], Iterable[PluginEntry]] | None = None,
        disabled: Disabled | None = None,
        user_plugins: UserPlugins | None = None,
    ) -> None:
        self._entries = tuple(entries)
        self._find_foreign = find_foreign
        self._disabled = disabled if disabled is not None else Disabled()
        self._user_plugins = user_plugins
        self._rows: dict[tuple[str, str], PluginRow] = {}
        self._operators: dict[str, tuple[Operator, OperatorOrigin]] = {}
        self._profiles: dict[str, GuardedProfile] = {}
        self._readers: dict[str, GuardedReader] = {}
        self._tables: dict[str, dict[str, Any]] = {
            "operator": self._operators,
            "profile": self._profiles,
            "reader": self._readers,
        }
        self._builtins_loaded = False
        self._misspelt: list[str] = []
        self._registry = Registry()

    @classmethod
    def discover(
        cls,
        *,
        distributions: Iterable[Distribution] | None = None,
        disable: str | None = None,
        safe_mode: bool = False,
        user_plugins: UserPlugins | None = None,
    ) -> PluginHost:
        """Find the installed plugins, without importing any; where others are is looked up at :meth:`load_foreign`.

        Parameters
        ----------
        distributions
            Where to look; None for what is installed.
        disable
            Which foreign plugins are off (``all``, or names separated by commas); None reads the variable
            ``ROOFLINESTUDIO_DISABLE_PLUGINS``.
        safe_mode
            Turns all foreign plugins off.
        user_plugins
            The user's folder of single files, or None for none.
        """
        disabled = Disabled(disable, safe_mode=safe_mode)
        own = own_entries() if distributions is None else ()
        if not own:
            return cls(installed_entries(distributions), disabled=disabled, user_plugins=user_plugins)
        return cls(own, find_foreign=installed_entries, disabled=disabled, user_plugins=user_plugins)

    @property
    def rows(self) -> tuple[PluginRow, ...]:
        """One row for each plugin that was loaded, failed or is off, in the order of loading."""
        return tuple(self._rows.values())

    @property
    def registry(self) -> Registry:
        """What is there now."""
        return self._registry

    @property
    def notices(self) -> tuple[str, ...]:
        """What the user should know besides the rows, in words; complete once foreign plugins have been loaded."""
        if self._find_foreign is not None:
            return ()
        unknown = self._disabled.unknown((*self._entries, *(_entry_of(file) for file in self._user_files())))
        notices = [f"{name!r} is to be turned off, but no such plugin is installed." for name in unknown]
        if self._user_plugins is not None and self._user_plugins.problem:
            notices.append(self._user_plugins.problem)
        return tuple(notices)

    def load_builtins(self) -> Registry:
        """Load the studio's own plugins; a second call does nothing.

        Raises
        ------
        PluginError
            If one of them marks a hook that does not exist: a mistake of ours, which no user must meet. Everything
            else is loaded by then.
        """
        if not self._builtins_loaded:
            self._builtins_loaded = True
            own = [entry for entry in self._entries if not entry.foreign]
            if not own:
                row = PluginRow(OWN_DISTRIBUTION, OWN_DISTRIBUTION, "", "failed", _NO_BUILTINS, foreign=False)
                self._rows[OWN_DISTRIBUTION, OWN_DISTRIBUTION] = row
            for entry in own:
                self._load(entry)
            self._renew()
            if self._misspelt:
                raise PluginError(" ".join(self._misspelt))
        return self._registry

    def load_foreign(self) -> Registry:
        """Load everybody else's plugins that are not turned off, and the files that the user has allowed.

        A second call loads only what has been allowed since. The studio's own are loaded first in any case, so that
        their ids are theirs.
        """
        self.load_builtins()
        if self._find_foreign is not None:
            self._entries += tuple(entry for entry in self._find_foreign() if entry.foreign)
            self._find_foreign = None
        known = len(self._rows), [row.state for row in self.rows]
        files = {file.name: file for file in self._user_files()}
        for entry in (*self._entries, *map(_entry_of, files.values())):
            row = self._rows.get((entry.distribution, entry.name))
            if not entry.foreign or (row is not None and row.state != "disabled"):
                continue
            reason = self._disabled.reason(entry)
            if not reason and entry.distribution in files:
                reason = files[entry.distribution].reason
            if reason:
                self._rows[entry.distribution, entry.name] = _row(entry, "disabled", reason)
            else:
                self._load(entry)
        if known != (len(self._rows), [row.state for row in self.rows]):
            self._renew()
        return self._registry

    def _user_files(self) -> tuple[UserPluginFile, ...]:
        return self._user_plugins.files() if self._user_plugins is not None else ()

    def _renew(self) -> None:
        self._registry = Registry(
            self._operators.values(), self._profiles.values(), self._readers.values(), self.rows
        )

    def _load(self, entry: PluginEntry) -> None:
        """Load one plugin and take in what it brought."""
        brought = load_plugin(entry)
        origin = OperatorOrigin(entry.distribution, entry.version, entry.foreign)
        if brought.misspelt and not entry.foreign:
            self._misspelt.append(f"Built-in plugin {entry.name}: {brought.failures[0]}")
        items = brought.items
        operators = self._take("operator", items["rooflinestudio_operators"], origin, brought)
        profiles = self._take("profile", items["rooflinestudio_hardware_profiles"], origin, brought)
        readers = self._take("reader", items["rooflinestudio_measurement_readers"], origin, brought)
        state: PluginState = "loaded"
        if brought.failures:
            state = "partly" if operators or profiles or readers else "failed"
        self._rows[entry.distribution, entry.name] = replace(
            _row(entry, state, _reason(brought)),
            import_s=brought.import_s,
            operators=operators,
            profiles=profiles,
            readers=readers,
            problems=(*brought.failures, *brought.warnings),
        )

    def _take(
        self, kind: str, items: list[Any], origin: OperatorOrigin, brought: Contribution
    ) -> tuple[str, ...]:
        """Enter the items whose ids are free; return these ids."""
        table = self._tables[kind]
        taken = []
        for item in items:
            first = table.get(item.id)
            if first is not None:
                owner = first[1] if kind == "operator" else first.origin
                brought.failures.append(
                    f"Its {kind} {item.id!r} was refused: {plugin_words(owner)} brings one of that id already, and "
                    f"{plugin_words(origin)} brings it again. Rename one, or uninstall one of the two."
                )
                continue
            table[item.id] = _guarded(kind, item, origin)
            taken.append(item.id)
        return tuple(taken)


def _row(entry: PluginEntry, state: PluginState, reason: str) -> PluginRow:
    return PluginRow(entry.name, entry.distribution, entry.version, state, reason, entry.foreign)


def _guarded(kind: str, item: Any, origin: OperatorOrigin) -> Any:
    if kind == "operator":
        return item, origin
    return GuardedProfile(item, origin) if kind == "profile" else guarded_reader(item, origin)


def _reason(brought: Contribution) -> str:
    if not brought.failures:
        return ""
    more = len(brought.failures) - 1
    return brought.failures[0] + (f" And {more} more." if more else "")


def _entry_of(file: UserPluginFile) -> PluginEntry:
    """Show the host a single file as a plugin whose distribution is the file."""
    return PluginEntry(file.path.stem, file.name, file.version, file.load)
