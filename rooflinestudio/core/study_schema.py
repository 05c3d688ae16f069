"""The shape of a study file: known keys are checked strictly, unknown ones are kept and written back.

Only imported when a file is read: pydantic takes a tenth of a second to load.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

if TYPE_CHECKING:
    from rooflinestudio.core.yaml_text import YamlText

__all__ = ["StudyModel", "faults_of"]

Share = Annotated[float, Field(ge=0, le=1)]
PolicyName = Literal["compulsory", "tiled", "modelled"]
Scalar = bool | int | float | str


class _Kept(BaseModel):
    """Strict about what it knows, and keeps what it does not."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True)


class PluginModel(_Kept):
    """Where an operator came from."""

    id: str = ""
    version: str = ""


class EntryModel(_Kept):
    """One placed operator."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    operator: Annotated[str, Field(min_length=1, max_length=200)]
    plugin: PluginModel = PluginModel()
    parameters: dict[str, Scalar] = {}
    dtypes: dict[str, str] = {}
    policy: PolicyName | None = None
    absorption: Share | None = None
    ceiling: str | None = None
    overlap: Share | None = None
    machines: list[str] | None = None
    boundary: str | None = None
    variant_of: str | None = None
    label: str = ""
    slot: int | str = 0
    group: str = ""
    visible: bool = True


class ChainModel(_Kept):
    """Operators in a row."""

    id: str
    parts: list[str]
    cuts: list[int] = []


class PairModel(_Kept):
    """A measured kernel held against an entry."""

    overlay: str
    kernel: str
    launch: int
    entry: str


class ViewModel(_Kept):
    """What entries follow."""

    machines: list[str] = []
    boundary: str | None = "dram"
    policy: PolicyName = "modelled"
    absorption: Share = 0.85
    overlap: Share = 1.0
    forecast: bool = False


class StudyModel(_Kept):
    """The whole file."""

    format: str
    made_with: str = ""
    notes: str = ""
    view: ViewModel = ViewModel()
    entries: list[EntryModel] = []
    chains: list[ChainModel] = []
    pairs: list[PairModel] = []
    kernels: dict[str, Any] = {}
    panels: dict[str, dict[str, Any]] = {}
    overlays: list[dict[str, Any]] = []
    profiles: list[dict[str, Any]] = []


def faults_of(error: ValidationError, read: YamlText) -> tuple[str, ...]:
    """Return one line per wrong field: line in the file, where, what, and the value found."""
    lines = []
    for one in error.errors(include_url=False, include_context=False):
        place = ".".join(str(part) for part in one["loc"]) or "the document"
        value = repr(one.get("input"))
        shown = value if len(value) <= 60 else f"{value[:57]}…"
        lines.append(f"line {read.line(one['loc'])}: {place}: {one['msg']} (found {shown})")
    return tuple(lines)
