"""Parameter updates: kernels that move a lot of state for a few FLOP."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from plugins_builtin._text import put
from rooflinestudio.plugins import (
    DTYPES,
    Estimate,
    Formula,
    Launch,
    OperatorBase,
    Parameter,
    Tensor,
    hookimpl,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.plugins import Dtypes

ADAM_FLOP: Final = 12.0
"""FLOP per parameter: two moving averages, their bias correction, a root, a division and the update."""


class Adam(OperatorBase):
    """Adam with master weights and both moments in fp32, all parameters in one fused kernel."""

    id = "adam"
    label = "Adam"
    category = "Optimizers"
    summary = "Adam update: fp32 master weights and moments, and a copy for the next forward pass"
    parameters = (
        Parameter("parameter_count", "parameters", 7e9, high=1e14, help="Parameters that are updated."),
        Parameter("gradient_dtype", "gradient format", "fp32", choices=("fp32", "bf16", "fp16", "fp8"),
                  help="Format that the gradients are stored in."),
    )  # fmt: skip
    dtype_roles = MappingProxyType(
        {"weight": "bf16", "master": "fp32", "m": "fp32", "v": "fp32", "compute": "fp32"}
    )
    pinned = frozenset({"master", "m", "v"})

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        count = 1.0 * parameters["parameter_count"]
        state = [Tensor(name, count, dtypes[name], 1, 1, "state") for name in ("m", "v", "master")]
        tensors = [Tensor("gradient", count, DTYPES[parameters["gradient_dtype"]], 1), *state]
        if dtypes["weight"].id != "fp32":  # else the forward pass reads the master weights themselves
            tensors.append(Tensor("weights", count, dtypes["weight"], 0, 1, "output"))
        pipe = dtypes["compute"].pipe
        return Estimate(
            {pipe: ADAM_FLOP * count},
            pipe,
            tuple(tensors),
            footprint_bytes=sum(one.elements * one.dtype.bytes for one in tensors),
            launch=Launch(),
            formulas=lambda: _formulas(parameters, tensors),
            notes=lambda: ("Independent of batch and sequence: every step moves all of the state.",),
        )


def _formulas(p: Mapping[str, Any], tensors: list[Tensor]) -> tuple[Formula, ...]:
    gradient, m, v, master = tensors[:4]
    moved = [gradient.dtype.bytes, 2 * m.dtype.bytes, 2 * v.dtype.bytes, 2 * master.dtype.bytes]
    symbols = "s_gradient + 2·s_m + 2·s_v + 2·s_master"
    if len(tensors) > 4:
        moved.append(tensors[4].dtype.bytes)
        symbols = f"{symbols} + s_weight"
    count = p["parameter_count"]
    traffic = put(f"({' + '.join(f'{size:g}' for size in moved)})·{{count}}", count=count)
    return (
        Formula("work", "W = 12·parameters", put("12·{count}", count=count), "two moments and one update"),
        Formula(
            "compulsory", f"Q = ({symbols})·parameters", traffic,
            "gradient read; moments and master weights read and written; the copy written",
        ),
    )  # fmt: skip


@hookimpl
def rooflinestudio_operators() -> list[OperatorBase]:
    """Bring the optimizers."""
    return [Adam()]
