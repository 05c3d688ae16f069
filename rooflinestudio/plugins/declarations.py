"""What an operator, a profile source or a reader must say about itself before it is taken in."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Set
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.hardware import HardwareProfile
from rooflinestudio.core.operators import Parameter
from rooflinestudio.plugins.faults import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["operator_faults", "profile_faults", "reader_faults"]

_ID: Final = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*")
_PLAIN_ID: Final = re.compile(r"[a-z0-9][a-z0-9._-]*")
_LONGEST: Final = 200


def operator_faults(operator: Any) -> Iterator[str]:
    """Yield what is wrong with an operator's declaration, each as words that follow "operator …"."""
    if isinstance(operator, type):
        yield f"is the class {operator.__name__}; return an instance, {operator.__name__}()"
        return
    if not hasattr(operator, "estimate") and not hasattr(operator, "id"):
        yield f"is {shown(operator)}, a {type(operator).__name__}, and no operator"
        return
    id_ = getattr(operator, "id", None)
    if not isinstance(id_, str) or not _ID.fullmatch(id_):
        yield (
            f"has the id {shown(id_)}; it must be lower-case words of letters, digits and underscores with dots "
            "between them, such as 'acme.flash_mla'"
        )
    for name in ("label", "category", "summary"):
        yield from _text_faults(name, getattr(operator, name, None))
    if not callable(getattr(operator, "estimate", None)):
        yield "has no method estimate(parameters, dtypes)"
    details = getattr(operator, "details", None)
    if details is not None and not callable(details):
        yield f"has details = {shown(details)}; it must be a method details(placement)"
    yield from _parameters_faults(getattr(operator, "parameters", None))
    roles = getattr(operator, "dtype_roles", None)
    yield from _dtype_faults(roles, getattr(operator, "pinned", None))
    yield from _tensor_role_faults(getattr(operator, "tensor_roles", {}), roles)


def _text_faults(name: str, text: Any) -> Iterator[str]:
    if not isinstance(text, str) or not text.strip():
        yield f"has the {name} {shown(text)}; it must be a text that is not empty"
    elif "\n" in text or len(text) > _LONGEST:
        yield f"has a {name} of {len(text)} characters; it must be one line of at most {_LONGEST}"


def _parameters_faults(parameters: Any) -> Iterator[str]:
    if not isinstance(parameters, tuple) or not all(isinstance(one, Parameter) for one in parameters):
        yield f"has parameters = {shown(parameters)}; it must be a tuple of Parameter"
        return
    seen: set[str] = set()
    for parameter in parameters:
        if not isinstance(parameter.name, str) or not parameter.name.isidentifier():
            yield f"has a parameter called {shown(parameter.name)}; the name must be an identifier, such as seq_q"
            continue
        if parameter.name in seen:
            yield f"has two parameters called {parameter.name!r}"
        seen.add(parameter.name)
        for fault in _parameter_faults(parameter):
            yield f"has a parameter {parameter.name!r} whose {fault}"


def _parameter_faults(parameter: Any) -> Iterator[str]:
    """Yield what is wrong with one parameter besides its name."""
    default, choices = parameter.default, parameter.choices
    if not isinstance(parameter.label, str) or not parameter.label.strip():
        yield f"label is {shown(parameter.label)}; it must be a text that is not empty"
    if not isinstance(choices, tuple) or not all(isinstance(one, str) and one for one in choices):
        yield f"choices are {shown(choices)}; they must be a tuple of texts"
    elif parameter.open_choices is not False:
        if parameter.open_choices is not True:
            yield f"open_choices is {shown(parameter.open_choices)}; it must be true or false"
        if not isinstance(default, str) or not default.strip():
            yield f"default is {shown(default)}; with open choices it must be a text that is not empty"
    elif choices:
        if default not in choices:
            yield f"default {shown(default)} is none of its choices {', '.join(choices)}"
        if len(set(choices)) < len(choices):
            yield f"choices {', '.join(choices)} name one twice"
    elif not isinstance(default, bool):
        yield from _range_faults(parameter)


def _range_faults(parameter: Any) -> Iterator[str]:
    default = parameter.default
    if not all(isinstance(one, int | float) for one in (default, parameter.low, parameter.high)):
        yield (
            f"default {shown(default)} and range {shown(parameter.low)} to {shown(parameter.high)} must be numbers "
            "(a text needs choices)"
        )
    elif not (
        math.isfinite(parameter.low) and math.isfinite(parameter.high) and parameter.low <= parameter.high
    ):
        yield f"range {parameter.low:g} to {parameter.high:g} is none; low and high must be finite, low first"
    elif not parameter.low <= default <= parameter.high:
        yield f"default {default:g} lies outside its range {parameter.low:g} to {parameter.high:g}"
    elif parameter.integer and default != int(default):
        yield f"default {default:g} is no whole number, although the parameter is one of integers"


def _dtype_faults(roles: Any, pinned: Any) -> Iterator[str]:
    if not isinstance(roles, Mapping) or not all(isinstance(key, str) and key for key in roles):
        yield f"has dtype_roles = {shown(roles)}; it must map roles or tensor names to dtypes"
        return
    if "all" in roles:
        yield "has a dtype role 'all', which is the word for all of them"
    for role, name in roles.items():
        if not isinstance(name, str) or name not in DTYPES:
            yield f"has the dtype {shown(name)} for {role}; known are {', '.join(DTYPES)}"
    if not isinstance(pinned, Set) or not all(isinstance(one, str) for one in pinned):
        yield f"has pinned = {shown(pinned)}; it must be a frozenset of roles or tensor names"
    elif unknown := sorted(pinned - set(roles)):
        yield f"pins {shown(unknown[0])}, which is not among its dtype_roles ({', '.join(roles)})"


def _tensor_role_faults(tensors: Any, roles: Any) -> Iterator[str]:
    if not isinstance(tensors, Mapping) or not all(isinstance(key, str) and key for key in tensors):
        yield f"has tensor_roles = {shown(tensors)}; it must map names of tensors to roles"
        return
    if "all" in tensors:
        yield "has a tensor 'all' among its tensor_roles, which is the word for all of them"
    known = roles if isinstance(roles, Mapping) else {}
    for name, role in tensors.items():
        if role != "" and role not in known:
            yield (
                f"has the role {shown(role)} for the tensor {name!r}; it must be one of its dtype_roles "
                f"({', '.join(map(str, known))}), or empty where something else chooses the format"
            )


def profile_faults(source: Any) -> Iterator[str]:
    """Yield what is wrong with a profile or a source of one, each as words that follow "profile …"."""
    if isinstance(source, type):
        yield f"is the class {source.__name__}; return an instance"
        return
    if not callable(getattr(source, "load", None)) and not isinstance(source, HardwareProfile):
        yield f"is {shown(source)}, which is no HardwareProfile and has no method load()"
        return
    yield from _id_faults(source, "acme-npu-1")
    yield from _text_faults("label", getattr(source, "label", None) or getattr(source, "name", None))


def reader_faults(reader: Any) -> Iterator[str]:
    """Yield what is wrong with a measurement reader, each as words that follow "reader …"."""
    if isinstance(reader, type):
        yield f"is the class {reader.__name__}; return an instance, {reader.__name__}()"
        return
    missing = [name for name in ("recognises", "read") if not callable(getattr(reader, name, None))]
    if missing:
        yield f"is {shown(reader)}, which has no method {' and no method '.join(missing)}"
        return
    yield from _id_faults(reader, "acme-times")
    yield from _text_faults("label", getattr(reader, "label", None))
    extensions = getattr(reader, "extensions", None)
    if not isinstance(extensions, tuple | list) or not all(isinstance(one, str) for one in extensions):
        yield f"has extensions = {shown(extensions)}; it must be a tuple of endings, such as ('.csv',)"


def _id_faults(thing: Any, example: str) -> Iterator[str]:
    id_ = getattr(thing, "id", None)
    if not isinstance(id_, str) or not _PLAIN_ID.fullmatch(id_):
        yield f"has the id {shown(id_)}; it must be lower-case, such as {example!r}"
