"""What columns meant the last time: kept by heads, lenient about its file."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from rooflinestudio.core.importing.proposal import ColumnKind, StatedColumn, TableProposal
from rooflinestudio.ui.importing.memory import MOST, ColumnMemory

TABLE = TableProposal(("a", "b"), ("a", "b"), (("1", "2"),), (), (ColumnKind("time", "Time", ("s", "ms")),))
STATED = (StatedColumn("time", "a", "ms"),)


@pytest.fixture
def memory(tmp_path):
    return ColumnMemory(tmp_path / "deep" / "columns.json")


def test_the_same_heads_bring_the_same_columns_back(memory):
    memory.keep(TABLE, STATED)

    assert ColumnMemory(memory.path).recall(TABLE) == STATED
    other = replace(TABLE, heads=("a", "c"), names=("a", "c"))
    assert memory.recall(other) == ()
    memory.forget(TABLE)
    assert memory.recall(TABLE) == ()


def test_a_table_without_heads_is_not_remembered(memory):
    bare = replace(TABLE, has_heads=False)
    memory.keep(bare, STATED)

    assert not memory.path.exists()
    assert memory.recall(bare) == ()


@pytest.mark.parametrize("content", ["", "[]", "{", '{"x": 5}', "\x00" * 50])
def test_a_broken_file_remembers_nothing_and_is_replaced(memory, content):
    memory.path.parent.mkdir()
    memory.path.write_text(content)

    assert memory.recall(TABLE) == ()
    memory.keep(TABLE, STATED)
    assert memory.recall(TABLE) == STATED


@pytest.mark.parametrize(
    "value", [5, [5], [["time", "a"]], [["time", "a", 5]], [["gone", "a", ""]], [["time", "z", ""]]]
)
def test_what_does_not_fit_the_table_is_left(memory, value):
    memory.keep(TABLE, STATED)
    (key,) = json.loads(memory.path.read_text())
    memory.path.write_text(json.dumps({key: value}))

    assert memory.recall(TABLE) == ()


def test_only_the_latest_are_kept(memory):
    for at in range(MOST + 3):
        memory.keep(replace(TABLE, heads=("a", str(at))), STATED)

    assert len(json.loads(memory.path.read_text())) == MOST


def test_a_folder_that_cannot_be_written_costs_only_the_memory(tmp_path):
    (tmp_path / "file").write_text("")
    memory = ColumnMemory(tmp_path / "file" / "columns.json")
    memory.keep(TABLE, STATED)

    assert memory.recall(TABLE) == ()
