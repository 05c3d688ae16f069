"""The other process: reads or writes one file without Qt, so that no file, however large or broken, stops the window.

Run as ``python -m rooflinestudio.ui.file_worker TASK PATH RESULT``; the window starts it (``file_jobs``) and kills it
to cancel. What is to be written, or what the user says about the file that is read, lies in RESULT beforehand.
Standard output carries one JSON object a line: ``{"progress": 0.4}`` while it reads, at the end
``{"done": true}`` or ``{"error": text}``. What is handed over lies as a pickle in the file RESULT, inside a folder
that only this user can enter: it never comes from anywhere but these two processes.
"""

from __future__ import annotations

import contextlib
import copyreg
import json
import pickle
import sys
from pathlib import Path
from time import monotonic
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TextIO

from rooflinestudio.core.errors import StudioError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.importing.answer import ImportAnswer, ImportWish
    from rooflinestudio.core.importing.proposal import TableProposal
    from rooflinestudio.core.measurement import MeasurementReader
    from rooflinestudio.core.study import Study
    from rooflinestudio.plugins.registry import Registry

__all__ = ["READERS", "WRITERS", "hand_over", "main"]

PROGRESS_INTERVAL_S: Final = 0.05


def read_only(mapping: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    """Return a mapping that cannot be changed; pickles name this function."""
    return MappingProxyType(mapping)


# Frozen documents hold read-only mappings, which pickle does not know by itself.
copyreg.pickle(MappingProxyType, lambda view: (read_only, (dict(view),)))


def read_study_file(path: str, progress: Callable[[float], bool], _said: Any = None) -> Study:
    """Read a study; there is no progress in so small a file."""
    from rooflinestudio.core.study_files import load_study

    return load_study(path)


def read_measurements_file(
    path: str, progress: Callable[[float], bool], said: ImportWish | None = None
) -> ImportAnswer:
    """Read a profiler's file with whichever reader knows it, or find out what has to be asked before."""
    from rooflinestudio.core.importing.answer import ImportAnswer, ImportWish
    from rooflinestudio.core.importing.questions import UndecidedMarkError
    from rooflinestudio.plugins.reading import propose_columns

    wish, readers = said or ImportWish(), _all_plugins().readers
    proposal = None if wish.columns else propose_columns(Path(path), readers)
    if wish.only_columns:
        return ImportAnswer(proposal=proposal)
    if proposal is not None and proposal.doubts:
        return ImportAnswer(proposal=proposal)
    try:
        return _read(path, progress, wish, readers, proposal)
    except UndecidedMarkError as error:
        return ImportAnswer(question=error.question)


def _read(
    path: str,
    progress: Callable[[float], bool],
    wish: ImportWish,
    readers: Iterable[MeasurementReader],
    proposal: TableProposal | None,
) -> ImportAnswer:
    from rooflinestudio.core.importing.answer import ImportAnswer
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.plugins.reading import read_measurements

    file = read_measurements(
        Path(path), readers, progress, decimal_mark=wish.decimal_mark, columns=wish.columns
    )
    if file.question is not None and wish.decimal_mark is None:
        return ImportAnswer(question=file.question)
    return ImportAnswer(Overlay.from_file(file), tuple(file.warnings), tuple(file.machines), proposal)


def read_profiles(
    ids: str, progress: Callable[[float], bool], _said: Any = None
) -> tuple[HardwareProfile, ...]:
    """Read machines by their ids, separated by commas; other people's plugins are loaded only for what they bring."""
    from rooflinestudio.core.profile_edit.folder import profiles_in
    from rooflinestudio.core.profile_index import shipped_profiles
    from rooflinestudio.ui.settings import profiles_folder

    own = profiles_in(profiles_folder())
    known = {entry.id: entry for entry in (*own, *shipped_profiles())}
    wanted = ids.split(",")
    if all(id_ in known for id_ in wanted):
        return tuple(known[id_].load() for id_ in wanted)
    registry = _all_plugins().with_user_profiles(own)
    return tuple(registry.load_profile(id_) for id_ in wanted)


def _all_plugins() -> Registry:
    from rooflinestudio.plugins.host import PluginHost
    from rooflinestudio.ui.settings import user_plugins

    host = PluginHost.discover(user_plugins=user_plugins())
    host.load_builtins()
    return host.load_foreign()


def write_study_file(path: str, study: Study) -> None:
    """Write a study; see :func:`rooflinestudio.core.study_files.save_study`."""
    from rooflinestudio.core.study_files import save_study

    save_study(study, path)


READERS: Final = {"study": read_study_file, "measurements": read_measurements_file, "profiles": read_profiles}
WRITERS: Final = {"write-study": write_study_file}


def hand_over(value: Any, place: Path) -> None:
    """Put a value where the other process takes it."""
    with place.open("wb") as stream:
        pickle.dump(value, stream, protocol=pickle.HIGHEST_PROTOCOL)


def main(arguments: list[str]) -> int:
    """Do one task; 0 when the result lies in its file."""
    out = sys.stdout
    with contextlib.redirect_stdout(
        sys.stderr
    ):  # what a plugin prints must not mix with what the window reads
        return _work(out, *arguments)


def _work(out: TextIO, task: str, path: str, result: str) -> int:
    last = 0.0

    def progress(share: float) -> bool:
        nonlocal last
        if monotonic() - last > PROGRESS_INTERVAL_S:
            last = monotonic()
            print(json.dumps({"progress": round(share, 4)}), file=out, flush=True)
        return True

    try:
        if task in WRITERS:
            WRITERS[task](path, pickle.loads(Path(result).read_bytes()))
        else:
            place = Path(result)
            said = pickle.loads(place.read_bytes()) if place.exists() else None
            hand_over(READERS[task](path, progress, said), place)
    except StudioError as error:
        print(json.dumps({"error": str(error)}), file=out, flush=True)
        return 1
    except MemoryError:
        print(
            json.dumps({"error": f"{Path(path).name} is too large for the memory of this machine."}),
            file=out,
            flush=True,
        )
        return 1
    print(json.dumps({"done": True}), file=out, flush=True)
    return 0


if __name__ == "__main__":
    # By its full name, which is what the pickle says: a module that is run is called __main__.
    from rooflinestudio.ui import file_worker

    sys.exit(file_worker.main(sys.argv[1:]))
