"""An ontology that is removed: what goes with it, what stays, and who is not held up."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from toy_ontology import write_toy
from toy_workspace import FEW_SHOT, LEXICAL, TRAINED, VECTORS, import_synonyms, load, quiet

from termexplorer.errors import UserError
from termexplorer.services.curate.suggesting import Search, search
from termexplorer.services.curate.suggestion_lists import kept_lists
from termexplorer.services.encoders.encoders import list_encoders, remove_encoder
from termexplorer.services.encoders.made_encoders import blend_encoder, join_encoders
from termexplorer.services.encoders.vectors import prepare
from termexplorer.services.explore.browsing import search_names
from termexplorer.services.explore.ontologies import find_ontology, list_ontologies
from termexplorer.services.importing.releases import sweep
from termexplorer.services.levels.concept_lists import add_to_list, concept_lists
from termexplorer.services.recipes.run_requests import SplitRule, add_run
from termexplorer.services.train.runs import claimed_run, delete_run, list_runs
from termexplorer.services.verdicts.log import (
    Answer,
    VerdictSubject,
    check_log,
    give_verdict,
    judged,
    now,
)
from termexplorer.services.verdicts.people import Judge
from termexplorer.services.workspace import removal
from termexplorer.services.workspace.removal import Removal, look_at_removal, remove_ontology
from termexplorer.store import removing
from termexplorer.store.removing import begin_removal, remove_release, unfinished_releases
from termexplorer.workers.process.supervision import Cancelled, JobControl
from termexplorer.workspace import Workspace

TABLES = ("name", "identifier", "concept", "split", "vectors", "vector_index", "import_remark")
MINE = VerdictSubject("skos:exactMatch", "TOY:1", "TOY:2", "")


def say(workspace: Workspace, release_hash: str) -> None:
    answer = Answer("correct", "", now(), now(), release_hash)
    give_verdict(workspace, Judge("Anna"), MINE, answer)


def left(workspace: Workspace, release_id: int) -> dict[str, int]:
    """Rows that still speak of a release, and references into nothing."""
    with workspace.store.reading() as connection:
        run = connection.exec_driver_sql
        counts = {
            table: run(
                f"SELECT count(*) FROM {table} WHERE release_id = ?", (release_id,)
            ).scalar_one()
            for table in TABLES
        }
        counts["broken"] = len(run("PRAGMA foreign_key_check").all())
    return {table: count for table, count in counts.items() if count}


@pytest.fixture
def full(with_run: Workspace) -> Iterator[Workspace]:
    """The toy (1) with all that can stand on it, and a second ontology (2)."""
    import_synonyms(with_run, with_run.folder)
    search(with_run, Search("duplicates", 1, (VECTORS, LEXICAL)), JobControl(), quiet)
    add_to_list(with_run, "mine", 1, ["TOY:1"])
    say(with_run, find_ontology(with_run, "1").content_hash)
    return with_run


def test_what_was_made_with_it_goes_and_what_people_said_stays(full: Workspace) -> None:
    whole = look_at_removal(full, 1)
    assert whole.goes == (
        "377 concepts with 669 names",
        "1 run on it, with 1 encoder that it trained, and their figures",
        "the vectors of its names by 3 encoders",
        "1 list of suggestions",
    )
    assert whole.stays.startswith("1 verdict on it and the lists of concepts stay")
    assert search_names(full, "lung").hits
    remove_ontology(full, 1, JobControl(), quiet)
    assert [ontology.id for ontology in list_ontologies(full)] == [2]
    assert not left(full, 1)
    assert not unfinished_releases(full.store)
    assert (list_runs(full), kept_lists(full)) == ([], [])
    ids = [encoder.id for encoder in list_encoders(full)]
    assert VECTORS in ids
    assert TRAINED not in ids
    assert not [path.name for path in (full.folder / "vectors").glob("*-1")]
    assert not (full.folder / "runs" / "1").exists()
    assert [hit.release_id for hit in search_names(full, "lung", limit=500).hits] == [2] * 6
    assert ([verdict.subject for verdict in judged(full)], check_log(full)) == ([MINE], 1)
    assert [concept_list.title for concept_list in concept_lists(full)] == ["mine"]


def test_what_was_begun_of_large_vectors_goes_with_their_encoder_or_ontology(
    full: Workspace,
) -> None:
    vectors = full.folder / "vectors"
    gone = [f"{TRAINED}-1.eight-bit", f"{TRAINED}-2.lists", f"{VECTORS}-1.lists"]
    stays = f"{VECTORS}-2.eight-bit"
    for name in (*gone, stays):
        (vectors / f"{name}.part").mkdir()
        (vectors / f"{name}.part" / "00000.rows").write_bytes(b"1")
        (vectors / f"{name}.lock").touch()
    delete_run(full, 1)
    assert [name for name in gone if (vectors / f"{name}.part").exists()] == gone[2:]
    remove_ontology(full, 1, JobControl(), quiet)
    begun = {path.name for path in vectors.glob("*.part")} | {
        p.name for p in vectors.glob("*.lock")
    }
    assert begun == {f"{stays}.part", f"{stays}.lock"}
    remove_encoder(full, VECTORS)
    assert not [path for path in vectors.iterdir() if path.name.startswith(stays)]


def test_its_id_never_means_another_ontology(full: Workspace, tmp_path: Path) -> None:
    remove_ontology(full, 2, JobControl(), quiet)
    again = load(full, write_toy(tmp_path))
    assert (again.id, again.terminology) == (3, "toy")
    with pytest.raises(UserError, match="there is no ontology '2'"):
        remove_ontology(full, 2, JobControl(), quiet)


def test_a_run_that_is_being_trained_keeps_its_ontology(full: Workspace) -> None:
    with claimed_run(full, 1), pytest.raises(UserError, match=r"run 1 is being trained on toy"):
        remove_ontology(full, 1, JobControl(), quiet)
    with full.loading(), pytest.raises(UserError, match="being imported or removed"):
        remove_ontology(full, 1, JobControl(), quiet)
    assert [ontology.id for ontology in list_ontologies(full)] == [1, 2]


def test_a_run_that_was_added_since_the_look_keeps_its_ontology(
    full: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained = ExitStack()

    def looked_at(workspace: Workspace, ontology_id: int) -> Removal:
        before = look_at_removal(workspace, ontology_id)
        trained.enter_context(claimed_run(workspace, add_run(workspace, FEW_SHOT)))
        return before

    monkeypatch.setattr(removal, "look_at_removal", looked_at)
    with trained, pytest.raises(UserError, match=r"run 2 is being trained on toy"):
        remove_ontology(full, 1, JobControl(), quiet)
    assert [run.id for run in list_runs(full)] == [2, 1]
    monkeypatch.undo()
    remove_ontology(full, 1, JobControl(), quiet)
    assert not list((full.folder / "runs").iterdir())


def test_what_others_build_on_keeps_its_ontology(full: Workspace) -> None:
    joined = join_encoders(full, [VECTORS, TRAINED])
    blended = blend_encoder(full, TRAINED, 1)
    further = add_run(
        full,
        replace(
            FEW_SHOT,
            recipe="bne",
            ontology_id=2,
            vectors_id=TRAINED,
            choice=None,
            rule=SplitRule("bne"),
            hyperparameters={},
        ),
    )
    removal = look_at_removal(full, 1)
    assert removal.holding == (
        f"run {further}", f"encoder {joined.label}", f"encoder {blended.label}",
    )  # fmt: skip
    with pytest.raises(UserError, match=rf"run {further}, .* build on what was trained on toy"):
        remove_ontology(full, 1, JobControl(), quiet)
    assert [ontology.id for ontology in list_ontologies(full)] == [1, 2]
    assert [run.id for run in list_runs(full)] == [further, 1]
    assert len(kept_lists(full)) == 1
    assert not look_at_removal(full, 2).why_not  # nothing came of that run


def test_what_broke_off_goes_at_the_next_start(full: Workspace) -> None:
    control = JobControl()
    control.cancel()
    with pytest.raises(Cancelled):
        remove_ontology(full, 1, control, quiet)
    assert [ontology.id for ontology in list_ontologies(full)] == [2]
    assert unfinished_releases(full.store) == [1]
    sweep(full, JobControl())
    assert not unfinished_releases(full.store)
    assert not left(full, 1)


def test_others_write_between_two_batches(full: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(removing, "_AT_ONCE", 50)
    with full.store.writing() as connection:
        begin_removal(connection, 1)
    seen: list[int] = []

    def removed(rows: int) -> None:
        seen.append(rows)
        say(full, "")

    total = removing.rows_of(full.store, 1)
    remove_release(full.store, 1, removed)
    assert sum(seen) >= total > 1_000
    assert max(seen) <= 50
    assert check_log(full) == 1 + len(seen)
    assert not left(full, 1)


def test_what_was_asked_of_it_meanwhile_says_that_it_is_gone(workspace: Workspace) -> None:
    remove_ontology(workspace, 1, JobControl(), quiet)
    for encoder in (LEXICAL, VECTORS):
        with pytest.raises(UserError, match="ontology 1 is there no longer"):
            prepare(workspace, encoder, 1, JobControl(), quiet)
