"""What an operator declares, and what it answers: parameters in, an estimate of work and traffic out."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, runtime_checkable

from rooflinestudio.core.quick import nothing, quick_frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rooflinestudio.core.arithmetic import Num
    from rooflinestudio.core.dtypes import DType

__all__ = [
    "MEMORY_INSIDE_DRAM",
    "Dtypes",
    "Estimate",
    "Formula",
    "Launch",
    "Operator",
    "OperatorBase",
    "Parameter",
    "Part",
    "Tensor",
    "TensorRole",
]

TensorRole = Literal["input", "weight", "output", "state", "cache", "intermediate"]

MEMORY_INSIDE_DRAM: Final = frozenset(("register", "shared", "l1", "l2", "l3", "dram"))
"""What an operator crosses unless it says otherwise: everything on the way from dram to the registers."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One thing that can be set on an operator; inspector, command line and docs are made from it.

    Attributes
    ----------
    name, label
        Identifier, and the word on screen.
    default
        A number, a bool, one of ``choices``, or any text where ``open_choices`` is set.
    unit
        Unit text for numbers, such as ``B``; empty for counts.
    low, high
        Inclusive range for numbers.
    choices
        Set of texts, closed unless ``open_choices``; empty for numbers and switches.
    help
        One sentence.
    integer
        Whether only whole numbers make sense.
    auto
        Name of the machine's hint that the value ``auto`` takes (a key of ``HardwareProfile.matrix_tile``), or empty.
    open_choices
        The parameter is a text, ``choices`` are only suggestions, and the operator itself refuses what it cannot use:
        the id of a model, or the path of a file.
    """

    name: str
    label: str
    default: float | str | bool
    unit: str = ""
    low: float = 1
    high: float = 1e12
    choices: tuple[str, ...] = ()
    help: str = ""
    integer: bool = True
    auto: str = ""
    open_choices: bool = False


@quick_frozen
class Tensor:
    """One tensor of a kernel: how often it crosses, once per read and once per write.

    Attributes
    ----------
    elements
        Count, a number or an array.
    reads, writes
        How often the whole tensor crosses dram, compulsorily.
    role
        What it is to the kernel; the chained input stands first among the tensors, the chained output last.
    slope
        Name of the boundary's slope that it runs at (``gather``), or empty for the plain one.
    """

    name: str
    elements: Num
    dtype: DType
    reads: Num = 0
    writes: Num = 0
    role: TensorRole = "input"
    slope: str = ""


@quick_frozen
class Launch:
    """What the launch looks like; None where nothing is known, and then it is not judged."""

    blocks: Num | None = None
    threads: Num | None = None
    registers_per_thread: Num | None = None
    shared_bytes: Num | None = None
    bytes_in_flight: Num | None = None
    kernels: Num = 1


@dataclass(frozen=True, slots=True)
class Formula:
    """How a figure comes about: the symbols, and the same with values put in."""

    figure: str
    symbols: str
    values: str = ""
    source: str = ""


@quick_frozen
class Part:
    """One kernel of a composite, run ``count`` times."""

    label: str
    operator: str
    parameters: Mapping[str, Any]
    dtypes: Mapping[str, DType]
    count: Num
    estimate: Estimate


@quick_frozen
class Estimate:
    """What an operator answers for one set of parameters, or for arrays of them.

    Attributes
    ----------
    work
        FLOP by pipe. ``bf16-tensor`` falls back to vector ``bf16`` where the machine has no such matrix pipe;
        what is on ``special`` counts 4 per result and stands beside, never in, the work.
    main_pipe
        The pipe that the fraction of peak is held against.
    tensors
        Compulsory traffic follows from them.
    blocked
        Blocked (tiled) traffic as (read bytes, write bytes) by boundary; ``dram`` is the tiled count.
    crosses
        Boundaries that the data crosses.
    footprint_bytes
        What must fit into dram at once, or None.
    padded_work
        Work by pipe with the dimensions padded to the tile, for the forecast; None where nothing is padded.
    parts
        For composites; then work, tensors and blocked are empty.
    formulas, notes
        Called when somebody asks.
    """

    work: Mapping[str, Num]
    main_pipe: str
    tensors: tuple[Tensor, ...]
    blocked: Mapping[str, tuple[Num, Num]] = field(default_factory=nothing)
    crosses: frozenset[str] = MEMORY_INSIDE_DRAM
    footprint_bytes: Num | None = None
    launch: Launch | None = None
    padded_work: Mapping[str, Num] | None = None
    parts: tuple[Part, ...] = ()
    formulas: Callable[[], tuple[Formula, ...]] | None = None
    notes: Callable[[], tuple[str, ...]] | None = None
    home: str = "dram"


class Dtypes(dict[str, "DType"]):
    """Resolved formats by role and tensor name, as an operator gets them.

    ``explicit`` says which keys the user set by name: vector work stays on fp32 unless ``compute`` is among them.
    ``given`` is what the user set, the shorthand ``all`` included, for operators that hand it on to others.
    """

    __slots__ = ("explicit", "given")

    def __init__(
        self,
        values: Mapping[str, DType],
        explicit: frozenset[str] = frozenset(),
        given: Mapping[str, DType] | None = None,
    ) -> None:
        super().__init__(values)
        self.explicit = explicit
        self.given: Mapping[str, DType] = {} if given is None else given

    def of(self, *names: str) -> DType:
        """Return the format of a tensor: ``of("A", "activation")`` is what A was named, else that of its role.

        Raises
        ------
        KeyError
            If none of the names has a format.
        """
        for name in names:
            found = self.get(name)
            if found is not None:
                return found
        raise KeyError(" or ".join(names))


@runtime_checkable
class Operator(Protocol):
    """A kind of kernel in the palette; plugins bring classes of this shape.

    Attributes
    ----------
    id
        ``gemm`` for a built-in, ``acme.flash_mla`` for others; stable for ever.
    label, category, summary
        Words on screen; the category is the heading in the palette.
    parameters
        Declared parameters, in the order of the inspector.
    dtype_roles
        Default format by role (or tensor name) that this operator uses. Pinned ones are named in ``pinned``.
    pinned
        Roles and tensors that the shorthand does not reach.
    """

    id: str
    label: str
    category: str
    summary: str
    parameters: tuple[Parameter, ...]
    dtype_roles: Mapping[str, str]
    pinned: frozenset[str]

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        """Answer work and traffic for resolved parameters (numbers or arrays) and formats."""
        ...


class OperatorBase:
    """A convenient start for operator classes: sets what most share.

    Attributes
    ----------
    tensor_roles
        Optional: tensors whose format may be named by itself (``A=fp8``), each with the role that it follows until
        then, or with an empty text where a parameter chooses it. Ask for it as ``dtypes.of("A", "activation")``.
    """

    id: str = ""
    label: str = ""
    category: str = ""
    summary: str = ""
    parameters: tuple[Parameter, ...] = ()
    dtype_roles: Mapping[str, str] = MappingProxyType(
        {"activation": "bf16", "weight": "bf16", "output": "bf16"}
    )
    pinned: frozenset[str] = frozenset()
    tensor_roles: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class OperatorOrigin:
    """Who an operator comes from."""

    plugin: str
    version: str
    foreign: bool = False
