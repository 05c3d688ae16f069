"""Reports as HTML, Markdown and data: everything is there, nothing is taken for markup, nothing points outside."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from rooflinestudio.core.report.data import CSV_COLUMNS, csv_text, json_text
from rooflinestudio.core.report.document import Facts, Section
from rooflinestudio.core.report.html import html_text, inline_picture
from rooflinestudio.core.report.markdown import markdown_text
from rooflinestudio.core.study import Entry
from tests.core.report.paper import (
    HOSTILE,
    LONG,
    NAME,
    all_texts,
    entry,
    held_kernel,
    measured_peak,
    report,
    study,
    with_kernels,
)
from tests.support import machine

SVG = (
    '<?xml version="1.0"?>\n<!DOCTYPE svg>\n<svg width="317.5mm" height="198mm"\n viewBox="0 0 12 7"\n '
    'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">\n<title>T &lt;x></title>\n'
    '<desc>D</desc>\n<path d="M1.23456,2.5 L3,4"/><text x="1.23456">1 > 0</text></svg>\n'
)


@pytest.fixture(scope="module")
def hostile():
    """A study full of names that mean something to HTML, Markdown and spreadsheets."""
    made = study(
        entry(label=HOSTILE), Entry("x", "gone", label="=1+1"), Entry("layer-1", "layer", label="Layer")
    )
    kernels = [
        held_kernel(0, kernel=HOSTILE),
        held_kernel(1, kernel=LONG, time=1e-3),
        held_kernel(2, time=2e-3),
    ]
    made = with_kernels(made, *kernels, pairs=[(0, "copy-1"), (1, "copy-1")])
    return report(replace(made, notes=f"# Monday\n- {HOSTILE}\n1. one\n\nlast_line_"))


def main_of(text):
    """Parse what stands between the tags of <main>; it is strict XML."""
    return ElementTree.fromstring(re.search(r"<main>.*</main>", text, re.DOTALL)[0])


def words(text):
    return " ".join(text.split())


# HTML -------------------------------------------------------------------------------------------------------------


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def test_html_holds_every_text_of_the_report_and_none_as_markup(hostile):
    made, _ = hostile
    root = main_of(html_text(made))
    shown = words(" ".join(root.itertext()))
    missing = [text for text in all_texts(made) if words(text) not in shown]
    assert missing == []
    assert HOSTILE in shown and not list(root.iter("script"))


def test_html_has_all_rows_in_tables_with_heads_for_columns_and_rows(hostile):
    made, _ = hostile
    root = main_of(html_text(made))
    found = {one.find("caption").text: one for one in root.iter("table")}
    for section in made.all_sections():
        for block in section.blocks:
            if hasattr(block, "rows"):
                body = found[block.caption].find("tbody")
                cells = [tuple("".join(cell.itertext()) for cell in row) for row in body]
                assert cells == list(block.rows)
                assert all(row[0].get("scope") == "row" for row in body)
    assert all(one.get("scope") == "col" for one in root.iter("th") if one.get("scope") != "row")


def test_html_needs_nothing_from_outside_and_runs_nothing(hostile):
    text = html_text(hostile[0], inline_picture(SVG), inline_picture(SVG))
    parser = Tags()
    parser.feed(text)
    assert {tag for tag, _ in parser.found} & {
        "script",
        "link",
        "iframe",
        "img",
        "object",
        "embed",
        "base",
    } == set()
    for _tag, attributes in parser.found:
        assert "src" not in attributes and not any(name.startswith("on") for name in attributes)
        assert attributes.get("href", "#").startswith("#")
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)[1]
    assert "url(" not in style and "@import" not in style and "prefers-color-scheme: dark" in style


def test_html_shows_a_picture_for_either_appearance_with_words_for_it(hostile):
    made, _ = hostile
    root = main_of(html_text(made, inline_picture(SVG), inline_picture(SVG)))
    pictures = [one for one in root.iter() if one.get("role") == "img"]
    assert [one.get("class") for one in pictures] == ["light", "dark"]
    assert {one.get("aria-label") for one in pictures} == {made.picture}
    assert not list(main_of(html_text(made)).iter("figure"))


def test_links_of_the_contents_lead_to_sections(hostile):
    root = main_of(html_text(hostile[0]))
    ids = [one.get("id") for one in root.iter() if one.get("id")]
    assert len(set(ids)) == len(ids)
    assert {one.get("href")[1:] for one in root.iter("a")} <= set(ids)


def test_a_picture_for_a_page_has_neither_prologue_nor_size_nor_needless_digits():
    picture = inline_picture(SVG)
    assert picture.startswith("<svg\n") or picture.startswith("<svg ")
    root = ElementTree.fromstring(picture)
    assert root.get("width") is None and root.get("viewBox") == "0 0 12 7"
    assert 'd="M1.23,2.5 L3,4"' in picture and 'x="1.23456"' in picture
    assert "title" not in picture and "<desc" not in picture and "1 > 0" in picture


def test_html_of_a_thousand_kernels_stays_small():
    found = [held_kernel(n, kernel=f"{LONG}{n}", time=(n + 1) * 1e-6) for n in range(1000)]
    made, _ = report(with_kernels(study(entry()), *found, pairs=[(n, "copy-1") for n in range(500)]))
    assert len(html_text(made)) < 100_000


# Markdown ---------------------------------------------------------------------------------------------------------


def unescaped(text):
    plain = re.sub(r"\\([\\`*_{}\[\]|#~$!+>=-]|\d)", r"\1", text)
    return plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def test_markdown_holds_every_text_of_the_report(hostile):
    made, _ = hostile
    shown = words(unescaped(markdown_text(made).replace("\\.", ".")))
    assert [text for text in all_texts(made) if words(text) not in shown] == []


def test_rows_of_markdown_tables_have_as_many_cells_as_their_heads(hostile):
    lines = markdown_text(hostile[0]).splitlines()
    counts = [
        [line.replace("\\\\", "").replace("\\|", "").count("|") for line in group] for group in _tables(lines)
    ]
    assert len(counts) >= 6
    assert all(len(set(group)) == 1 for group in counts)


def _tables(lines):
    group = []
    for line in lines:
        if line.startswith("|"):
            group.append(line)
        elif group:
            yield group
            group = []


def test_markdown_takes_no_name_for_markup(hostile):
    text = markdown_text(hostile[0])
    assert "<script>" not in text and not re.search(r"(?<!\\)(\]\(http|`|\*z)", text)
    notes = [line for line in text.splitlines() if line.startswith("> ")]
    assert notes[0] == "> \\# Monday" and notes[1].startswith("> \\- void")
    assert notes[2] == "> 1\\. one" and notes[-1] == "> last\\_line\\_"


def test_addresses_of_sources_can_be_followed():
    made, _ = report(study(entry()))
    link = "https://example.org/a_b_c/index.html#one-two"
    told = replace(made, sections=(Section("sources", "Sources", (Facts((("1", f"Page ({link})"),)),)),))
    assert f"- **1**: Page ({link})" in markdown_text(told).splitlines()


def test_markdown_names_the_picture_beside_it(hostile):
    made, _ = hostile
    line = next(
        line for line in markdown_text(made, "my study (1)-roofline.svg").splitlines() if line[:1] == "!"
    )
    assert line.endswith("](<my study (1)-roofline.svg>)")
    assert "![" not in markdown_text(made)


# Data -------------------------------------------------------------------------------------------------------------


def document(made):
    return json.loads(json_text(*report(made)), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))


def test_the_data_of_a_placement_is_exact_and_in_base_units():
    (point,) = document(study(entry()))["placements"]
    assert (point["work_flop"], point["traffic_bytes"], point["time_s"]) == (1e10, 4e9, 2e-3)
    assert (point["intensity_flop_per_byte"], point["flop_per_s"], point["ceiling"]) == (2.5, 5e12, "fp32")
    assert (point["boundary"], point["binding"], point["policy"], point["absorption"]) == (
        "dram", "dram", "compulsory", None,
    )  # fmt: skip


def test_the_data_has_all_ceilings_with_their_origin_so_that_the_plot_can_be_made_again():
    (found,) = document(study(entry(), profiles=(measured_peak(machine(NAME)),)))["machines"]
    ceilings = {one["id"]: one for one in found["ceilings"]}
    assert list(ceilings) == ["bf16-tensor", "fp8-tensor", "fp32", "special"]
    used = ceilings["bf16-tensor"]
    assert (used["flop_per_s"], used["provenance"], used["source"]) == (800e12, "measured", "own benchmark")
    assert (used["not_in_use"]["flop_per_s"], used["not_in_use"]["provenance"]) == (1e15, "published")
    assert {one["id"]: one["bytes_per_s"] for one in found["boundaries"]} == {
        "l2": 8e12, "dram": 2e12, "nvlink": 400e9,
    }  # fmt: skip


def test_measured_kernels_are_points_too_and_pairs_say_what_came_from_the_operator():
    made = document(with_kernels(study(entry()), held_kernel(work={}), held_kernel(1), pairs=[(0, "copy-1")]))
    blind, counted = made["measured"]
    assert (blind["work_flop"], blind["paired_with"]) == (None, "copy-1")
    assert (counted["work_flop"], counted["traffic_bytes"]) == (1e10, {"dram": 5e9})
    assert (counted["intensity_flop_per_byte"], counted["paired_with"]) == ({"dram": 2.0}, None)
    (pair,) = made["pairs"]
    assert (pair["work_flop"], pair["intensity_flop_per_byte"]) == (1e10, 2.0)
    assert pair["work_from"].startswith("copy elements") and pair["traffic_to_predicted"] == 1.25
    assert pair["time_to_bound"] == pytest.approx(1.5) and pair["time_to_forecast"] is None


def test_infinite_and_absent_figures_are_null():
    points = document(study(entry(), Entry("x", "gone")))["placements"]
    assert points[1]["state"] == "unavailable" and "work_flop" not in points[1]


def test_the_csv_has_ceilings_boundaries_placements_and_kernels_in_one_table():
    made = with_kernels(
        study(entry(label="=cmd")), held_kernel(work={}), held_kernel(1), pairs=[(0, "copy-1")]
    )
    lines = list(csv.DictReader(io.StringIO(csv_text(*report(made)), newline="")))
    assert tuple(lines[0]) == CSV_COLUMNS
    kinds = [line["kind"] for line in lines]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "ceiling": 4, "boundary": 3, "placement": 1, "measured": 2,
    }  # fmt: skip
    point = next(line for line in lines if line["kind"] == "placement")
    assert point["name"] == "'=cmd" and float(point["intensity_flop_per_byte"]) == 2.5
    blind, counted = [line for line in lines if line["kind"] == "measured"]
    assert float(blind["work_flop"]) == 1e10 and blind["reason"].startswith("W from copy")
    assert (float(counted["flop_per_s"]), counted["boundary"]) == (pytest.approx(1e10 / 3e-3), "dram")


def test_of_more_kernels_than_a_table_should_have_the_longest_are_written(monkeypatch):
    monkeypatch.setattr("rooflinestudio.core.report.data.MOST_KERNELS", 2)
    found = [held_kernel(n, time=(n + 1) * 1e-3) for n in range(5)]
    made, placed = report(with_kernels(study(entry()), *found))
    told = json.loads(json_text(made, placed))
    assert [one["launch"] for one in told["measured"]] == [3, 4] and told["measured_left_out"] == 3
    assert csv_text(made, placed).splitlines()[-1].startswith("note,") and "3 measured kernels" in csv_text(
        made, placed
    )
