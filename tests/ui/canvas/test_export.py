"""PNG, SVG and PDF hold the same picture, with its title and model line, whole or not at all."""

from __future__ import annotations

import re
import zlib
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QImage

from rooflinestudio.ui.canvas.coordinates import Range
from rooflinestudio.ui.canvas.export import FORMATS, PictureError, export_picture, picture_image
from rooflinestudio.ui.presenter import scene_of
from rooflinestudio.ui.theme import DARK, LIGHT
from tests.ui.canvas.samples import FAST, SLOW, entry, measurement, overlay, placed

pytestmark = pytest.mark.usefixtures("qapp")

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def scene():
    study = placed(
        entry("big", work=1e13, blocked=20, label="Big product"),
        entry("copy", "vector", flop=0, label="Copy"),
        machines=(FAST, SLOW),
        policy="tiled",
    )
    return scene_of(study, selected="big")


def svg_texts(path):
    root = ElementTree.parse(path).getroot()
    return ["".join(node.itertext()).strip() for node in root.iter(f"{SVG}text")]


def test_an_svg_holds_real_text_with_title_and_model_line_and_no_bitmap(scene, tmp_path):
    path = export_picture(tmp_path / "roof.svg", scene)
    texts = svg_texts(path)

    assert "Roofline at HBM" in texts
    assert "tiled" in texts and "pure bound, no launch cost" in texts
    assert {"Big product", "ridge 250", "intensity at HBM, FLOP/byte", "100 TFLOP/s", "Copy"} <= set(texts)
    assert not list(ElementTree.parse(path).getroot().iter(f"{SVG}image"))


def test_an_svg_names_explicit_fonts_and_has_no_cosmetic_strokes(scene, tmp_path):
    content = export_picture(tmp_path / "roof.svg", scene).read_text(encoding="utf-8")

    families = set(re.findall(r'<text[^>]*font-family="([^"]*)"', content))
    assert families and all(family.startswith("Inter,") for family in families)
    assert "non-scaling-stroke" not in content


def test_an_svg_measures_what_was_asked_for_at_96_dots_per_inch(scene, tmp_path):
    root = ElementTree.parse(export_picture(tmp_path / "roof.svg", scene, size=(960, 600))).getroot()

    assert root.get("viewBox") == "0 0 960 600"
    assert float(root.get("width").removesuffix("mm")) == pytest.approx(254.0, abs=0.1)


def test_the_same_scene_gives_the_same_svg(scene, tmp_path):
    first, second = (export_picture(tmp_path / name, scene).read_bytes() for name in ("a.svg", "b.svg"))

    assert first == second


def test_lines_are_cut_at_the_plot_since_svg_has_no_clip(scene, tmp_path):
    path = export_picture(tmp_path / "roof.svg", scene, Range(1.0, 1.5, 12.5, 13.0), size=(800, 500))
    content = path.read_text(encoding="utf-8")

    # All coordinates of lines; words and markers hold to the plot by their own rules.
    for match in re.finditer(r'<polyline[^>]*points="([^"]+)"', content):
        for x, y in (map(float, pair.split(",")) for pair in match.group(1).split()):
            assert -1 <= x <= 801 and -1 <= y <= 501


def test_a_pdf_has_one_page_of_the_right_size_with_embedded_fonts_and_no_picture(scene, tmp_path):
    content = export_picture(tmp_path / "roof.pdf", scene, size=(960, 600)).read_bytes()

    assert content.startswith(b"%PDF-") and content.rstrip().endswith(b"%%EOF")
    box = re.search(rb"/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)", content)
    assert [float(one) for one in box.groups()] == pytest.approx([720, 450], abs=1)
    assert len(re.findall(rb"/Type\s*/Page\b", content)) == 1
    assert b"/FontFile" in content
    assert not re.search(rb"/Subtype\s*/Image", content)


def test_a_pdf_draws_lines_and_words(scene, tmp_path):
    content = export_picture(tmp_path / "roof.pdf", scene).read_bytes()
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", content, re.DOTALL)
    page = max(
        (zlib.decompress(one) for one in streams if one[:1] == b"x"), key=lambda one: one.count(b" l\n")
    )

    assert page.count(b"BT") > 20
    assert page.count(b" l\n") > 50


@pytest.mark.parametrize(("scale", "width"), [(1.0, 800), (2.0, 1600), (3.0, 2400)])
def test_a_png_has_the_dots_that_were_asked_for(scene, tmp_path, scale, width):
    image = QImage(str(export_picture(tmp_path / "roof.png", scene, size=(800, 500), scale=scale)))

    assert (image.width(), image.height()) == (width, width * 5 // 8)
    assert image.dotsPerMeterX() == pytest.approx(96 * scale / 0.0254, abs=1)


def test_the_theme_of_a_file_is_its_own(scene, tmp_path):
    light = QImage(str(export_picture(tmp_path / "light.png", scene, theme=LIGHT)))
    dark = QImage(str(export_picture(tmp_path / "dark.png", scene, theme=DARK)))

    assert light.pixelColor(2, 2).name() == "#ffffff"
    assert dark.pixelColor(2, 2).name() == DARK.qcolor("canvas").name()


def test_the_invitation_is_not_in_the_file(tmp_path):
    export_picture(tmp_path / "empty.svg", scene_of(placed()))

    assert not any("operator" in text for text in svg_texts(tmp_path / "empty.svg"))


def test_few_measured_kernels_are_shapes_and_many_are_one_picture(tmp_path):
    few = overlay(
        *(measurement(n, time_s=1e-3 * (1 + n / 10), traffic_bytes=1e9 * (n + 1)) for n in range(60))
    )
    many = overlay(*(measurement(n, time_s=1e-3 * (1 + n / 500)) for n in range(3200)), name="many.csv")

    export_picture(tmp_path / "few.svg", scene_of(placed(overlays=(few,))))
    export_picture(tmp_path / "many.svg", scene_of(placed(overlays=(many,))))

    def images(name):
        return len(list(ElementTree.parse(tmp_path / name).getroot().iter(f"{SVG}image")))

    assert (images("few.svg"), images("many.svg")) == (0, 1)


def test_an_image_for_the_clipboard_is_the_same_picture(scene, tmp_path):
    image = picture_image(scene, size=(800, 500), scale=1.0)
    written = QImage(str(export_picture(tmp_path / "roof.png", scene, size=(800, 500), scale=1.0)))

    assert image.convertToFormat(written.format()) == written


# ------------------------------------------------------------------------------------------- failures


def test_an_unknown_ending_is_refused_with_those_that_are_known(scene, tmp_path):
    with pytest.raises(PictureError, match=r"ends in \.png, \.svg, \.pdf, not in '\.gif'"):
        export_picture(tmp_path / "roof.gif", scene)


@pytest.mark.parametrize("ending", FORMATS)
def test_a_folder_that_is_not_there_is_an_error_that_names_the_file(scene, tmp_path, ending):
    with pytest.raises(PictureError, match=f"roof{re.escape(ending)}: the picture could not be written"):
        export_picture(tmp_path / "missing" / f"roof{ending}", scene)


@pytest.mark.parametrize("ending", FORMATS)
def test_what_was_there_stays_if_the_new_picture_fails(scene, tmp_path, ending, monkeypatch):
    target = tmp_path / f"roof{ending}"
    target.write_bytes(b"old")
    monkeypatch.setattr("rooflinestudio.ui.canvas.export.paint", failing)

    with pytest.raises(PictureError, match="no paint left"):
        export_picture(target, scene)

    assert target.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == [target.name]


def failing(*_args, **_more):
    raise OSError("no paint left")


@pytest.mark.parametrize("ending", FORMATS)
def test_an_existing_file_is_replaced_and_nothing_else_is_left(scene, tmp_path, ending):
    target = tmp_path / f"roof{ending}"
    target.write_bytes(b"old")

    export_picture(target, scene)

    assert target.stat().st_size > 1000
    assert [one.name for one in tmp_path.iterdir()] == [target.name]


@pytest.mark.parametrize(("size", "scale"), [((100, 100), 1.0), ((1000, 600), 0.0), ((20000, 20000), 2.0)])
def test_sizes_that_make_no_picture_are_refused(scene, tmp_path, size, scale):
    with pytest.raises(PictureError, match="no size for a picture"):
        export_picture(tmp_path / "roof.png", scene, size=size, scale=scale)
