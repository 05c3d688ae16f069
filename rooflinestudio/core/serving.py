"""One model served by two machines: the prompt is read on one, the tokens are made on the other.

Prefill is compute-bound and decoding memory-bound, so each can have the machine that suits it; what that costs is the
transfer of the prompt's keys and values. All times are bounds: each kernel at its own, one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.errors import RefusedError
from rooflinestudio.core.placing import evaluate
from rooflinestudio.core.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.dtypes import DType
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placement import Placement

__all__ = ["Request", "SplitServing", "serve_on_two"]

BETWEEN_MACHINES: Final = ("network", "roce", "pcie")
"""Boundaries that can lead from one machine to another, the usual one first."""


@dataclass(frozen=True, slots=True)
class Request:
    """Prompts of ``context`` tokens, read ``prefill_batch`` at a time, decoded ``batch`` at a time."""

    model: str
    context: int
    output_tokens: int
    batch: int = 1
    prefill_batch: int = 1


@dataclass(frozen=True, slots=True)
class SplitServing:
    """The figures of serving on two machines.

    Attributes
    ----------
    prefill, decode
        The placements: the prompts on one machine, one decoding step in the middle of the answer on the other.
    link
        Where keys and values cross: the slower of the two machines' boundaries of that name.
    transfer_bytes, transfer_s
        Keys and values of one prompt, and how long they take.
    time_to_first_token_s, time_to_second_token_s
        The prefill gives the first token; the second waits for the transfer and one step.
    seconds_per_token
        Between tokens of one sequence, later on.
    prefill_requests_per_s, decode_requests_per_s
        What each machine can keep up with.
    """

    prefill: Placement
    decode: Placement
    link: str
    transfer_bytes: float
    transfer_s: float
    time_to_first_token_s: float
    time_to_second_token_s: float
    seconds_per_token: float
    prefill_requests_per_s: float
    decode_requests_per_s: float

    @property
    def prefill_machines_per_decode_machine(self) -> float:
        """How many machines of the first kind feed one of the second."""
        return self.decode_requests_per_s / self.prefill_requests_per_s

    @property
    def requests_per_s(self) -> float:
        """What one machine of each kind serve together."""
        return min(self.prefill_requests_per_s, self.decode_requests_per_s)


def serve_on_two(
    source: Any,
    request: Request,
    dtypes: Mapping[str, DType],
    prefill_on: HardwareProfile,
    decode_on: HardwareProfile,
) -> SplitServing:
    """Place the prefill on one machine and the decoding on another.

    Parameters
    ----------
    source
        Where operators come from; it also gives their details (the plugin registry does).

    Raises
    ------
    RefusedError
        If one of them cannot be placed, or the machines have no common boundary to reach each other.
    """
    prefill = evaluate(
        source,
        "prefill_step",
        {"model": request.model, "batch": request.prefill_batch, "context": request.context},
        dtypes,
        prefill_on,
        Settings(),
    )
    # Halfway through the answer: the cache grows by one token with each step, so this is the mean over all of them.
    middle = request.context + request.output_tokens // 2
    step = {"model": request.model, "batch": request.batch, "context": middle}
    decode = evaluate(source, "decode_step", step, dtypes, decode_on, Settings())
    link, bytes_per_s = _link(prefill_on, decode_on)
    cache_bytes = float(source.details(prefill)["kv_written_bytes"]) / request.prefill_batch
    transfer_s = cache_bytes / bytes_per_s
    prefill_s, step_s = float(prefill.time_s), float(decode.time_s)
    return SplitServing(
        prefill,
        decode,
        link,
        cache_bytes,
        transfer_s,
        time_to_first_token_s=prefill_s,
        time_to_second_token_s=prefill_s + transfer_s + step_s,
        seconds_per_token=step_s,
        prefill_requests_per_s=request.prefill_batch / prefill_s,
        decode_requests_per_s=request.batch / (step_s * max(request.output_tokens - 1, 1)),
    )


def _link(first: HardwareProfile, second: HardwareProfile) -> tuple[str, float]:
    for id_ in BETWEEN_MACHINES:
        if id_ in first.boundaries and id_ in second.boundaries:
            return id_, min(first.boundaries[id_].bytes_per_s, second.boundaries[id_].bytes_per_s)
    raise RefusedError(
        f"{first.name} and {second.name} have no common boundary among {', '.join(BETWEEN_MACHINES)}: "
        "keys and values cannot get from one to the other. Add one to the profiles."
    )
