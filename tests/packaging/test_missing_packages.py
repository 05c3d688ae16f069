"""Which Debian packages the set-up finds missing."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/missing_packages.py"


@pytest.fixture
def script():
    spec = importlib.util.spec_from_file_location("missing_packages", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the names are those of Linux libraries")
def test_after_the_set_up_nothing_that_is_needed_is_missing():
    done = subprocess.run(
        [sys.executable, SCRIPT, "needed", "test"], capture_output=True, text=True, check=True, timeout=30
    )

    assert done.stdout.strip() == ""


def test_each_library_that_does_not_load_names_its_package(script, monkeypatch):
    monkeypatch.setattr(script, "loads", lambda library: library not in {"libEGL.so.1", "libxcb-cursor.so.0"})

    assert script.needed() == ["libegl1", "libxcb-cursor0"]


def test_on_a_bare_machine_all_fourteen_libraries_are_named(script, monkeypatch):
    monkeypatch.setattr(script, "loads", lambda library: False)
    monkeypatch.setattr(script, "glib_package", lambda: "libglib2.0-0")

    assert script.needed() == [
        "libgl1",
        "libegl1",
        "libx11-6",
        "libxkbcommon0",
        "libdbus-1-3",
        "libfontconfig1",
        "libfreetype6",
        "libglib2.0-0",
        "libxcb-cursor0",
        "libxcb-icccm4",
        "libxcb-keysyms1",
        "libxcb-shape0",
        "libxcb-xkb1",
        "libxkbcommon-x11-0",
    ]


def test_a_python_without_ensurepip_needs_the_venv_package(script, monkeypatch):
    monkeypatch.setattr(script, "loads", lambda library: True)
    monkeypatch.setattr(script, "find_spec", lambda name: None if name == "ensurepip" else object())

    monkeypatch.setattr(script.sys, "executable", "/usr/bin/python3")
    assert script.needed() == ["python3-venv"]

    monkeypatch.setattr(script.sys, "executable", "/opt/other/bin/python3.12")
    monkeypatch.setattr(script.sys, "version_info", sys.version_info)
    assert script.needed() == [f"python3.{sys.version_info.minor}-venv"]


@pytest.mark.parametrize(
    ("text", "renamed"),
    [
        ('ID=debian\nVERSION_ID="12"\n', False),
        ('ID=debian\nVERSION_ID="13"\n', True),
        ('NAME="Debian GNU/Linux"\nID=debian\n', False),  # testing has no number; there apt-cache knows
        ('NAME="Ubuntu"\nVERSION_ID="22.04"\nID=ubuntu\nID_LIKE=debian\n', False),
        ('NAME="Ubuntu"\nVERSION_ID="24.04"\nID=ubuntu\nID_LIKE=debian\n', True),
        ("", False),
    ],
    ids=["debian 12", "debian 13", "debian testing", "ubuntu 22.04", "ubuntu 24.04", "empty"],
)
def test_glib_has_its_new_name_from_ubuntu_24_and_debian_13_on(script, tmp_path, text, renamed):
    os_release = tmp_path / "os-release"
    os_release.write_text(text)

    assert script.has_64_bit_time_names(os_release) is renamed


def test_a_machine_that_does_not_say_what_it_is_gets_the_old_name(script, tmp_path):
    assert script.has_64_bit_time_names(tmp_path / "missing") is False


@pytest.mark.parametrize(
    ("files", "missing"),
    [
        ([], ["fonts-inter", "fonts-jetbrains-mono"]),
        (["Inter-Regular.otf"], ["fonts-jetbrains-mono"]),
        (["InterVariable.ttf", "JetBrainsMono-Regular.ttf"], []),
        (["Inter.ttc", "JetBrainsMono[wght].ttf"], []),
        (["Interstate-Light.ttf", "Inter-licence.txt"], ["fonts-inter", "fonts-jetbrains-mono"]),
    ],
    ids=str,
)
def test_fonts_are_found_by_their_files(script, monkeypatch, files, missing):
    monkeypatch.setattr(script, "font_files", lambda: {file for file in files if not file.endswith(".txt")})

    assert script.wanted("run") == missing


def test_a_font_in_the_users_own_folder_counts(script, monkeypatch, tmp_path):
    folder = tmp_path / "fonts/inter"
    folder.mkdir(parents=True)
    (folder / "Inter-Regular.OTF").touch()
    (folder / "OFL.txt").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    assert "Inter-Regular.OTF" in script.font_files()
    assert "OFL.txt" not in script.font_files()


def test_the_tests_want_a_virtual_screen_and_the_studio_does_not(script, monkeypatch, tmp_path):
    monkeypatch.setattr(script, "font_files", lambda: {"Inter.ttc", "JetBrainsMono.ttf"})
    monkeypatch.setenv("PATH", os.fspath(tmp_path))

    assert script.wanted("run") == []
    assert script.wanted("test") == ["xvfb", "xauth", "xdotool"]
