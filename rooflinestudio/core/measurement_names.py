"""Kernel names as profilers write them: a short form to show, a normal form to match files by.

The same kernel is written in many ways: demangled with or without its parameters, ``(int)128`` or ``128`` as
a template argument, ``<unnamed>`` or ``(anonymous namespace)``, cut at the front (``unnamed>::f(...)``), or
mangled.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

__all__ = ["normalised_kernel_name", "short_kernel_name"]

_ANONYMOUS: Final = re.compile(r"\(anonymous (?:namespace|class)\)|<unnamed>|^unnamed>(?=::)")
_CAST: Final = re.compile(r"\((?:unsigned |signed )?(?:long long|[A-Za-z_]\w*)\)(?=-?\w)")
_SPACES: Final = re.compile(r"\s+")
_LOOSE: Final = re.compile(r"\s*([<>,*&])\s*")
_MANGLED: Final = re.compile(r"_Z+")
_NAME: Final = re.compile(r"[A-Za-z_]\w{2,}\Z")
_STARTERS: Final = ("Kernel", "Kernel2", "device_kernel")
"""Functions of CUTLASS and its like that run whatever their template argument is."""
_TYPES: Final = frozenset((
    "bool", "char", "short", "int", "unsigned", "signed", "long", "float", "double", "half", "__half", "void",
))  # fmt: skip
_LONGEST: Final = 10_000  # characters that are looked at; what makes names longer are the parameters
_OPENERS: Final = "<[{"
_CLOSERS: Final = ">]}"


@lru_cache(maxsize=1024)
def short_kernel_name(kernel: str) -> str:
    """Name of the function alone, without return type, namespaces, template arguments and parameters.

    A function that only starts what its template argument names (``cutlass::Kernel2<gemm_256x128>``) goes by that
    name: a file of a matrix library has hundreds of them. Falls back to the full text where nothing would be left, so
    that it is empty only for an empty name.
    """
    full = kernel[:_LONGEST].strip()
    if _MANGLED.match(full):
        return _mangled_function(full) or full
    whole = _before_parameters(_plain(full))
    head = _without_brackets(whole)
    words = head.split("::")[-1].split() or head.replace("::", " ").split()
    name = (words[-1].strip("*&") or full) if words else full
    return (name in _STARTERS and _first_argument(whole)) or name


def _first_argument(text: str) -> str:
    """Return the name of the first template argument, without its own arguments; empty where it is no name."""
    start = text.find("<")
    inner = text[start + 1 :] if start >= 0 else ""
    name = re.split(r"[<>,({\s]", inner.strip(), maxsplit=1)[0].split("::")[-1]
    return name if _NAME.match(name) and name not in _TYPES else ""


@lru_cache(maxsize=1024)
def normalised_kernel_name(kernel: str) -> str:
    """Form of the name that is the same in files of different profiler versions.

    Parameters and return type are dropped, template arguments kept without casts and loose blanks, anonymous
    namespaces left out. Does not demangle beyond the function's own name.
    """
    full = kernel[:_LONGEST].strip()
    if _MANGLED.match(full):
        return _mangled_function(full) or full
    head = _before_parameters(_plain(full))
    head = _LOOSE.sub(r"\1", _CAST.sub("", _SPACES.sub(" ", head))).strip()
    start = _last_blank_outside_brackets(head)
    return head[start:].strip().lstrip(":") or full


def _plain(text: str) -> str:
    """Text without anonymous namespaces and without the blank in ``operator ()``."""
    return _ANONYMOUS.sub("", text).replace("::::", "::").replace("operator ()", "operator()")


def _before_parameters(text: str) -> str:
    """Cut at the parameter list: the first round bracket outside all others, ``operator ()`` apart."""
    depth = 0
    for position, character in enumerate(text):
        if character in _OPENERS:
            depth += 1
        elif character in _CLOSERS:
            depth = max(depth - 1, 0)  # a closer without an opener: the name was cut at the front
        elif (
            character == "(" and depth == 0 and position and not text[:position].rstrip().endswith("operator")
        ):
            return text[:position]
    return text


def _without_brackets(text: str) -> str:
    """Text outside all angle, square and curly brackets; what follows an unclosed one is dropped."""
    depth = 0
    kept: list[str] = []
    for character in text:
        if character in _OPENERS:
            depth += 1
        elif character in _CLOSERS:
            depth = max(depth - 1, 0)
        elif depth == 0:
            kept.append(character)
    return "".join(kept)


def _last_blank_outside_brackets(text: str) -> int:
    """Position after the last blank at depth 0 (after the return type), or 0."""
    depth = 0
    found = 0
    for position, character in enumerate(text):
        if character in _OPENERS:
            depth += 1
        elif character in _CLOSERS:
            depth = max(depth - 1, 0)
        elif character == " " and depth == 0:
            found = position + 1
    return found


def _mangled_function(mangled: str) -> str:
    """Last source name of the leading (nested) name of an Itanium-mangled symbol; empty if there is none."""
    position = _MANGLED.match(mangled).end()  # type: ignore[union-attr]
    nested = mangled[position : position + 1] == "N"
    position += 1 if nested else 0
    last = ""
    while position < len(mangled):
        digits = re.match(r"[KLSt]*(\d{1,4})", mangled[position:])
        if digits is None:
            break
        start = position + digits.end()
        end = start + int(digits.group(1))
        name = mangled[start:end]
        if end > len(mangled):
            break
        if not name.startswith("_GLOBAL__N_"):
            last = name
        position = end
        if not nested:
            break
    return last
