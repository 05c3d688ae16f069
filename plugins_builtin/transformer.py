"""Layers and whole models, put together from the kernels that they run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plugins_builtin._transformer.layer import TransformerLayer
from plugins_builtin._transformer.moe import MoeLayer
from plugins_builtin._transformer.steps import DecodeStep, PrefillStep
from plugins_builtin._transformer.verify import SpeculativeVerify
from rooflinestudio.plugins import hookimpl

if TYPE_CHECKING:
    from rooflinestudio.plugins import OperatorBase


@hookimpl
def rooflinestudio_operators() -> list[OperatorBase]:
    """Bring the layer, the layer of experts, and the passes of whole models."""
    return [TransformerLayer(), MoeLayer(), PrefillStep(), DecodeStep(), SpeculativeVerify()]
