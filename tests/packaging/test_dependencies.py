"""The bounds on what the studio stands on, and the fault that the bound on PySide6 keeps out."""

from __future__ import annotations

import importlib.metadata
import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

REPOSITORY = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
REQUIREMENTS = {requirement.name: requirement for requirement in map(Requirement, PROJECT["dependencies"])}


def test_pyside_is_kept_below_the_release_that_steals_references_to_none():
    allowed = REQUIREMENTS["PySide6-Essentials"].specifier

    assert "6.11.3" in allowed
    assert "6.12.0" not in allowed
    assert "6.12.1" not in allowed
    assert "6.9.2" not in allowed  # crashes with QGraphicsObject mix-ins


def test_the_installed_pyside_is_one_that_is_allowed():
    installed = importlib.metadata.version("PySide6-Essentials")

    assert Version(installed) in REQUIREMENTS["PySide6-Essentials"].specifier


def test_a_void_method_of_a_cpp_object_does_not_take_a_reference_from_none():
    from PySide6.QtCore import QObject

    thing = QObject()
    before = sys.getrefcount(None)
    for _ in range(500):
        thing.setObjectName("x")

    # PySide6 6.12.0 on Python 3.11 loses one at each call: 500 fewer, and an abort some thousand calls later.
    assert abs(sys.getrefcount(None) - before) < 50


def test_the_full_pyside_is_not_asked_for():
    assert "PySide6" not in REQUIREMENTS  # 651 MB instead of 234, for modules that nobody uses


def test_every_dependency_has_an_upper_bound_and_a_line_in_contributing():
    contributing = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8").lower()

    for name, requirement in REQUIREMENTS.items():
        assert any(bound.operator == "<" for bound in requirement.specifier), name
        assert f"\n| {name.lower()} |" in contributing, name
