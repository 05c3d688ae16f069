"""Which plugins are found, and that broken metadata of one distribution costs only that one."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest

from rooflinestudio.plugins.discovery import Disabled, PluginEntry, installed_entries, own_entries
from rooflinestudio.plugins.host import PluginHost
from tests.plugins.conftest import good_plugin, row_of


def test_entry_points_are_found_with_their_distribution_and_nothing_is_imported(site):
    site.add("acme-good", "raise AssertionError('imported')", version="1.4.2", entry="acme")

    (entry,) = site.entries()

    assert (entry.name, entry.distribution, entry.version, entry.foreign) == (
        "acme",
        "acme-good",
        "1.4.2",
        True,
    )


def test_entry_points_of_other_groups_are_left_alone(site):
    site.add("acme-tool", "", text="[console_scripts]\nrooflinestudio = acme:main\n")

    assert site.entries() == ()


def test_entries_come_in_the_same_order_whatever_the_order_of_the_folders(site):
    for name in ("zeta-ops", "acme-ops", "Middle_ops"):
        site.add(name, good_plugin())

    found = [installed_entries(order) for order in (site.distributions(), reversed(site.distributions()))]

    assert [[entry.distribution for entry in entries] for entries in found] == [
        ["acme-ops", "Middle_ops", "zeta-ops"]
    ] * 2


@pytest.mark.parametrize("name", ["rooflinestudio", "RooflineStudio"])
def test_only_the_studio_itself_is_built_in(name):
    assert not PluginEntry("x", name, "", lambda: None).foreign
    assert PluginEntry("x", f"{name}-extras", "", lambda: None).foreign


def test_of_two_versions_of_one_distribution_the_first_on_the_path_counts(site, tmp_path):
    site.add("acme-ops", good_plugin(), version="1.0")
    site.add("Acme_ops", good_plugin(), version="2.0")
    by_version = {one.version: one for one in site.distributions()}

    (entry,) = installed_entries([by_version["2.0"], by_version["1.0"]])

    assert entry.version == "2.0"


def test_a_distribution_whose_entry_points_cannot_be_read_is_a_row_and_costs_no_other(site):
    site.add("broken-ops", "", text="[rooflinestudio]\nthis line names nothing\n", version="7.0")
    site.add("acme-good", good_plugin())

    host = site.host_with_builtins()

    row = row_of(host, "broken-ops")
    assert (row.state, row.version) == ("failed", "7.0")
    assert "entry_points.txt cannot be read" in row.reason
    assert row_of(host, "acme-good").state == "loaded"
    assert "gemm" in host.registry


def test_an_entry_point_that_names_no_module_is_a_row(site):
    site.add("broken-ops", "", point="acme ops!")
    site.add("acme-good", good_plugin())

    host = site.host()

    assert "'acme ops!', which names no module" in row_of(host, "broken-ops").reason
    assert "acme.axpy" in host.registry


def test_an_entry_point_that_names_a_class_is_a_row(site):
    module = site.add("broken-ops", good_plugin())
    (site.folder / "broken_ops-1.2.0.dist-info/entry_points.txt").write_text(
        f"[rooflinestudio]\nbroken = {module}:Axpy\n"
    )

    assert "names the class Axpy; name a module" in row_of(site.host(), "broken-ops").reason


def test_an_entry_point_may_name_an_object_inside_a_module(site):
    source = (
        good_plugin()
        + "\nclass Plugin:\n    rooflinestudio_operators = staticmethod(rooflinestudio_operators)\n"
        + "\nplugin = Plugin()\n"
    )
    module = site.add("acme-good", source)
    (site.folder / "acme_good-1.2.0.dist-info/entry_points.txt").write_text(
        f"[rooflinestudio]\nacme = {module}:plugin\n"
    )

    assert row_of(site.host(), "acme-good").operators == ("acme.axpy",)


def test_a_distribution_without_metadata_goes_by_the_name_of_its_folder(site):
    site.add("acme-good", good_plugin(), metadata=False)

    (row,) = [row for row in site.host().rows if row.foreign]

    assert (row.distribution, row.version, row.state) == ("acme_good", "", "loaded")


def test_a_distribution_that_cannot_be_looked_at_is_passed_over(site):
    class Unreadable(importlib.metadata.Distribution):
        def read_text(self, filename):
            raise PermissionError(filename)

        def locate_file(self, path):
            return path

    site.add("acme-good", good_plugin())

    entries = installed_entries([Unreadable(), *site.distributions()])

    assert [entry.distribution for entry in entries] == ["acme-good"]


def test_a_distribution_whose_metadata_cannot_be_read_still_brings_its_plugins(site):
    class NoMetadata(importlib.metadata.PathDistribution):
        def read_text(self, filename):
            if filename == "entry_points.txt":
                return super().read_text(filename)
            raise PermissionError(filename)

    site.add("acme-good", good_plugin())

    (entry,) = installed_entries([NoMetadata(site.folder / "acme_good-1.2.0.dist-info")])

    assert (entry.distribution, entry.version) == ("acme_good", "")


def test_the_studio_finds_itself_as_installed():
    names = {entry.name for entry in installed_entries() if not entry.foreign}

    assert {"gemm", "elementwise", "attention", "optimizers"} <= names


def test_the_quick_look_for_the_studios_own_plugins_finds_what_the_thorough_one_finds():
    quick, thorough = own_entries(), [entry for entry in installed_entries() if not entry.foreign]

    assert [(one.name, one.distribution, one.version) for one in quick] == [
        (one.name, one.distribution, one.version) for one in thorough
    ]
    assert [one.load() for one in quick] == [one.load() for one in thorough]


def test_the_quick_look_needs_no_metadata_module():
    code = (
        "import sys\nfrom rooflinestudio.plugins.host import PluginHost\n"
        "registry = PluginHost.discover(disable='all').load_builtins()\n"
        "assert 'gemm' in registry\nprint('importlib.metadata' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )

    assert done.stdout.strip() == "False"


def test_where_the_quick_look_finds_nothing_the_thorough_one_is_taken(monkeypatch):
    monkeypatch.setattr(
        sys, "path", [path for path in sys.path if not list(Path(path or ".").glob("*.dist-info"))]
    )
    assert own_entries() == ()
    monkeypatch.undo()

    monkeypatch.setattr("rooflinestudio.plugins.host.own_entries", lambda: ())
    assert "gemm" in PluginHost.discover(disable="all").load_builtins()


def test_the_quick_look_survives_what_is_on_the_path(site, tmp_path):
    (tmp_path / "rooflinestudio-9.9.dist-info").mkdir()  # no entry points in it
    site.add(
        "rooflinestudio",
        "",
        version="0.7",
        text="[rooflinestudio]\nb = m.b\n\na=m.a\n[console_scripts]\nc = m:c\n",
    )
    nowhere = str(tmp_path / "nowhere.zip")

    found = own_entries([nowhere, str(tmp_path), str(site.folder)])

    assert [(entry.name, entry.version) for entry in found] == [("a", "0.7"), ("b", "0.7")]


def test_the_variable_is_read_when_nothing_else_is_said(monkeypatch):
    entry = PluginEntry("acme", "acme-ops", "1", lambda: None)
    monkeypatch.delenv("ROOFLINESTUDIO_DISABLE_PLUGINS")
    assert Disabled().reason(entry) == ""

    monkeypatch.setenv("ROOFLINESTUDIO_DISABLE_PLUGINS", "1")
    assert "ROOFLINESTUDIO_DISABLE_PLUGINS" in Disabled().reason(entry)
    assert Disabled("").reason(entry) == ""


def test_the_studios_own_plugins_are_never_off():
    own = PluginEntry("gemm", "rooflinestudio", "0.1.0", lambda: None)

    assert Disabled("all,gemm,rooflinestudio", safe_mode=True).reason(own) == ""


def test_in_the_tests_no_plugin_of_this_machine_is_loaded():
    host = PluginHost.discover()
    host.load_foreign()

    assert {row.state for row in host.rows if row.foreign} <= {"disabled"}
