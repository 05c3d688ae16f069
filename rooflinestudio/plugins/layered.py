"""Custom kernels over the operators of plugins: those of a study first, those of the user's folder last.

A :class:`LayeredSource` stands wherever a registry does. It never changes, and neither does the registry below it.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.custom.kernels import KernelError, id_fault, kernel_from_document, kernel_to_document
from rooflinestudio.core.errors import UnavailableError
from rooflinestudio.core.operators import OperatorOrigin
from rooflinestudio.plugins.calling import OperatorCaller

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rooflinestudio.core.custom.kernels import CustomKernel, KernelFile
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.operators import Dtypes, Estimate, Operator
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.plugins.registry import Registry
    from rooflinestudio.plugins.rows import PluginRow
    from rooflinestudio.plugins.sources import GuardedProfile, GuardedReader

__all__ = ["OF_STUDY", "OF_USER", "LayeredSource"]

OF_STUDY: Final = "study"
"""Origin of a kernel that stands in the study itself."""

OF_USER: Final = "your kernels"
"""Origin of a kernel that lies in the user's folder."""


class LayeredSource:
    """Operators of plugins, with a study's kernels and the user's own kernels over them.

    A kernel of the study goes before everything else of its id: a study means what it says, wherever it is opened. A
    kernel of the user's folder gives way to a plugin's operator of the same id. Built-in operators cannot be hidden:
    their ids have no point, and those of kernels have one.

    Parameters
    ----------
    registry
        What plugins brought.
    study
        Kernel documents by id, as they stand in a study; a broken one makes its id unavailable, with the reason.
    user
        The files of the user's folder.

    Attributes
    ----------
    operators
        Those of plugins in the order of the palette, then the kernels, by category and label.
    problems
        Why kernels cannot be used: by id for those of the study, by file name for those of the user.
    """

    def __init__(
        self, registry: Registry, *, study: Mapping[str, Any] | None = None, user: Iterable[KernelFile] = ()
    ) -> None:
        self._registry = registry
        self._user = tuple(user)
        self._study: Mapping[str, Any] = {} if study is None else study
        self._kernels: dict[str, CustomKernel] = {}
        self._origins: dict[str, OperatorOrigin] = {}
        self._broken: dict[str, str] = {}
        self._problems: dict[str, str] = {}
        for file in self._user:
            problem = self._take_file(file)
            if problem:
                self._problems[file.path.name] = problem
        self._differing = frozenset(self._take_study())
        self.problems: Mapping[str, str] = MappingProxyType(self._problems)
        self._caller = OperatorCaller(self._origins)
        order = sorted(
            self._kernels.values(), key=lambda one: (one.category.casefold(), one.label.casefold())
        )
        taken = [one for one in registry.operators if one.id not in self._kernels]
        self.operators: tuple[Operator, ...] = (*taken, *order)

    def _take_file(self, file: KernelFile) -> str:
        """Take a kernel of the user's folder in; return why not, if so."""
        kernel = file.kernel
        if kernel is None:
            return file.problem
        if kernel.id in self._registry:
            plugin = self._registry.origin(kernel.id).plugin
            return f"The plugin {plugin} brings an operator {kernel.id!r}, too. Give the kernel another id."
        self._kernels[kernel.id] = kernel
        self._origins[kernel.id] = OperatorOrigin(OF_USER, kernel.version)
        return ""

    def _take_study(self) -> Iterable[str]:
        """Take the kernels of the study in; yield the ids under which the user has another kernel."""
        for id_, document in self._study.items():
            name = f"The kernel {id_!r} of this study"
            try:
                kernel = kernel_from_document(document, name=name)
            except KernelError as error:
                self._put_out(id_, str(error))
                continue
            if kernel.id != id_:
                self._put_out(id_, f"{name} calls itself {kernel.id!r}. Give it one id.")
                continue
            mine = self._kernels.get(id_)
            if mine is not None and mine.version != kernel.version:
                yield id_
            self._kernels[id_] = kernel
            self._origins[id_] = OperatorOrigin(OF_STUDY, kernel.version)

    def _put_out(self, id_: str, reason: str) -> None:
        self._problems[id_] = reason
        if id_fault(id_) and id_ in self._registry:
            return  # a built-in stays, whatever a study says
        self._broken[id_] = reason
        self._kernels.pop(id_, None)  # another kernel of this id would not be what the study means
        self._origins.pop(id_, None)

    # ------------------------------------------------------------------------------------ layers

    @property
    def registry(self) -> Registry:
        """What lies below: the operators of plugins."""
        return self._registry

    def with_study(self, kernels: Mapping[str, Any]) -> LayeredSource:
        """Return the source for another study, or for this one after an edit; the same object where nothing changed."""
        if kernels is self._study or kernels == self._study:
            return self
        return LayeredSource(self._registry, study=kernels, user=self._user)

    def with_user(self, files: Iterable[KernelFile]) -> LayeredSource:
        """Return the source after the user's folder changed."""
        return LayeredSource(self._registry, study=self._study, user=files)

    def with_registry(self, registry: Registry) -> LayeredSource:
        """Return the source after further plugins were loaded."""
        return LayeredSource(registry, study=self._study, user=self._user)

    def kernel(self, id_: str) -> CustomKernel | None:
        """Return the custom kernel of an id; None for any other operator."""
        return self._kernels.get(id_)

    def document(self, id_: str) -> dict[str, Any] | None:
        """Return the document of a custom kernel, for the copy that a study keeps; None for any other operator."""
        kernel = self._kernels.get(id_)
        return None if kernel is None else kernel_to_document(kernel)

    def differs(self, id_: str) -> bool:
        """Tell whether the user's folder has another kernel under an id that the study brings itself."""
        return id_ in self._differing

    # ------------------------------------------------------------------------------------ as a registry

    def __contains__(self, operator_id: object) -> bool:
        if operator_id in self._broken:
            return False
        return operator_id in self._kernels or operator_id in self._registry

    def operator(self, id_: str, plugin: str = "") -> Operator:
        """Return a kernel or a plugin's operator.

        Raises
        ------
        UnavailableError
            If there is none of this id, or the study's kernel of this id is broken; the text says why.
        """
        if id_ in self._broken:
            raise UnavailableError(self._broken[id_])
        if id_ in self._kernels:
            return self._kernels[id_]
        if plugin in (OF_STUDY, OF_USER) and id_ not in self._registry:
            raise UnavailableError(
                f"No kernel is called {id_!r}: it is neither in this study nor in your folder of kernels. "
                "Import its file in Study, New kernel."
            )
        return self._registry.operator(id_, plugin)

    def origin(self, id_: str) -> OperatorOrigin:
        """Return which plugin an operator came from, or that it is a kernel of the study or of the user."""
        return self._origins[id_] if id_ in self._origins else self._registry.origin(id_)

    def estimate(self, operator: Operator, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        """Ask for work and traffic, guarded in the same way for kernels and for plugins' operators.

        Raises
        ------
        RefusedError
            If the answer is impossible; the text names the kernel or the plugin, the figure and the value.
        """
        if self._kernels.get(operator.id) is operator:
            return self._caller.estimate(operator, parameters, dtypes)
        return self._registry.estimate(operator, parameters, dtypes)

    def details(self, placement: Placement) -> Mapping[str, Any]:
        """Return the figures that the operator of a placement adds; kernels add none."""
        return {} if placement.operator in self._kernels else self._registry.details(placement)

    @property
    def profiles(self) -> tuple[GuardedProfile, ...]:
        """The machines of all plugins."""
        return self._registry.profiles

    @property
    def readers(self) -> tuple[GuardedReader, ...]:
        """The readers of all plugins."""
        return self._registry.readers

    @property
    def rows(self) -> tuple[PluginRow, ...]:
        """What became of every plugin."""
        return self._registry.rows

    def load_profile(self, id_: str) -> HardwareProfile:
        """Return a machine; see :meth:`Registry.load_profile`."""
        return self._registry.load_profile(id_)
