"""An operator's answer to arrays of parameters, held against its answers to each of their elements.

This is the conformance kit's check of arrays; :mod:`rooflinestudio.plugins.testing` runs it among its others.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.plugins.faults import FaultError, described, repaired
from rooflinestudio.plugins.figures import figures_of, with_figures
from rooflinestudio.plugins.probing import traffic_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.operators import Estimate, Parameter
    from rooflinestudio.plugins.probing import Probe

__all__ = ["CLOSE", "arrays_equal_scalars", "scalar_only"]

CLOSE: Final = 1e-9  # figures that differ by less, relative to the larger, are the same to the whole kit
_OPTIONAL: Final = ("footprint", "of the launch")


def scalar_only(probe: Probe) -> bool:
    """Tell whether the operator declares that it takes single numbers only, and is not to be asked with arrays."""
    return bool(getattr(probe.operator, "scalar_only", False))


def arrays_equal_scalars(probe: Probe) -> None:
    """Hold what an array of parameters answers against what each of them answers alone."""
    import numpy as np

    if scalar_only(probe):
        return
    for choice in probe.choices():
        for one in probe.numbers:
            values = _spread(probe, one, choice)
            if values and not _compare(probe, {one.name: np.array(values)}, choice):
                return
        if len(probe.numbers) > 1:
            first, second = probe.numbers[:2]
            rows, columns = _spread(probe, first, choice), _spread(probe, second, choice)
            if rows and columns:
                grid = {first.name: np.array(rows)[:, None], second.name: np.array(columns)[None, :]}
                _compare(probe, grid, choice)


def _spread(probe: Probe, parameter: Parameter, choice: Mapping[str, Any]) -> list[float]:
    """Return a few values of one parameter that the operator answers when asked alone."""
    default = float(parameter.default)
    wanted = (max(1.0, parameter.low), default, 2 * default, 3 * default + 1, 67.0)
    values = sorted({value for value in wanted if parameter.low <= value <= parameter.high})
    return [value for value in values if probe.ask({**choice, parameter.name: value}) is not None]


def _compare(probe: Probe, arrays: dict[str, Any], choice: Mapping[str, Any]) -> bool:
    """Hold one answer to arrays against the answers to their elements; False if it has none."""
    import numpy as np

    shape = np.broadcast_shapes(*(array.shape for array in arrays.values()))
    try:
        answer = repaired(probe.ask_raw({**choice, **arrays}), shape)
    except Exception as error:
        text = str(error) if isinstance(error, FaultError) else f"raised {described(error)}"
        mend = "Use rooflinestudio.plugins.arithmetic, or declare scalar_only = True."
        for_choice = "".join(f"{name}={value}, " for name, value in choice.items())
        probe.find(f"For {for_choice}an array of {' and '.join(arrays)}: it {text}. {mend}")
        return False
    flat = {name: np.broadcast_to(array, shape).ravel() for name, array in arrays.items()}
    names, values = zip(*figures_of(answer), strict=True)
    flat_figures = [np.broadcast_to(value, shape).ravel() for value in values]
    together = dict(zip(names, flat_figures, strict=True))
    for at in range(math.prod(shape)):
        given = {**choice, **{name: float(array[at]) for name, array in flat.items()}}
        alone = probe.ask(given)
        if alone is not None and bool(alone.parts) != bool(answer.parts):
            element = with_figures(answer, (float(value[at]) for value in flat_figures))
            _same(probe, probe.where(given), _totals(alone), _totals(element))
        elif alone is not None:
            _same(
                probe,
                probe.where(given),
                dict(figures_of(alone)),
                {k: float(v[at]) for k, v in together.items()},
            )
    return True


def _totals(estimate: Estimate) -> dict[str, float]:
    """Return what an answer comes to, for one that is a kernel alone where a composite has one part that does anything.

    So a kernel that several devices share may answer for one device without the exchanges, and for an array with them.
    """
    compulsory, tiled = traffic_of(estimate)
    figures = {"compulsory traffic": compulsory, "tiled traffic": tiled}
    kernels = [(1.0, estimate), *((float(part.count), part.estimate) for part in estimate.parts)]
    for count, kernel in kernels:
        for pipe, flop in kernel.work.items():
            figures[f"work on {pipe}"] = figures.get(f"work on {pipe}", 0.0) + count * float(flop)
    return figures


def _same(probe: Probe, where: str, alone: dict[str, float], together: dict[str, float]) -> None:
    alone, together = _what_counts(alone), _what_counts(together)
    for name in sorted(alone.keys() | together.keys()):
        if name.endswith(_OPTIONAL) and not (name in alone and name in together):
            continue  # what is absent is not judged, and may be so for some elements of an array only
        one, many = alone.get(name, 0.0), together.get(name, 0.0)
        if not math.isclose(one, many, rel_tol=CLOSE):
            probe.find(f"{where} {name} is {one:g} alone, and {many:g} in an array.", once=f"array {name}")


def _what_counts(figures: dict[str, float]) -> dict[str, float]:
    """Drop what is 0, tensors that do not move, and parts that do not run: absent and 0 are the same."""
    still: set[str] = set()
    idle: list[str] = []
    for name, value in figures.items():
        if "count of " in name and not value:
            idle.append("".join(name.rsplit("count of ", 1)) + ": ")
        elif "elements of " in name:
            moves = [name.replace("elements of ", f"{way} of ") for way in ("reads", "writes")]
            if not value or not any(figures.get(way) for way in moves):
                still |= {name, *moves}
    return {
        name: value
        for name, value in figures.items()
        if value and name not in still and not name.startswith(tuple(idle))
    }
