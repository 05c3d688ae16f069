"""The one place where operators are called: guarded, and answered for arrays whether or not they take them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.errors import RefusedError, StudioError
from rooflinestudio.core.on_demand import OnDemand
from rooflinestudio.core.operators import Dtypes, Estimate
from rooflinestudio.plugins.broadcast import element_wise, plain_parameters, scalars_at, shape_of, spread
from rooflinestudio.plugins.faults import FaultError, described, repaired, shown
from rooflinestudio.plugins.figures import figures_of, realised
from rooflinestudio.plugins.guard import arrays_are_sound, figure_is_sound, is_sound
from rooflinestudio.plugins.sources import guarded_texts, plugin_words

if TYPE_CHECKING:
    from rooflinestudio.core.operators import Operator, OperatorOrigin
    from rooflinestudio.core.placement import Placement

__all__ = ["OperatorCaller"]

_SINGLE: Final = frozenset((int, float, str, bool))


class OperatorCaller:
    """Calls operators and checks what they answer.

    Parameters
    ----------
    origins
        Which plugin each operator came from, by operator id; one that is not among them is treated as the studio's own.
    """

    def __init__(self, origins: Mapping[str, OperatorOrigin]) -> None:
        self._origins = origins
        self._foreign = frozenset(id_ for id_, origin in origins.items() if origin.foreign)

    def estimate(self, operator: Operator, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        """Ask an operator for work and traffic, guarded.

        Parameters
        ----------
        parameters
            Resolved ones: numbers, texts, switches, or arrays that broadcast. An operator that cannot take arrays is
            asked element by element.

        Returns
        -------
        Estimate
            Every figure a plain number, or (for arrays) a number or a float64 array; finite and at least 0.

        Raises
        ------
        RefusedError
            If the operator raises, or answers something else; the text names the plugin, the figure and the value.
            A ``StudioError`` that the operator raises itself is passed on: it is its own way to refuse.
        """
        if _SINGLE.issuperset(map(type, parameters.values())):
            return self._ask(operator, parameters, dtypes)
        try:
            parameters = plain_parameters(operator, parameters)
            shape = shape_of(parameters)
            if not shape:
                return self._ask(operator, parameters, dtypes)
            return self._ask_arrays(operator, parameters, dtypes, shape)
        except FaultError as fault:
            raise self._refusal(operator, str(fault)) from None

    def details(self, operator: Operator, placement: Placement) -> Mapping[str, Any]:
        """Return the figures that an operator adds to a placement; where it fails, ``problem`` says how."""
        call = getattr(operator, "details", None)
        if call is None:
            return {}
        try:
            answer = call(placement)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return {"problem": f"{self._who(operator)} could not give its details: {described(error)}."}
        if isinstance(answer, Mapping) and all(isinstance(key, str) for key in answer):
            return answer
        return {"problem": f"{self._who(operator)} gave {shown(answer)} as details; a mapping is needed."}

    def _call(self, operator: Operator, parameters: Mapping[str, Any], dtypes: Dtypes) -> object:
        """Call an operator; a stranger gets copies, so that it cannot change what others see."""
        if operator.id in self._foreign:
            parameters, dtypes = dict(parameters), Dtypes(dtypes, dtypes.explicit, dtypes.given)
            answer = operator.estimate(parameters, dtypes)
            # Nor do its functions run later, where nobody expects them to fail.
            return realised(answer) if answer.__class__ is Estimate else answer
        return operator.estimate(parameters, dtypes)

    def _watched(self, operator: Operator, estimate: Estimate, shape: tuple[int, ...]) -> Estimate:
        """Put the guard before figures that are worked out later."""
        for figures in (estimate.blocked, estimate.padded_work):
            if figures.__class__ is OnDemand:
                figures.check = partial(self._check, operator, shape)
        for part in estimate.parts:
            self._watched(operator, part.estimate, shape)
        return estimate

    def _check(self, operator: Operator, shape: tuple[int, ...], name: str, value: object) -> None:
        if not figure_is_sound(value, shape):
            raise self._refusal(operator, f"answered {shown(value)} at {name}")

    def _ask(self, operator: Operator, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        try:
            answer = self._call(operator, parameters, dtypes)
            estimate = answer if is_sound(answer) else repaired(answer)
        except (KeyboardInterrupt, StudioError):
            raise
        except FaultError as fault:
            raise self._refusal(operator, str(fault)) from None
        except BaseException as error:
            raise self._refusal(operator, f"raised {described(error)}") from error
        if operator.id in self._foreign:
            return guarded_texts(estimate, self._who(operator))
        return self._watched(operator, estimate, ())

    def _ask_arrays(
        self, operator: Operator, parameters: Mapping[str, Any], dtypes: Dtypes, shape: tuple[int, ...]
    ) -> Estimate:
        if not getattr(operator, "scalar_only", False):
            estimate = self._vectorised(operator, parameters, dtypes, shape)
            if estimate is not None:
                return estimate

        def ask(here: Mapping[str, Any]) -> Estimate:
            return self._ask(operator, here, dtypes)

        return element_wise(ask, operator, parameters, shape)

    def _vectorised(
        self, operator: Operator, parameters: Mapping[str, Any], dtypes: Dtypes, shape: tuple[int, ...]
    ) -> Estimate | None:
        """Ask with arrays; None where the operator turns out not to take them."""
        import numpy as np

        try:
            with np.errstate(all="ignore"):  # what comes of it is looked at next
                answer = self._call(operator, parameters, dtypes)
            estimate = answer if arrays_are_sound(answer, shape) else repaired(answer, shape)
        except (KeyboardInterrupt, StudioError):
            raise
        except FaultError as fault:
            if not fault.of_form:
                raise
            return None
        except BaseException:
            return None  # asked element by element, it answers or says what is wrong
        if estimate is not answer and not arrays_are_sound(estimate, shape):
            if not self._is_constant(operator, parameters, dtypes, estimate, shape):
                return None
            estimate = spread(estimate, shape)
        if operator.id in self._foreign:
            return guarded_texts(estimate, self._who(operator))
        return self._watched(operator, estimate, shape)

    def _is_constant(
        self,
        operator: Operator,
        parameters: Mapping[str, Any],
        dtypes: Dtypes,
        estimate: Estimate,
        shape: tuple[int, ...],
    ) -> bool:
        """Tell whether the first and the last element really have an answer that came without arrays."""
        here = scalars_at(operator, parameters, shape, sorted({0, math.prod(shape) - 1}))
        expected = list(figures_of(estimate))
        return all(list(figures_of(self._ask(operator, one, dtypes))) == expected for one in here)

    def _who(self, operator: Operator) -> str:
        origin = self._origins.get(operator.id)
        return f"{operator.id} of {plugin_words(origin)}" if origin is not None else operator.id

    def _refusal(self, operator: Operator, text: str) -> RefusedError:
        mend = " That is a fault of the plugin: tell its author." if operator.id in self._foreign else ""
        return RefusedError(f"{self._who(operator)} {text.removesuffix('.')}.{mend}")
