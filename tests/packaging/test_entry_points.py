"""The door through which the built-in plugins come in."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
ENTRY_POINTS = PROJECT["entry-points"]["rooflinestudio"]


def test_every_built_in_module_that_implements_a_hook_has_an_entry_point():
    implementing = {
        f"plugins_builtin.{path.stem}"
        for path in (REPOSITORY / "plugins_builtin").glob("*.py")
        if re.search(r"^@hookimpl", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    }

    assert implementing
    assert set(ENTRY_POINTS.values()) == implementing


@pytest.mark.parametrize(("name", "module"), ENTRY_POINTS.items(), ids=ENTRY_POINTS.keys())
def test_every_entry_point_names_a_module_that_can_be_imported_and_implements_a_hook(name, module):
    loaded = importlib.import_module(module)

    assert any(attribute.startswith("rooflinestudio_") for attribute in vars(loaded)), name


def test_the_command_names_a_callable():
    module, _, function = PROJECT["scripts"]["rooflinestudio"].partition(":")

    assert callable(getattr(importlib.import_module(module), function))
