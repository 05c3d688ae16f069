"""The wheel, installed into an environment of its own where Qt cannot be imported.

The new environment borrows the packages of this one through a .pth file, so that nothing is downloaded.
Python appends such a path at the end and reads no .pth files in it: an editable installation of the studio in
this environment stays out of sight.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]

# All tests of this module share one wheel and one environment, so one worker runs them all.
pytestmark = [pytest.mark.xdist_group("wheel"), pytest.mark.timeout(300)]

BLOCK_QT = """
import sys

class NoQt:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"PySide6", "shiboken6", "pyqtgraph"}:
            raise ImportError("Qt is out of reach in this test: " + name)

sys.meta_path.insert(0, NoQt())
"""


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command away from the repository, without this machine's Python variables; return its output."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_"))
    }
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    run(
        sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, REPOSITORY, cwd=folder
    )
    (built,) = folder.glob("rooflinestudio-*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """The interpreter of a new environment with the wheel in it, the packages of this one, and no Qt."""
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", folder, cwd=folder)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    own_python = scripts / "python"
    run(own_python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel, cwd=folder)

    question = "import sysconfig; print(sysconfig.get_path('purelib'))"
    own_packages = Path(run(own_python, "-c", question, cwd=folder).strip())
    borrowed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (own_packages / "borrowed.pth").write_text("\n".join(sorted(borrowed)) + "\n")
    (own_packages / "block_qt.py").write_text(BLOCK_QT)
    # A line of a .pth file that starts with "import" is run at start-up.
    (own_packages / "block_qt.pth").write_text("import block_qt\n")
    return own_python


def files_of(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def sources(pattern: str) -> set[str]:
    """Name the files of the repository that match, without what Python leaves behind."""
    return {
        path.relative_to(REPOSITORY).as_posix()
        for path in REPOSITORY.glob(pattern)
        if "__pycache__" not in path.parts
    }


@pytest.mark.parametrize(
    ("pattern", "at_least"),
    [
        ("rooflinestudio/**/*.py", 10),
        ("plugins_builtin/**/*.py", 5),
        ("hardware_profiles/*.yaml", 9),
        ("example_studies/*.yaml", 43),
        ("model_cards/*.yaml", 22),
        ("rooflinestudio/ui/icons/*.svg", 1),
        ("rooflinestudio/**/py.typed", 1),
    ],
)
def test_the_wheel_holds_all_sources_and_data(wheel, pattern, at_least):
    expected = sources(pattern)

    assert len(expected) >= at_least, f"the repository itself has too few {pattern}"
    assert expected <= files_of(wheel)


def test_the_wheel_holds_nothing_but_its_packages_and_their_metadata(wheel):
    top = {name.partition("/")[0] for name in files_of(wheel)}

    packages = {"rooflinestudio", "plugins_builtin", "hardware_profiles", "model_cards", "example_studies"}
    assert top == {*packages, wheel_metadata_folder(wheel)}


def wheel_metadata_folder(wheel: Path) -> str:
    name, version = wheel.name.split("-")[:2]
    return f"{name}-{version}.dist-info"


def test_the_licence_travels_with_the_wheel(wheel):
    assert f"{wheel_metadata_folder(wheel)}/licenses/LICENSE" in files_of(wheel)


def test_the_new_environment_runs_the_wheel_and_not_this_checkout(python, tmp_path):
    question = (
        "import rooflinestudio, plugins_builtin; print(rooflinestudio.__file__, plugins_builtin.__file__)"
    )

    for file in run(python, "-c", question, cwd=tmp_path).split():
        assert Path(file).is_relative_to(python.parent.parent)


def test_qt_is_really_out_of_reach_there_and_other_packages_are_not(python, tmp_path):
    code = """
import numpy, pluggy, pydantic, yaml
try:
    import PySide6
except ImportError as error:
    print(error)
"""

    assert run(python, "-c", code, cwd=tmp_path).strip() == "Qt is out of reach in this test: PySide6"


def test_a_gemm_is_evaluated_there_without_qt(python, tmp_path):
    shape = ("m=4096", "n=4096", "k=4096")
    output = run(
        python, "-m", "rooflinestudio", "eval", "gemm", *shape,
        "--on", "nvidia-h100-sxm5", "--dtype", "bf16", "--json",
        cwd=tmp_path,
    )  # fmt: skip

    answer = json.loads(output)
    # By hand: 2 · 4096³ FLOP against 989.4 TFLOP/s; three matrices of 4096² elements of 2 bytes.
    assert answer["work_flop"] == 2 * 4096**3
    assert answer["traffic_bytes"] == 3 * 4096**2 * 2
    assert answer["time_s"] == pytest.approx(138.911e-6, rel=0.01)
    assert answer["bound"] == "compute"


def test_the_command_finds_profiles_and_built_in_operators_in_the_wheel(python, tmp_path):
    command = python.with_name("rooflinestudio")

    profiles = json.loads(run(command, "profiles", "--json", cwd=tmp_path))
    operators = json.loads(run(command, "operators", "--json", cwd=tmp_path))

    assert {"nvidia-h100-sxm5", "nvidia-v100-sxm2-16gb"} <= {profile["id"] for profile in profiles}
    assert {"gemm", "rmsnorm", "attention", "attention_decode", "adam"} <= {each["id"] for each in operators}
