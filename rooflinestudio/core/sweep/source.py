"""A source for operators that take plain numbers only: fused chains, whose shapes are checked one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rooflinestudio.core.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.operators import Dtypes, Estimate, Operator
    from rooflinestudio.core.placing import EstimateSource

__all__ = ["PlainSource"]


class PlainSource:
    """Refuses arrays, so that a sweep asks ever smaller blocks until it asks for single points."""

    def __init__(self, base: EstimateSource) -> None:
        self.base = base

    def __getattr__(self, name: str) -> Any:
        return getattr(self.base, name)

    def estimate(self, operator: Operator, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        """Ask with plain numbers.

        Raises
        ------
        RefusedError
            For arrays, and where the operator refuses.
        """
        if any(getattr(value, "ndim", 0) for value in parameters.values()):
            raise RefusedError(f"{operator.id} is asked point by point.")
        return self.base.estimate(operator, parameters, dtypes)
