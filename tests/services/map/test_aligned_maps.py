"""Maps of several encoders over the same names: made, laid over each other, written."""

import csv
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from pypdf import PdfReader
from scipy.spatial import procrustes as of_scipy
from toy_workspace import TRAINED, VECTORS, quiet

from termexplorer.errors import UserError
from termexplorer.services.encoders.vectors import add_vectors
from termexplorer.services.map.aligned_maps import AlignedMaps, align_maps, requests_for
from termexplorer.services.map.files import MapSheet, write_maps
from termexplorer.services.map.labels import label_map
from termexplorer.services.map.points import points_of_names
from termexplorer.services.map.projection import (
    NameMap,
    ProjectionRequest,
    project,
    stopped_map,
    stored_map,
    was_stopped,
)
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace


def asked(workspace: Workspace, method: str = "pca", **more: object) -> ProjectionRequest:
    return ProjectionRequest(workspace.folder, 1, VECTORS, method=method, **more)  # type: ignore[arg-type]


def made(workspace: Workspace, request: ProjectionRequest) -> NameMap:
    return project(workspace, request, JobControl(), quiet)


def two(workspace: Workspace, **more: object) -> list[NameMap]:
    requests = requests_for(asked(workspace, **more), [VECTORS, TRAINED])  # type: ignore[arg-type]
    return [made(workspace, request) for request in requests]


def test_the_second_is_laid_over_the_first_which_stays(with_run: Workspace) -> None:
    first, second = two(with_run)
    aligned = align_maps([first, second])
    np.testing.assert_array_equal(aligned.maps[0].positions, first.positions)
    assert aligned.maps[0].disparity == 0
    assert not aligned.maps[0].moved.any()
    _, _, expected = of_scipy(first.positions, second.positions)
    assert aligned.maps[1].disparity == pytest.approx(expected)
    arrows = aligned.arrows(1, 7)
    lengths = np.linalg.norm(aligned.maps[1].positions - first.positions, axis=1)
    farthest = np.argsort(-lengths)[:7]
    np.testing.assert_array_equal(arrows[:, 0], first.positions[farthest])
    np.testing.assert_array_equal(arrows[:, 1], aligned.maps[1].positions[farthest])
    assert len(aligned.arrows(0)) == 0


def test_tsne_starts_from_the_first_and_comes_out_more_alike(with_run: Workspace) -> None:
    first, second = two(with_run, method="tsne", parameters={"iterations": 300})
    request = replace(first_asked(with_run), encoder_id=TRAINED)
    alone = made(with_run, request)
    assert second.info.card["after"] == VECTORS
    assert second.info.key != alone.info.key
    fits = [align_maps([first, name_map]).maps[1].disparity for name_map in (second, alone)]
    assert fits[0] < fits[1]
    after = replace(request, after=VECTORS)
    again = stored_map(with_run, after)
    assert again is not None
    np.testing.assert_array_equal(again.positions, second.positions)
    assert not was_stopped(again, after)
    farther = replace(after, parameters={"iterations": 900})
    stopped = stopped_map(with_run, farther)
    assert stopped is not None
    assert stopped.info == second.info
    assert stopped_map(with_run, replace(farther, after=None)).info == alone.info  # type: ignore[union-attr]


def first_asked(workspace: Workspace) -> ProjectionRequest:
    return asked(workspace, "tsne", parameters={"iterations": 300})


def test_one_that_starts_from_another_has_that_made_first(with_run: Workspace) -> None:
    request = replace(first_asked(with_run), encoder_id=TRAINED, after=VECTORS)
    made(with_run, request)
    assert stored_map(with_run, first_asked(with_run)) is not None


def test_only_names_that_all_know_are_aligned(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "few.vec"
    path.write_text("3 3\nlung 1 0 0\nviral 0 1 0\nleft 0 0 1\n", encoding="utf-8")
    few = add_vectors(workspace, path, JobControl(), quiet)
    maps = [
        made(workspace, request) for request in requests_for(asked(workspace), [VECTORS, few.id])
    ]
    labelled = [label_map(workspace, name_map, JobControl(), quiet) for name_map in maps]
    aligned = align_maps(labelled)
    assert 0 < aligned.left_out == 377 - len(aligned.name_ids)
    np.testing.assert_array_equal(aligned.name_ids, maps[1].name_ids)
    names = points_of_names(workspace, 1, aligned.name_ids).names
    every = points_of_names(workspace, 1, maps[0].name_ids).names
    for label in aligned.maps[0].labels or ():
        assert any(
            names[label.point] == every[map_label.point] for map_label in labelled[0].labels or ()
        )
    assert len(aligned.maps[0].labels or ()) <= len(labelled[0].labels or ())


def test_one_that_is_made_lies_as_it_will_when_it_is_done(with_run: Workspace) -> None:
    first, second = two(with_run)
    done = align_maps([first, second]).maps[1]
    positions, disparity = align_maps([first], second.name_ids).lay(
        second.name_ids, second.positions
    )
    np.testing.assert_array_equal(positions, done.positions)
    assert disparity == done.disparity
    some, own_positions = second.name_ids[::3], second.positions[::3]
    aligned = align_maps([first, second], some)
    np.testing.assert_array_equal(aligned.name_ids, some)
    assert aligned.left_out == len(first.name_ids) - len(some)
    expected = of_scipy(first.positions[::3], own_positions)[2]
    assert aligned.lay(some, own_positions)[1] == pytest.approx(expected)
    np.testing.assert_array_equal(
        aligned.lay(second.name_ids, second.positions)[0], aligned.maps[1].positions
    )
    with pytest.raises(ValueError, match="all points of a map are in one place"):
        aligned.lay(some, np.zeros_like(own_positions))


def written(workspace: Workspace, path: Path) -> AlignedMaps:
    aligned = align_maps(
        [label_map(workspace, name_map, JobControl(), quiet) for name_map in two(workspace)]
    )
    points = points_of_names(workspace, 1, aligned.name_ids, "", 1)
    write_maps(path, MapSheet(aligned, points, "toys", ["mean #5", "few-shot #6"]))
    return aligned


def test_a_table_has_all_coordinates_side_by_side(with_run: Workspace, tmp_path: Path) -> None:
    aligned = written(with_run, tmp_path / "maps.csv")
    with (tmp_path / "maps.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == [
        "concept", "name", "x", "y", "class", "class_name",
        f"x_{TRAINED}", f"y_{TRAINED}", f"moved_{TRAINED}",
    ]  # fmt: skip
    for aligned_map, ending in zip(aligned.maps, ("", f"_{TRAINED}"), strict=True):
        places = np.array([(row[f"x{ending}"], row[f"y{ending}"]) for row in rows], np.float32)
        np.testing.assert_array_equal(places, aligned_map.positions)
    moved = [float(row[f"moved_{TRAINED}"]) for row in rows]
    np.testing.assert_allclose(moved, aligned.maps[1].moved, atol=1e-6)


@pytest.mark.usefixtures("qapp")
def test_pictures_have_all_maps_with_their_figures(with_run: Workspace, tmp_path: Path) -> None:
    aligned = written(with_run, tmp_path / "maps.svg")
    written(with_run, tmp_path / "maps.pdf")
    written(with_run, tmp_path / "maps.png")
    tree = ElementTree.parse(tmp_path / "maps.svg")  # noqa: S314 - written a moment ago
    space = "{http://www.w3.org/2000/svg}"
    texts = ["".join(text_element.itertext()).strip() for text_element in tree.iter(f"{space}text")]
    assert "PCA of toys by 2 encoders" in texts
    assert {"mean #5", "few-shot #6"} <= set(texts)
    figures = [text for text in texts if text.startswith("trustworthiness")]
    assert len(figures) == 2
    assert figures[1].endswith(f"disparity {aligned.maps[1].disparity:.2f}")
    assert len(list(tree.iter(f"{space}circle"))) >= 2 * len(aligned.name_ids)
    (page,) = PdfReader(tmp_path / "maps.pdf").pages
    assert "few-shot #6" in " ".join(page.extract_text().split())


def test_what_cannot_be_aligned(workspace: Workspace) -> None:
    request = asked(workspace)
    with pytest.raises(UserError, match="an encoder is named twice"):
        requests_for(request, [5, 5])
    with pytest.raises(UserError, match="5 maps side by side cannot be read; name 4 encoders"):
        requests_for(request, [1, 2, 3, 4, 5])
    assert [map_request.after for map_request in requests_for(request, [5, 6])] == [None, None]
    tsne = replace(request, method="tsne")
    assert [map_request.after for map_request in requests_for(tsne, [5, 6, 7])] == [None, 5, 5]
    left, right = (made(workspace, asked(workspace, root=root)) for root in ("TOY:1", "TOY:95"))
    with pytest.raises(UserError, match="know 0 names in common, too few to lay maps over"):
        align_maps([left, right])
    flat = replace(left, positions=np.zeros_like(left.positions))
    with pytest.raises(UserError, match="all points of a map are in one place"):
        align_maps([left, flat])
