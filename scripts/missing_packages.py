"""Print the Debian packages that this machine lacks, on one line.

usage: missing_packages.py needed|wanted run|test

`needed` are those without which nothing runs: python3-venv and Qt's system libraries. `wanted` are those
without which something is less good: the fonts of the window and, for the tests, a virtual screen.
The script runs under the system's own Python, before there is a virtual environment: standard library only.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

# What Qt's libraries are linked to: the first group even without a screen, the second for a window under X11.
# A package brings its own dependencies; the tests would notice if one of these names no longer did.
QT_LIBRARIES = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libX11.so.6": "libx11-6",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
FONTS = {
    r"Inter(Variable|Display)?[-.\[].*": "fonts-inter",
    r"JetBrainsMono.*": "fonts-jetbrains-mono",
}
VIRTUAL_SCREEN = {"Xvfb": "xvfb", "xauth": "xauth", "xdotool": "xdotool"}


def needed() -> list[str]:
    """Name the packages without which nothing runs."""
    missing = [] if find_spec("venv") and find_spec("ensurepip") else [venv_package()]
    missing += [package for library, package in QT_LIBRARIES.items() if not loads(library)]
    return [glib_package() if package == "libglib2.0-0" else package for package in missing]


def wanted(purpose: str) -> list[str]:
    """Name the packages without which the window, or the tests for `test`, are less good."""
    files = font_files()
    missing = [
        package for name, package in FONTS.items() if not any(re.fullmatch(name, file) for file in files)
    ]
    if purpose == "test":
        missing += [package for program, package in VIRTUAL_SCREEN.items() if shutil.which(program) is None]
    return missing


def loads(library: str) -> bool:
    """Say whether the dynamic linker finds a library, for this Python's own architecture."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def venv_package() -> str:
    """Name the package that completes this Python: Debian parts venv from it."""
    own = os.path.realpath(sys.executable)
    if own == os.path.realpath("/usr/bin/python3"):
        return "python3-venv"
    return f"python{sys.version_info.major}.{sys.version_info.minor}-venv"


def glib_package() -> str:
    """Name GLib's package: it was renamed with the 64-bit time types (Ubuntu 24.04, Debian 13)."""
    renamed = "libglib2.0-0t64"
    known = subprocess.run(["apt-cache", "show", renamed], capture_output=True, check=False).returncode == 0
    return renamed if known or has_64_bit_time_names(Path("/etc/os-release")) else "libglib2.0-0"


def has_64_bit_time_names(os_release: Path) -> bool:
    """Judge by the release, for a machine whose package lists have not been fetched yet."""
    try:
        text = os_release.read_text(encoding="utf-8")
    except OSError:
        return False
    fields = dict(re.findall(r'^([A-Z_]+)="?([^"\n]*)"?$', text, flags=re.MULTILINE))
    version = re.match(r"\d+", fields.get("VERSION_ID", ""))
    first = {"ubuntu": 24, "debian": 13}.get(fields.get("ID", ""))
    return version is not None and first is not None and int(version.group()) >= first


def font_files() -> set[str]:
    """List the names of all font files of the system and the user."""
    home = Path.home()
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share")
    places = ["/usr/share/fonts", "/usr/local/share/fonts", data / "fonts", home / ".fonts"]
    return {
        file for place in places for _, _, files in os.walk(place, followlinks=True) for file in files
        if file.lower().endswith((".ttf", ".otf", ".ttc"))
    }  # fmt: skip


if __name__ == "__main__":
    what, purpose = sys.argv[1:]
    print(*(needed() if what == "needed" else wanted(purpose)))
