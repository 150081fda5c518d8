"""What keeps the level lens quick on releases of a million concepts tells the same as without."""

from pathlib import Path

import numpy as np
import pytest

from termexplorer.services.explore import class_labels
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.importing.releases import ImportRequest, import_release
from termexplorer.services.levels.lens import LevelChoice, LevelLens, LevelView
from termexplorer.store.releases.corpus import release_graph, release_names
from termexplorer.workers.data.counted_graph import counted_graph
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

TERMS = "format-version: 1.2\nontology: toy\n" + "".join(
    f"\n[Term]\nid: T:{n}\nname: term {n}\nsynonym: \"other {n}\" EXACT []\n"
    + (f"is_a: T:{n // 2}\n" if n > 1 else "")
    for n in range(1, 40)
)  # fmt: skip


@pytest.fixture
def release(tmp_path: Path) -> tuple[Workspace, Ontology]:
    file = tmp_path / "toy.obo"
    file.write_text(TERMS)
    workspace = Workspace(tmp_path / "place")
    request = ImportRequest(workspace.folder, str(file))
    return workspace, import_release(workspace, request, JobControl(), lambda _message: None)


def view(workspace: Workspace, ontology: Ontology) -> LevelView:
    choice = LevelChoice(level=2, depth=3, left_out=("T:5",))
    return LevelLens(workspace, ontology, choice).view(choice)


def same(first: LevelView, second: LevelView) -> bool:
    return (first.classes, first.left_out) == (second.classes, second.left_out)


def test_the_file_of_a_graph_is_what_the_store_tells_and_made_anew_when_damaged(
    release: tuple[Workspace, Ontology],
) -> None:
    workspace, ontology = release
    path = workspace.folder / "levels" / f"{ontology.id}.npz"
    whole = path.read_bytes()
    read_graph = counted_graph(workspace, ontology)
    with workspace.store.reading() as connection:
        graph = release_graph(connection, ontology.id)
        names = release_names(connection, ontology.id)
    counts = np.bincount(graph.places(names.concept_ids), minlength=len(graph.concept_ids))
    assert read_graph.names.tolist() == counts.tolist()
    assert read_graph.graph.concept_ids.tolist() == graph.concept_ids.tolist()
    before = view(workspace, ontology)
    assert [row.code for row in before.left_out] == ["T:5"]
    for damage in (whole[:-30], whole.replace(b"\1", b"\2"), b""):
        path.write_bytes(damage)
        assert same(view(workspace, ontology), before)
        assert path.read_bytes() == whole
    path.unlink()
    path.parent.rmdir()
    path.parent.write_text("no folder")  # nothing can be kept, and all works
    assert same(view(workspace, ontology), before)
    workspace.close()


def test_labels_of_a_large_release_are_read_when_they_are_shown(
    release: tuple[Workspace, Ontology], monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, ontology = release
    before = view(workspace, ontology)
    monkeypatch.setattr(class_labels, "_FEW", 0)
    assert same(view(workspace, ontology), before)
    assert before.classes[0].label == "term 4"
    workspace.close()
