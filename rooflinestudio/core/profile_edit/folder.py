"""The user's own profiles: files of a folder, written whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.errors import ProfileError
from rooflinestudio.core.profile_index import ProfileIndex, ProfileIndexEntry, profile_index

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import HardwareProfile

__all__ = ["checked", "delete_profile", "export_profile", "profiles_in", "save_profile"]

SUFFIX: Final = ".yaml"


def profiles_in(folder: Path) -> ProfileIndex:
    """List the profiles of a folder, without reading them whole; one that cannot be read has none."""
    try:
        return profile_index(folder, shipped=False)
    except OSError:
        return ProfileIndex()


def _entry(folder: Path, id_: str) -> ProfileIndexEntry | None:
    return next((one for one in profiles_in(folder) if one.id == id_), None)


def checked(profile: HardwareProfile) -> HardwareProfile:
    """Return the profile as it will read back from a file.

    Raises
    ------
    ProfileError
        If a file could not hold it, with every fault.
    """
    from rooflinestudio.core.profile_files import profile_from_document
    from rooflinestudio.core.profile_writing import profile_to_document

    return profile_from_document(profile_to_document(profile), file=profile.name)


def save_profile(profile: HardwareProfile, folder: Path) -> Path:
    """Write a profile into a folder, in place of the file that has its id there; return the path.

    A file that is named so, but holds another profile or cannot be read, stays: the profile gets a name beside it.

    Raises
    ------
    ProfileError
        If a file could not hold it, or it cannot be written; what was there before is untouched.
    """
    known = _entry(folder, profile.id)
    path = Path(known.path) if known is not None else _free_path(folder, profile.id)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ProfileError(f"{folder} cannot be made: {error.strerror or error}.") from None
    return export_profile(profile, path)


def _free_path(folder: Path, id_: str) -> Path:
    path, number = folder / f"{id_}{SUFFIX}", 1
    while path.exists():
        number += 1
        path = folder / f"{id_}-{number}{SUFFIX}"
    return path


def export_profile(profile: HardwareProfile, path: Path) -> Path:
    """Write a profile to a file of any place; see :func:`save_profile`."""
    from rooflinestudio.core.profile_writing import dump_profile
    from rooflinestudio.core.study_files import write_atomically

    text = dump_profile(checked(profile))
    try:
        write_atomically(path, text)
    except OSError as error:
        raise ProfileError(
            f"{path.name} cannot be written: {error.strerror or error}. Choose another place than {path.parent}."
        ) from None
    return path


def delete_profile(id_: str, folder: Path) -> None:
    """Take the file of a profile out of the folder; nothing happens where there is none.

    Raises
    ------
    ProfileError
        If it cannot be deleted.
    """
    known = _entry(folder, id_)
    if known is None:
        return
    try:
        Path(known.path).unlink(missing_ok=True)
    except OSError as error:
        raise ProfileError(f"{Path(known.path).name} cannot be deleted: {error.strerror or error}.") from None
