"""How a model is dealt out over devices, and what one of them sends for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from plugins_builtin.collectives import exchange_part
from rooflinestudio.plugins import Parameter, ParameterError, Part
from rooflinestudio.plugins.arithmetic import ceil_div, is_number, larger, smaller, where

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.plugins import DType
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["DATA", "EXPERT", "TENSOR", "Split", "certainly", "exchange"]

MOST: Final = 65_536

TENSOR = Parameter(
    "tensor_parallel", "tensor parallel", 1, high=MOST,
    help="Devices that each layer is split over; they add up their results over the link.",
)  # fmt: skip
DATA = Parameter(
    "data_parallel", "data parallel", 1, high=MOST,
    help="Groups of devices that hold the model each, and share the batch.",
)  # fmt: skip
EXPERT = Parameter(
    "expert_parallel", "expert parallel", 1, high=MOST,
    help="Devices that the experts are dealt out over, among those of the tensor- and data-parallel groups.",
)  # fmt: skip


def certainly(value: Num, number: float) -> bool:
    """Tell whether a value is this very number, and no array."""
    return is_number(value) and value == number


class Split(NamedTuple):
    """Degrees of parallelism; numbers or arrays."""

    tensor: Num
    data: Num
    expert: Num

    @classmethod
    def of(cls, operator: str, p: Mapping[str, Any], *, within: bool = True) -> Split:
        """Return the degrees that a set of parameters asks for.

        Parameters
        ----------
        within
            Whether the experts must find room on the devices of the other groups.

        Raises
        ------
        ParameterError
            If the experts are dealt out over more devices than there are.
        """
        split = cls(p["tensor_parallel"], p.get("data_parallel", 1), p.get("expert_parallel", 1))
        wrong = within and split.expert > split.tensor * split.data
        if wrong is not False and (wrong if isinstance(wrong, bool) else bool(wrong.any())):
            raise ParameterError(
                f"{operator}: the experts cannot be dealt out over more devices than there are: expert_parallel must "
                "not exceed tensor_parallel·data_parallel. Raise data_parallel, or lower expert_parallel."
            )
        return split

    @property
    def devices(self) -> Num:
        """All devices together."""
        return self.tensor * self.data

    @property
    def alone(self) -> bool:
        """Whether there is certainly one device."""
        return all(certainly(one, 1) for one in self)

    def share(self, count: Num) -> Num:
        """Return what the fullest device of a tensor-parallel group holds of something."""
        return count if certainly(self.tensor, 1) else ceil_div(count, self.tensor)

    def of_batch(self, batch: Num) -> Num:
        """Return the sequences of the fullest data-parallel group."""
        return batch if certainly(self.data, 1) else ceil_div(batch, self.data)

    def heads(self, heads: Num, kv_heads: Num) -> tuple[Num, Num]:
        """Return the (query heads, key-value heads) of one device; key-value heads are held at least one each."""
        if certainly(self.tensor, 1):
            return heads, kv_heads
        kv = ceil_div(kv_heads, self.tensor)
        few = self.tensor > kv_heads
        return where(few, ceil_div(heads, self.tensor), kv * (heads / kv_heads)), kv

    @property
    def expert_slices(self) -> Num:
        """Devices that share one expert: the tensor-parallel ones, unless the experts are dealt out over them."""
        return 1 if certainly(self.tensor, 1) else ceil_div(self.tensor, smaller(self.expert, self.tensor))

    @property
    def token_slices(self) -> Num:
        """Devices of a tensor-parallel group that send off tokens of their own."""
        return 1 if certainly(self.expert, 1) else smaller(self.expert, self.tensor)


def exchange(
    label: str, id_: str, dtype: DType, *, elements: Num, ranks: Num, count: Num = 1
) -> tuple[Part, ...]:
    """Return a collective of the ranks, run ``count`` times; nothing where there is certainly one rank."""
    if certainly(ranks, 1) or certainly(count, 0):
        return ()
    part = exchange_part(label, id_, elements=elements, ranks=larger(ranks, 1), dtype=dtype)
    times = where(ranks > 1, count, 0)
    return (Part(label, part.operator, part.parameters, part.dtypes, times, part.estimate),)
