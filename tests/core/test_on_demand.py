from __future__ import annotations

import pickle

import pytest

from rooflinestudio.core.on_demand import OnDemand


def test_a_value_is_made_once_and_only_when_asked_for() -> None:
    asked: list[str] = []

    def maker(name: str):
        return lambda: asked.append(name) or len(asked)

    mapping = OnDemand({name: maker(name) for name in ("a", "b")})
    assert list(mapping) == ["a", "b"] and len(mapping) == 2 and "b" in mapping and "c" not in mapping
    assert mapping.get("b") == 1 and mapping["b"] == 1
    assert asked == ["b"]
    with pytest.raises(KeyError):
        mapping["c"]


def test_it_compares_and_travels_as_the_values_it_stands_for() -> None:
    mapping = OnDemand({"a": lambda: 1})
    assert mapping == {"a": 1} and pickle.loads(pickle.dumps(mapping)) == {"a": 1}
    assert repr(mapping) == "OnDemand(a)"


def test_what_the_guard_refuses_is_not_kept() -> None:
    def guard(name: str, value: float) -> None:
        if value < 0:
            raise ValueError(f"{name} is {value}")

    mapping = OnDemand({"a": lambda: -1, "b": lambda: 2})
    mapping.check = guard
    for _ in range(2):
        with pytest.raises(ValueError, match="a is -1"):
            mapping["a"]
    assert mapping["b"] == 2
