from __future__ import annotations

import pytest

from rooflinestudio.core.yaml_files import YamlError, dump_yaml, read_yaml


def load(text: str):
    return read_yaml(text, name="x.yaml", limit_bytes=10_000).value


def test_what_is_written_reads_back() -> None:
    document = {"a": [1, 2.5, "x: y"], "b": {"c": None, "d": True}, "µ": "×"}
    assert load(dump_yaml(document)) == document


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "1e5",
        "null",
        "~",
        "2026-11-29",
        "0x10",
        "1_000",
        "",
        " x ",
        "a\u2028b",
        "a: b",
        "- x",
        "'",
        "\x85",
    ],
)
def test_texts_that_look_like_something_else_stay_texts(text: str) -> None:
    assert load(dump_yaml({"a": text, text or "b": 1})) == {"a": text, text or "b": 1}


def test_a_shared_list_is_written_out_twice_not_as_an_alias() -> None:
    shared = [1, 2]
    assert load(dump_yaml({"a": shared, "b": shared})) == {"a": [1, 2], "b": [1, 2]}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: [1, 2", "x.yaml, line .*complete"),
        ("a: 1\na: 2\n", "line 2: a is given twice, first on line 1"),
        ("a: &x [1]\nb: *x\n", "alias"),
        ("a: !!python/object/apply:os.system ['true']", "line 1"),
        ("", "empty"),
        ("a: " + "[" * 60 + "]" * 60, "deeper than 40 levels"),
        ("x" * 20_000, "characters"),
        ("a: 1\n---\nb: 2\n", "line 2: holds a second document"),
        ("a: '\x01'", "is no text"),
        ("? [1, 2]\n: 3\n", "line 1.*as a key"),
    ],
)
def test_hostile_and_broken_texts_are_refused_with_their_place(text: str, words: str) -> None:
    with pytest.raises(YamlError, match=words):
        load(text)


def test_a_billion_laughs_file_is_refused_at_once() -> None:
    rows = ["a0: &a0 [lol, lol]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    with pytest.raises(YamlError, match="alias"):
        load("\n".join(rows))
