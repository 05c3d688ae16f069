from __future__ import annotations

import json
import os
import sys

import pytest

from rooflinestudio.ui.settings import RECENT_LIMIT, SettingsStore, StudioSettings, config_folder


@pytest.fixture
def path(tmp_path):
    return tmp_path / "settings.json"


def written(path, **values):
    path.write_text(json.dumps({"version": 1, **values}), encoding="utf-8")
    return SettingsStore(path)


def test_a_first_start_has_defaults_and_writes_nothing(path):
    store = SettingsStore(path)

    assert store.settings == StudioSettings()
    assert store.dropped == ()
    assert not path.exists()


def test_what_was_changed_is_there_at_the_next_start(path):
    SettingsStore(path).update(
        theme="dark", size_px=(1280, 800), recent_files=("/a/b.study",), maximised=True
    )

    settings = SettingsStore(path).settings

    assert (settings.theme, settings.size_px, settings.recent_files, settings.maximised) == (
        "dark", (1280, 800), ("/a/b.study",), True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("theme", "purple"),
        ("theme", 3),
        ("size_px", [1600]),
        ("size_px", [1600, 10]),
        ("size_px", [True, True]),
        ("size_px", "1600x1000"),
        ("position_px", [10**9, 0]),
        ("maximised", "yes"),
        ("layout", 7),
        ("last_machine", None),
        ("recent_files", "a.study"),
        ("recent_files", ["a.study", 3]),
    ],
)
def test_a_bad_value_is_dropped_alone(path, name, bad):
    good = {"theme": "dark", "last_machine": "nvidia-b200"}
    store = written(path, **{**good, name: bad})

    assert store.dropped == (name,)
    assert getattr(store.settings, name) == getattr(StudioSettings(), name)
    for other, value in good.items():
        if other != name:
            assert getattr(store.settings, other) == value


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '"text"', "\x00\xff", "[" * 100_000], ids=lambda text: text[:6] or "empty"
)
def test_a_file_that_is_no_settings_gives_defaults(path, text):
    path.write_bytes(text.encode("latin-1"))

    store = SettingsStore(path)

    assert store.settings == StudioSettings()
    assert store.dropped == ("the whole file",)


def test_keys_of_a_newer_version_are_written_back(path):
    store = written(path, sidebar="folded", theme="light")

    store.update(theme="dark")

    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["sidebar"] == "folded"
    assert document["theme"] == "dark"


def test_recent_files_are_the_newest_first_without_repeats_and_few():
    settings = StudioSettings()
    for number in range(RECENT_LIMIT + 3):
        settings = settings.with_recent(f"/s/{number}.study")
    settings = settings.with_recent("/s/5.study")

    assert settings.recent_files[0] == "/s/5.study"
    assert settings.recent_files.count("/s/5.study") == 1
    assert len(settings.recent_files) == RECENT_LIMIT
    assert "/s/5.study" not in settings.without_recent("/s/5.study").recent_files


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="needs a user who may not write everywhere"
)
def test_a_folder_that_cannot_be_written_costs_only_the_memory(tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)

    store = SettingsStore(folder / "settings.json")
    store.update(theme="dark")

    assert store.settings.theme == "dark"


def test_a_file_in_the_way_of_the_folder_costs_only_the_memory(tmp_path):
    (tmp_path / "config").write_text("no folder")

    store = SettingsStore(tmp_path / "config" / "settings.json")
    store.update(theme="dark")

    assert store.settings.theme == "dark"


def test_tests_do_not_touch_the_settings_of_whoever_runs_them():
    assert "rooflinestudio-tests-" in str(config_folder())
