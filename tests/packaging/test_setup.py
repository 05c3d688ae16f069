"""The set-up scripts, on a machine that is made of small stand-ins.

PATH holds a handful of harmless programs and stand-ins for Python, apt-get, sudo and id, which write down how
they were called. So each kind of machine (old Python, no root, no apt-get, …) is tried without being one.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
HARMLESS = ("sh", "cat", "cksum", "dirname", "mkdir", "cp", "mktemp", "rm", "env", "true")

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the set-up scripts are for POSIX systems")

PYTHON = """#!/bin/sh
echo "python {version}: $*" >>"$CALLS"
case "$1 $2" in
    "-c "*PySide6*) exit "${{QT_LOADS:-0}}" ;;
    "-c "*) exec {real} -c "import sys; sys.version_info = {version_info}; $2" ;;
    "scripts/missing_packages.py needed") echo "$NEEDED" ;;
    "scripts/missing_packages.py wanted") echo "$WANTED" ;;
    "-m venv") mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
    "-m pip") exit "${{PIP_EXIT:-0}}" ;;
    "- "*|"-") cat >/dev/null; exit "${{DISPLAY_ANSWERS:-0}}" ;;
esac
"""
APT_GET = """#!/bin/sh
echo "apt-get $*" >>"$CALLS"
echo "Unpacking what apt-get always says"
for word in "$@"; do
    case "$word" in fonts-*) exit "${FONTS_EXIT:-0}" ;; lib*) exit "${APT_EXIT:-0}" ;; esac
done
"""
SUDO = """#!/bin/sh
echo "sudo $*" >>"$CALLS"
[ "$SUDO_ASKS" = no ] || exit 1
shift
exec "$@"
"""
ID = """#!/bin/sh
echo "$USER_ID"
"""


@dataclass
class Machine:
    """A directory with the set-up scripts, a PATH of its own, and what its programs answer."""

    root: Path
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def programs(self) -> Path:
        return self.root / "programs"

    @property
    def project(self) -> Path:
        return self.root / "project"

    def add_program(self, name: str, text: str) -> None:
        path = self.programs / name
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def add_python(self, name: str, version: str) -> None:
        version_info = (*map(int, version.split(".")), "final", 0)
        self.add_program(name, PYTHON.format(version=version, version_info=version_info, real=sys.executable))

    def run(self, script: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        (self.root / "calls").write_text("")
        own = {"PATH": str(self.programs), "CALLS": str(self.root / "calls")}
        return subprocess.run(
            ["/bin/sh", f"scripts/{script}", *arguments],
            cwd=self.project,
            env={**own, **self.environment, **environment},
            capture_output=True, text=True, check=False, timeout=30,
        )  # fmt: skip

    @property
    def calls(self) -> list[str]:
        return (self.root / "calls").read_text().splitlines()

    def calls_of(self, program: str) -> list[str]:
        return [call for call in self.calls if call.startswith(program)]


@pytest.fixture
def machine(tmp_path):
    """A Debian machine with a new enough Python and nothing missing; root sits before it."""
    made = Machine(tmp_path, {"USER_ID": "0", "NEEDED": "", "WANTED": "", "SUDO_ASKS": "yes"})
    made.programs.mkdir()
    for name in HARMLESS:
        (made.programs / name).symlink_to(shutil.which(name))
    made.add_python("python3", "3.11.2")
    made.add_program("apt-get", APT_GET)
    made.add_program("sudo", SUDO)
    made.add_program("id", ID)
    shutil.copytree(REPOSITORY / "scripts", made.project / "scripts")
    shutil.copy(REPOSITORY / "pyproject.toml", made.project)
    return made


def output_of(result: subprocess.CompletedProcess[str]) -> str:
    return result.stdout + result.stderr


# ---------------------------------------------------------------------------------------- the Python


def test_an_older_python_is_refused_in_one_sentence(machine):
    machine.add_python("python3", "3.9.2")

    result = machine.run("setup.sh", "run")

    assert result.returncode == 1
    assert output_of(result).count("\n") == 1
    assert "needs Python 3.11 or newer, but python3 here is 3.9:" in output_of(result)
    assert not (machine.project / ".venv").exists()
    assert not machine.calls_of("apt-get")


def test_a_newer_python_beside_an_old_one_is_found(machine):
    machine.add_python("python3", "3.9.2")
    machine.add_python("python3.12", "3.12.3")

    result = machine.run("setup.sh", "run")

    assert result.returncode == 0, output_of(result)
    assert "with python3.12 (3.12)" in result.stdout


def test_a_python_that_is_named_is_the_only_one_tried(machine):
    machine.add_python("old", "3.10.1")

    result = machine.run("setup.sh", "test", PYTHON="old")

    assert result.returncode == 1
    assert "but old here is 3.10:" in output_of(result)
    assert "make test PYTHON=" in output_of(result)


def test_a_named_python_of_another_version_replaces_the_environment(machine):
    machine.add_python("other", "3.13.1")
    machine.run("setup.sh", "run")

    again = machine.run("setup.sh", "run", PYTHON="other")

    assert "Making the virtual environment .venv with other (3.13)" in again.stdout
    assert machine.run("setup.sh", "run", PYTHON="other").stdout == ""


# ---------------------------------------------------------------------------------- system packages


def test_root_installs_what_is_missing(machine):
    result = machine.run("setup.sh", "run", NEEDED="python3-venv libegl1", WANTED="fonts-inter")

    assert result.returncode == 0, output_of(result)
    assert machine.calls_of("apt-get") == [
        "apt-get update",
        "apt-get install -y --no-install-recommends python3-venv libegl1",
        "apt-get install -y --no-install-recommends fonts-inter",
    ]
    assert not machine.calls_of("sudo")
    assert "Unpacking" not in output_of(result)


def test_sudo_without_a_password_installs_what_is_missing(machine):
    result = machine.run("setup.sh", "run", USER_ID="1000", SUDO_ASKS="no", NEEDED="libegl1")

    assert result.returncode == 0, output_of(result)
    assert machine.calls_of("sudo")[0] == "sudo -n true"
    assert machine.calls_of("apt-get") == [
        "apt-get update",
        "apt-get install -y --no-install-recommends libegl1",
    ]


@pytest.mark.parametrize("sudo", ["asks for a password", "is not there"])
def test_without_rights_the_one_apt_line_is_printed_and_nothing_is_done(machine, sudo):
    if sudo == "is not there":
        (machine.programs / "sudo").unlink()

    result = machine.run(
        "setup.sh", "run", USER_ID="1000", NEEDED="python3-venv libegl1", WANTED="fonts-inter"
    )

    assert result.returncode == 1
    lines = [line for line in output_of(result).splitlines() if "apt-get" in line]
    assert lines == [
        "sudo apt-get update && "
        "sudo apt-get install -y --no-install-recommends python3-venv libegl1 fonts-inter"
    ]  # fmt: skip
    assert not machine.calls_of("apt-get")
    assert not (machine.project / ".venv").exists()


def test_fonts_that_cannot_be_installed_stop_nobody(machine):
    result = machine.run("setup.sh", "run", USER_ID="1000", WANTED="fonts-inter fonts-jetbrains-mono")

    assert result.returncode == 0, output_of(result)
    assert "Going on without fonts-inter fonts-jetbrains-mono" in result.stdout
    assert (machine.project / ".venv/bin/python").exists()


def test_fonts_that_apt_does_not_know_stop_nobody(machine):
    result = machine.run("setup.sh", "run", WANTED="fonts-inter", FONTS_EXIT="100")

    assert result.returncode == 0, output_of(result)
    assert "Going on without fonts-inter: apt-get could not install it." in result.stdout


def test_a_library_that_apt_cannot_install_stops_the_set_up_with_its_reason(machine):
    result = machine.run("setup.sh", "run", NEEDED="libegl1", APT_EXIT="100")

    assert result.returncode == 1
    assert "apt-get could not install these packages: libegl1" in result.stderr
    assert "Unpacking what apt-get always says" in result.stderr
    assert not (machine.project / ".venv").exists()


def test_a_system_without_apt_get_is_left_as_it_is(machine):
    (machine.programs / "apt-get").unlink()

    result = machine.run("setup.sh", "run", NEEDED="libegl1")

    assert result.returncode == 0, output_of(result)
    assert "not Debian or Ubuntu" in result.stdout


# ----------------------------------------------------------------------------------- the environment


def test_a_second_set_up_does_nothing_and_says_nothing(machine):
    machine.run("setup.sh", "run")

    again = machine.run("setup.sh", "run", NEEDED="libegl1")

    assert (again.returncode, output_of(again)) == (0, "")
    assert not [call for call in machine.calls if "pip" in call or "apt-get" in call]


def test_the_studio_alone_is_installed_without_the_test_tools(machine):
    machine.run("setup.sh", "run")
    assert [call for call in machine.calls if call.endswith(" --editable .")]

    machine.run("setup.sh", "test")
    assert [call for call in machine.calls if call.endswith(" --editable .[test]")]

    machine.run("setup.sh", "run")
    assert not [call for call in machine.calls if "pip install" in call]


def test_a_change_of_the_dependencies_installs_again(machine):
    machine.run("setup.sh", "test")
    with (machine.project / "pyproject.toml").open("a") as file:
        file.write("# one more line\n")

    again = machine.run("setup.sh", "test")

    assert [call for call in machine.calls if call.endswith(" --editable .[test]")]
    assert "Making the virtual environment" not in again.stdout


def test_a_failed_installation_is_tried_again(machine):
    failed = machine.run("setup.sh", "run", PIP_EXIT="1")
    again = machine.run("setup.sh", "run")

    assert failed.returncode == 1
    assert "pip could not install the project" in failed.stderr
    assert [call for call in machine.calls if call.endswith(" --editable .")]
    assert again.returncode == 0


def test_a_qt_that_does_not_load_is_reported_at_set_up(machine):
    result = machine.run("setup.sh", "run", QT_LOADS="1")

    assert result.returncode == 1
    assert "Qt does not load" in result.stderr


# ------------------------------------------------------------------------------------------- running


@pytest.fixture
def ready_machine(machine):
    machine.run("setup.sh", "run")
    machine.add_program("uname", "#!/bin/sh\necho ${SYSTEM:-Linux}\n")
    return machine


@pytest.mark.parametrize(
    "screen", [{"DISPLAY": ":0"}, {"WAYLAND_DISPLAY": "wayland-0"}, {"SYSTEM": "Darwin"}], ids=str
)
def test_with_a_screen_the_window_is_opened_with_the_example(ready_machine, screen):
    result = ready_machine.run("run.sh", **screen)

    assert result.returncode == 0, output_of(result)
    assert ready_machine.calls[-1] == "python 3.11.2: -m rooflinestudio --example"


def test_without_a_screen_it_says_so_in_one_line_and_renders(ready_machine):
    result = ready_machine.run("run.sh")

    assert result.returncode == 0, output_of(result)
    assert result.stdout.count("\n") == 1
    assert "no screen here (neither DISPLAY nor WAYLAND_DISPLAY is set)" in result.stdout
    assert ready_machine.calls[-1] == "python 3.11.2: -m rooflinestudio render --example --out out/"


def test_a_display_that_does_not_answer_is_no_screen(ready_machine):
    result = ready_machine.run("run.sh", DISPLAY=":77", DISPLAY_ANSWERS="1")

    assert "DISPLAY=:77 does not answer" in result.stdout
    assert ready_machine.calls[-1].endswith("render --example --out out/")
