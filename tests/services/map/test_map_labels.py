"""Labels of clusters on a map: found once, kept with it, placed without overlaps, drawn."""

from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader
from toy_workspace import VECTORS, quiet

from termexplorer.services.map import labels as service
from termexplorer.services.map.aligned_maps import align_maps
from termexplorer.services.map.files import MapSheet, write_maps
from termexplorer.services.map.labels import Box, label_map, place_labels, whole_labels
from termexplorer.services.map.points import points_of_names
from termexplorer.services.map.projection import NameMap, ProjectionRequest, project, stored_map
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace


@pytest.fixture
def labelled(workspace: Workspace) -> NameMap:
    request = ProjectionRequest(workspace.folder, 1, VECTORS, method="pca")
    name_map = project(workspace, request, JobControl(), quiet)
    assert name_map.labels is None
    return label_map(workspace, name_map, JobControl(), quiet)


def test_labels_are_names_around_and_are_kept(
    workspace: Workspace, labelled: NameMap, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels = labelled.labels
    assert labels
    names = points_of_names(workspace, 1, labelled.name_ids).names
    for label in labels:
        assert 5 <= label.size <= len(names)
        assert label.text in names
    assert all(first.size >= second.size for first, second in pairwise(labels))
    monkeypatch.setattr(service, "supervise", None)  # nothing more is computed
    again = stored_map(workspace, ProjectionRequest(workspace.folder, 1, VECTORS, method="pca"))
    assert again is not None
    assert again.labels == labels
    assert again.same_as(labelled)
    assert again.quality == labelled.quality
    assert label_map(workspace, again, JobControl(), quiet) is again


def test_labels_of_a_map_that_was_made_anew_meanwhile_are_not_kept(
    workspace: Workspace, labelled: NameMap
) -> None:
    bare = {key: value for key, value in labelled.info.card.items() if key != "labels"}
    elsewhere = replace(labelled.info, card=bare, content_hash="of another file")
    label_map(workspace, replace(labelled, info=elsewhere), JobControl(), quiet)
    result = stored_map(workspace, ProjectionRequest(workspace.folder, 1, VECTORS, method="pca"))
    assert result is not None
    assert result.same_as(labelled)
    assert result.labels == labelled.labels


@pytest.mark.usefixtures("qapp")
def test_pictures_have_labels_unless_they_are_not_wanted(
    workspace: Workspace, labelled: NameMap, tmp_path: Path
) -> None:
    points = points_of_names(workspace, 1, labelled.name_ids)
    assert labelled.labels
    first = labelled.labels[0].text
    for shown in (True, False):
        for ending in ("svg", "pdf", "png"):
            sheet = MapSheet(align_maps([labelled]), points, "toys", ["toy mean"], shown)
            write_maps(tmp_path / f"{shown}.{ending}", sheet)
        tree = ElementTree.parse(tmp_path / f"{shown}.svg")  # noqa: S314 - written a moment ago
        texts = {
            "".join(text_element.itertext()).strip()
            for text_element in tree.iter("{http://www.w3.org/2000/svg}text")
        }
        (page,) = PdfReader(tmp_path / f"{shown}.pdf").pages
        assert (first in texts) == shown
        assert (first in " ".join(page.extract_text().split())) == shown
    png = (tmp_path / "True.png").read_bytes()
    assert png != (tmp_path / "False.png").read_bytes()


LABELS = st.lists(
    st.tuples(st.floats(-200, 200), st.floats(-200, 200), st.floats(1, 90), st.floats(1, 20)),
    max_size=30,
)


def overlap(box: Box, other: Box) -> bool:
    """By the area that they share."""
    wide = min(box.left + box.width, other.left + other.width) - max(box.left, other.left)
    high = min(box.top + box.height, other.top + other.height) - max(box.top, other.top)
    return wide > 0 and high > 0


@given(LABELS, LABELS)
def test_labels_never_overlap_and_the_first_have_their_places(
    labels: list[tuple[float, ...]], badges: list[tuple[float, ...]]
) -> None:
    places, sizes = [label[:2] for label in labels], [label[2:] for label in labels]
    taken = [Box(*badge) for badge in badges]
    placed = place_labels(places, sizes, taken)  # type: ignore[arg-type]
    boxes = [box for _, box in placed]
    assert not any(overlap(first, second) for first, second in combinations(boxes, 2))
    assert not any(overlap(rectangle, other) for rectangle in boxes for other in taken)
    numbers = [number for number, _ in placed]
    assert numbers == sorted(set(numbers))
    if labels and not badges:
        assert numbers[0] == 0
    for number, box in placed:
        assert (box.width, box.height) == sizes[number]
        assert box.left + box.width / 2 == pytest.approx(places[number][0], abs=1e-6)
        assert abs(box.top + box.height / 2 - places[number][1]) <= box.height + 14.001


@given(LABELS, LABELS, st.integers(100, 300), st.integers(30, 300))
def test_no_edge_of_a_window_cuts_a_label(
    labels: list[tuple[float, ...]], badges: list[tuple[float, ...]], width: int, height: int
) -> None:
    places, sizes = [label[:2] for label in labels], [label[2:] for label in labels]
    taken = [Box(*badge) for badge in badges]
    placed = dict(place_labels(places, sizes, taken))  # type: ignore[arg-type]
    window = Box(0, 0, width, height)
    shown = dict(whole_labels(list(placed.items()), taken, width, height))
    assert not any(overlap(first, second) for first, second in combinations(shown.values(), 2))
    assert not any(overlap(first, other) for first in shown.values() for other in taken)
    for number, box in placed.items():
        x, y = box.left + box.width / 2, box.top + box.height / 2
        if number in shown:
            seen = shown[number]
            assert seen.left >= 0
            assert seen.top >= 0
            assert seen.left + seen.width <= width + 1e-9
            assert seen.top + seen.height <= height + 1e-9
            assert abs(seen.left - box.left) <= box.width / 2 + 1e-9
            assert abs(seen.top - box.top) <= box.height / 2 + 1e-9
        inside = 0 <= x <= width and 0 <= y <= height
        whole = inside and box.left >= 0 and box.top >= 0
        whole = whole and box.left + box.width <= width and box.top + box.height <= height
        if whole:
            assert shown[number] == box
        if not inside:
            assert number not in shown
    if len(placed) == 1 and not taken and overlap(*placed.values(), window):
        (box,) = placed.values()
        middle = box.left + box.width / 2, box.top + box.height / 2
        assert bool(shown) == (0 <= middle[0] <= width and 0 <= middle[1] <= height)
