from __future__ import annotations

import json
import sys

import pytest

from rooflinestudio.core.profile_index import shipped_profiles
from rooflinestudio.ui import profile_cache
from rooflinestudio.ui.profile_cache import ProfileCache
from rooflinestudio.ui.profile_reader import ProfileReader
from tests.ui.shell_helpers import A100, H100, registry

IDS = [entry.id for entry in shipped_profiles()]


@pytest.fixture
def cache(tmp_path):
    return ProfileCache(tmp_path / "profiles")


@pytest.mark.parametrize("id_", IDS)
def test_every_shipped_machine_comes_back_equal(cache, id_):
    profile = registry().load_profile(id_)
    cache.put(profile)

    again = cache.get(id_)

    assert again == profile
    assert again.content_hash == profile.content_hash
    assert again.ridge() == profile.ridge()


def test_what_was_not_kept_is_not_there(cache):
    assert cache.get(H100) is None


def test_a_machine_that_does_not_come_with_the_studio_is_not_kept(cache, tmp_path):
    from dataclasses import replace

    cache.put(replace(registry().load_profile(H100), id="mine"))

    assert cache.get("mine") is None
    assert not (tmp_path / "profiles").exists()


def spoilt(document):
    yield "another figure", {**document, "profile": {**document["profile"], "year": 1999}}
    yield "another type", {**document, "profile": {**document["profile"], "type": "Path"}}
    yield "a missing field", {**document, "profile": {"type": "HardwareProfile"}}
    yield "no profile", {**document, "profile": [1, 2]}
    yield "another key", {**document, "key": "0" * 64}
    yield "a list", []


@pytest.mark.parametrize("case", range(6))
def test_a_spoilt_file_is_passed_over(cache, tmp_path, case):
    cache.put(registry().load_profile(H100))
    path = tmp_path / "profiles" / f"{H100}.json"
    _name, document = list(spoilt(json.loads(path.read_text(encoding="utf-8"))))[case]
    path.write_text(json.dumps(document), encoding="utf-8")

    assert cache.get(H100) is None


def test_a_file_that_is_no_json_is_passed_over(cache, tmp_path):
    cache.put(registry().load_profile(H100))
    (tmp_path / "profiles" / f"{H100}.json").write_bytes(b"\x80\x04pickle")

    assert cache.get(H100) is None


def test_another_version_of_the_studio_reads_the_profile_anew(cache, monkeypatch):
    cache.put(registry().load_profile(H100))
    monkeypatch.setattr(profile_cache, "__version__", "99.0")

    assert cache.get(H100) is None


def test_a_folder_that_cannot_be_written_costs_only_the_time(tmp_path):
    (tmp_path / "profiles").write_text("a file in the way")
    cache = ProfileCache(tmp_path / "profiles")

    cache.put(registry().load_profile(H100))

    assert cache.get(H100) is None


@pytest.fixture
def refused():
    return []


@pytest.fixture
def reader(qapp, refused):
    reader = ProfileReader(lambda id_, reason: refused.append((id_, reason)))
    yield reader
    reader.cancel()


def asked(reader, qtbot, *ids):
    got = []
    reader.read(ids, got.append)
    assert got == []  # always later
    qtbot.waitUntil(lambda: not reader.is_busy, timeout=20_000)
    return got[0] if got else None


def test_machines_come_in_the_order_in_which_they_were_asked_for(reader, qtbot):
    got = asked(reader, qtbot, A100, H100)

    assert [one.id for one in got] == [A100, H100]
    assert got[1] == registry().load_profile(H100)


def test_a_second_request_gives_the_same_object_and_starts_no_process(reader, qtbot, monkeypatch):
    first = asked(reader, qtbot, H100)
    monkeypatch.setattr(sys, "executable", "/nowhere")

    assert asked(reader, qtbot, H100)[0] is first[0]


def test_the_next_start_needs_no_other_process(reader, qtbot, monkeypatch, refused):
    asked(reader, qtbot, H100)
    monkeypatch.setattr("rooflinestudio.ui.profile_reader.FileJob", None)

    again = asked(ProfileReader(lambda *what: refused.append(what)), qtbot, H100)

    assert again[0] == registry().load_profile(H100)
    assert refused == []


def test_an_id_that_nobody_brings_is_refused_with_the_reason(reader, qtbot, refused):
    assert asked(reader, qtbot, "nvidia-h100-sxm6") is None

    ((id_, reason),) = refused
    assert id_ == "nvidia-h100-sxm6"
    assert "nvidia-h100-sxm5" in reason


def test_machines_are_read_here_where_no_other_process_can_be_started(reader, qtbot, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere")

    assert asked(reader, qtbot, H100)[0] == registry().load_profile(H100)
