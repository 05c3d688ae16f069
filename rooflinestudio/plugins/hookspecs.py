"""The three hooks of the studio: what each is asked, when, what it returns, and what an error costs.

A plugin module answers a hook with a function of the same name, without parameters, marked with
``rooflinestudio.plugins.hookimpl``. Each hook of each plugin is asked once per process, alone and guarded: whatever one
plugin does wrong is a row in the list of plugins and costs that plugin's own entries, nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

import pluggy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measurement import MeasurementReader
    from rooflinestudio.core.operators import Operator

__all__ = [
    "ENTRY_POINT_GROUP",
    "ProfileSource",
    "expected_of",
    "hook_names",
    "rooflinestudio_hardware_profiles",
    "rooflinestudio_measurement_readers",
    "rooflinestudio_operators",
]

ENTRY_POINT_GROUP = "rooflinestudio"
"""Group of the entry points that name plugin modules."""

_hookspec = pluggy.HookspecMarker(ENTRY_POINT_GROUP)


@runtime_checkable
class ProfileSource(Protocol):
    """A machine that is read when somebody uses it; until then its id and label suffice.

    Attributes
    ----------
    id
        Lower-case and stable, the same as that of the profile (``acme-npu-1``).
    label
        The machine's name on screen.
    """

    @property
    def id(self) -> str: ...  # noqa: D102 - see Attributes

    @property
    def label(self) -> str: ...  # noqa: D102 - see Attributes

    def load(self) -> HardwareProfile:
        """Read the profile; called at most once per process. A ``ProfileError`` says what is wrong with the file."""
        ...


@_hookspec
def rooflinestudio_operators() -> Iterable[Operator]:
    """Bring operators into the palette.

    When it is called: once, when the plugin is loaded (at start-up for the studio's own, after the first paint for
    others). Return instances, not classes; a generator is fine. ``estimate`` is not called here, but later, directly
    and often.

    On error: an exception, or something that is no operator, is a row in the list of plugins that names the plugin and
    what was wrong. Operators that came before it stay; so do the answers to the other hooks. An id that is already
    taken is refused, and both plugins are named.

    Examples
    --------
    .. code-block:: python

        from rooflinestudio.plugins import Estimate, OperatorBase, Parameter, Tensor, hookimpl


        class Axpby(OperatorBase):
            id = "acme.axpby"
            label = "axpby"
            category = "Vectors"
            summary = "y = a·x + b·y"
            parameters = (Parameter("elements", "elements", 1_000_000, help="Length of x and y."),)
            dtype_roles = {"activation": "fp32", "output": "fp32", "compute": "fp32"}

            def estimate(self, parameters, dtypes):
                n = parameters["elements"]
                pipe = dtypes["compute"].pipe
                x = Tensor("x", n, dtypes["activation"], reads=1)
                y = Tensor("y", n, dtypes["output"], reads=1, writes=1, role="output")
                return Estimate({pipe: 3.0 * n}, pipe, (x, y))


        @hookimpl
        def rooflinestudio_operators():
            return [Axpby()]
    """
    raise NotImplementedError  # pluggy calls the implementations, never this


@_hookspec
def rooflinestudio_hardware_profiles() -> Iterable[HardwareProfile | ProfileSource]:
    """Bring machines into the hardware selector.

    When it is called: once, when the plugin is loaded. Return finished profiles, or sources that are read when somebody
    uses the machine: an index is enough at start-up.

    On error: as for operators. A source whose ``load`` raises, or gives a profile of another id, is reported when the
    machine is chosen, with the plugin's name; the rest of the selector works on.

    Examples
    --------
    .. code-block:: python

        from rooflinestudio.plugins import Boundary, ComputeCeiling, Figure, HardwareProfile, hookimpl


        def figure(value):
            return Figure(value, "published", condition="dense, boost clock", source="Acme NPU-1 data sheet, rev. 3")


        @hookimpl
        def rooflinestudio_hardware_profiles():
            bf16 = ComputeCeiling("bf16-tensor", figure(200e12))
            fp32 = ComputeCeiling("fp32", figure(12e12))
            dram = Boundary("dram", "LPDDR5X", figure(410e9), capacity=figure(64e9))
            yield HardwareProfile(
                id="acme-npu-1", name="Acme NPU-1", short_name="NPU-1", vendor="Acme", architecture="N1", year=2026,
                ceilings={"bf16-tensor": bf16, "fp32": fp32}, boundaries={"dram": dram},
                reference_ceiling="bf16-tensor",
            )
    """
    raise NotImplementedError


@_hookspec
def rooflinestudio_measurement_readers() -> Iterable[MeasurementReader]:
    r"""Bring readers of files with measured kernels.

    When it is called: once, when the plugin is loaded. A reader is chosen by the content of a file (``recognises``) and
    may run in another process, so it must be possible to pickle it: a class at module level with plain attributes.

    On error: as for operators. A reader that raises while it looks at a file is passed over; one that raises while it
    reads gives the user an error with the plugin's name, and the study stays as it was.

    Examples
    --------
    .. code-block:: python

        import hashlib

        from rooflinestudio.plugins import MeasuredFigure, Measurement, MeasurementFile, hookimpl


        class TimesReader:
            id = "acme-times"
            label = "Acme kernel times"
            extensions = (".times",)

            def recognises(self, head, name):
                return head.startswith(b"acme-times/1\n")

            def read(self, path, progress=None):
                content = path.read_bytes()
                launches = []
                for line in content.decode().splitlines()[1:]:
                    kernel, microseconds = line.rsplit(",", 1)
                    time_s = float(microseconds) * 1e-6
                    figures = {"time_s": MeasuredFigure(time_s, "second column x 1e-6", "rounded")}
                    launches.append(Measurement(launch=len(launches), kernel=kernel, time_s=time_s, figures=figures))
                digest = hashlib.sha256(content).hexdigest()
                return MeasurementFile(str(path), self.id, (), tuple(launches), digest)


        @hookimpl
        def rooflinestudio_measurement_readers():
            return [TimesReader()]
    """
    raise NotImplementedError


def hook_names() -> tuple[str, ...]:
    """Return the names of the hooks, in the order in which a plugin is asked."""
    return tuple(_EXPECTED)


def expected_of(hook: str) -> str:
    """Return in words what the items of a hook's answer are."""
    return _EXPECTED[hook]


_EXPECTED: Final = {
    "rooflinestudio_operators": "operators",
    "rooflinestudio_hardware_profiles": "hardware profiles or sources of them",
    "rooflinestudio_measurement_readers": "measurement readers",
}
