"""A placed entry as the command line that gives the same figures."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from rooflinestudio.core.chains import ChainOperator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.operators import Operator, Parameter
    from rooflinestudio.core.placing import PlacedRow

__all__ = ["command_of"]


def command_of(row: PlacedRow, operator: Operator | None = None) -> str:
    """Return ``rooflinestudio eval …`` for a row, or ``fuse …`` for a chain, quoted for a POSIX shell.

    Parameters
    ----------
    operator
        With it, sizes that were left at their defaults are written out too, so that the line can be read by itself.
    """
    spec = operator.spec if isinstance(operator, ChainOperator) else None
    words = ["rooflinestudio", *(("eval", row.entry.operator) if spec is None else ("fuse", str(spec)))]
    words += [f"{name}={_text(value)}" for name, value in _parameters(row, operator)]
    words += ["--on", row.machine]
    if row.entry.dtypes:
        words += ["--dtype", _dtypes(row)]
    words += _settings(row) if spec is None else _chain_settings(row)
    return " ".join(shlex.quote(word) for word in words)


def _parameters(row: PlacedRow, operator: Operator | None) -> Iterator[tuple[str, Any]]:
    given = row.entry.parameters
    declared = operator.parameters if operator is not None else ()
    for parameter in declared:
        if parameter.name in given:
            yield parameter.name, given[parameter.name]
        elif _is_size(parameter):
            yield parameter.name, parameter.default
    names = {parameter.name for parameter in declared}
    yield from ((name, value) for name, value in given.items() if name not in names)


def _is_size(parameter: Parameter) -> bool:
    """Whether a parameter left alone still says how large the problem is: a size, or which model it is."""
    if parameter.open_choices:
        return bool(parameter.default)
    if isinstance(parameter.default, bool | str) or parameter.auto:
        return False
    return parameter.default != parameter.low


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return str(value)


def _dtypes(row: PlacedRow) -> str:
    given = row.entry.dtypes
    first = [given["all"]] if "all" in given else []
    return ",".join([*first, *(f"{role}={name}" for role, name in given.items() if role != "all")])


def _settings(row: PlacedRow) -> Iterator[str]:
    settings = row.settings
    if settings.boundary is not None:
        yield from ("--boundary", settings.boundary)
    yield from ("--policy", settings.policy)
    if settings.policy == "modelled":
        yield from ("--absorption", _text(settings.absorption))
    yield from _chain_settings(row)


def _chain_settings(row: PlacedRow) -> Iterator[str]:
    """Yield what counts for chains, too: they are counted at dram, compulsory."""
    settings = row.settings
    if settings.ceiling is not None:
        yield from ("--ceiling", settings.ceiling)
    if settings.overlap != 1:
        yield from ("--overlap", _text(float(settings.overlap)))
    if settings.forecast:
        yield "--forecast"
