"""Arrays for operators that were written for single numbers: asked element by element, answers stacked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rooflinestudio.plugins.faults import FaultError
from rooflinestudio.plugins.figures import figures_of, skeleton_of, with_figures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from rooflinestudio.core.operators import Estimate, Operator

__all__ = ["element_wise", "plain_parameters", "scalars_at", "shape_of", "spread"]


def shape_of(parameters: Mapping[str, Any]) -> tuple[int, ...]:
    """Return what the arrays among the parameters broadcast to; empty where there are none.

    Raises
    ------
    FaultError
        If they do not broadcast together.
    """
    import numpy as np

    shapes = {name: np.shape(value) for name, value in parameters.items() if isinstance(value, np.ndarray)}
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        sizes = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise FaultError(f"was given arrays that do not fit each other: {sizes}") from None


def plain_parameters(operator: Operator, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Make NumPy scalars and arrays of no dimension the plain numbers that they are."""
    import numpy as np

    whole = {parameter.name for parameter in operator.parameters if parameter.integer}
    result = dict(parameters)
    for name, value in parameters.items():
        if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
            result[name] = _plain(value.item(), whole=name in whole)
    return result


def _plain(value: Any, *, whole: bool) -> Any:
    return int(value) if whole and isinstance(value, float) and value.is_integer() else value


def scalars_at(
    operator: Operator, parameters: Mapping[str, Any], shape: tuple[int, ...], indices: Sequence[int]
) -> Iterator[dict[str, Any]]:
    """Yield the parameters at some flat positions of the broadcast arrays, as plain Python numbers."""
    import numpy as np

    whole = {parameter.name for parameter in operator.parameters if parameter.integer}
    arrays = {
        name: np.broadcast_to(value, shape).ravel()
        for name, value in parameters.items()
        if isinstance(value, np.ndarray)
    }
    fixed = {name: value for name, value in parameters.items() if name not in arrays}
    for index in indices:
        here = {name: _plain(array[index].item(), whole=name in whole) for name, array in arrays.items()}
        yield {name: here[name] if name in here else fixed[name] for name in parameters}


def element_wise(
    ask: Callable[[Mapping[str, Any]], Estimate],
    operator: Operator,
    parameters: Mapping[str, Any],
    shape: tuple[int, ...],
) -> Estimate:
    """Ask for every element and stack the answers into one estimate with arrays of ``shape``.

    Parameters
    ----------
    ask
        Answers one set of single numbers with a sound estimate.

    Raises
    ------
    FaultError
        If the answers differ in more than their numbers, or there is no element at all.
    """
    import numpy as np

    count = int(np.prod(shape))
    if count == 0:
        raise FaultError("was given an empty array; give it at least one element")
    answers = (ask(here) for here in scalars_at(operator, parameters, shape, range(count)))
    first = next(answers)
    names, skeleton = _names(first), skeleton_of(first)
    rows = [_values(first)]
    for index, estimate in enumerate(answers, start=1):
        if _names(estimate) != names or skeleton_of(estimate) != skeleton:
            raise FaultError(
                f"answers element {index} with other pipes, tensors, boundaries or parts than element 0; "
                "a sweep needs the same ones throughout"
            )
        rows.append(_values(estimate))
    columns = np.asarray(rows, dtype=float).T.reshape(-1, *shape)
    return _without_texts(with_figures(first, iter([_column(column) for column in columns])))


def spread(estimate: Estimate, shape: tuple[int, ...]) -> Estimate:
    """Make the first figure an array, so that what follows from the estimate is one too, although nothing varies."""
    import numpy as np

    values = _values(estimate)
    if values:
        values[0] = np.full(shape, values[0], dtype=float)
    return with_figures(estimate, iter(values))


def _names(estimate: Estimate) -> list[str]:
    return [name for name, _ in figures_of(estimate)]


def _values(estimate: Estimate) -> list[Any]:
    return [value for _, value in figures_of(estimate)]


def _column(column: Any) -> Any:
    """Return an array, or the number that all its elements are."""
    first = column.flat[0].item()
    return first if bool((column == first).all()) else column


def _without_texts(estimate: Estimate) -> Estimate:
    """Drop formulas and notes: those of a single element would be wrong for the others."""
    parts = tuple(replace(part, estimate=_without_texts(part.estimate)) for part in estimate.parts)
    return replace(estimate, formulas=None, notes=None, parts=parts)
