"""The structure of the code: who may import whom, what start-up may load, how large things grow."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
PACKAGES = ("rooflinestudio", "plugins_builtin")
LINT_IMPORTS = shutil.which("lint-imports", path=sysconfig.get_path("scripts"))

FILE_STOP_LINES, FILE_HABIT_LINES = 500, 300
FUNCTION_STOP_LINES, FUNCTION_HABIT_LINES = 50, 30

SOURCES = sorted(path for package in PACKAGES for path in (REPOSITORY / package).rglob("*.py"))
CONTRACTS = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]


def lint_imports(directory: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [LINT_IMPORTS, "--no-logo", "--no-cache"],
        cwd=directory, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------- layers


def test_the_layers_hold():
    result = lint_imports(REPOSITORY)

    assert result.returncode == 0, result.stdout + result.stderr


VIOLATIONS = {
    "core uses Qt": ("rooflinestudio/core/bad.py", "def f():\n    from PySide6 import QtCore\n"),
    "core uses pyqtgraph": ("rooflinestudio/core/bad.py", "import pyqtgraph\n"),
    "core uses pluggy": ("rooflinestudio/core/bad.py", "import pluggy\n"),
    "core uses the plugin host": ("rooflinestudio/core/bad.py", "import rooflinestudio.plugins\n"),
    "the plugin host uses the window": ("rooflinestudio/plugins/bad.py", "import rooflinestudio.ui\n"),
    "the plugin host uses Qt": ("rooflinestudio/plugins/bad.py", "import PySide6\n"),
    "the window uses the command line": ("rooflinestudio/ui/bad.py", "import rooflinestudio.cli\n"),
    "a built-in plugin uses core": ("plugins_builtin/bad.py", "from rooflinestudio.core import fine\n"),
    "a built-in plugin uses the window": ("plugins_builtin/bad.py", "import rooflinestudio.ui\n"),
    "a built-in plugin uses Qt": ("plugins_builtin/bad.py", "from PySide6 import QtCore\n"),
    "the window knows a built-in plugin": ("rooflinestudio/ui/bad.py", "import plugins_builtin.fine\n"),
    "the host knows a built-in plugin": ("rooflinestudio/plugins/bad.py", "import plugins_builtin.fine\n"),
}  # fmt: skip


@pytest.fixture
def small_project(tmp_path):
    """A project with the same packages, the same contracts and nothing wrong in it."""
    shutil.copy(REPOSITORY / "pyproject.toml", tmp_path)
    modules = [
        "rooflinestudio/__init__", "rooflinestudio/core/__init__", "rooflinestudio/core/fine",
        "rooflinestudio/plugins/__init__", "rooflinestudio/ui/__init__", "rooflinestudio/cli/__init__",
        "plugins_builtin/__init__", "plugins_builtin/fine",
    ]  # fmt: skip
    for module in modules:
        path = tmp_path / f"{module}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "rooflinestudio/plugins/__init__.py").write_text("import rooflinestudio.core.fine\n")
    (tmp_path / "plugins_builtin/fine.py").write_text("import rooflinestudio.plugins\n")
    return tmp_path


def test_the_contracts_allow_the_intended_imports(small_project):
    result = lint_imports(small_project)

    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(("file", "code"), VIOLATIONS.values(), ids=VIOLATIONS.keys())
def test_the_contracts_refuse(small_project, file, code):
    (small_project / file).write_text(code)

    result = lint_imports(small_project)

    assert result.returncode == 1, result.stdout + result.stderr
    assert "BROKEN" in result.stdout


# ----------------------------------------------------------------------------------------- start-up

HEAVY = ("numpy", "PySide6", "pyqtgraph", "pluggy", "pydantic", "yaml", "pandas", "scipy", "matplotlib")

LOADED_AFTER = """
import importlib, json, sys
for name in {modules!r}:
    importlib.import_module(name)
print(json.dumps(sorted({{name.partition(".")[0] for name in sys.modules}})))
"""


def loaded_by_importing(*modules: str) -> set[str]:
    """Import modules in a fresh interpreter and return the top-level packages that were loaded."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED_AFTER.format(modules=modules)],
        cwd=REPOSITORY, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout))


def modules_of(package: str) -> list[str]:
    """Name all modules of a package, without importing any."""
    names = []
    for path in sorted((REPOSITORY / package).rglob("*.py")):
        parts = path.relative_to(REPOSITORY).with_suffix("").parts
        names.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return names


def test_importing_the_package_loads_nothing_heavy():
    assert not loaded_by_importing("rooflinestudio") & set(HEAVY)


def test_importing_all_of_core_loads_neither_numpy_nor_qt_nor_pluggy():
    loaded = loaded_by_importing(*modules_of("rooflinestudio/core"))

    assert not loaded & {"numpy", "PySide6", "pyqtgraph", "pluggy"}


def test_importing_the_public_plugin_interface_loads_neither_numpy_nor_qt():
    loaded = loaded_by_importing("rooflinestudio.plugins", "rooflinestudio.plugins.arithmetic")

    assert not loaded & {"numpy", "PySide6", "pyqtgraph"}


def test_importing_the_built_in_plugins_loads_neither_numpy_nor_qt():
    loaded = loaded_by_importing(*modules_of("plugins_builtin"))

    assert not loaded & {"numpy", "PySide6", "pyqtgraph"}


def test_the_command_line_is_ready_without_numpy_qt_or_yaml():
    loaded = loaded_by_importing("rooflinestudio.__main__", "rooflinestudio.cli")

    assert not loaded & {"numpy", "PySide6", "pyqtgraph", "pydantic", "yaml"}


def test_the_window_is_ready_to_paint_without_pyqtgraph_numpy_or_pydantic():
    loaded = loaded_by_importing("rooflinestudio.ui.app")

    assert not loaded & {"pyqtgraph", "numpy", "pydantic", "pandas"}


# -------------------------------------------------------------------------------------------- sizes


def functions_of(path: Path) -> list[tuple[int, str]]:
    """Return length and place of each function, the longest first; a docstring does not count."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = node.end_lineno - node.lineno + 1
            if ast.get_docstring(node) is not None:
                length -= node.body[0].end_lineno - node.body[0].lineno + 1
            found.append((length, f"{path.relative_to(REPOSITORY)}:{node.lineno} {node.name}"))
    return sorted(found, reverse=True)


def lines_of(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n")


def test_files_and_functions_stay_small():
    """Above the habit it is said, above the stop it fails."""
    sizes = [
        (lines_of(path), f"{path.relative_to(REPOSITORY)}", FILE_HABIT_LINES, FILE_STOP_LINES)
        for path in SOURCES
    ]
    sizes += [
        (length, place, FUNCTION_HABIT_LINES, FUNCTION_STOP_LINES)
        for path in SOURCES
        for length, place in functions_of(path)
    ]
    for length, place, habit, _ in sorted(sizes, reverse=True):
        if length > habit:
            print(f"{length} lines (habit {habit}): {place}")

    too_large = [
        f"{length} lines (at most {stop}): {place}" for length, place, _, stop in sizes if length > stop
    ]

    assert not too_large, "\n".join(too_large)
