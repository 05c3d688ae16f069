"""What the subcommands share: plugins loaded once, profiles found by a part of their id."""

from __future__ import annotations

import json
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.plugins.host import PluginHost
    from rooflinestudio.plugins.layered import LayeredSource
    from rooflinestudio.plugins.registry import Registry

__all__ = ["find_machine", "host", "print_json", "registry", "source", "source_for", "source_of"]


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


@cache
def registry() -> Registry:
    """Return the operators, profiles and readers of all plugins, with the machines of the user's folder."""
    from rooflinestudio.core.profile_edit.folder import profiles_in
    from rooflinestudio.ui.settings import profiles_folder

    own = profiles_in(profiles_folder())
    for problem in own.problems:
        print(f"profile is not used: {problem}", file=sys.stderr)
    return host().registry.with_user_profiles(own)


@cache
def source() -> LayeredSource:
    """Return the operators of all plugins with the user's own kernels over them; broken ones are told, once."""
    from rooflinestudio.core.custom.kernels import kernels_in
    from rooflinestudio.plugins.layered import LayeredSource
    from rooflinestudio.ui.settings import kernels_folder

    layered = LayeredSource(registry(), user=kernels_in(kernels_folder()))
    for file, problem in layered.problems.items():
        print(f"kernel {file} is not used: {problem}", file=sys.stderr)
    return layered


def source_of(operator: str) -> tuple[Registry | LayeredSource, str]:
    """Return where an operator is found, and its id; ``operator`` is an id, or the path of a kernel file.

    The user's folder is looked at only for an id that no plugin brings.

    Raises
    ------
    KernelError
        If a file is named and cannot be used.
    """
    if operator in registry():
        return registry(), operator
    from rooflinestudio.core.custom.kernels import SUFFIXES, KernelError, KernelFile, load_kernel

    if not operator.lower().endswith(SUFFIXES) or operator in source():
        return source(), operator
    from pathlib import Path

    path = Path(operator)
    kernel = load_kernel(path)
    layered = source().with_user((KernelFile(path, kernel),))
    if layered.problems:
        raise KernelError(f"{path.name}: {layered.problems[path.name]}")
    return layered, kernel.id


def source_for(kernels: Mapping[str, Any]) -> LayeredSource:
    """Return the source for a study: its own kernels, operators of plugins, the user's kernels."""
    return source().with_study(kernels)


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
