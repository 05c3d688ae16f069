"""Hardware profiles as files: read with every fault named at once, written so that they read back the same.

The format is ``rooflinestudio-profile/1``, YAML with units in the text; ``docs/profiles.md`` describes it. Nothing
heavy is imported until a profile is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.errors import ProfileError
from rooflinestudio.core.profile_index import (
    ProfileIndex,
    ProfileIndexEntry,
    find_profile,
    profile_index,
    shipped_profiles,
)
from rooflinestudio.core.profile_writing import dump_profile, profile_to_document

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import Achievable, Boundary, ComputeCeiling, Figure, HardwareProfile
    from rooflinestudio.core.yaml_text import Fault, YamlText

__all__ = [
    "ProfileIndex", "ProfileIndexEntry", "dump_profile", "find_profile", "load_profile", "profile_from_document",
    "profile_index", "profile_to_document", "shipped_profiles",
]  # fmt: skip

MAX_BYTES: Final = 2_000_000
_SHOWN_FAULTS: Final = 30


def load_profile(path_or_text: Path | str, *, name: str = "") -> HardwareProfile:
    """Read one profile.

    Parameters
    ----------
    path_or_text
        A path, or the text of a profile: a string with a line break is text.
    name
        What the file is called in messages; the path if left out.

    Raises
    ------
    ProfileError
        If the file cannot be read or anything in it is wrong. ``faults`` has one line for each fault: line, place,
        value, mend.
    """
    if isinstance(path_or_text, str) and "\n" in path_or_text:
        text, name = path_or_text, name or "the profile"
    else:
        path = Path(path_or_text)
        name = name or path.name
        text = _read(path, name)
    return profile_from_text(text, name=name)


def profile_from_text(text: str, *, name: str) -> HardwareProfile:
    """Read a profile from text; see :func:`load_profile`."""
    from rooflinestudio.core.yaml_text import read_yaml_text

    if len(text) > MAX_BYTES:
        raise _whole(f"{name} has {len(text)} characters; a profile has at most {MAX_BYTES}.")
    if not text.strip():
        raise _whole(f"{name} is empty. Write a profile into it, or start from a shipped one.")
    read = read_yaml_text(text.removeprefix("\ufeff"))
    return _profile(read.value, read, name)


def profile_from_document(document: Mapping[str, Any], *, file: str) -> HardwareProfile:
    """Read a profile from plain data, such as the copy inside a study.

    Parameters
    ----------
    document
        What :func:`profile_to_document` returns, or a YAML document of the format as plain data.
    file
        Where it stands, for messages.

    Raises
    ------
    ProfileError
        As :func:`load_profile`; lines are not known.
    """
    from rooflinestudio.core.yaml_text import YamlText

    return _profile(document, YamlText(), file)


def _read(path: Path, name: str) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ProfileError(
            f"{name} cannot be read: {error.strerror or error}. Check the path {path}."
        ) from None
    if len(data) > MAX_BYTES:
        raise _whole(f"{name} is larger than {MAX_BYTES} bytes. Is it a hardware profile?")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = f"byte {data[error.start]:#04x} is no UTF-8 text. Is it a hardware profile?"
        raise _whole(f"{name}, line {line}: {what}") from None


def _whole(fault: str) -> ProfileError:
    return ProfileError(fault, (fault,))


def _profile(document: Any, read: YamlText, name: str) -> HardwareProfile:
    from pydantic import ValidationError

    from rooflinestudio.core.profile_faults import faults_of
    from rooflinestudio.core.profile_schema import ProfileModel
    from rooflinestudio.core.yaml_text import Fault

    faults = list(read.faults)
    if read.complete and not isinstance(document, Mapping):
        text = "is no mapping of names. Start it with 'format: rooflinestudio-profile/1'."
        faults.append(Fault((), read.line(()), text))
    if not isinstance(document, Mapping) or not read.complete:
        raise _error(name, faults)
    plain = _without_empty(document)
    try:
        model = ProfileModel.model_validate(plain, context=_context(plain))
    except ValidationError as error:
        # An alias is told once, not a second time as the missing value that it leaves.
        told = {fault.place for fault in faults}
        found = [
            one for one in faults_of(error) if one.place not in told or not one.text.startswith("is missing")
        ]
        # What says that it is of another format is not held against this one.
        other = [one for one in found if one.place == ("format",) and "format" in plain]
        faults += [replace(one, line=read.line(one.place)) for one in other or found]
    if faults:
        raise _error(name, sorted(faults, key=lambda fault: fault.line))
    return _build(model)


def _error(name: str, faults: list[Fault]) -> ProfileError:
    lines = tuple(_line(name, fault) for fault in faults)
    if len(lines) == 1:
        return ProfileError(lines[0], lines)
    shown = "\n".join(f"- {line}" for line in lines[:_SHOWN_FAULTS])
    more = f"\n… and {len(lines) - _SHOWN_FAULTS} more." if len(lines) > _SHOWN_FAULTS else ""
    return ProfileError(f"{name} has {len(lines)} faults:\n{shown}{more}", lines)


def _line(name: str, fault: Fault) -> str:
    parts = [str(part) for part in fault.place]
    place = ".".join(parts if len(parts) <= 8 else [*parts[:4], "…", *parts[-2:]]) or "the document"
    return f"{name}{f', line {fault.line}' if fault.line else ''}: {place} {fault.text}"


def _without_empty(value: Any) -> Any:
    """Leave out keys without a value: an empty key says nothing."""
    if isinstance(value, Mapping):
        return {key: _without_empty(one) for key, one in value.items() if one is not None}
    if isinstance(value, list | tuple):
        return [_without_empty(one) for one in value]
    return value


def _context(document: dict[str, Any]) -> dict[str, Any]:
    """Return what the checks of single values need to know of the rest: titles by key, and ceilings."""
    sources, ceilings = document.get("sources"), document.get("ceilings")
    titles = {}
    for key, source in (sources if isinstance(sources, dict) else {}).items():
        title = source.get("title") if isinstance(source, dict) else source
        titles[key] = title if isinstance(title, str) else str(key)
    return {
        "titles": titles,
        "ceilings": [str(one) for one in ceilings] if isinstance(ceilings, dict) else [],
    }


def _figure(model: Any) -> Figure:
    from rooflinestudio.core.hardware import Figure

    return Figure(
        model.value, model.provenance, model.condition, model.source, model.date, model.note, model.confidence
    )


def _figure_or_none(model: Any) -> Figure | None:
    return None if model is None else _figure(model)


def _build(model: Any) -> HardwareProfile:
    from rooflinestudio.core.hardware import BOUNDARY_ORDER, HardwareProfile

    ceilings = {id_: _ceiling(id_, one) for id_, one in model.ceilings.items()}
    outward = sorted(model.boundaries, key=BOUNDARY_ORDER.index)
    return HardwareProfile(
        **{
            key: getattr(model, key)
            for key in ("id", "name", "short_name", "vendor", "architecture", "year", "kind")
        },
        reference_ceiling=model.reference_ceiling,
        ceilings=MappingProxyType(ceilings),
        boundaries=MappingProxyType({id_: _boundary(id_, model.boundaries[id_]) for id_ in outward}),
        sms=_figure_or_none(model.sms),
        launch_overhead=_figure_or_none(model.launch_overhead),
        registers_per_sm=_figure_or_none(model.registers_per_sm),
        shared_bytes_per_sm=_figure_or_none(model.shared_bytes_per_sm),
        matrix_tile=MappingProxyType(dict(model.matrix_tile)),
        clocks=MappingProxyType({key: _figure(one) for key, one in model.clocks.items()}),
        sources=MappingProxyType({key: _source_text(one) for key, one in model.sources.items()}),
        notes=tuple(model.notes),
        tdp=_figure_or_none(model.tdp),
        based_on=model.based_on,
        explained=MappingProxyType(dict(model.explained)),
    )


def _ceiling(id_: str, model: Any) -> ComputeCeiling:
    from rooflinestudio.core.hardware import ComputeCeiling

    return ComputeCeiling(
        id_, _figure(model), _achievable(model.achievable), measured=_figure_or_none(model.measured)
    ).using(model.use)


def _boundary(id_: str, model: Any) -> Boundary:
    from rooflinestudio.core.hardware import Boundary

    return Boundary(
        id_,
        model.label,
        _figure(model.bandwidth),
        _figure_or_none(model.capacity),
        _figure_or_none(model.latency),
        model.approximate,
        model.feeds_matrix,
        MappingProxyType({key: _figure(one) for key, one in model.slopes.items()}),
        _achievable(model.achievable),
        measured=_figure_or_none(model.bandwidth.measured),
    ).using(model.bandwidth.use)


def _achievable(model: Any) -> Achievable | None:
    from rooflinestudio.core.hardware import Achievable

    if model is None:
        return None
    return Achievable(_figure_or_none(model.typical), _figure_or_none(model.low), _figure_or_none(model.high))


def _source_text(model: Any) -> str:
    return f"{model.title} ({model.address})" if model.address else str(model.title)
