"""A kernel document (``rooflinestudio-kernel/1``) as plain data, checked as a whole and made into frozen parts.

A kernel's fields depend on each other (formulas know the parameters, tensors the formats), so all of it is read in one
walk that notes every fault with its place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.custom.parameters import parameters_of
from rooflinestudio.core.custom.reading import nearest, shown
from rooflinestudio.core.custom.tensors import TENSOR_NAME, dtype_of, tensor_tables, tensors_of
from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.formulas import Scope

if TYPE_CHECKING:
    from rooflinestudio.core.custom.reading import Reader
    from rooflinestudio.core.custom.tensors import TensorSpec
    from rooflinestudio.core.formulas import Expression
    from rooflinestudio.core.operators import Parameter
    from rooflinestudio.core.yaml_text import Place

__all__ = [
    "BLOCKED", "CATEGORY", "COMPUTE", "FORMAT", "KEYS", "LAUNCH", "PIPES", "VECTOR", "KernelSpec", "id_fault",
    "spec_of",
]  # fmt: skip

FORMAT: Final = "rooflinestudio-kernel/1"
CATEGORY: Final = "Custom kernels"
COMPUTE: Final = "compute"
"""Work of matrix products: it runs on the tensor pipe of the compute format."""

VECTOR: Final = "vector"
"""Work of the vector units: on fp32 for formats up to 32 bits, on fp64 for fp64."""

PIPES: Final = (
    COMPUTE, VECTOR, "special",
    *dict.fromkeys(one.pipe for one in DTYPES.values()),
    *dict.fromkeys(f"{one.pipe}-tensor" for one in DTYPES.values()),
    "fp32-no-fma",
)  # fmt: skip
KEYS: Final = (
    "format", "id", "label", "category", "summary", "parameters", "dtypes", "pinned", "work", "main_pipe", "tensors",
    "traffic", "launch", "footprint_bytes", "notes", "source",
)  # fmt: skip
BLOCKED: Final = MappingProxyType(
    {"dram_tiled": "dram", "l2": "l2", "l1": "l1", "shared": "shared", "register": "register"}
)
"""Keys of ``traffic`` besides ``dram``, and the boundary that each one is the blocked count of."""

LAUNCH: Final = ("blocks", "threads", "registers_per_thread", "shared_bytes", "bytes_in_flight", "kernels")

_MOST: Final = 32
_ROLES: Final = ("activation", "weight", "kv", "output", "accumulate", "compute")
_ID: Final = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+")


@dataclass(frozen=True, slots=True)
class KernelSpec:
    """A kernel document, read and found right.

    Attributes
    ----------
    dtypes, pinned
        Default format by role, and the roles that the shorthand does not reach.
    work
        FLOP by pipe, in the order of the document; ``compute`` and ``vector`` follow the compute format.
    main_pipe
        The key of ``work`` that the fraction of peak is held against.
    tensors
        Empty where ``traffic`` says what crosses dram.
    traffic
        (read bytes, write bytes) by key: ``dram`` is the compulsory count, the others those of :data:`BLOCKED`.
    """

    id: str
    label: str
    category: str
    summary: str
    parameters: tuple[Parameter, ...]
    dtypes: Mapping[str, str]
    pinned: frozenset[str]
    work: Mapping[str, Expression]
    main_pipe: str
    tensors: tuple[TensorSpec, ...]
    traffic: Mapping[str, tuple[Expression, Expression]]
    launch: Mapping[str, Expression]
    footprint: Expression | None
    notes: tuple[str, ...]
    source: str


def id_fault(id_: str) -> str:
    """Say why a text cannot be the id of a custom kernel; empty if it can."""
    if _ID.fullmatch(id_) and len(id_) <= 100:
        return ""
    if re.fullmatch(r"[a-z][a-z0-9_]*", id_):
        return f"is {id_!r}; ids without a point belong to the studio's own operators. Write for example my.{id_}."
    return f"is {shown(id_)}; write lower-case words with points between them, such as my.axpy."


def spec_of(document: Any, reader: Reader) -> KernelSpec | None:
    """Read a document; None where the reader noted faults."""
    if not isinstance(document, Mapping):
        reader.fault((), f"is {shown(document)}, and no mapping. Start it with 'format: {FORMAT}'.")
        return None
    if document.get("format") != FORMAT:
        given = document.get("format")
        text = "is missing" if given is None else f"is {shown(given)}, which this version does not read"
        reader.fault(("format",), f"{text}. Write 'format: {FORMAT}'.")
        if given is not None:
            return None  # what says that it is of another format is not held against this one
    table = reader.table(document, KEYS, (), "")
    return _Document(table, reader).spec()


class _Document:
    """One document while it is read."""

    def __init__(self, table: Mapping[str, Any], reader: Reader) -> None:
        self._table, self._reader = table, reader

    def spec(self) -> KernelSpec | None:
        reader, table = self._reader, self._table
        id_ = reader.text(table, "id", (), mend="Give the kernel an id, such as my.axpy.")
        if id_ and (fault := id_fault(id_)):
            reader.fault(("id",), fault)
        label = reader.text(table, "label", (), mend="Write the name on screen.")
        parameters = parameters_of(table.get("parameters"), reader)
        tensors = tensor_tables(table.get("tensors"), reader)
        dtypes = self._dtypes(tensors)
        scope = _scope(parameters, dtypes, tensors)
        work = self._work(scope, dtypes)
        made = KernelSpec(
            id_,
            label,
            reader.text(table, "category", ()) or CATEGORY,
            reader.text(table, "summary", ()) or label,
            parameters,
            dtypes,
            self._pinned(dtypes),
            work,
            self._main_pipe(work),
            tensors_of(tensors, reader, scope, dtypes),
            self._traffic(scope, has_tensors=bool(tensors)),
            self._launch(scope),
            self._formula("footprint_bytes", scope),
            reader.texts(table.get("notes"), ("notes",), "Write one sentence.", most=20, longest=500),
            reader.text(table, "source", (), longest=500),
        )
        return None if reader.faults else made

    # --------------------------------------------------------------------------------------- formats

    def _dtypes(self, tensors: list[dict[str, Any]]) -> Mapping[str, str]:
        reader, what = self._reader, "Write the role and its format, such as 'activation: bf16'."
        given = reader.named(self._table.get("dtypes"), ("dtypes",), what, most=_MOST)
        for role, name in given.items():
            if not TENSOR_NAME.fullmatch(role) or role == "all" or role in DTYPES:
                reader.fault(
                    ("dtypes", role), f"is no name of a role. Take one of {', '.join(_ROLES)}, or a tensor's."
                )
            if not isinstance(name, str) or name not in DTYPES:
                reader.fault(("dtypes", role), f"is {shown(name)}. {nearest(str(name), DTYPES)}")
                given[role] = "bf16"
        if "dtypes" in self._table:
            return MappingProxyType(given)
        roles = [dtype_of(one, given) for one in tensors] or ["activation", "output"]
        return MappingProxyType({role: "bf16" for role in roles if role in _ROLES})

    def _pinned(self, dtypes: Mapping[str, str]) -> frozenset[str]:
        names = self._reader.texts(
            self._table.get("pinned"), ("pinned",), "Name a role.", most=_MOST, longest=40
        )
        for name in names:
            if name not in dtypes:
                self._reader.fault(
                    ("pinned",), f"names {name!r}, which has no format. {nearest(name, dtypes)}"
                )
        return frozenset(names)

    # ------------------------------------------------------------------------------ work and traffic

    def _work(self, scope: Scope, dtypes: Mapping[str, str]) -> Mapping[str, Expression]:
        reader = self._reader
        given = reader.named(self._table.get("work"), ("work",), "Write 'vector: 2 * n'.", most=_MOST)
        result = {}
        for pipe, formula in given.items():
            if pipe not in PIPES:
                reader.fault(("work", pipe), f"is no pipe. {nearest(pipe, PIPES)}")
                continue
            made = reader.formula(formula, ("work", pipe), scope)
            if made is not None:
                result[pipe] = made
        if COMPUTE in given and not {"activation", "weight", "kv", "compute"} & dtypes.keys():
            text = "follows the compute format, but dtypes has none of activation, weight, kv and compute. Add one."
            reader.fault(("work", COMPUTE), text)
        return MappingProxyType(result)

    def _main_pipe(self, work: Mapping[str, Expression]) -> str:
        named = self._reader.text(self._table, "main_pipe", ())
        if named and named not in work:
            self._reader.fault(("main_pipe",), f"is {named!r}, which does no work. {nearest(named, work)}")
        return named or next((pipe for pipe in work if pipe != "special"), next(iter(work), VECTOR))

    def _traffic(self, scope: Scope, *, has_tensors: bool) -> Mapping[str, tuple[Expression, Expression]]:
        reader, what = self._reader, "Write 'dram: {read_bytes: …, write_bytes: …}'."
        given = reader.table(self._table.get("traffic"), ("dram", *BLOCKED), ("traffic",), what)
        if has_tensors and "dram" in given:
            text = "counts once more what the tensors say. Keep the tensors or this; re-reads belong to dram_tiled."
            reader.fault(("traffic", "dram"), text)
        if not has_tensors and "dram" not in given:
            reader.fault(("traffic", "dram"), f"is missing, and there are no tensors. {what}")
        result = {}
        for key, value in given.items():
            place: Place = ("traffic", key)
            pair = reader.table(value, ("read_bytes", "write_bytes"), place, what)
            if not pair:
                reader.fault(place, f"gives neither read_bytes nor write_bytes. {what}")
            read = reader.formula(pair.get("read_bytes"), (*place, "read_bytes"), scope, default="0")
            written = reader.formula(pair.get("write_bytes"), (*place, "write_bytes"), scope, default="0")
            if read is not None and written is not None:
                result[key] = (read, written)
        return MappingProxyType(result)

    def _launch(self, scope: Scope) -> Mapping[str, Expression]:
        what = "Write for example 'blocks: ceil_div(n, 1024)'."
        given = self._reader.table(self._table.get("launch"), LAUNCH, ("launch",), what)
        made = {key: self._reader.formula(value, ("launch", key), scope) for key, value in given.items()}
        return MappingProxyType({key: one for key, one in made.items() if one is not None})

    def _formula(self, key: str, scope: Scope) -> Expression | None:
        value = self._table.get(key)
        return None if value is None else self._reader.formula(value, (key,), scope)


def _scope(
    parameters: tuple[Parameter, ...], dtypes: Mapping[str, str], tensors: list[dict[str, Any]]
) -> Scope:
    switches = frozenset(one.name for one in parameters if isinstance(one.default, bool))
    choices = tuple((one.name, one.choices) for one in parameters if one.choices)
    rest = frozenset(one.name for one in parameters) - switches - {name for name, _ in choices}
    names = {str(one["name"]) for one in tensors if "name" in one}
    return Scope(rest, switches, choices, frozenset(dtypes) | names)
