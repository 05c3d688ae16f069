"""One plugin, loaded alone: imported, registered and asked, with every failure caught and put into words."""

from __future__ import annotations

import difflib
import inspect
from dataclasses import dataclass, field
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

import pluggy

from rooflinestudio.core.errors import PluginError
from rooflinestudio.plugins import hookspecs
from rooflinestudio.plugins.declarations import operator_faults, profile_faults, reader_faults
from rooflinestudio.plugins.faults import described, shown
from rooflinestudio.plugins.hookspecs import ENTRY_POINT_GROUP, hook_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rooflinestudio.plugins.discovery import PluginEntry

__all__ = ["MOST_ITEMS", "SLOW_S", "Contribution", "load_plugin"]

SLOW_S: Final = 1.0
"""Seconds of import, or of one hook, from which a plugin is reported as slow."""

MOST_ITEMS: Final = 10_000
"""Items of one hook's answer after which it is cut: a generator without end must not hang the studio."""

_KINDS: Final[dict[str, tuple[str, Callable[[Any], Iterator[str]]]]] = {
    "rooflinestudio_operators": ("operator", operator_faults),
    "rooflinestudio_hardware_profiles": ("profile", profile_faults),
    "rooflinestudio_measurement_readers": ("reader", reader_faults),
}


@dataclass
class Contribution:
    """What one plugin brought, and what went wrong.

    Attributes
    ----------
    import_s
        Time that importing it took.
    items
        What each hook brought and was found in order, by the hook's name.
    failures
        What was refused or failed, in words.
    warnings
        What is odd and costs nothing.
    misspelt
        Whether a hook is marked that the studio does not have.
    """

    import_s: float = 0.0
    items: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in hook_names()})
    failures: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    misspelt: bool = False


def load_plugin(entry: PluginEntry) -> Contribution:
    """Import a plugin, register it and ask it everything; never raises, save for ``KeyboardInterrupt``."""
    brought = Contribution()
    started = perf_counter()
    plugin = _imported(entry, brought)
    brought.import_s = perf_counter() - started
    if brought.import_s > SLOW_S:
        took = f"Its import took {brought.import_s:.1f} s"
        brought.warnings.append(f"{took}; import large libraries where they are used.")
    if not brought.failures:
        _register_and_ask(entry, plugin, brought)
    return brought


def _imported(entry: PluginEntry, brought: Contribution) -> Any:
    try:
        return entry.load()
    except KeyboardInterrupt:
        raise
    except PluginError as error:
        brought.failures.append(str(error))
    except (
        BaseException
    ) as error:  # SystemExit too: a plugin that calls exit() must not take the studio along
        brought.failures.append(f"It could not be imported: {described(error)}.")
    return None


def _register_and_ask(entry: PluginEntry, plugin: Any, brought: Contribution) -> None:
    # A manager of its own: no plugin can wrap, shadow or block the hooks of another.
    manager = pluggy.PluginManager(ENTRY_POINT_GROUP)
    manager.add_hookspecs(hookspecs)
    try:
        manager.register(plugin, name=f"{entry.distribution}:{entry.name}")
    except Exception as error:
        brought.failures.append(_registering_failed(error))
        return
    _report_misspelt(manager, brought)
    asked = [name for name in hook_names() if getattr(manager.hook, name).get_hookimpls()]
    if not asked and not brought.failures:
        brought.failures.append(_no_hook(plugin))
    for name in asked:
        _ask(manager, name, brought)


def _registering_failed(error: Exception) -> str:
    text = str(error) if isinstance(error, pluggy.PluginValidationError) else ""
    name = next((one for one in hook_names() if one in text), "")
    if "Argument(s)" in text and name:
        return f"Its {name} asks for arguments; write it without any: def {name}():."
    return f"It could not be registered: {described(error)}."


def _report_misspelt(manager: pluggy.PluginManager, brought: Contribution) -> None:
    """Name every marked function that is no hook; what ``check_pending`` finds, with the nearest match."""
    for name, caller in sorted(vars(manager.hook).items()):
        if name.startswith("_") or caller.has_spec():
            continue
        if all(implementation.optionalhook for implementation in caller.get_hookimpls()):
            continue
        near = difflib.get_close_matches(name, hook_names(), n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(hook_names())}."
        brought.failures.append(f"It marks {name!r} as a hook, which the studio does not have; {hint}")
        brought.misspelt = True


def _no_hook(plugin: Any) -> str:
    if inspect.isclass(plugin):
        return f"Its entry point names the class {plugin.__name__}; name a module instead."
    found = [name for name in hook_names() if hasattr(plugin, name)]
    if found:
        return f"Its {found[0]} is not marked: put @hookimpl from rooflinestudio.plugins above it."
    return f"It answers no hook; mark one of {', '.join(hook_names())} with @hookimpl."


def _ask(manager: pluggy.PluginManager, name: str, brought: Contribution) -> None:
    """Ask one hook and take in what is in order; generators are consumed here, inside the guard."""
    kind, faults = _KINDS[name]
    taken = brought.items[name]
    started = perf_counter()
    count = 0
    try:
        for count, item in enumerate(islice(_items(manager, name), MOST_ITEMS + 1), start=1):
            if count > MOST_ITEMS:
                brought.failures.append(
                    f"Its {name} does not end; the first {MOST_ITEMS} {kind}s were taken."
                )
                break
            found = list(faults(item))
            if not found:
                taken.append(item)
            for fault in found:
                brought.failures.append(f"Its {kind} {_called(item, count)} was refused: it {fault}.")
    except KeyboardInterrupt:
        raise
    except _NoItemsError as error:
        brought.failures.append(f"Its {name} {error}; return a list of {hookspecs.expected_of(name)}.")
    except BaseException as error:
        after = f" after {count} {kind}{'s' if count != 1 else ''}" if count else ""
        brought.failures.append(f"Its {name} failed{after}: {described(error)}.")
    if (took := perf_counter() - started) > SLOW_S:
        brought.warnings.append(f"Its {name} took {took:.1f} s to answer.")


class _NoItemsError(Exception):
    """An answer that is no collection, in words that follow the hook's name."""


def _items(manager: pluggy.PluginManager, name: str) -> Iterator[Any]:
    answers = getattr(manager.hook, name)()
    if not answers:  # pluggy drops None
        raise _NoItemsError("returned None")
    for answer in answers:
        if isinstance(answer, str | bytes | dict) or not hasattr(answer, "__iter__"):
            raise _NoItemsError(f"returned {shown(answer)}")
        yield from answer


def _called(item: Any, count: int) -> str:
    id_ = getattr(item, "id", None)
    return repr(id_) if isinstance(id_, str) and id_ else f"number {count}"
