"""Fused chains of a study as operators: a chain stands on the canvas, and is varied and swept, like any other kernel.

An entry whose operator is ``chain:ID`` means the chain of that id in the study. Its parameters are those that the
operators of the chain share; it is placed as a composite with one part for each kernel. Counts follow MODEL 5.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.errors import ParameterError, StudioError, UnavailableError
from rooflinestudio.core.fusion_kernels import cut_kernel
from rooflinestudio.core.fusion_links import PRODUCT, resolve_chain
from rooflinestudio.core.fusion_notation import ChainSpec, parse_chain
from rooflinestudio.core.operators import Estimate, OperatorBase, OperatorOrigin, Part
from rooflinestudio.core.study import CHAIN_PREFIX, Chain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rooflinestudio.core.operators import Dtypes, Operator, Parameter
    from rooflinestudio.core.placing import EstimateSource
    from rooflinestudio.core.study import Entry, Study

__all__ = [
    "ChainOperator",
    "ChainSource",
    "chain_from_spec",
    "chain_of",
    "chain_spec",
    "is_chain",
    "source_for",
    "with_chains",
]

_SHAPE: Final = ("tokens", "width")
_TAKEN_FROM_THE_SHAPE: Final = ("m", "k")


def is_chain(operator_id: str) -> bool:
    """Tell whether an operator id means a chain of the study."""
    return operator_id.startswith(CHAIN_PREFIX)


def chain_of(study: Study, entry: Entry) -> Chain | None:
    """Return the chain that an entry shows, or None for any other entry and for a chain that is not there."""
    if not is_chain(entry.operator):
        return None
    id_ = entry.operator.removeprefix(CHAIN_PREFIX)
    return next((one for one in study.chains if one.id == id_), None)


def chain_spec(chain: Chain) -> ChainSpec:
    """Read a chain of a study.

    Raises
    ------
    ParameterError
        If it has no parts, a part cannot be read, or a cut lies where there is no joint.
    """
    if not chain.parts:
        raise ParameterError(f"the chain {chain.id!r} has no operators; give it at least one.")
    fused = parse_chain(" + ".join(chain.parts))
    joints = len(fused.cuts)
    wrong = next((one for one in chain.cuts if not 0 <= one < joints), None)
    if wrong is not None:
        raise ParameterError(
            f"the chain {chain.id!r} has {joints} joints, counted from 0; there is none of number {wrong}."
        )
    return ChainSpec(fused.steps, tuple(at in chain.cuts for at in range(joints)), fused.input_name)


def chain_from_spec(id_: str, spec: ChainSpec) -> Chain:
    """Return a chain for a study from one as written."""
    parts = [str(step) for step in spec.steps]
    if spec.input_name:
        parts[0] = f"{spec.input_name} -> {parts[0]}"
    return Chain(id_, tuple(parts), tuple(at for at, cut in enumerate(spec.cuts) if cut))


class ChainOperator(OperatorBase):
    """A chain as an operator.

    Attributes
    ----------
    chain, spec
        What it stands for.
    """

    category = "Fused chains"

    def __init__(self, chain: Chain, source: EstimateSource) -> None:
        self.chain, self.spec = chain, chain_spec(chain)
        self._source = source
        self.id = f"{CHAIN_PREFIX}{chain.id}"
        self.label = str(self.spec)
        self.summary = f"{len(self.spec.steps)} operators in {sum(self.spec.cuts) + 1} kernels"
        operators = [source.operator(step.operator) for step in self.spec.steps]
        self.parameters = tuple(_shared_parameters(operators))
        roles: dict[str, str] = {}
        for one in operators:
            roles = {**one.dtype_roles, **roles}
        self.dtype_roles = MappingProxyType(roles)
        self.pinned = frozenset(role for one in operators for role in one.pinned)
        self.tensor_roles = MappingProxyType(
            {name: role for one in operators for name, role in getattr(one, "tensor_roles", {}).items()}
        )

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        """Answer the chain as cut, a part for each kernel.

        Raises
        ------
        ParameterError, RefusedError, UnavailableError
            With the place in the chain and the mend.
        """
        links = resolve_chain(self.spec, parameters, dtypes.given, None, self._source)
        parts = []
        for steps in self.spec.kernels():
            kernel = cut_kernel(self.spec, links, steps)
            formats = kernel.links[0].dtypes
            parts.append(Part(kernel.label, kernel.label, kernel.parameters, formats, 1, kernel.estimate))
        largest = max(parts, key=lambda one: _size(one.estimate))
        return Estimate({}, largest.estimate.main_pipe, (), parts=tuple(parts))


def _size(estimate: Estimate) -> float:
    work: Any = sum(estimate.work.values())
    return float(work.max()) if getattr(work, "ndim", 0) else float(work)


def _shared_parameters(operators: list[Operator]) -> Iterable[Parameter]:
    """Yield each parameter once, as its first operator declares it; what a product hands on is not asked for."""
    known: set[str] = set()
    after_product = False
    for at, operator in enumerate(operators):
        names = {one.name for one in operator.parameters}
        is_product = names >= PRODUCT
        for one in operator.parameters:
            handed_on = after_product and one.name in _SHAPE
            from_shape = is_product and at > 0 and one.name in _TAKEN_FROM_THE_SHAPE
            if one.name not in known and not handed_on and not from_shape:
                known.add(one.name)
                yield one
        after_product = after_product or is_product


class ChainSource:
    """The chains of a study over any other source; everything else is answered by that."""

    def __init__(self, base: EstimateSource, chains: tuple[Chain, ...]) -> None:
        self.base, self.chains = base, chains
        self._by_id = {f"{CHAIN_PREFIX}{one.id}": one for one in chains}
        self._operators: dict[str, ChainOperator] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.base, name)

    def __contains__(self, operator_id: object) -> bool:
        return operator_id in self._by_id or operator_id in self.base  # type: ignore[operator]

    def operator(self, id_: str, plugin: str = "") -> Operator:
        """Return a chain, or an operator of the source below.

        Raises
        ------
        UnavailableError
            If there is none of this id, the chain cannot be read, or one of its operators is missing.
        """
        if not is_chain(id_):
            return self.base.operator(id_, plugin)
        found = self._operators.get(id_)
        if found is None:
            chain = self._by_id.get(id_)
            if chain is None:
                raise UnavailableError(f"The study has no chain {id_.removeprefix(CHAIN_PREFIX)!r}.")
            try:
                found = self._operators[id_] = ChainOperator(chain, self.base)
            except StudioError as error:
                raise UnavailableError(f"The chain {chain.id!r} cannot be used: {error}") from None
        return found

    def origin(self, id_: str) -> OperatorOrigin:
        """Return which plugin an operator came from; a chain comes from none."""
        return OperatorOrigin("", "") if is_chain(id_) else self.base.origin(id_)

    def estimate(self, operator: Operator, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        """Ask an operator; a chain asks each of its own in turn, guarded by the source below."""
        if isinstance(operator, ChainOperator):
            return operator.estimate(parameters, dtypes)
        return self.base.estimate(operator, parameters, dtypes)

    def details(self, placement: Any) -> Mapping[str, Any]:
        """Return the figures that the operator of a placement adds; chains add none."""
        if is_chain(placement.operator):
            return {}
        found: Mapping[str, Any] = self.base.details(placement)  # type: ignore[attr-defined]
        return found


def with_chains(source: Any, chains: tuple[Chain, ...]) -> Any:
    """Return a source that knows these chains and no others; the same object where it knows them already."""
    if isinstance(source, ChainSource):
        return source if source.chains is chains else ChainSource(source.base, chains)
    return ChainSource(source, chains)


def source_for(source: Any, study: Study) -> Any:
    """Return a source that knows the chains of a study; it also says of a missing chain that it is missing."""
    if study.chains or any(is_chain(one.operator) for one in study.entries):
        return with_chains(source, study.chains)
    return source.base if isinstance(source, ChainSource) else source
