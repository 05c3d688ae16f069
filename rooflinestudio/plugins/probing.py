"""Asking an operator on behalf of the conformance kit: sets of parameters to ask with, answers with their faults."""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.dtypes import dtype
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.operators import Dtypes
from rooflinestudio.core.resolution import resolve_dtypes, resolve_parameters
from rooflinestudio.core.traffic import compulsory_bytes, tiled_bytes
from rooflinestudio.plugins.faults import FaultError, described, repaired

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rooflinestudio.core.operators import Estimate, Operator, Parameter

__all__ = ["Probe", "traffic_of"]

_PRIMES: Final = (67, 61, 59, 53, 47, 43, 41, 37, 31, 29, 23, 19)
_MOST_COMBINATIONS: Final = 48
LARGE_TOGETHER: Final = 1e6
LARGE_ALONE: Final = float(2**33)  # beyond what 32 bits hold


class Probe:
    """Asks one operator, and collects what it says wrong.

    Attributes
    ----------
    findings
        What was wrong so far, one sentence each.
    numbers
        The operator's numeric parameters.
    """

    def __init__(self, operator: Operator) -> None:
        self.operator = operator
        self.findings: list[str] = []
        self._found: set[str] = set()
        self.numbers: tuple[Parameter, ...] = tuple(
            one
            for one in operator.parameters
            if not (one.choices or one.open_choices or isinstance(one.default, bool))
        )

    def find(self, text: str, *, once: str = "") -> None:
        """Keep a finding; the same one, and of those with the same ``once`` the first, is kept once."""
        key = once or text
        if key not in self._found:
            self._found.add(key)
            self.findings.append(text)

    def has(self, *names: str) -> bool:
        """Tell whether the operator has all of these parameters as numbers."""
        return set(names) <= {one.name for one in self.numbers}

    def ask(
        self, given: Mapping[str, Any], dtypes: Mapping[str, str] | None = None, *, may_refuse: bool = True
    ) -> Estimate | None:
        """Return a sound answer for single numbers, or None; then a finding says why, unless it was free to refuse."""
        formats = {role: dtype(name) for role, name in (dtypes or {}).items()}
        where = self.where(given, dtypes)
        try:
            resolved = resolve_parameters(self.operator, given)
            answer: Any = self.operator.estimate(resolved, resolve_dtypes(self.operator, formats))
            return repaired(answer)
        except StudioError as error:
            if not may_refuse:
                self.find(f"{where} it refuses to answer: {error}")
        except FaultError as fault:
            self.find(f"{where} it {fault}.")
        except Exception as error:
            self.find(f"{where} it raised {described(error)}.")
        return None

    def ask_raw(self, given: Mapping[str, Any]) -> object:
        """Return whatever the operator answers to arrays, or raise what it raises."""
        resolved = resolve_parameters(self.operator, given)
        formats = resolve_dtypes(self.operator, {})
        return self.operator.estimate(resolved, Dtypes(formats, formats.explicit, formats.given))

    def where(self, given: Mapping[str, Any], dtypes: Mapping[str, str] | None = None) -> str:
        """Say for which parameters and dtypes something holds: "For m=1, n=1, dtype fp32:"."""
        parts = [f"{name}={_short(value)}" for name, value in given.items()]
        parts += [
            f"dtype {name}" if role == "all" else f"{role}={name}" for role, name in (dtypes or {}).items()
        ]
        return f"For {', '.join(parts)}:" if parts else "For its defaults:"

    # ----------------------------------------------------------------------------------- samples

    def samples(self) -> Iterator[tuple[dict[str, Any], bool]]:
        """Yield (parameters, whether it may refuse them): defaults, ones, odd, huge, and each end of each range."""
        yield {}, False
        yield self.ones(), False
        for choice in self.choices():
            yield choice, True
            yield {**self.odd(), **choice}, True
        yield {one.name: min(one.high, LARGE_TOGETHER) for one in self.numbers}, True
        for one in self.numbers:
            yield {one.name: one.low}, True
            yield {one.name: min(one.high, LARGE_ALONE)}, True

    def ones(self) -> dict[str, Any]:
        """Return one of everything, or the least that is allowed."""
        return {one.name: min(max(1, one.low), one.high) for one in self.numbers}

    def odd(self) -> dict[str, Any]:
        """Return small sizes that no tile divides; heads share evenly, as everywhere."""
        result: dict[str, Any] = {}
        for place, one in enumerate(self.numbers):
            result[one.name] = min(max(_PRIMES[place % len(_PRIMES)], one.low), one.high)
        if self.has("heads", "kv_heads"):
            result |= {"heads": 6, "kv_heads": 3}
        return result

    def choices(self) -> list[dict[str, Any]]:
        """Return combinations of the choices and switches; all of them, as long as they are few."""
        options = {one.name: _options(one) for one in self.operator.parameters if one not in self.numbers}
        combinations = (dict(zip(options, values, strict=True)) for values in product(*options.values()))
        return list(islice(combinations, _MOST_COMBINATIONS))


def _options(parameter: Parameter) -> tuple[Any, ...]:
    """Return the values of a choice or a switch; of open choices the default and the first suggestion."""
    if parameter.open_choices:
        return tuple(dict.fromkeys((parameter.default, *parameter.choices[:1])))
    return parameter.choices or (False, True)


def _short(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def traffic_of(estimate: Estimate) -> tuple[float, float]:
    """Return (compulsory, tiled) bytes at dram, of all parts together."""
    compulsory, tiled = _total(compulsory_bytes(estimate)), _total(tiled_bytes(estimate))
    for part in estimate.parts:
        inner_compulsory, inner_tiled = traffic_of(part.estimate)
        count = float(part.count)
        compulsory, tiled = compulsory + count * inner_compulsory, tiled + count * inner_tiled
    return compulsory, tiled


def _total(pair: tuple[Any, Any]) -> float:
    return float(pair[0] + pair[1])
