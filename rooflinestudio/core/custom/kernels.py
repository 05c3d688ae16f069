"""Custom kernels without code: a YAML file with formulas for work and traffic that behaves like any other operator.

The format is ``rooflinestudio-kernel/1``; ``docs/custom-kernels.md`` describes it. Nothing heavy is imported until a
kernel is read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.custom.document import COMPUTE, FORMAT, VECTOR, id_fault, spec_of
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.operators import OperatorBase

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rooflinestudio.core.custom.document import KernelSpec
    from rooflinestudio.core.operators import Dtypes, Estimate
    from rooflinestudio.core.study import Study
    from rooflinestudio.core.yaml_text import Fault, Place, YamlText

__all__ = [
    "FORMAT", "SUFFIXES", "CustomKernel", "KernelError", "KernelFile", "dump_kernel", "id_fault",
    "kernel_from_document", "kernel_to_document", "kernels_in", "load_kernel", "save_kernel", "with_kernel",
]  # fmt: skip

SUFFIXES: Final = (".yaml", ".yml")
MAX_BYTES: Final = 200_000
_MOST_FILES: Final = 1000
_SHOWN_FAULTS: Final = 30


class KernelError(StudioError):
    """A kernel document that cannot be used.

    Attributes
    ----------
    faults
        Everything that is wrong, each with its place in the document and its line in the file (0: not known).
    """

    def __init__(self, message: str, faults: tuple[Fault, ...] = ()) -> None:
        super().__init__(message)
        self.faults = faults


class CustomKernel(OperatorBase):
    """An operator made of a kernel document.

    Parameters
    ----------
    spec
        The document, read and found right.
    document
        The same as plain data; kept, so that it is written back as it was.
    """

    def __init__(self, spec: KernelSpec, document: Mapping[str, Any]) -> None:
        self.spec = spec
        self.id = spec.id
        self.label = spec.label
        self.category = spec.category
        self.summary = spec.summary
        self.parameters = spec.parameters
        self.pinned = spec.pinned
        roles = dict(spec.dtypes)
        if VECTOR in (*spec.work, spec.main_pipe) and COMPUTE not in spec.work:
            roles.setdefault("compute", "fp32")  # says that this is vector work
        self.dtype_roles = MappingProxyType(roles)
        self._document = deepcopy(dict(document))

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        """Answer work and traffic for resolved parameters (numbers or arrays) and formats.

        Raises
        ------
        RefusedError
            If a formula has no value, or a negative one; the text names the kernel, the field, the formula and the
            values of its names.
        """
        from rooflinestudio.core.custom.estimate import estimate_of

        return estimate_of(self.spec, parameters, dtypes)

    @cached_property
    def version(self) -> str:
        """The first digits of a hash over the document: equal kernels have equal versions."""
        text = json.dumps(self._document, sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()[:8]

    def __repr__(self) -> str:
        return f"<custom kernel {self.id} {self.version}>"


def load_kernel(path_or_text: Path | str, *, name: str = "") -> CustomKernel:
    """Read a kernel.

    Parameters
    ----------
    path_or_text
        A path, or the text of a kernel: a string with a line break is text.
    name
        What the file is called in messages; its own name if left out.

    Raises
    ------
    KernelError
        If the file cannot be read or anything in it is wrong. ``faults`` has them all: place, line, what, mend.
    """
    from rooflinestudio.core.yaml_text import read_yaml_text

    if isinstance(path_or_text, str) and "\n" in path_or_text:
        text, name = path_or_text, name or "the kernel"
    else:
        path = Path(path_or_text)
        name = name or path.name
        text = _read(path, name)
    if len(text) > MAX_BYTES:
        raise KernelError(f"{name} has {len(text)} characters; a kernel has at most {MAX_BYTES}.")
    if not text.strip():
        raise KernelError(f"{name} is empty. Write a kernel into it: 'format: {FORMAT}' and what follows.")
    read = read_yaml_text(text.removeprefix("\ufeff"))
    return _kernel(read.value, read, name)


def kernel_from_document(document: Mapping[str, Any], *, name: str = "the kernel") -> CustomKernel:
    """Read a kernel from plain data, such as the copy inside a study.

    Raises
    ------
    KernelError
        As :func:`load_kernel`; lines are not known.
    """
    from rooflinestudio.core.yaml_text import YamlText

    return _kernel(document, YamlText(), name)


def kernel_to_document(kernel: CustomKernel) -> dict[str, Any]:
    """Return the document that a kernel was made of: a copy, equal in every key and value."""
    return deepcopy(kernel._document)


def dump_kernel(kernel: CustomKernel) -> str:
    """Write a kernel as YAML that reads back the same."""
    from rooflinestudio.core.yaml_files import dump_yaml

    return dump_yaml(kernel._document)


def with_kernel(study: Study, kernel: CustomKernel) -> Study:
    """Return the study with a copy of a kernel, in place of one with the same id."""
    return replace(study, kernels={**study.kernels, kernel.id: kernel_to_document(kernel)})


# ------------------------------------------------------------------------------------------ the user's folder


@dataclass(frozen=True, slots=True)
class KernelFile:
    """One file of the user's folder: the kernel in it, or why there is none."""

    path: Path
    kernel: CustomKernel | None = None
    problem: str = ""


def kernels_in(folder: Path) -> tuple[KernelFile, ...]:
    """Read all kernels of a folder, by file name; a file that cannot be used costs only itself.

    Of two files with the same id the second is not used, and says which is the first. A folder that is not there holds
    no kernel.
    """
    try:
        paths = sorted(one for one in folder.iterdir() if one.suffix.lower() in SUFFIXES and one.is_file())
    except OSError:
        return ()
    result: list[KernelFile] = []
    first: dict[str, Path] = {}
    for path in paths[:_MOST_FILES]:
        try:
            kernel = load_kernel(path)
        except KernelError as error:
            result.append(KernelFile(path, None, str(error)))
            continue
        taken = first.setdefault(kernel.id, path)
        if taken is path:
            result.append(KernelFile(path, kernel))
        else:
            text = f"{path.name} has the id {kernel.id!r}, as {taken.name} has. Give one of them another id."
            result.append(KernelFile(path, None, text))
    return tuple(result)


def save_kernel(kernel: CustomKernel, folder: Path) -> Path:
    """Write a kernel into a folder, in place of the file that has its id there, and return the path.

    Raises
    ------
    KernelError
        If it cannot be written; what was there before is untouched.
    """
    from rooflinestudio.core.study_files import write_atomically

    same = (one.path for one in kernels_in(folder) if one.kernel is not None and one.kernel.id == kernel.id)
    path = next(same, folder / f"{kernel.id}{SUFFIXES[0]}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(path, dump_kernel(kernel))
    except OSError as error:
        raise KernelError(
            f"{path.name} cannot be written to {folder}: {error.strerror or error}. Check the folder's rights."
        ) from None
    return path


# ---------------------------------------------------------------------------------------------------- reading


def _read(path: Path, name: str) -> str:
    try:
        with path.open("rb") as stream:
            data = stream.read(4 * MAX_BYTES + 1)
    except OSError as error:
        raise KernelError(
            f"{name} cannot be read: {error.strerror or error}. Check the path {path}."
        ) from None
    if len(data) > 4 * MAX_BYTES:
        raise KernelError(f"{name} is larger than {4 * MAX_BYTES} bytes. Is it a kernel?")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise KernelError(
            f"{name}, line {line}: byte {data[error.start]:#04x} is no UTF-8 text. Is it a kernel?"
        ) from None


def _kernel(document: Any, read: YamlText, name: str) -> CustomKernel:
    from rooflinestudio.core.custom.reading import Reader

    if not read.complete:
        raise _error(name, document, read.faults)
    reader = Reader()
    spec = spec_of(document, reader)
    told = {fault.place for fault in read.faults}
    found = [replace(one, line=read.line(one.place)) for one in reader.faults if one.place not in told]
    if read.faults or found or spec is None:
        raise _error(name, document, sorted((*read.faults, *found), key=lambda one: one.line))
    return CustomKernel(spec, document)


def _error(name: str, document: Any, faults: Iterable[Fault]) -> KernelError:
    every = tuple(faults)
    lines = [
        f"{name}{f', line {one.line}' if one.line else ''}: {_place(one.place, document)} {one.text}"
        for one in every
    ]
    if len(lines) == 1:
        return KernelError(lines[0], every)
    shown = "\n".join(f"- {line}" for line in lines[:_SHOWN_FAULTS])
    more = f"\n… and {len(lines) - _SHOWN_FAULTS} more." if len(lines) > _SHOWN_FAULTS else ""
    return KernelError(f"{name} has {len(lines)} faults:\n{shown}{more}", every)


def _place(place: Place, document: Any) -> str:
    """Name a place; items of lists by their names where they have one, else by number from 1."""
    words = []
    value = document
    for step in place:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            value = None
        named = value.get("name") if isinstance(step, int) and isinstance(value, Mapping) else None
        number = f"#{step + 1}" if isinstance(step, int) else step
        words.append(named if isinstance(named, str) and named else number)
    return ".".join(words) or "the document"
