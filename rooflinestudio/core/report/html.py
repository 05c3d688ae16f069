"""A report as one HTML file: no script, no network, tables that a screen reader can walk, light and dark."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.report.document import Facts, Lines, Prose, Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.report.document import Block, Report, Section

__all__ = ["html_body", "html_text", "inline_picture"]

_STYLE: Final = """
:root { color-scheme: light dark; --paper: #ffffff; --text: #1a1d23; --quiet: #5d6571; --line: #dadde3;
  --head: #f3f4f6; --accent: #2450c4; }
@media (prefers-color-scheme: dark) { :root { --paper: #181b20; --text: #e7e9ed; --quiet: #929aa7; --line: #2e333d;
  --head: #22262e; --accent: #8fb0ff; } }
body { margin: 0 auto; max-width: 78rem; padding: 2rem 1.5rem 4rem; background: var(--paper); color: var(--text);
  font: 15px/1.5 Inter, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .2rem; } h2 { font-size: 1.25rem; margin: 2.4rem 0 .6rem; }
h3 { font-size: 1.05rem; margin: 1.6rem 0 .5rem; } h4 { font-size: 1rem; margin: 1.2rem 0 .4rem; }
p { margin: .5rem 0; max-width: 60rem; } .quiet, figcaption, caption { color: var(--quiet); font-size: .9em; }
.own { white-space: pre-wrap; border-left: 3px solid var(--line); padding-left: .9rem; }
nav ul { columns: 3 14rem; padding-left: 1.2rem; } nav a { color: var(--accent); }
figure { margin: 1.2rem 0; } figure svg { width: 100%; height: auto; display: block; border: 1px solid var(--line); }
.dark { display: none; }
@media (prefers-color-scheme: dark) { .light { display: none; } .dark { display: block; } }
.scroll { overflow-x: auto; margin: .8rem 0; } table { border-collapse: collapse; font-size: .87em; min-width: 50%; }
caption { text-align: left; padding: .2rem 0 .35rem; caption-side: top; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
thead th { background: var(--head); border-bottom-width: 2px; } tbody th { font-weight: 500; }
th:first-child { overflow-wrap: anywhere; min-width: 9rem; }
.figure { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
dl { max-width: 66rem; } dt { font-weight: 600; margin-top: .5rem; overflow-wrap: anywhere; }
dd { margin: 0 0 0 1.2rem; overflow-wrap: anywhere; } li { margin: .25rem 0; max-width: 62rem; }
@media print { body { max-width: none; padding: 0; } nav { display: none; } tr { break-inside: avoid; } }
"""

_PROLOGUE: Final = re.compile(r"\A.*?(?=<svg[\s>])", re.DOTALL)
_PATHS: Final = re.compile(r'(?<=\s)(?:d|points)="[^"]*"')
_LONG_NUMBER: Final = re.compile(r"\d+\.\d{3,}")
_SIZE: Final = re.compile(r'\s(?:width|height)="[^"]*"')
_UNUSED: Final = re.compile(r"\s*<(?:title|desc)>.*?</(?:title|desc)>", re.DOTALL)


def html_text(report: Report, light: str = "", dark: str = "") -> str:
    """Return a report as a whole HTML file.

    Parameters
    ----------
    light, dark
        The picture for either appearance, as :func:`inline_picture` gives it, or empty.
    """
    title = escape(report.title)
    body = "\n".join((_nav(report), _figure(report, light, dark), html_body(report)))
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="{escape(report.made_with)}">\n<title>{title}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
        f'<p class="quiet">Made {escape(report.made)} with {escape(report.made_with)}.</p>\n{body}\n</main>\n'
        "</body>\n</html>\n"
    )


def html_body(report: Report) -> str:
    """Return the sections alone, for a writer that makes its own head."""
    return "\n".join(line for section in report.sections for line in _section(section, 2))


def inline_picture(svg: str) -> str:
    """Return an SVG file as an element for a page: without prologue, titles, a size of its own and needless digits."""
    body = _UNUSED.sub("", _PROLOGUE.sub("", svg, count=1)).strip()
    head, bracket, rest = body.partition(">")
    # Outlines of letters make up most of it; a hundredth of a pixel is enough for them.
    return f"{_SIZE.sub('', head)}{bracket}{_PATHS.sub(_rounded, rest)}"


def _rounded(path: re.Match[str]) -> str:
    return _LONG_NUMBER.sub(lambda number: f"{float(number[0]):.2f}", path[0])


def _nav(report: Report) -> str:
    items = "".join(
        f'<li><a href="#{escape(one.id)}">{escape(one.title)}</a></li>' for one in report.sections
    )
    return f'<nav aria-label="Contents"><ul>{items}</ul></nav>'


def _figure(report: Report, light: str, dark: str) -> str:
    if not light:
        return ""
    words = escape(report.picture)
    shown = [("light", light), ("dark", dark)] if dark else [("both", light)]
    pictures = "".join(
        f'<div class="{name}" role="img" aria-label="{words}">{one}</div>' for name, one in shown
    )
    return f"<figure>{pictures}<figcaption>{words}</figcaption></figure>"


def _section(section: Section, level: int) -> Iterator[str]:
    yield f'<section id="{escape(section.id)}">'
    yield f"<h{min(level, 6)}>{escape(section.title)}</h{min(level, 6)}>"
    for block in section.blocks:
        yield from _block(block)
    for part in section.parts:
        yield from _section(part, level + 1)
    yield "</section>"


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Table):
        yield from _table(block)
    elif isinstance(block, Facts):
        yield "<dl>"
        yield from (f"<dt>{escape(term)}</dt><dd>{escape(text)}</dd>" for term, text in block.items)
        yield "</dl>"
    elif isinstance(block, Lines):
        yield "<ul>"
        yield from (f"<li>{escape(one)}</li>" for one in block.items)
        yield "</ul>"
    elif isinstance(block, Prose):
        role = f' class="{block.role}"' if block.role else ""
        yield f"<p{role}>{escape(block.text)}</p>"


def _table(table: Table) -> Iterator[str]:
    caption = escape(table.caption)
    yield f'<div class="scroll" role="region" tabindex="0" aria-label="{caption}"><table>'
    yield f"<caption>{caption}</caption>"
    heads = (f'<th scope="col"{_class(one.is_figure)}>{escape(one.head)}</th>' for one in table.columns)
    yield f"<thead><tr>{''.join(heads)}</tr></thead><tbody>"
    for first, *cells in table.rows:
        rest = (
            f"<td{_class(column.is_figure)}>{escape(cell)}</td>"
            for column, cell in zip(table.columns[1:], cells, strict=True)
        )
        yield f'<tr><th scope="row">{escape(first)}</th>{"".join(rest)}</tr>'
    yield "</tbody></table></div>"
    if table.note:
        yield f'<p class="quiet">{escape(table.note)}</p>'


def _class(is_figure: bool) -> str:
    return ' class="figure"' if is_figure else ""
