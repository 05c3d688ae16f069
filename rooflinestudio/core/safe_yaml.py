"""YAML from strangers: the safe loader with limits, duplicate keys refused, and positions in the messages.

Files may be hostile or broken. No tags, no aliases (which can blow up a small file into gigabytes), bounded size
and depth.
"""

from __future__ import annotations

from typing import Any, Final

from rooflinestudio.core.errors import StudioError

__all__ = ["YamlError", "dump_yaml", "load_yaml"]

MAX_DEPTH: Final = 40


class YamlError(StudioError):
    """A text that is no YAML document we accept; the message has line and column."""


def load_yaml(text: str, *, name: str, limit_bytes: int) -> Any:
    """Read one YAML document.

    Parameters
    ----------
    name
        File name for the messages.
    limit_bytes
        Largest text accepted.

    Raises
    ------
    YamlError
        For broken syntax, a tag or alias, a key given twice, or a text that is too large or too deep.
    """
    import yaml

    if len(text) > limit_bytes:
        raise YamlError(
            f"{name}: {len(text)} characters are more than the {limit_bytes} that such a file may have."
        )
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
    try:
        node = loader.get_single_node()
        if node is None:
            raise YamlError(f"{name} is empty.")
        _check(node, name, yaml)
        return loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f", line {mark.line + 1}, column {mark.column + 1}" if mark is not None else ""
        raise YamlError(
            f"{name}{place}: {error.problem or 'cannot be read as YAML'}. Is the file complete?"
        ) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise YamlError(f"{name} cannot be read as YAML: {str(error).splitlines()[0]}.") from None
    finally:
        loader.dispose()


def _check(root: Any, name: str, yaml: Any) -> None:
    seen: set[int] = set()
    stack = [(root, 0)]
    while stack:
        node, depth = stack.pop()
        place = f"{name}, line {node.start_mark.line + 1}"
        if depth > MAX_DEPTH:
            raise YamlError(f"{place}: nested deeper than {MAX_DEPTH} levels.")
        if id(node) in seen:
            raise YamlError(f"{place}: an alias (*name) is not accepted; write the value out.")
        if isinstance(node, yaml.MappingNode):
            seen.add(id(node))
            keys: set[str] = set()
            for key, value in node.value:
                if key.value.__hash__ is not None and str(key.value) in keys:
                    raise YamlError(
                        f"{name}, line {key.start_mark.line + 1}: the key {key.value!r} is given twice; keep one."
                    )
                keys.add(str(key.value))
                stack += [(key, depth + 1), (value, depth + 1)]
        elif isinstance(node, yaml.SequenceNode):
            seen.add(id(node))
            stack += [(item, depth + 1) for item in node.value]


def dump_yaml(document: Any) -> str:
    """Write a document as a person would like to read it: keys in order, no flow style, no aliases."""
    import yaml

    class Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
        """Safe dumper that never writes aliases."""

        def ignore_aliases(self, _data: Any) -> bool:
            return True

    return str(
        yaml.dump(
            document, Dumper=Dumper, sort_keys=False, allow_unicode=True, default_flow_style=False, width=110
        )
    )
