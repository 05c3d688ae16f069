"""Errors that are shown to the user: each says what, where, and how to mend it."""

from __future__ import annotations


class StudioError(Exception):
    """Base of all errors whose text is meant for the user."""


class QuantityError(StudioError):
    """A text that is no quantity of the unit asked for."""


class ProfileError(StudioError):
    """A hardware profile that cannot be used.

    Attributes
    ----------
    faults
        Every fault found, one line each; the message joins them.
    """

    def __init__(self, message: str, faults: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.faults = faults


class StudyFileError(StudioError):
    """A study file that cannot be read or written."""


class PluginError(StudioError):
    """A plugin that failed; the text names it."""


class ParameterError(StudioError):
    """A parameter that the operator does not have, or a value outside its range."""


class RefusedError(StudioError):
    """An estimate or placement that has no honest answer; the text says what was needed and the choices."""


class UnavailableError(StudioError):
    """An operator whose plugin is not there."""
