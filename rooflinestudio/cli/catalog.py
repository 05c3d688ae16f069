"""What the subcommands share: plugins loaded once, profiles found by a part of their id."""

from __future__ import annotations

import json
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.plugins.host import PluginHost
    from rooflinestudio.plugins.registry import Registry

__all__ = ["find_machine", "host", "print_json", "registry"]


@cache
def host() -> PluginHost:
    """Return the plugin host with everything loaded; failures are told on stderr, once."""
    from rooflinestudio.plugins.host import PluginHost

    plugins = PluginHost.discover()
    plugins.load_builtins()
    plugins.load_foreign()
    for row in plugins.rows:
        if row.state == "failed":
            print(f"plugin {row.name} {row.version} failed: {row.reason}", file=sys.stderr)
    return plugins


def registry() -> Registry:
    """Return the operators, profiles and readers of all plugins."""
    return host().registry


def find_machine(text: str) -> HardwareProfile:
    """Return the profile that an id, any unique part of it, or a file names."""
    from rooflinestudio.core.profile_files import find_profile, load_profile

    if text.endswith((".yaml", ".yml")):
        return load_profile(text)
    return find_profile(registry().profiles, text).load()


def print_json(document: Any) -> None:
    """Print one strict JSON document."""
    json.dump(document, sys.stdout, ensure_ascii=False, allow_nan=False, indent=1)
    sys.stdout.write("\n")
