"""Maps through their service: what is on them, kept, stopped and removed."""

import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from toy_workspace import LEXICAL, TRAINED, VECTORS, quiet

from termexplorer.errors import UserError
from termexplorer.services.encoders.encoders import remove_encoder
from termexplorer.services.encoders.vectors import add_vectors
from termexplorer.services.map import projection as service
from termexplorer.services.map.projection import (
    NameMap,
    PointsChosen,
    PointsMoved,
    ProjectionRequest,
    project,
    stopped_map,
    stored_map,
    was_stopped,
)
from termexplorer.services.train.runs import delete_run
from termexplorer.store.releases.corpus import release_names
from termexplorer.trainer.projection import Pca
from termexplorer.trainer.projection.quality import map_quality
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workers.process.supervision import Cancelled, JobControl
from termexplorer.workspace import Workspace


def asked(workspace: Workspace, method: str = "pca", **more: object) -> ProjectionRequest:
    return ProjectionRequest(workspace.folder, 1, VECTORS, method=method, **more)  # type: ignore[arg-type]


def made(workspace: Workspace, request: ProjectionRequest) -> NameMap:
    return project(workspace, request, JobControl(), quiet)


def texts_of(workspace: Workspace, name_map: NameMap) -> list[str]:
    with workspace.store.reading() as connection:
        names = release_names(connection, 1)
    text_of = dict(zip(names.ids.tolist(), names.texts, strict=True))
    return [text_of[name_id] for name_id in name_map.name_ids.tolist()]


def files(workspace: Workspace) -> list[str]:
    return sorted(path.name for path in (workspace.folder / "maps").iterdir())


def test_a_map_of_concepts_is_that_of_their_first_names(workspace: Workspace) -> None:
    name_map = made(workspace, asked(workspace))
    texts = texts_of(workspace, name_map)
    assert len(texts) == len(set(texts)) == 1 + 4 + 12 + 72 + 144 + 144
    assert "lung disease" in texts
    assert "disease of the lung" not in texts  # a synonym
    assert "old pneumonia" not in texts  # obsolete
    vectors = Encoders(workspace.folder, workspace.store).encode_unit(VECTORS, texts)
    expected = Pca().project(vectors, 0, lambda _step: True).positions
    np.testing.assert_allclose(name_map.positions, expected, atol=1e-5)
    assert name_map.quality == map_quality(vectors, name_map.positions)
    assert (name_map.info.points, name_map.left_out) == (len(texts), 0)


def test_names_below_a_root_all_of_them(workspace: Workspace) -> None:
    texts = texts_of(workspace, made(workspace, asked(workspace, names="all", root="TOY:1")))
    assert {"lung disease", "disease of the lung", "mild lung injury"} <= set(texts)
    assert not any("heart" in text or text == "disease" for text in texts)


def test_asked_again_it_is_the_same_map_at_once(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = asked(workspace, "tsne", root="TOY:1", seed=3, parameters={"iterations": 30})
    assert stored_map(workspace, request) is None
    first = made(workspace, request)
    reopened = Workspace(workspace.folder)
    monkeypatch.setattr(service, "supervise", None)  # nothing is computed any more
    again = made(reopened, replace(request, parameters={"perplexity": None, "iterations": 30}))
    reopened.close()
    np.testing.assert_array_equal(again.positions, first.positions)
    np.testing.assert_array_equal(again.name_ids, first.name_ids)
    assert again.info == first.info
    other_requests = (
        {"seed": 4},
        {"root": "TOY:2"},
        {"names": "all"},
        {"method": "pca", "parameters": {}},
        {"parameters": {"iterations": 31}},
    )
    for other in other_requests:
        assert stored_map(workspace, replace(request, **other)) is None  # type: ignore[arg-type]


def test_a_damaged_map_is_made_anew(workspace: Workspace) -> None:
    request = asked(workspace)
    first = made(workspace, request)
    path = workspace.folder / first.info.path
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    assert stored_map(workspace, request) is None
    again = made(workspace, request)
    np.testing.assert_array_equal(again.positions, first.positions)
    assert files(workspace) == [Path(again.info.path).name]


def test_an_encoder_takes_its_maps_with_it(with_run: Workspace) -> None:
    gone = [asked(with_run), replace(asked(with_run), encoder_id=TRAINED)]
    for request in gone:
        made(with_run, request)
    assert len(files(with_run)) == 2
    delete_run(with_run, 1)
    assert len(files(with_run)) == 1
    assert stored_map(with_run, gone[0]) is not None
    remove_encoder(with_run, VECTORS)
    assert files(with_run) == []


class Watcher:
    """Takes a job's messages, and acts at the first positions."""

    def __init__(self, control: JobControl, act: str) -> None:
        self.messages: list[object] = []
        self._control, self._act = control, act

    def hear(self, message: object) -> None:
        first = not self.moved()
        self.messages.append(message)
        if first and isinstance(message, PointsMoved):
            getattr(self._control, self._act)()
            if self._act == "pause":
                threading.Timer(0.3, self._control.resume).start()

    def moved(self) -> list[PointsMoved]:
        return [message for message in self.messages if isinstance(message, PointsMoved)]


def watched(workspace: Workspace, request: ProjectionRequest, act: str) -> tuple[NameMap, Watcher]:
    control = JobControl()
    watcher = Watcher(control, act)
    return project(workspace, request, control, watcher.hear), watcher


def test_a_map_moves_and_rests_on_its_way_to_the_same_place(workspace: Workspace) -> None:
    request = asked(workspace, "tsne", root="TOY:1", parameters={"iterations": 40})
    name_map, watcher = watched(workspace, request, "pause")
    (chosen,) = (message for message in watcher.messages if isinstance(message, PointsChosen))
    np.testing.assert_array_equal(chosen.name_ids, name_map.name_ids)
    assert all(step.positions.shape == name_map.positions.shape for step in watcher.moved())
    (workspace.folder / name_map.info.path).unlink()
    straight = made(workspace, request)
    np.testing.assert_array_equal(straight.positions, name_map.positions)


def test_a_stopped_map_is_kept_as_one_of_fewer_iterations(workspace: Workspace) -> None:
    request = asked(workspace, "tsne", parameters={"iterations": 100_000})
    name_map, _ = watched(workspace, request, "stop")
    gone = name_map.info.card["parameters"]["iterations"]
    assert gone < 100_000
    assert name_map.quality.asked <= 200
    assert stored_map(workspace, request) is None
    fewer = stored_map(workspace, replace(request, parameters={"iterations": gone}))
    assert fewer is not None
    np.testing.assert_array_equal(fewer.positions, name_map.positions)
    made(workspace, replace(request, parameters={"iterations": 1}))
    farthest = stopped_map(workspace, request)
    assert farthest is not None
    assert farthest.info == name_map.info
    assert was_stopped(farthest, request)
    assert not was_stopped(fewer, replace(request, parameters={"iterations": gone}))
    other_requests = (
        {"seed": 1},
        {"names": "all"},
        {"parameters": {"perplexity": 7.0}},
        {"method": "pca", "parameters": {}},
    )
    for other in other_requests:
        assert stopped_map(workspace, replace(request, **other)) is None  # type: ignore[arg-type]


def test_a_map_that_is_stopped_at_once_says_that_nothing_was_kept(workspace: Workspace) -> None:
    control = JobControl()
    control.stop()
    with pytest.raises(UserError, match="before there was anything to draw; nothing was kept"):
        project(workspace, asked(workspace, "tsne"), control, quiet)
    assert files(workspace) == []


def test_a_cancelled_map_leaves_nothing(workspace: Workspace) -> None:
    request = asked(workspace, "tsne", parameters={"iterations": 100_000})
    with pytest.raises(Cancelled):
        watched(workspace, request, "cancel")
    assert files(workspace) == []


def test_names_of_which_nothing_is_known_are_left_out_and_counted(
    workspace: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "few.vec"
    path.write_text("3 3\nlung 1 0 0\nheart 0 1 0\nviral 0 0 1\n", encoding="utf-8")
    few = add_vectors(workspace, path, JobControl(), quiet)
    name_map = made(workspace, replace(asked(workspace), encoder_id=few.id))
    texts = texts_of(workspace, name_map)
    assert all({"lung", "heart", "viral"} & set(text.replace(",", "").split()) for text in texts)
    assert name_map.left_out == 377 - len(texts) > 0


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"encoder_id": LEXICAL}, "is lexical: it has no vectors"),
        ({"encoder_id": 99}, "no encoder 99"),
        ({"method": "isomap"}, "no method isomap; choose one of pca, tsne, umap"),
        ({"method": "tsne", "parameters": {"perplexity": 200}}, "give 125.3 or less"),
        ({"names": "some"}, "choose one of concepts, all"),
        ({"root": "TOY:77777"}, "TOY:77777 is not in this ontology"),
        ({"root": "TOY:9000"}, "there are 0 in TOY:9000 and below"),
    ],
)
def test_what_cannot_be_asked(workspace: Workspace, changes: dict[str, object], says: str) -> None:
    with pytest.raises(UserError, match=says):
        made(workspace, replace(asked(workspace), **changes))  # type: ignore[arg-type]


def test_one_name_is_no_map(workspace: Workspace) -> None:
    with workspace.store.reading() as connection:
        query = "SELECT curie FROM concept WHERE label LIKE 'sequel of%' LIMIT 1"
        leaf = str(connection.exec_driver_sql(query).scalar_one())
    with pytest.raises(
        UserError, match=f"3 names or more, there are 1 in {leaf} and below; choose"
    ):
        made(workspace, asked(workspace, root=leaf))
