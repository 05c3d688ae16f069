"""The flowing row under its former name."""

from rooflinestudio.ui.widgets.flow import FlowLayout

__all__ = ["FlowLayout"]
