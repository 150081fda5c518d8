"""Maps as files: classes of points, tables, and pictures that are opened again."""

import csv
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from pypdf import PdfReader
from PySide6.QtGui import QImage
from PySide6.QtSvg import QSvgRenderer
from toy_ontology import HEADER, stanza
from toy_workspace import VECTORS, quiet

from termexplorer.errors import UserError
from termexplorer.exporters.picture_page import MapPicture, PictureMap, Series
from termexplorer.exporters.pictures import write_picture
from termexplorer.services.importing.releases import ImportRequest, import_release
from termexplorer.services.map.aligned_maps import align_maps
from termexplorer.services.map.files import MapSheet, check_file, picture_of, write_maps
from termexplorer.services.map.points import (
    COLOURS,
    MapPoints,
    check_level,
    point_groups,
    points_of_names,
)
from termexplorer.services.map.projection import NameMap, ProjectionRequest, project
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace


def made(workspace: Workspace, **more: object) -> NameMap:
    request = ProjectionRequest(workspace.folder, 1, VECTORS, method="pca", **more)  # type: ignore[arg-type]
    return project(workspace, request, JobControl(), quiet)


def written(workspace: Workspace, path: Path, level: int | None = 1) -> NameMap:
    name_map = made(workspace)
    points = points_of_names(workspace, 1, name_map.name_ids, "", level)
    write_maps(path, MapSheet(align_maps([name_map]), points, "toys", ["toy mean #5"]))
    return name_map


def test_classes_are_those_at_or_above_a_concept(workspace: Workspace) -> None:
    name_map = made(workspace, names="all")
    points = points_of_names(workspace, 1, name_map.name_ids, "", 1)
    of = dict(zip(points.names, points.classes, strict=True))
    assert of["disease"] == ()
    assert of["lung disease"] == of["disease of the lung"] == (("TOY:1", "lung disease"),)
    assert of["sequel of mild injury of the left lung"] == (("TOY:1", "lung disease"),)
    below = points_of_names(workspace, 1, made(workspace, root="TOY:1").name_ids, "TOY:1", 1)
    kinds = {label for class_name in below.classes for _, label in class_name}
    assert kinds == {"lung infection", "lung tumour", "lung injury"}


def points_of(*classes: str) -> MapPoints:
    """Points whose classes are letters: `"a"`, `"ab"` of two, `""` of none."""
    point_classes = tuple(
        tuple((letter, f"class {letter}") for letter in class_name) for class_name in classes
    )
    return MapPoints(("X:1",) * len(point_classes), ("x",) * len(point_classes), 2, point_classes)


def test_the_largest_classes_have_colours_and_the_rest_is_grey() -> None:
    letters = "abcdefghi"
    classes = [letter for n, letter in enumerate(letters) for _ in range(20 - n)]
    groups = point_groups(points_of("ab", *classes, ""))
    assert [group.label for group in groups] == [
        *(f"class {letter}" for letter in letters[:7]),
        "2 smaller classes",
        "of several classes",
        "of no class on level 2",
    ]
    assert tuple(group.colour for group in groups[:7]) == COLOURS
    assert [group.mark for group in groups] == [*"1234567", "", "", ""]
    for group in groups[7:]:
        assert len(set(bytes.fromhex(group.colour[1:]))) == 1  # as much red as green and blue
    assert [len(group.points) for group in groups] == [*range(20, 13, -1), 13 + 12, 1, 1]
    everything = np.sort(np.concatenate([group.points for group in groups]))
    np.testing.assert_array_equal(everything, np.arange(len(classes) + 2))


def test_one_smaller_class_is_one() -> None:
    labels = [group.label for group in point_groups(points_of(*"abcdefgh"))]
    assert "1 smaller class" in labels


def test_a_table_has_the_coordinates_to_the_last_digit(
    workspace: Workspace, tmp_path: Path
) -> None:
    written_answer = written(workspace, tmp_path / "map.csv")
    with (tmp_path / "map.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["concept", "name", "x", "y", "class", "class_name"]
    places = np.array([(row["x"], row["y"]) for row in rows], np.float32)
    np.testing.assert_array_equal(places, written_answer.positions)
    lung = next(row for row in rows if row["name"] == "lung tumour")
    assert (lung["concept"][:4], lung["class"]) == ("TOY:", "TOY:1")
    assert lung["class_name"] == "lung disease"
    written(workspace, tmp_path / "plain.csv", level=None)
    header = (tmp_path / "plain.csv").read_text("utf-8").splitlines()[0]
    assert header == "concept,name,x,y"


@pytest.mark.usefixtures("qapp")
def test_an_svg_is_read_again_with_its_text_and_points(
    workspace: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "map.svg"
    written_answer = written(workspace, path)
    assert QSvgRenderer(str(path)).isValid()
    tree = ElementTree.parse(path)  # noqa: S314 - written a moment ago
    texts = [
        "".join(text_element.itertext()).strip()
        for text_element in tree.iter("{http://www.w3.org/2000/svg}text")
    ]
    assert "PCA of toys by toy mean #5" in texts
    assert any("seed 0" in text and "trustworthiness 0." in text for text in texts)
    assert "lung disease (94)" in texts
    circles = list(tree.iter("{http://www.w3.org/2000/svg}circle"))
    assert len(circles) >= written_answer.info.points
    for circle in circles:
        assert 24 <= float(circle.get("cx", "")) <= 1_240
        assert 0 <= float(circle.get("cy", "")) <= 920


@pytest.mark.usefixtures("qapp")
def test_a_pdf_is_one_page_whose_text_can_be_read(workspace: Workspace, tmp_path: Path) -> None:
    written(workspace, tmp_path / "map.pdf")
    (page,) = PdfReader(tmp_path / "map.pdf").pages
    text = " ".join(page.extract_text().split())
    for expected in (
        "PCA of toys by toy mean #5",
        "seed 0",
        "Classes on level 1",
        "lung disease (94)",
    ):
        assert expected in text


@pytest.mark.usefixtures("qapp")
def test_a_png_shows_the_colours(workspace: Workspace, tmp_path: Path) -> None:
    written(workspace, tmp_path / "map.png")
    image = QImage(str(tmp_path / "map.png")).convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width())
    inside = pixels[160:1_740, 60:1_640] & 0xFFFFFF
    shown = {f"#{value:06X}" for value in np.unique(inside).tolist()}
    assert set(COLOURS[:4]) <= shown
    assert "#FFFFFF" in shown


@pytest.mark.usefixtures("qapp")
def test_a_picture_has_the_licence_note_of_its_concepts(
    workspace: Workspace, tmp_path: Path
) -> None:
    name_map = made(workspace)
    points = points_of_names(workspace, 1, name_map.name_ids, "", None)
    foreign_points = replace(points, concepts=("SNOMEDCT:138875005",) * len(points.names))
    for name, map_points in (("toys.svg", points), ("own.svg", foreign_points)):
        write_maps(
            tmp_path / name, MapSheet(align_maps([name_map]), map_points, "toys", ["toy mean #5"])
        )
    assert [path.name for path in tmp_path.glob("*.txt")] == ["own.svg.licence.txt"]


def test_names_are_not_taken_for_marks_of_the_picture(tmp_path: Path) -> None:
    odd = '<b>&"pneumonia" ' + "x" * 200
    places = np.array([[0, 0], [0, 0]], np.float32)  # all in one place
    series = (Series(odd, "#0072B2", np.arange(2), "1"),)
    picture = MapPicture(odd, odd, odd, series, (PictureMap(places, odd, odd, ((1, odd),)),))
    for name in ("a.svg", "a.png", "a.pdf"):
        write_picture(tmp_path / name, picture)
    assert QSvgRenderer(str(tmp_path / "a.svg")).isValid()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.pdf", "a.png", "a.svg"]
    image = QImage(str(tmp_path / "a.png"))
    assert round(image.dotsPerMeterX() * 0.0254) == 300
    assert image.width() == round(picture.size[0] * 300 / 72)


def test_the_second_line_says_all_that_a_reader_needs(workspace: Workspace) -> None:
    name_map = made(workspace, seed=7)
    info = replace(name_map.info, card={**name_map.info.card, "left_out": 2})
    aligned = align_maps([replace(name_map, info=info)])
    points = points_of_names(workspace, 1, name_map.name_ids)
    picture = picture_of(MapSheet(aligned, points, "toys", ["e #5"]))
    assert picture.facts.startswith(
        "377 names of 377 concepts · 2 left out of which nothing is known · seed 7 · "
    )
    assert picture.facts.endswith("of the 15 nearest kept")
    assert [series.label for series in picture.series] == ["all names (377)"]


def test_levels_that_are_not_there(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no level 9 in this ontology; choose 1 to 5"):
        check_level(workspace, 1, "", 9)
    flat = tmp_path / "flat.obo"
    flat.write_text(HEADER + stanza("F:1", "a") + stanza("F:2", "b"), encoding="utf-8")
    asked = ImportRequest(workspace.folder, str(flat))
    imported = import_release(workspace, asked, JobControl(), quiet)
    with pytest.raises(UserError, match="there are no levels: it has no is-a links"):
        check_level(workspace, imported.id, "", 1)


def test_files_of_another_form_or_place(tmp_path: Path) -> None:
    with pytest.raises(
        UserError, match=r"name the file \.csv, \.tsv, \.xlsx, \.jsonl, \.parquet, \.json, \.png"
    ):
        check_file(tmp_path / "map.gif")
    with pytest.raises(UserError, match="there is no folder"):
        check_file(tmp_path / "none" / "map.csv")
