"""The recommended encoder: a few runs, one over the other, joined at the end."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import product
from pathlib import Path
from subprocess import CompletedProcess

import numpy as np
import pytest
from killed_workers import KilledError, kill_once
from next_runs import add_next_part
from program import called
from tiny_transformer import write_bert
from toy_ontology import CAUSES, HEADER, KINDS, ORGANS, stanza, write_vectors
from toy_workspace import VECTORS, make_imported, opened_copy, quiet

from termexplorer.errors import UserError
from termexplorer.replicate.search.recommended import begin_recommended, work_on_recommended
from termexplorer.replicate.work.worker import open_tasks
from termexplorer.services.encoders.built_in import ensure_built_in, is_built_in
from termexplorer.services.encoders.encoders import EncoderInfo, find_encoder, list_encoders
from termexplorer.services.encoders.vectors import add_vectors
from termexplorer.services.train.recommended import (
    Recommended,
    is_transformer,
    joined_end,
)
from termexplorer.services.train.runs import RunInfo, find_run, list_runs
from termexplorer.services.train.training import train_run
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

BESIDE = VECTORS + 1  # another encoder of whole names, as a transformer is
WANTED = Recommended(1, (VECTORS,), transformer_id=BESIDE, classes_id=1, samples=2, seed=3)


@pytest.fixture(scope="module")
def workspace_of_four_classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with an ontology of four classes, whose concepts have five names each."""
    folder, other = tmp_path_factory.mktemp("made"), tmp_path_factory.mktemp("other")
    stanzas = [stanza(f"SYN:{organ}", f"{organ} disease") for organ in ORGANS]
    for organ, kind, cause in product(ORGANS, KINDS, CAUSES):
        named = stanza(f"SYN:{organ}-{kind}-{cause}", f"{cause} {organ} {kind}", f"SYN:{organ}")
        synonyms = [f"{kind} of the {organ}, {cause}", f"after {cause} {kind} of the {organ}"]
        synonyms += [f"{cause} {kind} of the {side} {organ}" for side in ("left", "right")]
        stanzas.append(named + "".join(f'synonym: "{synonym}" EXACT []\n' for synonym in synonyms))
    ontology = folder / "synonyms.obo"
    ontology.write_text(f"{HEADER}\n" + "\n".join(stanzas), encoding="utf-8")
    return make_imported(folder, ontology, write_vectors(folder), write_vectors(other, 8))


@pytest.fixture
def workspace(workspace_of_four_classes: Path, tmp_path: Path) -> Iterator[Workspace]:
    with opened_copy(workspace_of_four_classes, tmp_path) as opened:
        yield opened


def train_next(workspace: Workspace, wanted: Recommended, runs: list[int]) -> int | None:
    run_id = add_next_part(workspace, wanted, runs)
    if run_id is not None:
        train_run(workspace, run_id, JobControl(), quiet)
    return run_id


def trained(workspace: Workspace, wanted: Recommended) -> tuple[list[RunInfo], EncoderInfo]:
    runs: list[int] = []
    while (run_id := train_next(workspace, wanted, runs)) is not None:
        runs.append(run_id)
    return [find_run(workspace, run_id) for run_id in runs], joined_end(workspace, wanted, runs)


def test_each_run_builds_on_those_before_and_the_end_joins_what_they_learned(
    workspace: Workspace,
) -> None:
    (words, contrast, *samples), end = trained(workspace, WANTED)
    assert [run.recipe for run in (words, contrast, *samples)] == [
        "sif", "contrastive", "few-shot", "few-shot",
    ]  # fmt: skip
    assert words.input_id == VECTORS
    beneath = find_encoder(workspace, contrast.input_id)
    assert beneath.part_ids == (words.encoder_id, BESIDE)
    assert [run.input_id for run in samples] == [beneath.id] * 2
    assert [run.request["seed"] for run in samples] == [3, 4]
    learned, of_samples, *below = end.part_ids
    assert (learned, below) == (contrast.encoder_id, [words.encoder_id, BESIDE])
    assert find_encoder(workspace, of_samples).part_ids == tuple(run.encoder_id for run in samples)
    assert find_encoder(workspace, of_samples).title == f"2 × {samples[0].title}"
    assert end.title == "recommended"
    vectors = Encoders(workspace.folder, workspace.store).encode(end.id, ["acute lung infection"])
    assert vectors.shape == (1, end.dimension)
    assert np.isfinite(vectors).all()
    assert vectors.any()


def test_a_transformer_is_trained_first_and_another_is_joined_at_the_end(
    workspace: Workspace, tmp_path: Path
) -> None:
    pytest.importorskip("transformers")
    write_bert(tmp_path / "tiny")
    transformer = add_vectors(workspace, tmp_path / "tiny", JobControl(), quiet).id
    assert is_transformer(workspace, transformer)
    assert not any(is_transformer(workspace, encoder_id) for encoder_id in (0, VECTORS, BESIDE))
    wanted = replace(
        WANTED, transformer_id=transformer, tuned=True, at_end_ids=(BESIDE,), samples=1
    )
    (words, tuned, contrast, of_classes), end = trained(workspace, wanted)
    assert [run.recipe for run in (words, tuned)] == ["sif", "tuned"]
    assert [run.input_id for run in (words, tuned)] == [VECTORS, transformer]
    below = (words.encoder_id, tuned.encoder_id)
    assert find_encoder(workspace, contrast.input_id).part_ids == below
    assert of_classes.input_id == contrast.input_id
    assert end.part_ids == (contrast.encoder_id, of_classes.encoder_id, *below, BESIDE)


def test_what_is_joined_at_the_end_can_be_learned_over_too(workspace: Workspace) -> None:
    wanted = replace(WANTED, transformer_id=0, at_end_ids=(BESIDE,), over_all=True, classes_id=0)
    (words, contrast), end = trained(workspace, wanted)
    assert find_encoder(workspace, contrast.input_id).part_ids == (words.encoder_id, BESIDE)
    assert end.part_ids == (contrast.encoder_id, BESIDE)
    (words, contrast, of_classes), end = trained(
        workspace, replace(wanted, classes_id=1, samples=1)
    )
    below = (words.encoder_id, BESIDE)
    assert find_encoder(workspace, contrast.input_id).part_ids == below
    assert of_classes.input_id == contrast.input_id
    assert end.part_ids == (contrast.encoder_id, of_classes.encoder_id, *below)  # each once


def test_further_words_are_weighted_too(workspace: Workspace) -> None:
    wanted = replace(WANTED, vectors_ids=(VECTORS, BESIDE), transformer_id=0, classes_id=0)
    runs: list[int] = []
    while len(runs) < 2:
        runs.append(train_next(workspace, wanted, runs) or 0)
    contrast = add_next_part(workspace, wanted, runs)
    assert contrast is not None
    finished = [find_run(workspace, run_id) for run_id in runs]
    assert [(run.recipe, run.input_id) for run in finished] == [("sif", VECTORS), ("sif", BESIDE)]
    beneath = find_encoder(workspace, find_run(workspace, contrast).input_id)
    assert beneath.part_ids == tuple(run.encoder_id for run in finished)


def test_the_built_in_encoder_needs_no_words_and_others_join_it(workspace: Workspace) -> None:
    built_in = ensure_built_in(workspace)
    assert built_in is not None
    alone = Recommended(1, built_in_id=built_in.id, seed=3)
    (contrast,), end = trained(workspace, alone)
    assert (contrast.recipe, contrast.input_id) == ("contrastive", built_in.id)
    assert end.id == contrast.encoder_id
    with_words = replace(alone, vectors_ids=(VECTORS,))
    words = train_next(workspace, with_words, [])
    assert words is not None
    run_id = add_next_part(workspace, with_words, [words])
    beneath = find_encoder(workspace, find_run(workspace, run_id or 0).input_id)
    assert beneath.part_ids == (built_in.id, find_run(workspace, words).encoder_id)
    with pytest.raises(UserError, match="nothing to learn over"):
        add_next_part(workspace, replace(alone, built_in_id=0), [])


def test_the_command_starts_from_the_built_in_encoder(workspace: Workspace) -> None:
    words = ("train", "recommended", "--ontology", "toy", "--json")
    done = called("--workspace", workspace.folder, *words)
    assert done.returncode == 0, done.stderr
    (run_id,) = json.loads(done.stdout)["runs"]
    assert is_built_in(find_encoder(workspace, find_run(workspace, run_id).input_id))


def test_what_is_named_twice_is_refused_before_anything_is_trained(workspace: Workspace) -> None:
    for twice in (
        replace(WANTED, transformer_id=VECTORS),
        replace(WANTED, vectors_ids=(VECTORS, VECTORS)),
        replace(WANTED, at_end_ids=(BESIDE,)),
        replace(WANTED, transformer_id=0, at_end_ids=(BESIDE, BESIDE)),
    ):
        with pytest.raises(UserError, match="an encoder is named twice"):
            add_next_part(workspace, twice, [])


def test_a_run_that_came_to_no_encoder_ends_it(workspace: Workspace) -> None:
    first = add_next_part(workspace, WANTED, [])
    assert first is not None
    with pytest.raises(UserError, match="has no encoder; it is queued"):
        add_next_part(workspace, WANTED, [first])
    with pytest.raises(UserError, match="no vectors to train on"):
        add_next_part(workspace, replace(WANTED, vectors_ids=(1,)), [])


def test_without_classes_and_transformer_the_command_ends_with_the_contrast(
    workspace: Workspace,
) -> None:
    def call(*further: str) -> CompletedProcess[str]:
        words = ("train", "recommended", "--ontology", "toy", "--vectors", VECTORS)
        words += ("--no-built-in",)
        return called("--workspace", workspace.folder, *words, *further)

    done = call("--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["title"] == find_encoder(workspace, answer["encoder"]).title
    weighted, contrast = [find_run(workspace, run_id) for run_id in answer["runs"]]
    assert contrast.input_id == weighted.encoder_id
    assert answer["encoder"] == contrast.encoder_id
    joined = json.loads(call("--at-end", str(BESIDE), "--json").stdout)
    contrast = find_run(workspace, joined["runs"][-1])
    assert find_encoder(workspace, joined["encoder"]).part_ids == (contrast.encoder_id, BESIDE)
    before = list_runs(workspace)
    for without, message in (("99", "no encoder 99"), ("1", "has no vectors")):
        unfit = call("--at-end", without)
        assert unfit.returncode == 1
        assert message in " ".join(unfit.stderr.split())
    assert list_runs(workspace) == before  # it is said before anything is trained
    refused = call("--also", "toy")
    assert refused.returncode == 1
    assert "an ontology is learned from anyway" in refused.stderr


def test_the_recommended_encoder_goes_on_after_a_kill(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = Recommended(1, (VECTORS,), classes_id=1, seed=3)
    folder = begin_recommended(workspace, wanted)
    numbers: list[int] = []
    kill_once(
        monkeypatch,
        "termexplorer.replicate.search.recommended.joined_end",
        joined_end,
    )
    with pytest.raises(KilledError):
        work_on_recommended(workspace, folder, quiet, lambda _run, number: numbers.append(number))
    encoders = len(list_encoders(workspace))
    with closing(open_tasks(folder)) as table:
        table.put_tasks([("run", number) for number in range(4)], lambda key: int(key[-1]))
    encoder, runs = work_on_recommended(workspace, folder, quiet, lambda _run, _number: None)
    assert numbers == [0, 1, 2]
    assert len(list_encoders(workspace)) == encoders
    assert find_encoder(workspace, encoder).method == "joined"
    assert [find_run(workspace, run).recipe for run in runs] == ["sif", "contrastive", "few-shot"]
    assert len(list_runs(workspace)) == 3
