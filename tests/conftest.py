"""What holds for every test: no screen, no user's files, no plugins of this machine.

The environment is set when this file is imported, which is before any test module, and so before Qt or the
studio read it; subprocesses inherit it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from itertools import count
from pathlib import Path

import hypothesis
import pytest

REPOSITORY = Path(__file__).resolve().parent.parent

# A screen is used only on request: ROOFLINESTUDIO_TEST_PLATFORM=xcb shows the windows of the tests.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
if asked_platform := os.environ.get("ROOFLINESTUDIO_TEST_PLATFORM"):
    os.environ["QT_QPA_PLATFORM"] = asked_platform
# pyqtgraph would take PyQt6 first, where that is installed too.
os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"
# A test that depends on which plugins are installed is no test. Tests of plugins install their own.
os.environ["ROOFLINESTUDIO_DISABLE_PLUGINS"] = "all"

_home = Path(tempfile.mkdtemp(prefix="rooflinestudio-tests-"))
_number = count()


def _user_folders(home: Path) -> dict[str, str]:
    """Name the variables from which Qt, platformdirs and Python learn where a user's files are."""
    return {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "APPDATA": str(home / "AppData/Roaming"),
        "LOCALAPPDATA": str(home / "AppData/Local"),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local/share"),
        "XDG_STATE_HOME": str(home / ".local/state"),
        "XDG_CACHE_HOME": str(home / ".cache"),
    }


os.environ.update(_user_folders(_home))

# Examples on a busy machine take as long as they take. Where CI=true is set the same examples come each time.
hypothesis.settings.register_profile("default-studio", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, database=None, print_blob=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "default-studio")


@pytest.fixture(autouse=True)
def _own_user_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test a user who has never started the studio; the folders are made by whoever writes."""
    for name, folder in _user_folders(_home / f"user-{next(_number)}").items():
        monkeypatch.setenv(name, folder)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need Qt, and skip those whose virtual screen is missing."""
    missing = [program for program in ("Xvfb", "xdotool") if shutil.which(program) is None]
    for item in items:
        if {"qapp", "qtbot"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.gui)
        if missing and item.get_closest_marker("x11"):
            item.add_marker(pytest.mark.skip(reason=f"{' and '.join(missing)} not installed"))


def pytest_unconfigure() -> None:
    """Remove the users of this run."""
    shutil.rmtree(_home, ignore_errors=True)
