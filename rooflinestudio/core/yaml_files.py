"""YAML files of the studio: read with every fault named, written so that they read back the same."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.errors import StudioError

if TYPE_CHECKING:
    from rooflinestudio.core.yaml_text import YamlText

__all__ = ["YamlError", "dump_yaml", "quoting_dumper", "read_yaml"]

MAX_DEPTH: Final = 40
MAX_VALUES: Final = 1_000_000
RARE_BREAKS: Final = re.compile("[\x85\u2028\u2029\ufeff]")
"""Line breaks that only Unicode knows: YAML folds them away unless they are escaped."""


class YamlError(StudioError):
    """A text that is no YAML document we accept; one line per fault, each with its line in the file."""


def read_yaml(text: str, *, name: str, limit_bytes: int) -> YamlText:
    """Read one YAML document; :attr:`YamlText.value` is its content, and it knows the line of each value.

    Parameters
    ----------
    name
        File name for the messages.
    limit_bytes
        Largest text accepted, in characters.

    Raises
    ------
    YamlError
        For broken syntax, a tag or alias, a key given twice, or a text that is too large or too deep.
    """
    from rooflinestudio.core.yaml_text import read_yaml_text

    if len(text) > limit_bytes:
        raise YamlError(f"{name}: {len(text)} characters are more than the {limit_bytes} that it may have.")
    if not text.strip():
        raise YamlError(f"{name} is empty.")
    read = read_yaml_text(text.removeprefix("\ufeff"), max_depth=MAX_DEPTH, max_values=MAX_VALUES)
    if read.faults:
        lines = []
        for fault in read.faults:
            place = ".".join(str(step) for step in fault.place)
            line = f", line {fault.line}" if fault.line else ""
            lines.append(f"{name}{line}: {place} {fault.text}".replace(":  ", ": "))
        raise YamlError("\n".join(lines))
    return read


@cache
def quoting_dumper() -> Any:
    """Return a dumper class that quotes whatever our reader, which knows YAML 1.2, would not read back as text."""
    import yaml

    from rooflinestudio.core.yaml_text import plain_scalar

    class Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
        """Safe dumper without aliases; dates stay plain."""

        yaml_implicit_resolvers = {  # noqa: RUF012 - PyYAML's way of saying it
            letter: [(tag, pattern) for tag, pattern in rules if tag != "tag:yaml.org,2002:timestamp"]
            for letter, rules in yaml.SafeDumper.yaml_implicit_resolvers.items()
        }

        def ignore_aliases(self, _data: Any) -> bool:
            return True

    def represent_text(dumper: Any, data: str) -> Any:
        # "1e5" is a number to the reader, though not to PyYAML.
        style = '"' if RARE_BREAKS.search(data) or not isinstance(plain_scalar(data), str) else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", data, style=style)

    Dumper.add_representer(str, represent_text)
    return Dumper


def dump_yaml(document: Any) -> str:
    """Write a document as a person would like to read it: keys in order, no flow style, no aliases."""
    import yaml

    return str(
        yaml.dump(
            document,
            Dumper=quoting_dumper(),
            sort_keys=False,
            allow_unicode=True,
            default_flow_style=False,
            width=110,
        )
    )
