"""The check of drafted tokens: decoding with a few tokens of each sequence at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plugins_builtin._transformer.experts import ROUTING
from plugins_builtin._transformer.shared_cache import KV_HEADS, SHARED
from plugins_builtin._transformer.split import DATA, EXPERT, TENSOR
from plugins_builtin._transformer.steps import (
    BATCH,
    CONTEXT,
    NATIVE,
    PAGE,
    PRICE,
    WEIGHTS,
    DecodeStep,
    model_parameter,
)
from rooflinestudio.plugins import Parameter
from rooflinestudio.plugins.arithmetic import where

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.plugins import Placement
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["SpeculativeVerify"]


class SpeculativeVerify(DecodeStep):
    """A few drafted tokens of every sequence, checked in one pass."""

    id = "speculative_verify"
    label = "Speculative check"
    summary = "A whole model checks drafted tokens in one pass: more arithmetic for the same weights"
    parameters = (
        model_parameter(), BATCH, CONTEXT,
        Parameter("draft", "drafted tokens", 4, low=0, high=1e6,
                  help="Tokens of each sequence that were drafted; the pass has one more."),
        Parameter("acceptance", "acceptance", 0.8, low=0, high=1, integer=False,
                  help="Probability that a drafted token is accepted, each on its own."),
        WEIGHTS, PAGE, KV_HEADS, SHARED, ROUTING, NATIVE, TENSOR, DATA, EXPERT, PRICE,
    )  # fmt: skip

    def queries(self, p: Mapping[str, Any]) -> Num:
        queries: Num = p["draft"] + 1
        return queries

    def new_tokens(self, p: Mapping[str, Any]) -> Num:
        tokens: Num = p["batch"] * expected_tokens(p["draft"], p["acceptance"])
        return tokens

    def details(self, placement: Placement) -> Mapping[str, Any]:
        """Return what decoding does, and how many tokens a pass makes on average."""
        p = placement.parameters
        return {**super().details(placement), "tokens_per_pass": expected_tokens(p["draft"], p["acceptance"])}


def expected_tokens(draft: Num, acceptance: Num) -> Num:
    """Return the tokens that a sequence is on by after a check, on average.

    The accepted run is cut at the first token that is not, and one token comes from the check itself
    (Leviathan, Kalman and Matias 2023): (1 - a^(d+1)) / (1 - a).
    """
    certain = acceptance >= 1
    share = where(certain, 0.5, acceptance)
    return where(certain, draft + 1.0, (1.0 - share ** (draft + 1.0)) / (1.0 - share))
