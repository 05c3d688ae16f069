"""The shape of a profile document.

Only imported when a profile is read: pydantic takes a tenth of a second to load.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from rooflinestudio.core import profile_values as values
from rooflinestudio.core.hardware import BOUNDARY_ORDER

__all__ = [
    "PROVENANCES", "UNITS_BY_FIELD", "AchievableModel", "BandwidthModel", "BoundaryModel", "FigureModel",
    "ProfileModel", "RateModel", "SourceModel",
]  # fmt: skip

PROVENANCES: Final = ("published", "derived", "measured", "assumed")
UNITS_BY_FIELD: Final = {
    "ceilings": "FLOP/s", "bandwidth": "B/s", "slopes": "B/s", "capacity": "B", "shared_bytes_per_sm": "B",
    "latency": "s", "launch_overhead": "s", "clocks": "Hz", "sms": "", "registers_per_sm": "", "achievable": "share",
    "tdp": "W",
}  # fmt: skip
"""The unit of the figures under each key."""

Text = Annotated[str, Field(min_length=1, max_length=200)]
Tile = Annotated[int, Field(gt=0, le=65536)]
CeilingId = Annotated[str, AfterValidator(values.ceiling_id)]
BoundaryId = Annotated[str, AfterValidator(values.one_of(BOUNDARY_ORDER))]
SlopeName = Annotated[str, AfterValidator(values.one_of(("streaming", "strided", "gather")))]
TileName = Annotated[str, AfterValidator(values.one_of(("tile_m", "tile_n", "warp_m", "warp_n")))]


class _Model(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class FigureModel(_Model):
    """One figure; its subclasses know the unit."""

    value: float
    provenance: Literal["published", "derived", "measured", "assumed"]
    condition: str = ""
    source: Annotated[str, BeforeValidator(values.source_text)] = ""
    date: Annotated[str, BeforeValidator(values.date_text)] = ""
    note: str = ""
    confidence: Literal["high", "medium", "low", ""] = ""


class ShareModel(FigureModel):
    """A share of a rate that real kernels reach."""

    value: Annotated[float, BeforeValidator(values.share)]


class AchievableModel(_Model):
    """What share of a rate real kernels reach: typically, at worst, at best."""

    typical: ShareModel | None = None
    low: ShareModel | None = None
    high: ShareModel | None = None

    @model_validator(mode="after")
    def _in_order(self) -> AchievableModel:
        values.shares_in_order([one.value for one in (self.low, self.typical, self.high) if one is not None])
        return self


class MeasuredRateModel(FigureModel):
    """What was measured of a compute ceiling."""

    value: Annotated[float, BeforeValidator(values.quantity("FLOP/s"))]
    provenance: Literal["measured"] = "measured"


class _Known(FigureModel):
    """A rate with what was measured of it, and which of the two is in use."""

    measured: FigureModel | None = None
    use: Literal["stated", "measured"] = "stated"

    @model_validator(mode="after")
    def _two_kinds(self) -> Self:
        values.two_kinds(self.provenance, self.use, is_known=self.measured is not None)
        return self


class RateModel(_Known):
    """A compute ceiling."""

    value: Annotated[float, BeforeValidator(values.quantity("FLOP/s"))]
    achievable: AchievableModel | None = None
    measured: MeasuredRateModel | None = None


class SlopeModel(FigureModel):
    """A further slope of a boundary."""

    value: Annotated[float, BeforeValidator(values.quantity("B/s"))]


class MeasuredBandwidthModel(SlopeModel):
    """What was measured of a bandwidth."""

    provenance: Literal["measured"] = "measured"


class BandwidthModel(_Known):
    """The bandwidth of a boundary."""

    value: Annotated[float, BeforeValidator(values.quantity("B/s"))]
    measured: MeasuredBandwidthModel | None = None


class SizeModel(FigureModel):
    """A capacity."""

    value: Annotated[float, BeforeValidator(values.quantity("B"))]


class TimeModel(FigureModel):
    """A latency or an overhead."""

    value: Annotated[float, BeforeValidator(values.quantity("s"))]


class ClockModel(FigureModel):
    """A clock."""

    value: Annotated[float, BeforeValidator(values.quantity("Hz"))]


class PowerModel(FigureModel):
    """Power."""

    value: Annotated[float, BeforeValidator(values.quantity("W"))]


class CountModel(FigureModel):
    """How many there are."""

    value: Annotated[float, BeforeValidator(values.quantity(""))]


class BoundaryModel(_Model):
    """One boundary."""

    label: Text
    bandwidth: BandwidthModel
    capacity: SizeModel | None = None
    latency: TimeModel | None = None
    approximate: bool = False
    feeds_matrix: bool = True
    slopes: dict[SlopeName, SlopeModel] = {}
    achievable: AchievableModel | None = None


class SourceModel(_Model):
    """One document."""

    title: Annotated[str, Field(min_length=1, max_length=500)]
    address: Annotated[str, AfterValidator(values.address)] = ""


class ProfileModel(_Model):
    """The whole file."""

    format: Annotated[str, BeforeValidator(values.format_name)]
    id: Annotated[Text, AfterValidator(values.profile_id)]
    name: Text
    short_name: Text
    vendor: Text
    architecture: Annotated[str, Field(max_length=200)] = ""
    year: Annotated[int, Field(ge=1940, le=2200)]
    kind: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,40}$")] = "gpu"
    reference_ceiling: Annotated[str, AfterValidator(values.reference)]
    sms: CountModel | None = None
    clocks: dict[Text, ClockModel] = {}
    launch_overhead: TimeModel | None = None
    tdp: PowerModel | None = None
    registers_per_sm: CountModel | None = None
    shared_bytes_per_sm: SizeModel | None = None
    matrix_tile: dict[TileName, Tile] = {}
    ceilings: Annotated[dict[CeilingId, RateModel], Field(min_length=1)]
    boundaries: Annotated[dict[BoundaryId, BoundaryModel], Field(min_length=1)]
    sources: dict[Text, Annotated[SourceModel, BeforeValidator(values.source_model)]] = {}
    notes: list[str] = []
    based_on: Annotated[str, Field(max_length=200)] = ""
    explained: dict[Text, Annotated[str, Field(min_length=1, max_length=2000)]] = {}
