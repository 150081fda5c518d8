from pathlib import Path

from toy_workspace import quiet

from termexplorer.services.encoders.encoders import list_encoders
from termexplorer.services.encoders.vectors import TrainVectorsRequest, add_vectors, train_vectors
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace


def train(workspace: Workspace, *texts: Path) -> str:
    request = TrainVectorsRequest(workspace.folder, 1, texts, dimension=8, epochs=1, min_count=1)
    ontology = find_ontology(workspace, "toy")
    return train_vectors(workspace, ontology, request, JobControl(), quiet).title


def test_vectors_of_one_ontology_are_told_apart(workspace: Workspace, tmp_path: Path) -> None:
    texts = [tmp_path / f"{name}.txt" for name in ("notes", "letters", "reports")]
    for text in texts:
        text.write_text("the lung and the heart\n", encoding="utf-8")
    plain = "fastText mean, toy 2026-01-01"
    usual = "dimension 8, epochs 1"
    assert train(workspace) == f"{plain}, {usual}"
    assert train(workspace) == f"{plain}, {usual} (2)"
    assert train(workspace, texts[0]) == f"{plain}, with notes.txt, {usual}"
    assert train(workspace, *texts) == f"{plain}, with 3 texts, {usual}"


def test_a_file_that_is_opened_again_gets_a_number(workspace: Workspace, toy: Path) -> None:
    for _ in range(2):
        add_vectors(workspace, toy.parent / "toy.vec", JobControl(), quiet)
    titles = [encoder.title for encoder in list_encoders(workspace)]
    assert titles[4:] == ["toy mean", "toy mean (2)", "toy mean (3)"]
