"""A place to install fake distributions into, with real metadata, and a host that sees only what is there."""

from __future__ import annotations

import importlib
import importlib.metadata
import itertools
import sys
import textwrap

import pytest

from rooflinestudio.plugins.discovery import installed_entries
from rooflinestudio.plugins.host import PluginHost

GOOD = """
from rooflinestudio.plugins import Estimate, OperatorBase, Parameter, Tensor, hookimpl


class Axpy(OperatorBase):
    id = "{id}"
    label = "axpy"
    category = "Vectors"
    summary = "y = a·x + y"
    parameters = (Parameter("elements", "elements", 1000, help="Length of x and y."),)
    dtype_roles = {{"activation": "fp32", "output": "fp32", "compute": "fp32"}}

    def estimate(self, parameters, dtypes):
        n = parameters["elements"]
        x = Tensor("x", n, dtypes["activation"], reads=1)
        y = Tensor("y", n, dtypes["output"], reads=1, writes=1, role="output")
        return Estimate({{"fp32": 2.0 * n}}, "fp32", (x, y))
"""
GOOD_HOOK = """

@hookimpl
def rooflinestudio_operators():
    return [Axpy()]
"""

_numbers = itertools.count()


def good_plugin(operator_id: str = "acme.axpy") -> str:
    """Source of a plugin with one operator that does everything right."""
    return GOOD.format(id=operator_id) + GOOD_HOOK


class Site:
    """A folder of installed distributions, as pip would leave it."""

    def __init__(self, folder):
        self.folder = folder
        self.modules: list[str] = []

    def add(self, name, source, *, version="1.2.0", entry=None, point=None, text=None, metadata=True):
        """Install a distribution of one module; return the module's name.

        ``entry`` is the entry point's name, ``point`` what it names, ``text`` the whole of entry_points.txt.
        """
        module = f"{name.replace('-', '_')}_{next(_numbers)}"
        (self.folder / f"{module}.py").write_text(textwrap.dedent(source), encoding="utf-8")
        info = self.folder / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        if metadata:
            (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        points = f"[console_scripts]\nacme = {module}:main\n\n[rooflinestudio]\n{entry or name} = {point or module}\n"
        (info / "entry_points.txt").write_text(points if text is None else text)
        self.modules.append(module)
        importlib.invalidate_caches()
        return module

    def distributions(self):
        return list(importlib.metadata.distributions(path=[str(self.folder)]))

    def entries(self):
        return installed_entries(self.distributions())

    def host(self, **options) -> PluginHost:
        """Discover what is installed here, load everything and return the host; no built-ins."""
        options.setdefault("disable", "")
        host = PluginHost.discover(distributions=self.distributions(), **options)
        host.load_foreign()
        return host

    def host_with_builtins(self) -> PluginHost:
        """The same beside the studio's own plugins, as installed."""
        own = [entry for entry in installed_entries() if not entry.foreign]
        from rooflinestudio.plugins.discovery import Disabled

        host = PluginHost((*own, *self.entries()), disabled=Disabled(""))
        host.load_foreign()
        return host


@pytest.fixture
def site(tmp_path, monkeypatch):
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    result = Site(folder)
    yield result
    for module in result.modules:
        sys.modules.pop(module, None)


def row_of(host, distribution):
    """The row of the only plugin of a distribution."""
    (row,) = [row for row in host.rows if row.distribution == distribution]
    return row
