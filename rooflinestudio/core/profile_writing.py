"""Profiles into documents and text: what is written reads back as the same profile, to the last bit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.quantities import format_exact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.hardware import Achievable, Boundary, ComputeCeiling, Figure, HardwareProfile

__all__ = ["dump_profile", "profile_to_document"]

FORMAT: Final = "rooflinestudio-profile/1"
_PLAIN: Final = ("id", "name", "short_name", "vendor", "architecture", "year", "kind", "reference_ceiling")
_ADDRESSED: Final = re.compile(
    r"(?P<title>.+) \((?P<address>https?://[^\s()]+(?:\([^\s()]*\)[^\s()]*)*)\)", re.DOTALL
)
_KEYLIKE: Final = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")


def profile_to_document(profile: HardwareProfile) -> dict[str, Any]:
    """Return a profile as plain data of the format ``rooflinestudio-profile/1``.

    ``profile_from_document`` makes the identical profile of it, with the same ``content_hash``; boundaries come in
    their order from the innermost outward.
    """
    write = _Writer(_titles(profile.sources))
    document: dict[str, Any] = {
        "format": FORMAT,
        **{key: getattr(profile, key) for key in _PLAIN},
        "based_on": profile.based_on,
        "notes": list(profile.notes),
        "explained": dict(profile.explained),
        "sms": write.figure(profile.sms, ""),
        "clocks": {name: write.figure(figure, "Hz") for name, figure in profile.clocks.items()},
        "registers_per_sm": write.figure(profile.registers_per_sm, ""),
        "shared_bytes_per_sm": write.figure(profile.shared_bytes_per_sm, "B"),
        "matrix_tile": dict(profile.matrix_tile),
        "launch_overhead": write.figure(profile.launch_overhead, "s"),
        "tdp": write.figure(profile.tdp, "W"),
        "ceilings": {id_: write.ceiling(one) for id_, one in profile.ceilings.items()},
        "boundaries": {id_: write.boundary(one) for id_, one in profile.boundaries.items()},
        "sources": {key: _source(text) for key, text in profile.sources.items()},
    }
    return {
        key: value
        for key, value in document.items()
        if value not in (None, {}, []) and (key, value) != ("based_on", "")
    }


def _titles(sources: Mapping[str, str]) -> dict[str, str]:
    """Return the titles of the documents by key, as figures show them."""
    return {
        key: match["title"] if (match := _ADDRESSED.fullmatch(text)) else text
        for key, text in sources.items()
    }


def _source(text: str) -> Any:
    match = _ADDRESSED.fullmatch(text)
    return {"title": match["title"], "address": match["address"]} if match else text


class _Writer:
    def __init__(self, titles: Mapping[str, str]) -> None:
        self._titles = titles
        self._keys = {title: key for key, title in titles.items()}

    def figure(self, figure: Figure | None, unit: str) -> dict[str, Any] | None:
        if figure is None:
            return None
        value: Any = format_exact(figure.value, unit)
        written = {
            "value": int(value) if unit == "" and value.isdecimal() else value,
            "provenance": figure.provenance,
            "condition": figure.condition,
            "source": self._source(figure.source),
            "date": figure.date,
            "note": figure.note,
            "confidence": figure.confidence,
        }
        return {key: one for key, one in written.items() if one != ""}

    def ceiling(self, ceiling: ComputeCeiling) -> dict[str, Any]:
        written = self.known(ceiling, "FLOP/s")
        if ceiling.id.startswith("int"):  # operations, read as FLOP
            for figure in (written, written.get("measured", written)):
                figure["value"] = figure["value"].replace("FLOP/s", "OP/s")
        if (shares := self.achievable(ceiling.achievable)) is not None:
            written["achievable"] = shares
        return written

    def known(self, one: ComputeCeiling | Boundary, unit: str) -> dict[str, Any]:
        """Write the stated figure of a rate, with the measured one inside it; the only one there is, alone."""
        stated, observed = one.stated, one.observed
        written = self.figure(stated or observed, unit) or {}
        if stated is not None and observed is not None:
            measured = self.figure(observed, unit) or {}
            written["measured"] = {key: value for key, value in measured.items() if key != "provenance"}
            if one.in_use == "measured":
                written["use"] = "measured"
        return written

    def achievable(self, shares: Achievable | None) -> dict[str, Any] | None:
        """Write shares as plain numbers, which read back exactly."""
        if shares is None:
            return None
        written = {}
        for name in ("typical", "low", "high"):
            figure: Figure | None = getattr(shares, name)
            if figure is not None:
                written[name] = {**(self.figure(figure, "") or {}), "value": float(figure.value)}
        return written

    def boundary(self, boundary: Boundary) -> dict[str, Any]:
        written = {
            "label": boundary.label,
            "bandwidth": self.known(boundary, "B/s"),
            "approximate": True if boundary.approximate else None,
            "capacity": self.figure(boundary.capacity, "B"),
            "latency": self.figure(boundary.latency, "s"),
            "feeds_matrix": None if boundary.feeds_matrix else False,
            "slopes": {name: self.figure(one, "B/s") for name, one in boundary.slopes.items()},
            "achievable": self.achievable(boundary.achievable),
        }
        # An achievable without any share says nothing, but reads back as it is.
        return {
            key: one for key, one in written.items() if one is not None and (one != {} or key == "achievable")
        }

    def _source(self, text: str) -> Any:
        """Turn the text of a source back into what it was read from: keys where it holds titles, else words."""
        pieces = self._cited(text.split("; "))
        read = "; ".join(self._titles.get(piece, piece) for piece in pieces)
        keylike = any(piece not in self._titles and _KEYLIKE.fullmatch(piece) for piece in pieces)
        if read != text or keylike:
            return {"text": text}
        return pieces[0] if len(pieces) == 1 else pieces

    def _cited(self, pieces: list[str]) -> list[str]:
        """Replace the longest runs of pieces that are titles by their keys, and join what stands between."""
        found: list[str] = []
        free: list[str] = []
        start = 0
        while start < len(pieces):
            ends = range(len(pieces), start, -1)
            end = next((end for end in ends if "; ".join(pieces[start:end]) in self._keys), None)
            if end is None:
                free.append(pieces[start])
                start += 1
                continue
            found += ["; ".join(free)] * bool(free) + [self._keys["; ".join(pieces[start:end])]]
            free, start = [], end
        return found + ["; ".join(free)] * bool(free)


def dump_profile(profile: HardwareProfile) -> str:
    """Write a profile as the text of a file that a person would like to read."""
    return dump_document(profile_to_document(profile))


def dump_document(document: Mapping[str, Any]) -> str:
    """Write plain data of a profile as YAML: keys in order, cited sources on one line, a blank line between parts."""
    import yaml

    from rooflinestudio.core.yaml_files import quoting_dumper

    class Dumper(quoting_dumper()):  # type: ignore[misc]
        """Short lists of keys on one line."""

    def represent_list(dumper: yaml.SafeDumper, data: list[Any]) -> yaml.Node:
        short = all(isinstance(one, str) and len(one) < 40 and "\n" not in one for one in data)
        return dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=short)

    Dumper.add_representer(list, represent_list)
    text = yaml.dump(dict(document), Dumper=Dumper, sort_keys=False, allow_unicode=True, width=110)
    # A blank line before each top-level mapping or list: there the key stands alone on its line.
    return re.sub(r"(?m)^(?=[a-z_]+:$)", "\n", text)
