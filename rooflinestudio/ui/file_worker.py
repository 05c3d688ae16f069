"""The other process: reads one file without Qt, so that no file, however large or broken, stops the window.

Run as ``python -m rooflinestudio.ui.file_worker TASK PATH RESULT``; the window starts it (``file_jobs``) and kills it
to cancel. Standard output carries one JSON object a line: ``{"progress": 0.4}`` while it reads, at the end
``{"done": true}`` or ``{"error": text}``. The result is a pickle in the file RESULT, inside a folder that only this
user can enter: it never comes from anywhere but this process.
"""

from __future__ import annotations

import copyreg
import json
import pickle
import sys
from pathlib import Path
from time import monotonic
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.errors import StudioError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rooflinestudio.core.study import Study

__all__ = ["TASKS", "main", "read_measurements_file", "read_study_file"]

PROGRESS_INTERVAL_S: Final = 0.05

# Frozen documents hold read-only mappings, which pickle does not know by itself.
copyreg.pickle(MappingProxyType, lambda view: (MappingProxyType, (dict(view),)))


def read_study_file(path: str, progress: Callable[[float], bool]) -> Study:
    """Read a study; there is no progress in so small a file."""
    from rooflinestudio.core.study_files import load_study

    return load_study(path)


def read_measurements_file(path: str, progress: Callable[[float], bool]) -> Any:
    """Read a profiler's file with whichever reader knows it, and return it as an overlay with the reader's warnings."""
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.plugins.host import PluginHost
    from rooflinestudio.plugins.reading import read_measurements
    from rooflinestudio.ui.settings import user_plugins

    host = PluginHost.discover(user_plugins=user_plugins())
    host.load_builtins()
    host.load_foreign()
    file = read_measurements(Path(path), host.registry.readers, progress)
    return Overlay.from_file(file), file.warnings


TASKS: Final = {"study": read_study_file, "measurements": read_measurements_file}


def main(arguments: list[str]) -> int:
    """Do one task; 0 when the result lies in its file."""
    task, path, result = arguments
    out = sys.stdout
    # What a plugin prints must not mix with what the window reads.
    sys.stdout = sys.stderr
    last = 0.0

    def progress(share: float) -> bool:
        nonlocal last
        if monotonic() - last > PROGRESS_INTERVAL_S:
            last = monotonic()
            print(json.dumps({"progress": round(share, 4)}), file=out, flush=True)
        return True

    try:
        answer = TASKS[task](path, progress)
        with Path(result).open("wb") as stream:
            pickle.dump(answer, stream, protocol=pickle.HIGHEST_PROTOCOL)
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
    sys.exit(main(sys.argv[1:]))
