"""Synonym sets grouped by the codes of another system ([CG] 4.1.2), and those below a root."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from toy_ontology import write_synonyms, write_toy, write_vectors
from toy_workspace import VECTORS, make_imported, opened_copy, quiet, train

from termexplorer.errors import UserError
from termexplorer.services.evaluate.evaluation import EvaluationRequest, evaluate
from termexplorer.services.explore.cross_references import other_systems
from termexplorer.services.importing.releases import ImportRequest, import_release
from termexplorer.services.recipes.run_requests import RunRequest, SplitRule, SynonymChoice, add_run
from termexplorer.services.train.run_cards import card_text, run_card
from termexplorer.services.train.runs import RunInfo, run_details
from termexplorer.store.encoders.runs import find_split
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

GROUPED = SynonymChoice(groups="ICD10CM")
ASKED = RunRequest(
    recipe="cca",
    preset="quick",
    ontology_id=1,
    vectors_id=VECTORS,
    choice=None,
    rule=SplitRule("cca", seed=3),
    hyperparameters={},
    seed=3,
)


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("synonyms")
    return make_imported(source, write_synonyms(source), write_vectors(source))


@pytest.fixture
def workspace(imported: Path, tmp_path: Path) -> Iterator[Workspace]:
    with opened_copy(imported, tmp_path) as opened:
        yield opened


def trained(workspace: Workspace, choice: SynonymChoice, **changes: object) -> RunInfo:
    return train(workspace, replace(ASKED, synonyms=choice, **changes))  # type: ignore[arg-type]


def test_a_run_learns_the_names_of_a_code_and_its_card_counts_them(workspace: Workspace) -> None:
    run = trained(workspace, GROUPED)
    assert run.title == "cca, ICD10CM groups"
    assert RunRequest.read(run.request).synonyms == GROUPED
    card = run_card(workspace, run.id)
    assert card["groups"] == {
        "by": "ICD10CM",
        "groups": 10,
        "concepts mapped": 20,
        "concepts not mapped": 5,
        "concepts with several codes": 1,
        "names without group": 21,
        "names in several groups": 5,
    }
    assert card["names_left_out"]["no ICD10CM code"] == 21
    sizes = {"ICD10CM:bacterial.lung": 10, "ICD10CM:viral.lung": 15, "ICD10CM:acute.heart": 10}
    assert card["classes"].items() >= sizes.items()
    assert card["synonym_sets"]["zero-shot concepts"] == 1
    text = card_text(card)
    assert "  by: ICD10CM" in text
    assert "  names in several groups: 5" in text


def test_the_split_says_the_grouping_so_that_runs_and_evaluations_share_it(
    workspace: Workspace,
) -> None:
    runs = [trained(workspace, GROUPED), trained(workspace, GROUPED, recipe="whitening")]
    alone = trained(workspace, SynonymChoice())
    assert runs[0].split_id == runs[1].split_id != alone.split_id
    with workspace.store.reading() as connection:
        splits = [find_split(connection, run.split_id or 0) for run in (runs[0], alone)]
    assert [split.rule.endswith(", grouped by ICD10CM") for split in splits if split] == [
        True,
        False,
    ]
    expected = {
        (f.task, f.metric): (f.value, f.n, f.data_hash)
        for f in run_details(workspace, runs[0].id).figures
        if f.encoder_id == runs[0].encoder_id
    }
    assert len(expected) == 2 * 3
    for asked in ({"split_id": runs[0].split_id}, {}):  # named, or that of the encoder's own run
        request = EvaluationRequest(
            workspace.folder,
            "synonyms",
            (runs[0].encoder_id or 0, VECTORS),
            **asked,  # type: ignore[arg-type]
        )
        evaluations = evaluate(workspace, request, JobControl(), quiet)
        again = {
            (f.task, f.metric): (f.value, f.n, f.data_hash)
            for evaluation in evaluations
            for f in evaluation.figures
            if f.encoder_id == runs[0].encoder_id
        }
        assert all("(ICD10CM groups)" in evaluation.data for evaluation in evaluations)
        for key, (value, *of) in expected.items():
            assert again[key][0] == pytest.approx(value, abs=1e-6)
            assert list(again[key][1:]) == of


def test_a_root_leaves_only_what_is_below_it(workspace: Workspace) -> None:
    run = trained(workspace, SynonymChoice(root="S:2"))
    assert run.title == "cca, synonym sets below S:2"
    card = run_card(workspace, run.id)
    assert card["classes"] == {f"S:{number}": 5 for number in range(2, 25, 4)}
    assert card["split_rule"] == {"recipe": "cca", "seed": 3, "root": "S:2"}
    assert card["groups"] == {}
    with workspace.store.reading() as connection:
        split = find_split(connection, run.split_id or 0)
    assert split is not None
    assert split.root == "S:2"
    request = EvaluationRequest(workspace.folder, "coverage", (VECTORS,), split_id=run.split_id)
    (evaluated,) = evaluate(workspace, request, JobControl(), quiet)
    assert "(synonym sets below S:2)" in evaluated.data
    assert evaluated.figures[0].n == 30


def test_groups_below_a_root_are_those_of_its_concepts(workspace: Workspace) -> None:
    run = trained(workspace, replace(GROUPED, root="S:1"))
    card = run_card(workspace, run.id)
    assert card["classes"] == {
        f"ICD10CM:{cause}.lung": 10 if cause == "viral" else 5
        for cause in ("bacterial", "viral", "chronic", "acute", "severe")
    }
    assert card["groups"]["concepts not mapped"] == 1


def test_the_systems_that_concepts_refer_to_are_told_with_counts(workspace: Workspace) -> None:
    systems = [
        (other_system.prefix, other_system.concepts, other_system.codes)
        for other_system in other_systems(workspace, 1)
    ]
    assert systems == [("UMLS", 24, 24), ("ICD10CM", 20, 10)]


def test_what_the_ontology_does_not_have_is_refused_before_a_run_is_added(
    workspace: Workspace, tmp_path: Path
) -> None:
    message = (
        r"no concept of this ontology refers to 'ICD9'; concepts refer to UMLS \(24\), ICD10CM"
    )
    with pytest.raises(UserError, match=message):
        add_run(workspace, replace(ASKED, synonyms=SynonymChoice(groups="ICD9")))
    with pytest.raises(UserError, match="'S:99'"):
        add_run(workspace, replace(ASKED, synonyms=SynonymChoice(root="S:99")))
    import_release(workspace, ImportRequest(workspace.folder, str(write_toy(tmp_path))),
                   JobControl(), quiet)  # fmt: skip
    with pytest.raises(UserError, match="has no cross-references"):
        add_run(workspace, replace(ASKED, ontology_id=2, synonyms=GROUPED))


def test_a_root_without_such_codes_fails_in_words(workspace: Workspace) -> None:
    mild = replace(GROUPED, root="S:24")
    with pytest.raises(UserError, match="no concept below S:24 refers to ICD10CM"):
        trained(workspace, mild)
