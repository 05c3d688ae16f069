"""Tests leave the user who runs them alone; what conftest.py promises holds."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import platformdirs
import pytest

TEMPORARY = Path(tempfile.gettempdir()).resolve()


@pytest.mark.parametrize(
    "folder",
    [
        platformdirs.user_config_path,
        platformdirs.user_data_path,
        platformdirs.user_state_path,
        platformdirs.user_cache_path,
    ],
)
def test_the_users_folders_are_temporary(folder):
    assert folder("rooflinestudio").resolve().is_relative_to(TEMPORARY)


def test_home_is_temporary():
    assert Path.home().resolve().is_relative_to(TEMPORARY)


@pytest.mark.parametrize("run", [1, 2])
def test_each_test_meets_a_user_without_files(run):
    folder = platformdirs.user_config_path("rooflinestudio")

    assert not folder.exists()

    folder.mkdir(parents=True)


def test_plugins_of_this_machine_are_off():
    assert os.environ["ROOFLINESTUDIO_DISABLE_PLUGINS"] == "all"


def test_windows_go_to_no_screen_unless_asked(qapp):
    assert qapp.platformName() == os.environ["QT_QPA_PLATFORM"]


def test_a_test_that_uses_qt_is_marked_gui_by_itself(request, qapp):
    assert request.node.get_closest_marker("gui")


def test_a_test_that_does_not_use_qt_is_not(request):
    assert not request.node.get_closest_marker("gui")
