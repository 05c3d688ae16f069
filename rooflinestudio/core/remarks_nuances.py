"""Nuances: what changes how a figure is to be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.core.hardware import INSIDE, LINKS
from rooflinestudio.core.pipes import SPECIAL
from rooflinestudio.core.remarks_facts import Rule, amount_text, percent_text, ratio_text, time_text

if TYPE_CHECKING:
    from rooflinestudio.core.remarks_facts import Facts

__all__ = ["NUANCES"]

_NEAR: Final = 1.5  # how much longer one side may take for both to count as about as long
_CLEARLY: Final = 1.2
_FULL: Final = 0.9  # a share of useful work or busy SMs from which on nothing is said
_LONG_S: Final = 20e-6  # a kernel this long has left its launch behind
_MOST: Final = 0.5


def _policy_decides(facts: Facts) -> str:
    if facts.composite or "dram" not in facts.placement.estimate.blocked:
        return ""
    bounds = {policy: one.bound for policy, one in facts.policies.items()}
    if len(set(bounds.values())) < 2:
        return ""
    words = ", ".join(f"{policy}: {bound}" for policy, bound in bounds.items())
    return (
        f"The bound depends on how bytes are counted ({words}). The truth lies in the corridor between; counters say "
        "where in it."
    )


def _special_binds(facts: Facts) -> str:
    if facts.placement.binding != SPECIAL or facts.composite:
        return ""
    main_s = float(facts.placement.fraction_of_peak) * float(facts.placement.time_s)
    return (
        f"The exponentials bind, not the products: the special-function units take {time_text(facts.compute_s)}, the "
        f"{facts.ceiling.label} pipe {time_text(main_s)}. A faster format for the products would not help."
    )


def _near_ridge(facts: Facts) -> str:
    compute_s, memory_s = facts.compute_s, facts.memory_s
    longer, shorter = max(compute_s, memory_s), min(compute_s, memory_s)
    if facts.composite or facts.settings.overlap < 1 or shorter <= 0 or longer > _NEAR * shorter:
        return ""
    return (
        f"Near the ridge both sides take about as long: compute {time_text(compute_s)}, traffic {time_text(memory_s)}. "
        f"Without overlap it would be {ratio_text((longer + shorter) / longer)} times the time, and twice exactly at "
        "the ridge: a kernel steadily that far below the roof fails to pipeline."
    )


def _partial_overlap(facts: Facts) -> str:
    if facts.settings.overlap >= 1:
        return ""
    return (
        f"With an overlap of {facts.settings.overlap:g} compute and traffic wait for each other: the roof's corner is "
        "rounded, and both more FLOP/s and more bandwidth help a little."
    )


def _bandwidth_no_help(facts: Facts) -> str:
    if facts.placement.bound != "compute" or facts.settings.overlap < 1 or facts.composite:
        return ""
    if facts.memory_s <= 0 or facts.memory_s * _CLEARLY > facts.compute_s:
        return ""
    return (
        f"More bandwidth at {facts.at.label} would change nothing: the bytes are there after "
        f"{time_text(facts.memory_s)}, the arithmetic takes {time_text(facts.compute_s)}. Less work or a faster pipe "
        "would."
    )


def _causal(facts: Facts) -> str:
    if (
        facts.parameters.get("causal") is not True
        or facts.parameters.get("implementation", "flash") != "flash"
    ):
        return ""
    if facts.composite:
        return ""
    return (
        "The causal mask thins out the work and not the tensors: Q, K, V and O cross whole, so that the intensity "
        "falls with the work. That a mask halves both holds for the score matrix alone."
    )


def _naive(facts: Facts) -> str:
    if facts.parameters.get("implementation") != "naive" or facts.composite or not facts.on_tensor:
        return ""
    return (
        "With scores that cross dram, work and traffic grow alike: this intensity levels off with the sequence length, "
        "at a value that the head dimension sets. Growing the problem does not help; keeping the scores on chip does."
    )


def _private_cache(facts: Facts) -> str:
    if facts.composite or facts.share_of("cache") < _MOST:
        return ""
    return (
        "Each cached key and value serves one sequence, so that no batch, tile or schedule raises this intensity. "
        "Fewer KV heads, a latent cache, a narrower format or fewer tokens do: changes of the model, not of the kernel."
    )


def _cache_over_weights(facts: Facts) -> str:
    roles = facts.bytes_by_role
    cache, weights = roles.get("cache", 0.0), roles.get("weight", 0.0)
    if not facts.composite or weights <= 0 or cache <= weights:
        return ""
    return (
        f"The cache moves {amount_text(cache, 'B')}, the weights {amount_text(weights, 'B')}: a larger batch spreads "
        "the weights alone, and from here on every further sequence costs nearly its full time."
    )


def _tile_sets_intensity(facts: Facts) -> str:
    inside = facts.placement.boundary_id in INSIDE
    if (
        "tile_m" not in facts.parameters
        or facts.composite
        or not (inside or facts.settings.policy == "tiled")
    ):
        return ""
    return (
        "Counted with its re-reads this intensity follows the tile, not the matrix: a matrix twice as large stays "
        "where it is, a tile twice as large nearly doubles it, while k is long and the output small beside A and B."
    )


def _constant_intensity(facts: Facts) -> str:
    placement = facts.placement
    estimate = placement.estimate
    if facts.composite or facts.on_tensor or placement.bound != "memory" or "dram" in estimate.blocked:
        return ""
    if not estimate.tensors or facts.share_of("state") > 0 or placement.boundary_id in LINKS:
        return ""
    largest = max(float(one.elements) for one in estimate.tensors)
    bulk = [one for one in estimate.tensors if float(one.elements) > 0.01 * largest]
    if min(float(one.elements) for one in bulk) < 0.9 * largest:
        return ""
    return (
        "No size changes this intensity: every element brings the same few FLOP and bytes. Fusing it with its "
        "neighbours saves whole tensors, but the fused kernel still reads its input and writes its output and stays "
        "left of the ridge."
    )


def _state_decides(facts: Facts) -> str:
    if facts.share_of("state") < _MOST:
        return ""
    return (
        "An update moves its state at every step, whatever the batch and the sequence. Bytes per parameter are the "
        "lever (fewer or narrower moments), not FLOP."
    )


def _sharded(facts: Facts) -> str:
    ranks = facts.parameters.get("ranks", 1)
    if not isinstance(ranks, int | float) or ranks <= 1 or facts.share_of("state") <= 0:
        return ""
    return (
        "Sharding moves traffic, it does not delete it: what each rank's memory no longer carries comes back on the "
        "link between them, as reduce-scatter and all-gather."
    )


def _link_ridge(facts: Facts) -> str:
    if facts.placement.boundary_id not in LINKS or not facts.at.crosses or facts.reference is None:
        return ""
    ridge = facts.reference.flop_per_s / facts.at.bytes_per_s
    return (
        f"Across {facts.at.label} the ridge of {facts.reference.label} is {ratio_text(ridge)} FLOP/byte. Communication "
        "hides only behind kernels with that much arithmetic for every byte sent, and they are not part of this one."
    )


def _waves(facts: Facts) -> str:
    waves = facts.limit("waves")
    if not waves or waves["efficiency"] >= _FULL or facts.compute_s < facts.memory_s:
        return ""
    count = "1 wave that is" if waves["waves"] == 1 else f"{waves['waves']:g} waves that are"
    return (
        f"{waves['tiles']:g} blocks on {waves['sms']:g} SMs run in {count} "
        f"{percent_text(float(waves['efficiency']))} full: time over shape is a staircase, and the roof is a function "
        "of totals that does not see it."
    )


def _tiles(facts: Facts) -> str:
    tiles = facts.limit("tiles")
    if not tiles or tiles["efficiency"] >= _FULL or facts.compute_s < facts.memory_s:
        return ""
    return (
        f"Only {percent_text(float(tiles['efficiency']))} of what is computed is useful: the shape is padded to whole "
        "tiles, and the rim costs as much as the rest. A multiple of the tile is free."
    )


def _narrow_storage(facts: Facts) -> str:
    dtypes = facts.placement.dtypes
    compute = dtypes.get("compute")
    if compute is None or facts.composite or not facts.on_tensor:
        return ""
    for role, word in (("weight", "weights"), ("kv", "keys and values")):
        stored = dtypes.get(role)
        if stored is not None and stored.storage_bits <= 0.75 * compute.storage_bits:
            return (
                f"{word.capitalize()} in {stored.id} save bytes, not arithmetic: the product still runs at the rate of "
                f"{facts.ceiling.label}. The gain ends where compute binds."
            )
    return ""


def _narrow_moves_ridge(facts: Facts) -> str:
    reference = facts.reference
    if reference is None or not facts.on_tensor or facts.ceiling.flop_per_s < 1.5 * reference.flop_per_s:
        return ""
    before = reference.flop_per_s / facts.at.bytes_per_s
    return (
        f"The ridge moves with the format: {ratio_text(facts.at.ridge)} FLOP/byte for {facts.ceiling.label}, "
        f"{ratio_text(before)} for {reference.label}. A faster pipe leaves the bandwidth as it is, so that work that "
        "was compute-bound can fall back onto the slope."
    )


def _experts(facts: Facts) -> str:
    if "experts" not in facts.parameters or "top_k" not in facts.parameters:
        return ""
    return (
        "Tokens go to experts of their own: a batch reads most experts' weights and uses each for a few tokens only, "
        "so that batching pays later than in a dense layer. The count of active parameters hides that."
    )


def _small_kernel(facts: Facts) -> str:
    overhead = facts.profile.launch_overhead
    if overhead is None or facts.composite or not facts.launches_s < facts.running_s < _LONG_S:
        return ""
    return (
        f"Under about 20 µs a timer also sees the launch, some {time_text(overhead.value)}: take it off "
        "before judging the kernel."
    )


NUANCES: Final = (
    Rule("policy-decides", "Nuance", _policy_decides),
    Rule("special-binds", "Nuance", _special_binds),
    Rule("near-ridge", "Nuance", _near_ridge),
    Rule("partial-overlap", "Nuance", _partial_overlap),
    Rule("waves", "Nuance", _waves),
    Rule("tiles", "Nuance", _tiles),
    Rule("cache-over-weights", "Nuance", _cache_over_weights),
    Rule("private-cache", "Nuance", _private_cache),
    Rule("causal-mask", "Nuance", _causal),
    Rule("scores-cross-dram", "Nuance", _naive),
    Rule("experts", "Nuance", _experts),
    Rule("state-decides", "Nuance", _state_decides),
    Rule("sharding-moves-traffic", "Nuance", _sharded),
    Rule("link-ridge", "Nuance", _link_ridge),
    Rule("narrow-storage", "Nuance", _narrow_storage),
    Rule("format-moves-ridge", "Nuance", _narrow_moves_ridge),
    Rule("constant-intensity", "Nuance", _constant_intensity),
    Rule("tile-sets-intensity", "Nuance", _tile_sets_intensity),
    Rule("bandwidth-no-help", "Nuance", _bandwidth_no_help),
    Rule("small-kernel", "Nuance", _small_kernel),
)
