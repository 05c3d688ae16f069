"""Guarded faces of what plugins bring besides operators: profiles that are read later, readers of measurements."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from rooflinestudio.core.errors import ProfileError, StudioError
from rooflinestudio.core.operators import Formula
from rooflinestudio.plugins.faults import described, shown

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.importing.proposal import TableProposal
    from rooflinestudio.core.measurement import MeasurementFile, MeasurementReader, Progress
    from rooflinestudio.core.operators import Estimate, OperatorOrigin
    from rooflinestudio.plugins.hookspecs import ProfileSource

__all__ = [
    "GuardedProfile",
    "GuardedReader",
    "guarded_reader",
    "guarded_texts",
    "plugin_words",
    "reader_options",
]


def plugin_words(origin: OperatorOrigin) -> str:
    """Name a plugin with its version."""
    return f"{origin.plugin} {origin.version}".strip()


class GuardedProfile:
    """A plugin's profile, read at its first use and kept.

    Attributes
    ----------
    id, label
        As the plugin gave them; a finished profile's label is its name.
    name, short_name, vendor, year
        For selectors; where the plugin does not say, label, label, empty and 0.
    origin
        Which plugin that is.
    """

    def __init__(self, source: ProfileSource | HardwareProfile, origin: OperatorOrigin) -> None:
        self.id: str = source.id
        self.label: str = str(getattr(source, "label", "") or getattr(source, "name", ""))
        self.name = str(getattr(source, "name", "") or self.label)
        self.short_name = str(getattr(source, "short_name", "") or self.label)
        self.vendor = str(getattr(source, "vendor", ""))
        year = getattr(source, "year", 0)
        self.year: int = year if isinstance(year, int) else 0
        self.origin = origin
        self._source = source
        self._profile: HardwareProfile | None = None

    def load(self) -> HardwareProfile:
        """Return the profile, always the same object.

        Raises
        ------
        ProfileError
            If it cannot be read, or the plugin gives something else; a later call tries again.
        """
        if self._profile is None:
            self._profile = self._read()
        return self._profile

    def _read(self) -> HardwareProfile:
        from rooflinestudio.core.hardware import HardwareProfile

        source: Any = self._source
        who = f"Profile {self.id} of plugin {plugin_words(self.origin)}"
        try:
            profile = source if isinstance(source, HardwareProfile) else source.load()
        except (KeyboardInterrupt, StudioError):
            raise
        except BaseException as error:
            raise ProfileError(f"{who} could not be read: {described(error)}.") from error
        if not isinstance(profile, HardwareProfile):
            raise ProfileError(
                f"{who} could not be read: load answered {shown(profile)}, and no HardwareProfile."
            )
        if profile.id != self.id:
            raise ProfileError(f"{who} could not be read: what was loaded calls itself {shown(profile.id)}.")
        if self.origin.foreign:
            _check_profile(profile, who)
        return profile


def _check_profile(profile: HardwareProfile, who: str) -> None:
    """Hold a profile that may have been made in code against everything that a file must satisfy."""
    from rooflinestudio.core.profile_files import profile_from_document
    from rooflinestudio.core.profile_writing import profile_to_document

    try:
        document = profile_to_document(profile)
    except Exception as error:
        raise ProfileError(f"{who} cannot be used: {described(error)}.") from error
    profile_from_document(document, file=who)


@dataclass(eq=False)
class GuardedReader:
    """A plugin's reader whose failures are ``MeasurementError``; can be pickled if the plugin's reader can.

    Attributes
    ----------
    id, label, extensions
        As the plugin gave them.
    reader, origin
        The plugin's own reader, and which plugin that is.
    problem
        Why the reader failed to look at the last file, or empty.
    """

    reader: MeasurementReader
    origin: OperatorOrigin
    problem: str = field(default="", init=False)

    def __post_init__(self) -> None:
        self.id: str = self.reader.id
        self.label: str = self.reader.label
        self.extensions: tuple[str, ...] = tuple(self.reader.extensions)

    @property
    def _who(self) -> str:
        return f"Reader {self.label} of plugin {plugin_words(self.origin)}"

    def recognises(self, head: bytes, name: str) -> bool:
        """Whether the reader takes the file; one that fails does not, and says why in ``problem``."""
        self.problem = ""
        try:
            return bool(self.reader.recognises(head, name))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.problem = f"{self._who} failed to look at {name}: {described(error)}."
            return False

    def read(self, path: Path, progress: Progress | None = None) -> MeasurementFile:
        """Read a whole file.

        Raises
        ------
        MeasurementError
            If it could not be read, the reader fails, or answers something else than a file of measurements.
        MeasurementCancelled
            If ``progress`` returned False.
        """
        from rooflinestudio.core.measurement import MeasurementError, MeasurementFile

        try:
            answer: Any = self.reader.read(path, progress)
        except (KeyboardInterrupt, StudioError):
            raise
        except BaseException as error:
            raise MeasurementError(f"{self._who} failed on {path}: {described(error)}.") from error
        if not isinstance(answer, MeasurementFile):
            raise MeasurementError(
                f"{self._who} answered {shown(answer)} for {path}, and no MeasurementFile."
            )
        return answer

    @property
    def options(self) -> frozenset[str]:
        """Names of what the reader can be told: its fields, where it is a dataclass."""
        return reader_options(self.reader)

    def told(self, **options: Any) -> GuardedReader:
        """Return the reader with options set.

        Raises
        ------
        MeasurementError
            If the plugin's reader does not take them.
        """
        from rooflinestudio.core.measurement import MeasurementError

        inner: Any = self.reader
        try:
            return GuardedReader(replace(inner, **options), self.origin)
        except (KeyboardInterrupt, StudioError):
            raise
        except BaseException as error:
            raise MeasurementError(
                f"{self._who} took no {', '.join(options)}: {described(error)}."
            ) from error

    def propose(self, path: Path) -> TableProposal | None:
        """Return what the reader makes of a table's columns; None where it proposes none, or fails."""
        from rooflinestudio.core.importing.proposal import TableProposal

        inner: Any = self.reader
        if not hasattr(inner, "propose"):
            return None
        try:
            answer = inner.propose(path)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.problem = f"{self._who} proposed no columns for {path}: {described(error)}."
            return None
        return answer if isinstance(answer, TableProposal) else None


def reader_options(reader: Any) -> frozenset[str]:
    """Return the names of what a reader can be told: the fields of a dataclass."""
    return frozenset(one.name for one in fields(reader)) if is_dataclass(reader) else frozenset()


def guarded_reader(reader: MeasurementReader, origin: OperatorOrigin) -> GuardedReader:
    """Guard a reader."""
    return GuardedReader(reader, origin)


class _GuardedTexts:
    """A foreign ``formulas`` or ``notes``: whatever it does, the answer is a tuple of the right things."""

    def __init__(self, call: Callable[[], Any], kind: type, who: str) -> None:
        self._call, self._kind, self._who = call, kind, who

    def __call__(self) -> tuple[Any, ...]:
        what = "formulas" if self._kind is Formula else "notes"
        try:
            answer = tuple(self._call())
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return self._instead(f"{self._who} could not give its {what}: {described(error)}.")
        if all(isinstance(one, self._kind) for one in answer):
            return answer
        return self._instead(f"{self._who} gave {what} of the wrong type: {shown(answer)}.")

    def _instead(self, text: str) -> tuple[Any, ...]:
        return (Formula("work", "not available", source=text),) if self._kind is Formula else (text,)


def guarded_texts(estimate: Estimate, who: str) -> Estimate:
    """Return an estimate whose formulas and notes can be called without care, in its parts too."""
    formulas, notes = estimate.formulas, estimate.notes
    if formulas is not None:
        formulas = _GuardedTexts(formulas, Formula, who)
    if notes is not None:
        notes = _GuardedTexts(notes, str, who)
    parts = tuple(replace(part, estimate=guarded_texts(part.estimate, who)) for part in estimate.parts)
    return replace(estimate, formulas=formulas, notes=notes, parts=parts)
