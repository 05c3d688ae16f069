"""The user's own profiles as files."""

from __future__ import annotations

import os
import sys
from dataclasses import replace

import pytest

from rooflinestudio.core.errors import ProfileError
from rooflinestudio.core.hardware import Figure
from rooflinestudio.core.profile_edit.copies import duplicate, renamed
from rooflinestudio.core.profile_edit.draft import draft_of, type_figure
from rooflinestudio.core.profile_edit.findings import explained, finding_notes, mended
from rooflinestudio.core.profile_edit.folder import delete_profile, export_profile, profiles_in, save_profile
from rooflinestudio.core.profile_edit.places import FigurePlace, with_figure
from rooflinestudio.core.profile_files import dump_profile, load_profile
from rooflinestudio.plugins.host import PluginHost
from rooflinestudio.plugins.registry import YOUR_MACHINES
from tests.core.profiles import H100

MINE = duplicate(H100, "Rack 7", {H100.id})
BF16 = FigurePlace("ceilings", "bf16-tensor")


def test_a_saved_profile_is_listed_and_reads_back_the_same(tmp_path):
    folder = tmp_path / "profiles"
    path = save_profile(MINE, folder)

    assert path == folder / "rack-7.yaml"
    (entry,) = profiles_in(folder)
    assert (entry.id, entry.name, entry.shipped) == ("rack-7", "Rack 7", False)
    assert entry.load() == MINE


def test_it_replaces_the_file_of_its_id_whatever_that_is_called(tmp_path):
    save_profile(MINE, tmp_path).rename(tmp_path / "of-mine.yaml")
    save_profile(renamed(MINE, "Rack 8"), tmp_path)

    assert [one.name for one in tmp_path.iterdir()] == ["of-mine.yaml"]
    assert load_profile(tmp_path / "of-mine.yaml").name == "Rack 8"


@pytest.mark.parametrize("text", ["ceilings: [", dump_profile(renamed(replace(MINE, id="other"), "Other"))])
def test_a_file_of_that_name_that_is_not_its_own_stays(tmp_path, text):
    other = tmp_path / "rack-7.yaml"
    other.write_text(text)

    first = save_profile(MINE, tmp_path)
    again = save_profile(renamed(MINE, "Rack 8"), tmp_path)

    assert other.read_text() == text
    assert first == again == tmp_path / "rack-7-2.yaml"
    assert load_profile(first).name == "Rack 8"


def test_what_a_file_cannot_hold_leaves_the_old_file(tmp_path):
    path = save_profile(MINE, tmp_path)
    before = path.read_text()

    with pytest.raises(ProfileError):
        save_profile(with_figure(MINE, FigurePlace("machine", "sms"), Figure(1.5, "assumed")), tmp_path)
    assert path.read_text() == before
    assert [one.name for one in tmp_path.iterdir()] == ["rack-7.yaml"]


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="needs a folder that cannot be written"
)
def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(ProfileError, match="cannot be"):
        save_profile(MINE, tmp_path / "profiles")
    tmp_path.chmod(0o700)


def test_a_place_that_is_none_is_named(tmp_path):
    with pytest.raises(ProfileError, match="Choose another place"):
        export_profile(MINE, tmp_path / "nowhere" / "x.yaml")


def test_a_profile_is_deleted_by_its_id(tmp_path):
    save_profile(MINE, tmp_path)
    delete_profile("another", tmp_path)
    assert len(profiles_in(tmp_path)) == 1
    delete_profile("rack-7", tmp_path)
    assert profiles_in(tmp_path) == ()


def test_no_folder_is_no_profile(tmp_path):
    assert profiles_in(tmp_path / "profiles") == ()


def test_a_registry_offers_the_users_machines_but_never_in_place_of_a_shipped_one(tmp_path):
    host = PluginHost.discover(disable="all")
    host.load_builtins()
    save_profile(MINE, tmp_path)
    save_profile(renamed(H100, "Mine"), tmp_path)

    registry = host.registry.with_user_profiles(profiles_in(tmp_path))

    assert registry.load_profile("rack-7") == MINE
    own = [one.id for one in registry.profiles if one.origin.plugin == YOUR_MACHINES]
    assert own == ["rack-7"]
    assert registry.load_profile("nvidia-h100-sxm5").name == "H100 SXM5 80 GB"
    assert "rack-7" not in [one.id for one in host.registry.profiles]
    again = registry.with_user_profiles(())
    assert "rack-7" not in [one.id for one in again.profiles]


# ------------------------------------------------------------------------------------------ the self-check


@pytest.fixture
def sparse():
    """The rate with 2:4 sparsity in place of the dense one."""
    return type_figure(draft_of(MINE), BF16, "stated", "1978.8 TFLOP/s", today="2026-11-30")


def of_bf16(draft):
    return [one for one in finding_notes(draft, ()) if "bf16-tensor" in one.key]


def test_a_finding_is_mended_by_its_button(sparse):
    (note,) = of_bf16(sparse)
    assert [one.kind for one in note.actions] == ["apply", "explain"]

    changed = mended(sparse, note.subject)

    assert changed.profile.ceilings["bf16-tensor"].flop_per_s == pytest.approx(989.4e12, rel=1e-3)
    assert of_bf16(changed) == []


def test_a_written_reason_closes_a_finding_and_reads_back(sparse, tmp_path):
    (note,) = of_bf16(sparse)

    told = explained(sparse, note.subject.id, "Our part is  another one.")

    assert of_bf16(told) == []
    read = load_profile(save_profile(told.profile, tmp_path))
    assert dict(read.explained) == {note.subject.id: "Our part is another one."}
    assert len(of_bf16(explained(told, note.subject.id, ""))) == 1


def test_what_is_measured_above_and_not_used_is_told_once():
    draft = type_figure(draft_of(MINE), BF16, "measured", "1500 TFLOP/s", today="2026-11-30")

    assert [one for one in finding_notes(draft, ()) if "above-published" in one.key] == []
