"""Vectors trained on an ontology and text, by every method."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from toy_ontology import CAUSES, KINDS, ORGANS
from toy_workspace import FEW_SHOT, VECTORS, quiet, train

from termexplorer.errors import UserError
from termexplorer.services.compare.rankings import (
    Ranker,
    RankingRequest,
    RankingScope,
    Task,
    query_for,
)
from termexplorer.services.encoders.cards import encoder_card
from termexplorer.services.encoders.encoders import EncoderInfo
from termexplorer.services.encoders.made_encoders import join_encoders, word_mover_encoder
from termexplorer.services.encoders.vectors import METHODS, TrainVectorsRequest, train_vectors
from termexplorer.services.evaluate.evaluation import EvaluationRequest, evaluate
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.services.train.run_cards import run_card
from termexplorer.workers.process.protocol import JobProgress
from termexplorer.workers.process.supervision import Cancelled, JobControl
from termexplorer.workspace import Workspace

ABSTRACT = """1|t|Left lung infection, acute
1|a|An acute infection of the left lung.
1\t0\t26\tLeft lung infection, acute\tDisease\tTOY:8
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A text in which names of the ontology stand, and an annotated abstract."""
    notes = [
        f"he had {cause} {organ} {kind} and was well ." for organ in ORGANS for kind in KINDS
        for cause in CAUSES
    ]  # fmt: skip
    (tmp_path / "notes.txt").write_text("\n".join(notes * 3) + "\n", encoding="utf-8")
    (tmp_path / "abstracts.txt").write_text(ABSTRACT, encoding="utf-8")
    return tmp_path / "notes.txt", tmp_path / "abstracts.txt"


def made(
    workspace: Workspace,
    method: str,
    texts: tuple[Path, ...] = (),
    pubtator: tuple[Path, ...] = (),
    on_message: Callable[[object], None] = quiet,
) -> EncoderInfo:
    request = TrainVectorsRequest(
        workspace.folder, 1, texts, method, pubtator, dimension=8, epochs=2, min_count=1
    )
    ontology = find_ontology(workspace, "toy")
    return train_vectors(workspace, ontology, request, JobControl(), on_message)


@pytest.mark.parametrize("method", METHODS)
def test_vectors_of_every_method_rank_and_are_built_on(
    workspace: Workspace, files: tuple[Path, Path], method: str
) -> None:
    notes, abstracts = files
    seen: list[object] = []
    encoder = made(workspace, method, (notes,), (abstracts,), seen.append)
    assert any(isinstance(message, JobProgress) and message.fraction == 1 for message in seen)
    kind = {"sgw": "skipgrams", "sgs": "skipgrams", "sgs.c": "skipgrams", "ppmi": "words"}.get(
        method, method
    )
    assert (encoder.kind, encoder.method, encoder.dimension) == ("untrained", kind, 8)
    start = f"{METHODS[method].vectors}, toy 2026-01-01, with notes.txt and abstracts.txt"
    assert encoder.title.startswith(start)
    card = encoder_card(workspace, encoder.id)
    asked = {"method": method, "ontology": "toy 2026-01-01", "epochs": 2, "min_count": 1}
    assert {name: card[name] for name in asked} == asked
    assert (card["texts"], card["pubtator"]) == ([str(notes)], [str(abstracts)])
    if kind == "skipgrams":
        assert card["names_in_text"] == 3 * 72 + 1

    run = train(workspace, replace(FEW_SHOT, vectors_id=encoder.id))
    assert run.status == "finished"
    assert run_card(workspace, run.id)["vectors_made"]["method"] == method
    joined = join_encoders(workspace, [encoder.id, VECTORS])
    movers = word_mover_encoder(workspace, encoder.id)
    ids = (encoder.id, run.encoder_id or 0, joined.id, movers.id)
    again = Workspace(workspace.folder)  # as another start of the program sees it
    with closing(again), closing(Ranker(again.folder)) as ranker:
        query = query_for(again, 1, "viral lung tumour")
        asked_for = RankingRequest(query, Task.NEIGHBOURS, ids, RankingScope((1,)), top=20)
        for column in ranker.rank(asked_for).columns:
            assert len(column.rows) == 20
            assert not column.empty_query
        request = EvaluationRequest(again.folder, "coverage", ids, ontology_id=1)
        (evaluated,) = evaluate(again, request, JobControl(), quiet)
        assert {figure.encoder_id for figure in evaluated.figures} == set(ids)


def test_what_cannot_be_trained_is_told(workspace: Workspace, tmp_path: Path) -> None:
    before = vector_folders(workspace)
    with pytest.raises(UserError, match="no method 'glove'; choose fasttext, sgw, sgs"):
        made(workspace, "glove")
    with pytest.raises(UserError, match="no name is marked in the text, which SGS learns from"):
        made(workspace, "sgs")
    bad = tmp_path / "bad.txt"
    bad.write_text("no abstract\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"bad\.txt, line 1: expected `ID\|t\|title`"):
        made(workspace, "sgs.c", (), (bad,))
    with pytest.raises(UserError, match=r"gone\.txt cannot be read"):
        made(workspace, "bigrams", (tmp_path / "gone.txt",))
    rare = TrainVectorsRequest(workspace.folder, 1, min_count=10_000)
    with pytest.raises(UserError, match="give more text, or lower how often a word has to occur"):
        train_vectors(workspace, find_ontology(workspace, "toy"), rare, JobControl(), quiet)
    assert vector_folders(workspace) == before


def test_a_training_that_is_cancelled_leaves_nothing(
    workspace: Workspace, files: tuple[Path, Path]
) -> None:
    control, before = JobControl(), vector_folders(workspace)

    def cancel(message: object) -> None:
        if isinstance(message, JobProgress) and message.fraction is not None:
            control.cancel()

    request = TrainVectorsRequest(workspace.folder, 1, files[:1], epochs=100_000, min_count=1)
    with pytest.raises(Cancelled):
        train_vectors(workspace, find_ontology(workspace, "toy"), request, control, cancel)
    assert vector_folders(workspace) == before


def vector_folders(workspace: Workspace) -> set[str]:
    return {path.name for path in (workspace.folder / "vectors").iterdir()}
