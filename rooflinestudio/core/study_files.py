"""Studies as YAML files: read with every fault named, written atomically, unknown keys kept."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio import __version__
from rooflinestudio.core.errors import ProfileError, StudioError, StudyFileError
from rooflinestudio.core.study import FORMAT, Chain, Entry, Pair, PluginRef, Study, View
from rooflinestudio.core.yaml_files import YamlError, dump_yaml, read_yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measurement_overlay import Overlay

__all__ = ["SUFFIX", "load_study", "save_study", "study_document", "study_from_text", "write_atomically"]

SUFFIX: Final = ".study"
LIMIT_BYTES: Final = 32 * 2**20
INLINE_KERNELS: Final = 200
"""Up to so many measured kernels stand in the study itself; more go to a file beside it (YAML is slow)."""


def load_study(path: str | os.PathLike[str]) -> Study:
    """Read a study file.

    Raises
    ------
    StudyFileError
        If it cannot be read; the message names the file, the place, the value and the mend.
    """
    file = Path(path)
    try:
        if file.stat().st_size > LIMIT_BYTES:
            raise StudyFileError(
                f"{file.name} has {file.stat().st_size:,} bytes; a study has at most {LIMIT_BYTES:,}. Is it a study?"
            )
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise StudyFileError(
            f"{file.name} is not text (byte {error.start} is no UTF-8), so it is no study."
        ) from None
    except OSError as error:
        raise StudyFileError(f"{file.name} cannot be read: {error.strerror or error}.") from None
    return study_from_text(text, name=file.name, folder=file.parent)


def study_from_text(text: str, *, name: str, folder: Path | None = None) -> Study:
    """Read a study from text; ``folder`` is where large overlays lie beside it."""
    try:
        read = read_yaml(text, name=name, limit_bytes=LIMIT_BYTES)
    except YamlError as error:
        raise StudyFileError(str(error)) from None
    document = read.value
    if not isinstance(document, dict) or "format" not in document:
        raise StudyFileError(
            f"{name} is no study: it has no key 'format'. A study begins with 'format: {FORMAT}'."
        )
    if document["format"] != FORMAT:
        raise StudyFileError(
            f"{name} has the format {document['format']!r}; this version reads {FORMAT!r}. A newer studio may open it."
        )
    from pydantic import ValidationError

    from rooflinestudio.core.study_schema import StudyModel, faults_of

    try:
        model = StudyModel.model_validate(document)
    except ValidationError as error:
        lines = "\n".join(f"  {line}" for line in faults_of(error, read))
        raise StudyFileError(f"{name} has {error.error_count()} wrong value(s):\n{lines}") from None
    return _study(model, name, folder)


def _study(model: Any, name: str, folder: Path | None) -> Study:
    entries = tuple(_entry(one) for one in model.entries)
    ids = [one.id for one in entries]
    doubled = {id_ for id_ in ids if ids.count(id_) > 1}
    if doubled:
        raise StudyFileError(f"{name}: the entry id {min(doubled)!r} is used twice; give each entry its own.")
    chains = [one.id for one in model.chains]
    twice = {id_ for id_ in chains if chains.count(id_) > 1}
    if twice:
        raise StudyFileError(f"{name}: the chain id {min(twice)!r} is used twice; give each chain its own.")
    view = model.view
    return Study(
        entries=entries,
        chains=tuple(Chain(one.id, tuple(one.parts), tuple(one.cuts), _rest(one)) for one in model.chains),
        profiles=_profiles(model.profiles, name),
        kernels=dict(model.kernels),
        overlays=tuple(_overlay(one, name, folder) for one in model.overlays),
        pairs=tuple(Pair(one.overlay, one.kernel, one.launch, one.entry, _rest(one)) for one in model.pairs),
        view=View(
            tuple(view.machines),
            view.boundary,
            view.policy,
            view.absorption,
            view.overlap,
            view.forecast,
            _rest(view),
        ),
        notes=model.notes,
        made_with=model.made_with,
        panels={name: dict(one) for name, one in model.panels.items()},
        unknown=_rest(model),
    )


def _rest(model: Any) -> Mapping[str, Any]:
    return dict(model.model_extra or {})


def _entry(one: Any) -> Entry:
    return Entry(
        one.id,
        one.operator,
        PluginRef(one.plugin.id, one.plugin.version),
        dict(one.parameters),
        dict(one.dtypes),
        one.policy,
        one.absorption,
        one.ceiling,
        one.overlap,
        None if one.machines is None else tuple(one.machines),
        one.boundary,
        one.variant_of,
        one.label,
        one.slot,
        one.group,
        one.visible,
        _rest(one),
    )


def _profiles(documents: list[dict[str, Any]], name: str) -> Mapping[str, HardwareProfile]:
    from rooflinestudio.core.profile_files import profile_from_document

    result = {}
    for document in documents:
        try:
            profile = profile_from_document(document, file=f"{name}, profile {document.get('id', '?')}")
        except ProfileError as error:
            raise StudyFileError(str(error)) from None
        result[profile.id] = profile
    return result


def _overlay(document: dict[str, Any], name: str, folder: Path | None) -> Overlay:
    from rooflinestudio.core.measurement_overlay import overlay_from_document

    try:
        return overlay_from_document(document, folder=folder)
    except StudioError as error:
        raise StudyFileError(f"{name}: {error}") from None


def study_document(study: Study, *, data_folder: str = "") -> dict[str, Any]:
    """Return the file's content as plain data; what follows the view or the operator is left out."""
    from rooflinestudio.core.measurement_overlay import overlay_to_document
    from rooflinestudio.core.profile_files import profile_to_document

    view = study.view
    return {
        "format": FORMAT,
        "made_with": f"Roofline Studio {__version__}",
        **({"notes": study.notes} if study.notes else {}),
        "view": {
            "machines": list(view.machines),
            "boundary": view.boundary,
            "policy": view.policy,
            "absorption": view.absorption,
            "overlap": view.overlap,
            "forecast": view.forecast,
            **view.unknown,
        },
        "entries": [_entry_document(one) for one in study.entries],
        "chains": [
            {"id": one.id, "parts": list(one.parts), "cuts": list(one.cuts), **one.unknown}
            for one in study.chains
        ],
        "pairs": [
            {
                "overlay": one.overlay,
                "kernel": one.kernel,
                "launch": one.launch,
                "entry": one.entry,
                **one.unknown,
            }
            for one in study.pairs
        ],
        "kernels": dict(study.kernels),
        **({"panels": {name: dict(one) for name, one in study.panels.items()}} if study.panels else {}),
        "overlays": [
            overlay_to_document(one, data_folder=data_folder, inline_limit=INLINE_KERNELS)
            for one in study.overlays
        ],
        **study.unknown,
        "profiles": [profile_to_document(one) for one in study.profiles.values()],
    }


def _entry_document(entry: Entry) -> dict[str, Any]:
    fields: dict[str, Any] = {"id": entry.id, "operator": entry.operator}
    if entry.plugin.id:
        fields["plugin"] = {"id": entry.plugin.id, "version": entry.plugin.version}
    optional: dict[str, Any] = {
        "label": entry.label,
        "parameters": dict(entry.parameters),
        "dtypes": dict(entry.dtypes),
        "policy": entry.policy,
        "absorption": entry.absorption,
        "ceiling": entry.ceiling,
        "overlap": entry.overlap,
        "machines": None if entry.machines is None else list(entry.machines),
        "boundary": entry.boundary,
        "variant_of": entry.variant_of,
        "group": entry.group,
    }
    fields |= {key: value for key, value in optional.items() if value not in (None, "", {})}
    return {**fields, "slot": entry.slot, "visible": entry.visible, **entry.unknown}


def save_study(study: Study, path: str | os.PathLike[str]) -> None:
    """Write a study file atomically; large overlays are written before it, into ``NAME.data`` beside it.

    Raises
    ------
    StudyFileError
        If it cannot be written; what was there before is untouched.
    """
    file = Path(path)
    data = f"{file.stem}.data"
    try:
        for overlay in study.overlays:
            if len(overlay) > INLINE_KERNELS:
                (file.parent / data).mkdir(exist_ok=True)
                overlay.write_rows(file.parent / data / f"{overlay.digest}.csv.gz")
        write_atomically(file, dump_yaml(study_document(study, data_folder=data)))
    except OSError as error:
        raise StudyFileError(
            f"{file.name} cannot be written: {error.strerror or error}. Choose another place."
        ) from None


def write_atomically(file: Path, text: str) -> None:
    """Write a text so that a crash leaves either the old file or the new one, never a part."""
    file = file.resolve()  # a link stays a link: what it points to is replaced
    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        if file.exists():
            os.chmod(temporary, file.stat().st_mode & 0o777)
        else:
            os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, file)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
