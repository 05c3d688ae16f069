from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, field, replace
from types import MappingProxyType

import pytest

from rooflinestudio.core.quick import quick_frozen

EMPTY = MappingProxyType({})


@quick_frozen
class Point:
    x: float
    y: float = 2.0
    more: object = field(default_factory=lambda: EMPTY)


def test_it_is_an_ordinary_frozen_dataclass() -> None:
    point = Point(1.0)
    assert (point.x, point.y, point.more) == (1.0, 2.0, EMPTY)
    assert point == Point(x=1.0, y=2.0) != Point(1.0, 3.0)
    assert repr(point).startswith("Point(x=1.0, y=2.0")
    assert replace(point, y=5.0) == Point(1.0, 5.0)
    with pytest.raises(FrozenInstanceError):
        point.x = 2.0  # type: ignore[misc]


def test_missing_and_unknown_arguments_are_type_errors() -> None:
    for arguments in ({}, {"x": 1.0, "z": 2.0}):
        with pytest.raises(TypeError, match=r"Point\.__init__"):
            Point(**arguments)


def test_the_default_is_one_shared_value() -> None:
    assert Point(1.0).more is EMPTY


def test_what_it_does_not_do_is_refused_when_the_class_is_made() -> None:
    class Checks:
        x: float = 1.0

        def __post_init__(self) -> None: ...

    class Hides:
        x: float = field(init=False, default=1.0)

    for cls in (Checks, Hides):
        with pytest.raises(TypeError, match="quick_frozen"):
            quick_frozen(cls)


@quick_frozen
class Plain:
    x: float


def test_it_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(Plain(3.0))) == Plain(3.0)
