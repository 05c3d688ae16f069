"""One model served by one machine or by two: the prompt is read on one, the tokens are made on the other.

Prefill is compute-bound and decoding memory-bound, so each can have the machine that suits it; what that costs is the
transfer of the prompt's keys and values. All times are bounds: each kernel at its own, one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.errors import RefusedError
from rooflinestudio.core.placing import evaluate
from rooflinestudio.core.quick import nothing
from rooflinestudio.core.settings import DEFAULT_SETTINGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.dtypes import DType
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.settings import Settings

__all__ = ["Costs", "Request", "SplitServing", "costs_of", "serve_on_one", "serve_on_two"]

BETWEEN_MACHINES: Final = ("network", "roce", "pcie")
"""Boundaries that can lead from one machine to another, the usual one first."""

SECONDS_PER_HOUR: Final = 3600.0


@dataclass(frozen=True, slots=True)
class Request:
    """Prompts of ``context`` tokens, read ``prefill_batch`` at a time, decoded ``batch`` at a time.

    Attributes
    ----------
    extra
        Further parameters of the two passes, such as ``weights`` or ``tensor_parallel``; each takes those it has.
    """

    model: str
    context: int
    output_tokens: int
    batch: int = 1
    prefill_batch: int = 1
    extra: Mapping[str, Any] = field(default_factory=nothing)


@dataclass(frozen=True, slots=True)
class SplitServing:
    """The figures of serving on two machines, or on one that does both in turn.

    Attributes
    ----------
    prefill, decode
        The placements: the prompts on one machine, one decoding step in the middle of the answer on the other.
    link
        Where keys and values cross: the slower of the two machines' boundaries of that name; empty on one machine.
    transfer_bytes, transfer_s
        Keys and values of one prompt, and how long they take.
    time_to_first_token_s, time_to_second_token_s
        The prefill gives the first token; the second waits for the transfer and one step.
    seconds_per_token
        Between tokens of one sequence, later on.
    prefill_requests_per_s, decode_requests_per_s
        What each machine can keep up with, were it to do nothing else.
    prefill_devices, decode_devices
        Devices that the model is dealt out over.
    prefill_fits, decode_fits
        Whether the pass fits into memory; None where the capacity is not known.
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
    prefill_devices: int = 1
    decode_devices: int = 1
    prefill_fits: bool | None = None
    decode_fits: bool | None = None

    @property
    def on_one(self) -> bool:
        """Whether one machine does both in turn."""
        return not self.link

    @property
    def decode_tokens_per_s(self) -> float:
        """Tokens per second of all sequences while the machine decodes."""
        return float(self.decode.parameters["batch"]) / self.seconds_per_token

    @property
    def prefill_tokens_per_s(self) -> float:
        """Tokens of prompts per second while the machine reads them."""
        return self.prefill_requests_per_s * float(self.prefill.parameters["context"])

    @property
    def prefill_machines_per_decode_machine(self) -> float:
        """How many machines of the first kind feed one of the second."""
        return self.decode_requests_per_s / self.prefill_requests_per_s

    @property
    def requests_per_s(self) -> float:
        """What one machine of each kind serve together, or the one that does both in turn."""
        if self.on_one:
            return 1.0 / (1.0 / self.prefill_requests_per_s + 1.0 / self.decode_requests_per_s)
        return min(self.prefill_requests_per_s, self.decode_requests_per_s)


@dataclass(frozen=True, slots=True)
class Costs:
    """Money in whatever currency the prices were in; None where the price is not known.

    Attributes
    ----------
    input_per_million, output_per_million
        Of a million tokens of prompts, and of answers.
    request
        Of one request: its prompt, and all tokens of its answer but the first, which comes with the prompt.
    """

    input_per_million: float | None
    output_per_million: float | None
    request: float | None


def costs_of(
    served: SplitServing, request: Request, prefill_per_hour: float | None, decode_per_hour: float | None
) -> Costs:
    """Return what tokens cost from the prices of a device for an hour: the time they take of all its devices.

    A million tokens take 10^6 / (tokens per second) seconds of the machine that makes nothing else meanwhile.
    """
    given = (prefill_per_hour, served.prefill_devices, served.prefill_tokens_per_s)
    made = (decode_per_hour, served.decode_devices, served.decode_tokens_per_s)
    into, out = (
        None if not price else price * devices / SECONDS_PER_HOUR / rate * 1e6
        for price, devices, rate in (given, made)
    )
    whole = None
    if into is not None and out is not None:
        whole = (into * request.context + out * max(request.output_tokens - 1, 0)) / 1e6
    return Costs(into, out, whole)


def serve_on_one(
    source: Any,
    request: Request,
    dtypes: Mapping[str, DType],
    profile: HardwareProfile,
    settings: Settings = DEFAULT_SETTINGS,
) -> SplitServing:
    """Place prefill and decoding on one machine, which does them in turn: nothing is transferred.

    Raises
    ------
    RefusedError
        If one of them cannot be placed.
    """
    return _served(source, request, dtypes, (profile, profile), settings, ("", 0.0))


def serve_on_two(
    source: Any,
    request: Request,
    dtypes: Mapping[str, DType],
    prefill_on: HardwareProfile,
    decode_on: HardwareProfile,
    settings: Settings = DEFAULT_SETTINGS,
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
    return _served(source, request, dtypes, (prefill_on, decode_on), settings, _link(prefill_on, decode_on))


def _served(
    source: Any,
    request: Request,
    dtypes: Mapping[str, DType],
    machines: tuple[HardwareProfile, HardwareProfile],
    settings: Settings,
    link: tuple[str, float],
) -> SplitServing:
    prompt = {"model": request.model, "batch": request.prefill_batch, "context": request.context}
    prefill = _placed(source, "prefill_step", prompt, request, (dtypes, machines[0], settings))
    # Halfway through the answer: the cache grows by one token with each step, so this is the mean over all of them.
    middle = request.context + request.output_tokens // 2
    step = {"model": request.model, "batch": request.batch, "context": middle}
    decode = _placed(source, "decode_step", step, request, (dtypes, machines[1], settings))
    before, after = source.details(prefill), source.details(decode)
    cache_bytes = float(before["kv_bytes_per_token"]) * request.context
    transfer_s = cache_bytes / link[1] if link[0] else 0.0
    prefill_s, step_s = float(prefill.time_s), float(decode.time_s)
    return SplitServing(
        prefill,
        decode,
        link[0],
        cache_bytes,
        transfer_s,
        time_to_first_token_s=prefill_s,
        time_to_second_token_s=prefill_s + transfer_s + step_s,
        seconds_per_token=step_s,
        prefill_requests_per_s=request.prefill_batch / prefill_s,
        decode_requests_per_s=request.batch / (step_s * max(request.output_tokens - 1, 1)),
        prefill_devices=int(before["devices"]),
        decode_devices=int(after["devices"]),
        prefill_fits=before.get("fits"),
        decode_fits=after.get("fits"),
    )


def _placed(
    source: Any,
    operator: str,
    own: Mapping[str, Any],
    request: Request,
    where: tuple[Mapping[str, DType], HardwareProfile, Settings],
) -> Placement:
    """Place a pass with its own parameters and those of the further ones that it has."""
    declared = {one.name for one in source.operator(operator).parameters}
    further = {name: value for name, value in request.extra.items() if name in declared}
    return evaluate(source, operator, {**further, **own}, *where)


def _link(first: HardwareProfile, second: HardwareProfile) -> tuple[str, float]:
    for id_ in BETWEEN_MACHINES:
        if id_ in first.boundaries and id_ in second.boundaries:
            return id_, min(first.boundaries[id_].bytes_per_s, second.boundaries[id_].bytes_per_s)
    raise RefusedError(
        f"{first.name} and {second.name} have no common boundary among {', '.join(BETWEEN_MACHINES)}: "
        "keys and values cannot get from one to the other. Add one to the profiles."
    )
