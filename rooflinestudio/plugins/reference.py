"""Reference pages of operators, made from what the operators declare and answer.

``python -m rooflinestudio.plugins.reference docs/operators`` writes the pages of the studio's own operators; a test
fails while a page is missing or says something else than its operator.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.resolution import resolve_dtypes, resolve_parameters

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rooflinestudio.core.operators import Estimate, Formula, Operator, Parameter

__all__ = ["INDEX", "operator_page", "pages", "write_pages"]

INDEX: Final = "README.md"
"""File name of the page that lists the others."""

EXAMPLE_MACHINE: Final = "nvidia-h100-sxm5"

_MADE: Final = (
    "<!-- Made from what the operators declare: change those, then run\n"
    "     python -m rooflinestudio.plugins.reference docs/operators -->"
)


def pages(operators: Iterable[Operator]) -> dict[str, str]:
    """Return the text of every page by file name: one for each operator, and a list of them."""
    ordered = sorted(operators, key=lambda one: (one.category.casefold(), one.label.casefold(), one.id))
    return {INDEX: _index(ordered), **{f"{one.id}.md": operator_page(one) for one in ordered}}


def write_pages(operators: Iterable[Operator], folder: Path) -> list[str]:
    """Write the pages into a folder, and remove pages there that no operator has; return the names written."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = pages(operators)
    for path in folder.glob("*.md"):
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return list(texts)


def operator_page(operator: Operator) -> str:
    """Return the page of one operator: parameters, formats, tensors, formulas, assumptions and an example."""
    estimate = _estimate(operator, {})
    blocks = [
        _MADE,
        f"# {operator.label}",
        f"`{operator.id}` in *{operator.category}*",
        f"{operator.summary}.",
        "## Parameters",
        _table(("name", "meaning", "default", "values"), map(_parameter_row, operator.parameters)),
        "## Formats",
        _table(("role", "default", "set by the shorthand"), _format_rows(operator)),
        *_named_tensors(operator),
        *(_parts_blocks(estimate) if estimate.parts else _tensors_blocks(estimate)),
        "## How it is counted",
        "W is work in FLOP, Q traffic in bytes, and s_x the bytes of one element of x.",
        _list(_formula_line(one) for one in _formulas(estimate)),
        *_notes_blocks(estimate),
        *_variants(operator, estimate),
        "## Example",
        f"```\n{_example(operator)}\n```",
    ]
    return "\n\n".join(blocks) + "\n"


def _index(operators: Sequence[Operator]) -> str:
    blocks = [_MADE, "# Operators"]
    for category in dict.fromkeys(one.category for one in operators):
        rows = (
            (f"[{one.label}]({one.id}.md)", f"`{one.id}`", one.summary)
            for one in operators
            if one.category == category
        )
        blocks += [f"## {category}", _table(("operator", "id", "what it is"), rows)]
    return "\n\n".join(blocks) + "\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '&#124;') for cell in line)} |" for line in lines)


def _list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _parameter_row(parameter: Parameter) -> tuple[str, str, str, str]:
    default = _value(parameter.default)
    if isinstance(parameter.default, bool):
        values = "true, false"
    elif parameter.open_choices:
        values = ", ".join((*parameter.choices, "or another text"))
    elif parameter.choices:
        values = ", ".join(parameter.choices)
    else:
        unit = f" {parameter.unit}" if parameter.unit else ""
        auto = ", or auto" if parameter.auto else ""
        values = f"{_value(parameter.low)} to {_value(parameter.high)}{unit}{auto}"
    return f"`{parameter.name}`", parameter.help or parameter.label, default, values


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return value
    if value == int(value) and abs(value) < 1e6:
        return str(int(value))
    mantissa, _, exponent = f"{value:g}".partition("e")
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa


def _format_rows(operator: Operator) -> Iterator[tuple[str, str, str]]:
    shorthand = ("activation", "weight", "kv", "output")
    for role, default in operator.dtype_roles.items():
        follows = role in shorthand and role not in operator.pinned
        how = "yes" if follows else "no, vector work runs on it" if role == "compute" else "no"
        yield f"`{role}`", default, how


def _named_tensors(operator: Operator) -> Iterator[str]:
    """Yield which tensors can have a format of their own, if any."""
    names = [name for name in getattr(operator, "tensor_roles", {}) if name not in operator.dtype_roles]
    if names:
        listed = ", ".join(f"`{name}`" for name in names)
        yield f'Tensors that can be set by name, as in `--dtype "bf16,{names[0]}=fp8"`: {listed}.'


def _tensor_rows(estimate: Estimate) -> Iterator[tuple[str, str, str, str, str]]:
    for one in estimate.tensors:
        yield one.name, one.role, one.dtype.id, _times(one.reads), _times(one.writes)


def _tensors_blocks(estimate: Estimate) -> list[str]:
    return [
        "## Tensors",
        "As they cross memory with the defaults, compulsorily:",
        _table(("tensor", "role", "format", "read", "written"), _tensor_rows(estimate)),
    ]


def _parts_blocks(estimate: Estimate) -> list[str]:
    rows = ((part.label, f"`{part.operator}`", _value(part.count)) for part in estimate.parts)
    return [
        "## Parts",
        "The kernels that it consists of with the defaults, one after the other:",
        _table(("part", "operator", "times"), rows),
    ]


def _times(count: Any) -> str:
    return {0: "", 1: "once", 2: "twice"}.get(count, f"{_value(count)} times")


def _formulas(estimate: Estimate) -> tuple[Formula, ...]:
    return estimate.formulas() if estimate.formulas is not None else ()


def _notes(estimate: Estimate) -> tuple[str, ...]:
    return estimate.notes() if estimate.notes is not None else ()


def _formula_line(formula: Formula) -> str:
    source = f": {formula.source}" if formula.source else ""
    return f"`{formula.symbols}`{source}"


def _notes_blocks(estimate: Estimate) -> list[str]:
    notes = _notes(estimate)
    return ["## Assumptions", _list(notes)] if notes else []


def _variants(operator: Operator, usual: Estimate) -> Iterator[str]:
    """Yield what reads differently when one choice or switch is set to something else than its default."""
    known = {_formula_line(one) for one in _formulas(usual)} | set(_notes(usual))
    for parameter in operator.parameters:
        choices: tuple[Any, ...] = () if parameter.open_choices else parameter.choices
        if isinstance(parameter.default, bool):
            choices = (not parameter.default,)
        for choice in choices:
            estimate = _estimate(operator, {parameter.name: choice})
            lines = [*map(_formula_line, _formulas(estimate)), *_notes(estimate)]
            new = [line for line in lines if line not in known]
            if choice != parameter.default and new:
                yield f"## With {parameter.name}={_value(choice)}"
                yield _list(new)


def _estimate(operator: Operator, parameters: Mapping[str, Any]) -> Estimate:
    return operator.estimate(resolve_parameters(operator, parameters), resolve_dtypes(operator, {}))


def _example(operator: Operator) -> str:
    shown = [f"{one.name}={_value(one.default)}" for one in operator.parameters[:4]]
    return f"rooflinestudio eval {operator.id} {' '.join(shown)} --on {EXAMPLE_MACHINE}"


def main(arguments: Sequence[str]) -> int:
    """Write the pages of the studio's own operators into the folder named by the only argument."""
    from rooflinestudio.plugins.host import PluginHost

    if len(arguments) != 1:
        print("usage: python -m rooflinestudio.plugins.reference FOLDER", file=sys.stderr)
        return 2
    host = PluginHost.discover(safe_mode=True)
    host.load_builtins()
    names = write_pages(host.registry.operators, Path(arguments[0]))
    print(f"{len(names)} pages written to {arguments[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
