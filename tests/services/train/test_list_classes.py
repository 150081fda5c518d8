"""Kept lists as classes of a few-shot run, besides those of a level."""

import multiprocessing
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import insert
from toy_workspace import DAN, FEW_SHOT, TRAINED, VECTORS, import_synonyms, quiet, train

from termexplorer.errors import UserError
from termexplorer.services.evaluate.evaluation import Evaluated, EvaluationRequest, evaluate
from termexplorer.services.levels.concept_lists import (
    ListInfo,
    add_to_list,
    class_of_list,
    class_sizes,
    remove_list,
)
from termexplorer.services.recipes.run_requests import LevelChoice, ListClass, RunRequest, add_run
from termexplorer.services.train.run_cards import card_text, run_card
from termexplorer.services.train.runs import RunInfo, find_run, list_runs, run_details
from termexplorer.services.train.training import EpochDone, train_run
from termexplorer.store.encoders.runs import split_parts
from termexplorer.store.releases import concepts
from termexplorer.store.releases.corpus import release_labels, release_names
from termexplorer.store.tables.lists import ListItemRow, NamedListRow
from termexplorer.workers.data.level_data import SplitRule, build_level_set, split_sets
from termexplorer.workers.data.trained_names import trained_names
from termexplorer.workers.process.supervision import Crashed, JobControl
from termexplorer.workspace import Workspace

ORGANS = ("lung", "heart", "liver", "kidney")
TRAIN, TEST = 0, 2  # as in trainer.data.splits


def named(workspace: Workspace) -> dict[str, list[tuple[int, str]]]:
    """Ids and texts of the live names of each concept of the toy, by CURIE."""
    with workspace.store.reading() as connection:
        names = release_names(connection, 1)
        labels = release_labels(connection, 1)
    texts_by_class: dict[str, list[tuple[int, str]]] = {}
    for number, concept, text in zip(
        names.ids.tolist(), names.concept_ids.tolist(), names.texts, strict=True
    ):
        texts_by_class.setdefault(labels[concept][0], []).append((number, text))
    return texts_by_class


def keep(workspace: Workspace, title: str, *words: str) -> set[str]:
    """Keeps the concepts with all these words in a name as a list; returns their CURIEs."""
    curies = {
        curie
        for curie, names in named(workspace).items()
        if any(all(word in text for word in words) for _, text in names)
    }
    add_to_list(workspace, title, 1, sorted(curies))
    return curies


def keep_raw(workspace: Workspace, title: str, kind: str, *rows: tuple[str, str]) -> None:
    """Keeps a list of another kind than concepts."""
    with workspace.store.writing() as connection:
        row = connection.execute(insert(NamedListRow).values(title=title, kind=kind))
        (list_id,) = row.inserted_primary_key or (0,)
        for subject, other in rows:
            values = {"subject": subject, "object": other, "added_at": "", "terminology_id": None}
            connection.execute(insert(ListItemRow).values(list_id=list_id, **values))


def few_shot(workspace: Workspace, *titles: str, **changes: object) -> RunRequest:
    lists = tuple(class_of_list(workspace, title, 1) for title in titles)
    return replace(FEW_SHOT, class_lists=lists, **changes)  # type: ignore[arg-type]


def figures(workspace: Workspace, run: RunInfo) -> dict[tuple[str, str], float]:
    result = run_details(workspace, run.id).figures
    return {(f.task, f.metric): f.value for f in result if f.encoder_id == run.encoder_id}


def validation(workspace: Workspace, run: RunInfo) -> list[float]:
    return [epoch.validation for epoch in run_details(workspace, run.id).epochs]


def test_names_of_a_list_are_of_its_class_instead_of_the_levels(workspace: Workspace) -> None:
    viral = keep(workspace, "viral ones", "viral")
    request = few_shot(workspace, "viral ones", rule=SplitRule("few-shot", shots=7, seed=3))
    assert request.choice is not None
    data, split_id = build_level_set(
        workspace.store, 1, request.choice, request.rule, request.class_lists
    )
    every = named(workspace)
    right = {
        number: "viral ones" if curie in viral else next(organ for organ in ORGANS if organ in text)
        for curie, names in every.items()
        for number, text in names
        if "disease" not in text
    }
    labels = data.labels
    class_by_id = {
        int(data.name_ids[name]): labels.classes[class_].partition(" ")[2].removesuffix(" disease")
        for name, class_ in zip(labels.name_index, labels.class_index, strict=True)
    }
    assert class_by_id == {number: right[number] for number in class_by_id}
    assert set(class_by_id.values()) == {*ORGANS, "viral ones"}
    drawn = Counter(
        (class_by_id[int(n)], int(p)) for n, p in zip(data.name_ids, data.parts, strict=True)
    )
    assert set(drawn.values()) == {7}
    with workspace.store.reading() as connection:
        parts = split_parts(connection, split_id)
    assert parts == dict(zip(data.name_ids.tolist(), data.parts.tolist(), strict=True))
    listed = data.places(TEST, of_lists=True).tolist()
    assert {class_by_id[int(data.name_ids[index])] for index in listed} == {"viral ones"}
    assert len(listed) == 7
    assert len(data.places(TEST)) == 4 * 7


def test_the_level_without_lists_is_parted_as_ever(workspace: Workspace) -> None:
    assert FEW_SHOT.choice is not None
    first_set, one_id = build_level_set(workspace.store, 1, FEW_SHOT.choice, FEW_SHOT.rule)
    keep(workspace, "viral ones", "viral")
    lists = few_shot(workspace, "viral ones").class_lists
    other, other_id = build_level_set(workspace.store, 1, FEW_SHOT.choice, FEW_SHOT.rule, lists)
    again, again_id = build_level_set(workspace.store, 1, FEW_SHOT.choice, FEW_SHOT.rule)
    assert (first_set.data_hash, one_id) == (again.data_hash, again_id)
    assert other.data_hash != first_set.data_hash
    assert other_id != one_id


def test_a_run_learns_lists_scores_them_and_says_so_on_its_card(workspace: Workspace) -> None:
    viral = keep(workspace, "viral ones", "viral")
    keep(workspace, "acute tumours", "acute", "tumour")
    run = train(workspace, few_shot(workspace, "viral ones", "acute tumours"))
    assert run.status == "finished"
    assert run.title == "few-shot, 5 names a class, level 1 + 2 lists"
    card = run_card(workspace, run.id)
    assert card["class_lists"] == {"viral ones": {"names": 108}, "acute tumours": {"names": 36}}
    assert "  viral ones: 108 names\n" in card_text(card)
    assert card["classes"]["list viral ones"] == 15
    assert card["split"] == {"train": 30, "validation": 30, "test": 30}
    counts = {(f.task, f.n) for f in run_details(workspace, run.id).figures}
    assert counts == {("ranking", 20), ("hypernyms", 20), ("ranking, lists", 10)}
    with workspace.store.reading() as connection:
        learned = trained_names(connection, [run.encoder_id or 0])
    of_list = {number for curie in viral for number, _ in named(workspace)[curie]}
    assert len(learned) == 30
    assert len(learned & of_list) == 5


def ranked(workspace: Workspace, task: str, *encoders: int) -> Sequence[Evaluated]:
    return evaluate(
        workspace, EvaluationRequest(workspace.folder, task, encoders), JobControl(), quiet
    )


def test_evaluate_finds_the_figures_of_the_run_again(workspace: Workspace) -> None:
    keep(workspace, "viral ones", "viral")
    run = train(workspace, few_shot(workspace, "viral ones"))
    assert run.title == "few-shot, 5 names a class, level 1 + viral ones"
    expected = {
        (f.encoder_id, f.task, f.metric): f.value
        for f in run_details(workspace, run.id).figures
        if f.task != "hypernyms"
    }
    evaluations = ranked(workspace, "ranking", VECTORS, TRAINED)
    assert [evaluation.level for evaluation in evaluations[:-1]] == list(range(1, len(evaluations)))
    assert evaluations[-1].task == "ranking, lists"
    assert evaluations[-1].title.startswith(
        "toy 2026-01-01 · viral ones: 5 test names among all 25 training names"
    )
    measured = {
        (f.encoder_id, f.task, f.metric): f.value
        for evaluation in evaluations
        for f in evaluation.figures
        if evaluation.data_hash == run.card["data_hash"]
    }
    assert measured == expected
    assert "4 classes, 20 test names, 20 training names" in evaluations[0].title
    assert {evaluation.task for evaluation in ranked(workspace, "hypernyms", TRAINED)} == {
        "hypernyms"
    }


def test_names_of_lists_are_neither_asked_for_nor_ranked_on_any_level(workspace: Workspace) -> None:
    keep(workspace, "viral ones", "viral")
    request = few_shot(workspace, "viral ones")
    assert request.choice is not None
    lists, choice = request.class_lists, request.choice
    _, split_id = build_level_set(workspace.store, 1, choice, request.rule, lists)
    levels = [choice, choice.whole(2), choice.whole(3)]
    for chosen, data in split_sets(workspace.store, split_id, levels, lists):
        for part in (TRAIN, TEST):
            of_level = [data.labels.names[index] for index in data.places(part)]
            of_lists = [data.labels.names[index] for index in data.places(part, of_lists=True)]
            assert of_level, chosen
            assert not any("viral" in name for name in of_level)
            assert of_lists
            assert all("viral" in name for name in of_lists)


def test_run_again_and_going_on_use_the_list_as_it_was(workspace: Workspace) -> None:
    keep(workspace, "viral ones", "viral")
    asked = few_shot(workspace, "viral ones")
    whole = train(workspace, asked)
    run_id = add_run(workspace, asked)

    def kill(message: object) -> None:
        if isinstance(message, EpochDone) and message.epoch.number == 12:
            for child in multiprocessing.active_children():
                child.kill()

    with pytest.raises(Crashed):
        train_run(workspace, run_id, JobControl(), kill)
    remove_list(workspace, "viral ones")
    keep(workspace, "viral ones", "acute")
    resumed = train_run(workspace, run_id, JobControl(), quiet, resume=True)
    again = train(workspace, RunRequest.read(find_run(workspace, whole.id).request))
    changed = train(workspace, few_shot(workspace, "viral ones"))
    assert validation(workspace, resumed) == validation(workspace, whole)
    assert validation(workspace, again) == validation(workspace, whole)
    assert figures(workspace, again) == figures(workspace, whole)
    assert again.card["data_hash"] == resumed.card["data_hash"] == whole.card["data_hash"]
    assert again.split_id == whole.split_id
    assert changed.card["data_hash"] != whole.card["data_hash"]
    assert changed.split_id != whole.split_id


def test_a_list_of_names_is_a_class_of_these_alone(workspace: Workspace) -> None:
    texts = [text for names in named(workspace).values() for _, text in names if "viral" in text]
    chosen = texts[::3]
    keep_raw(workspace, "some", "names", *((text, "") for text in (*chosen, "unheard of")))
    assert class_sizes(workspace, 1) == [ListInfo("some", len(chosen))]
    request = few_shot(workspace, "some")
    assert request.choice is not None
    data, _ = build_level_set(workspace.store, 1, request.choice, request.rule, request.class_lists)
    (of_list,) = data.lists
    assert of_list.facts == {"names": len(chosen), "names not in the ontology": 1}
    last = len(data.labels.classes) - 1
    drawn = data.labels.name_index[data.labels.class_index == last]
    assert {data.labels.names[index] for index in drawn} <= set(chosen)


def test_what_the_ontology_does_not_have_is_counted(workspace: Workspace, tmp_path: Path) -> None:
    keep(workspace, "mixed", "viral")
    other = import_synonyms(workspace, tmp_path)
    with workspace.store.reading() as connection:
        elsewhere = [label_row[0] for label_row in release_labels(connection, other.id).values()][
            :4
        ]
    add_to_list(workspace, "mixed", other.id, elsewhere)
    add_to_list(workspace, "mixed", 1, ["TOY:9000", "TOY:77777"])  # an obsolete one, and none
    add_to_list(workspace, "mixed", 1, ["TOY:1"])  # on level 1: "lung disease"
    assert class_sizes(workspace, 1) == [ListInfo("mixed", 110)]
    class_list = class_of_list(workspace, "mixed", 1)
    assert class_list.elsewhere == 4
    run = train(workspace, replace(FEW_SHOT, class_lists=(class_list,)))
    assert run.card["class_lists"] == {
        "mixed": {
            "names": 108,
            "concepts not in the ontology": 6,
            "names of the level's own concepts": 2,
        }
    }
    below = LevelChoice.for_recipe("few-shot", root="TOY:1")
    run = train(workspace, replace(FEW_SHOT, choice=below, class_lists=(class_list,)))
    assert run.card["class_lists"] == {
        "mixed": {
            "names": 27,
            "concepts not in the ontology": 6,
            "concepts not below the root": 46,
        }
    }


def test_a_list_that_cannot_be_chosen_is_refused_in_words(workspace: Workspace) -> None:
    with pytest.raises(UserError, match=r"no list viral; none has names .* enclosed on a map"):
        class_of_list(workspace, "viral", 1)
    keep(workspace, "viral ones", "viral")
    with pytest.raises(UserError, match=r"no list viral; with .* there are viral ones"):
        class_of_list(workspace, "viral", 1)
    keep_raw(workspace, "couples", "pairs", ("TOY:1", "TOY:2"))
    with pytest.raises(UserError, match="couples is one of pairs; a class needs concepts or names"):
        class_of_list(workspace, "couples", 1)
    keep_raw(workspace, "void", "concepts")
    with pytest.raises(UserError, match="the list void is empty; put concepts on it first"):
        class_of_list(workspace, "void", 1)
    assert class_sizes(workspace, 1) == [ListInfo("viral ones", 108)]
    assert class_sizes(workspace, None) == []


@pytest.mark.parametrize("asked", [DAN, replace(FEW_SHOT, recipe="cca", choice=None)])
def test_other_recipes_take_no_lists(workspace: Workspace, asked: RunRequest) -> None:
    keep(workspace, "viral ones", "viral")
    lists = (class_of_list(workspace, "viral ones", 1),)
    asked = replace(asked, class_lists=lists, hyperparameters={})
    with pytest.raises(UserError, match=f"{asked.recipe} takes no list as a class; choose few-sh"):
        add_run(workspace, asked)
    with pytest.raises(UserError, match="the list viral ones is named twice"):
        add_run(workspace, replace(FEW_SHOT, class_lists=lists * 2))
    assert list_runs(workspace) == []


@pytest.mark.parametrize(
    ("titles", "message"),
    [
        (("one",), r"list one has 2 names to learn from, and 5 are drawn of each class; put more"),
        (("gone",), r"list gone has 0 names to learn from \(2 concepts not in the ontology left"),
        (("viral", "lungs"), r"lists viral and lungs share 27 names, such as '.*lung.*leave out"),
    ],
)
def test_lists_that_make_no_class_are_said_and_kept_with_the_run(
    workspace: Workspace, titles: tuple[str, ...], message: str
) -> None:
    keep(workspace, "viral", "viral")
    keep(workspace, "lungs", "lung")
    add_to_list(workspace, "one", 1, ["TOY:4"])
    add_to_list(workspace, "gone", 1, ["X:1", "X:2"])
    with pytest.raises(UserError, match=message):
        train(workspace, few_shot(workspace, *titles))
    (run,) = list_runs(workspace)
    assert run.status == "failed"


def test_a_run_of_an_older_version_has_no_lists(with_run: Workspace) -> None:
    request = dict(find_run(with_run, 1).request)
    request.pop("class_lists")
    assert RunRequest.read(request).class_lists == ()


def test_a_class_whose_names_are_all_on_a_list_is_left_empty(workspace: Workspace) -> None:
    with workspace.store.reading() as connection:
        top = concepts.find(connection, 1, "TOY:1")
        assert top is not None
        below = concepts.descendants(connection, top.id)
        labels = release_labels(connection, 1)
    add_to_list(workspace, "all lungs", 1, [labels[concept_id][0] for concept_id in below])
    run = train(workspace, few_shot(workspace, "all lungs"))
    sizes = np.array(sorted(run.card["classes"].values()))
    np.testing.assert_array_equal(sizes, [0, 15, 15, 15, 15])
    assert isinstance(RunRequest.read(run.request).class_lists[0], ListClass)
