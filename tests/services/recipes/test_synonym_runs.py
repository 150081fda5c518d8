"""Runs of recipes that learn from synonym sets: trained, scored, used, and evaluated again."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tiny_transformer import write_bert
from toy_workspace import make_imported, opened_copy, quiet, train

from termexplorer.errors import UserError
from termexplorer.services.encoders.card_words import part_of
from termexplorer.services.encoders.encoders import list_encoders
from termexplorer.services.encoders.vectors import add_vectors
from termexplorer.services.evaluate.evaluation import EvaluationRequest, evaluate
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.importing.releases import ImportRequest, import_release
from termexplorer.services.recipes.presets import RECIPES, SYNONYMS
from termexplorer.services.recipes.run_requests import LevelChoice, RunRequest, SplitRule, add_run
from termexplorer.services.train.run_cards import card_text, run_card
from termexplorer.services.train.runs import RunInfo, find_run, list_runs, run_details
from termexplorer.store.releases.corpus import release_names
from termexplorer.trainer.data.splits import TEST, TRAIN, VALIDATION, ZERO_SHOT
from termexplorer.trainer.encoders import load
from termexplorer.trainer.text.names import plain
from termexplorer.workers.data.concept_data import build_concept_set, read_concept_set
from termexplorer.workers.data.further_sets import learned_from
from termexplorer.workers.data.trained_names import trained_texts
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

SMALL: dict[str, dict[str, object]] = {
    "conceptual-grounding": {"hidden": 32, "maximum_epochs": 2},
    "contrastive": {"hidden": 32, "maximum_epochs": 2},
    "contrastive-spelled": {"hidden": 32, "width": 8, "maximum_epochs": 2},
    "tuned": {"layers": 1, "maximum_epochs": 2},
    "cca": {},
    "sif": {},
    "whitening": {},
    "bne": {"hidden": 8, "characters": 4, "spelling": 4, "maximum_epochs": 2},
    "bne-words": {"hidden": 8, "maximum_epochs": 2},
    "paraphrase": {"hidden": 8, "maximum_epochs": 2},
}
CONCEPTS, WORDS, WIDTH = 30, 40, 12


def write_synonyms(folder: Path) -> tuple[Path, Path]:
    """Thirty concepts of five names each, of two words that mean them and a third one."""
    rng = np.random.default_rng(0)
    words = [f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(WORDS)]
    lines = ["format-version: 1.2", "ontology: synonyms", ""]
    for number in range(CONCEPTS):
        own_words = rng.choice(words, 2, replace=False)
        other_words = rng.choice(
            [word for word in words if word not in own_words], 5, replace=False
        )
        names = [f"{own_words[n % 2]} {other}" for n, other in enumerate(other_words)]
        lines += ["[Term]", f"id: SYN:{number}", f"name: {names[0]}"]
        lines += [f'synonym: "{name}" EXACT []' for name in names[1:]] + [""]
    ontology, vectors = folder / "synonyms.obo", folder / "words.vec"
    ontology.write_text("\n".join(lines), encoding="utf-8")
    rows = [f"{word} " + " ".join(f"{x:.4f}" for x in rng.normal(size=WIDTH)) for word in words]
    vectors.write_text(f"{WORDS} {WIDTH}\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return ontology, vectors


@pytest.fixture(scope="module")
def workspace_with_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with a run of every such recipe, all with seed 3."""
    source, folder = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("made")
    imported = make_imported(source, *write_synonyms(source))
    write_bert(source / "tiny")
    with opened_copy(imported, folder) as workspace:
        add_vectors(workspace, source / "tiny", JobControl(), quiet)
        for recipe in SMALL:
            train(workspace, asked(workspace, recipe))
        return workspace.folder


@pytest.fixture
def workspace(workspace_with_runs: Path, tmp_path: Path) -> Iterator[Workspace]:
    with opened_copy(workspace_with_runs, tmp_path) as opened:
        yield opened


def asked(workspace: Workspace, recipe: str, **changes: object) -> RunRequest:
    untrained = [encoder for encoder in list_encoders(workspace) if encoder.kind == "untrained"]
    vectors = untrained[recipe == "tuned"].id
    request = RunRequest(
        recipe=recipe,
        preset="quick",
        ontology_id=1,
        vectors_id=vectors,
        choice=None,
        rule=SplitRule(recipe, seed=3),
        hyperparameters=SMALL[recipe],
        seed=3,
    )
    return replace(request, **changes)  # type: ignore[arg-type]


def run_of(workspace: Workspace, recipe: str) -> RunInfo:
    return next(run for run in list_runs(workspace) if run.recipe == recipe)


def encoded(workspace: Workspace, run: RunInfo, *names: str) -> NDArray[np.float32]:
    return Encoders(workspace.folder, workspace.store).encode(run.encoder_id or 0, names)


def test_every_such_recipe_is_tested() -> None:
    assert set(SMALL) == {name for name, listed in RECIPES.items() if listed.group == SYNONYMS}


def test_their_figures_are_those_of_evaluate_on_the_same_split(workspace: Workspace) -> None:
    runs = [run_of(workspace, recipe) for recipe in SMALL]
    assert {run.status for run in runs} == {"finished"}
    assert len({run.split_id for run in runs}) == 1
    expected_keys = {
        (f.encoder_id, f.task, f.metric): f
        for run in runs
        for f in run_details(workspace, run.id).figures
    }
    everyone = [*(run.encoder_id or 0 for run in runs), *{run.input_id for run in runs}]
    assert {(encoder, task) for encoder, task, _ in expected_keys} == {
        (encoder, f"synonyms, {variant}")
        for encoder in everyone
        for variant in ("test", "zero-shot")
    }
    request = EvaluationRequest(workspace.folder, "synonyms", tuple(everyone))
    again = {
        (f.encoder_id, f.task, f.metric): f
        for evaluation in evaluate(workspace, request, JobControl(), quiet)
        for f in evaluation.figures
    }
    for key, figure in expected_keys.items():
        assert again[key].data_hash == figure.data_hash
        assert again[key].n == figure.n
        assert again[key].value == pytest.approx(figure.value, abs=1e-6)


def test_the_card_tells_the_split_and_what_was_left_out(workspace: Workspace) -> None:
    run = run_of(workspace, "cca")
    card = run_card(workspace, run.id)
    assert card["title"] == "cca, synonym sets"
    left_out = sum(card["names_left_out"].values())
    assert sum(card["split"].values()) + left_out == 5 * CONCEPTS
    assert set(card["split"]) == {"train", "validation", "test", "zero-shot"}
    assert card["synonym_sets"]["zero-shot concepts"] == CONCEPTS // 10
    assert len(card["classes"]) == CONCEPTS
    assert (card["level"], card["split_rule"]) == ({}, {"recipe": "cca", "seed": 3})
    assert 0 < card["cca"]["shrinkage"]["names"] <= 1
    assert "  zero-shot concepts: 3" in card_text(card)


def test_parts_of_a_card_are_told_in_german_but_for_what_others_named(
    with_more: Workspace, german: None
) -> None:
    run = train(with_more, asked(with_more, "cca", also=(2,)))
    card = run_card(with_more, run.id)
    german_text = card_text(card)
    for key in ("further_sets", "names_left_out", "synonym_sets", "split"):
        assert card[key]
        for part in card[key]:
            assert part_of(key, part) != part
            assert f"  {part_of(key, part)}: " in german_text
    for key in ("hyperparameters", "versions"):
        assert all(part_of(key, part) == part for part in card[key])


def test_unknown_words_are_nothing_unless_they_are_spelled(workspace: Workspace) -> None:
    for recipe, known in (("bne-words", [True, False, False]), ("bne", [True, True, False])):
        vectors = encoded(workspace, run_of(workspace, recipe), "wordaa wordab", "zyx", " ")
        assert vectors.shape == (3, WIDTH)
        assert vectors.any(axis=1).tolist() == known


def test_readers_of_words_need_word_vectors_beneath(workspace: Workspace) -> None:
    first = run_of(workspace, "cca")
    with pytest.raises(UserError, match=r"no word vectors.* choose word vectors"):
        train(workspace, asked(workspace, "bne", vectors_id=first.encoder_id))
    assert list_runs(workspace)[0].status == "failed"


def test_trained_encoders_are_built_on_and_the_card_shows_the_chain(workspace: Workspace) -> None:
    first = run_of(workspace, "bne-words")
    second = train(workspace, asked(workspace, "cca", vectors_id=first.encoder_id))
    labels = {encoder.id: encoder.label for encoder in list_encoders(workspace)}
    chain = [labels[first.encoder_id or 0], labels[first.input_id]]
    assert run_card(workspace, second.id)["chain"] == chain
    assert "chain: " + ", ".join(chain) in card_text(run_card(workspace, second.id))
    assert run_card(workspace, first.id)["chain"] == []
    names = ("wordaa wordab", "wordac wordad")
    below, above = encoded(workspace, first, *names), encoded(workspace, second, *names)
    alone = load(workspace.folder / "runs" / str(second.id) / "best")
    for length in (1.0, 7.0):  # what comes from below is taken at unit length
        assert np.allclose(alone.encode(below * np.float32(length)), above, atol=1e-5)


def test_a_level_is_asked_for_by_those_that_need_one_and_ignored_by_others(
    workspace: Workspace,
) -> None:
    with pytest.raises(UserError, match="dan learns the classes of a level; choose one"):
        add_run(workspace, replace(asked(workspace, "cca"), recipe="dan", hyperparameters={}))
    run_id = add_run(workspace, asked(workspace, "cca", choice=LevelChoice(level=2)))
    assert run_details(workspace, run_id).run.request["choice"] is None


@pytest.fixture
def with_more(workspace: Workspace, tmp_path: Path) -> Workspace:
    """That workspace with a second ontology: a new name of each concept, and one concept more."""
    with workspace.store.reading() as connection:
        first = release_names(connection, 1)
    sets: dict[int, list[str]] = {}
    for concept, text in zip(first.concept_ids.tolist(), first.texts, strict=True):
        sets.setdefault(concept, [f"other {concept}"]).append(text.upper())
    lines = ["format-version: 1.2", "ontology: more", ""]
    for number, names in enumerate([*sets.values(), ["wordaa new", "wordab newer"]]):
        lines += ["[Term]", f"id: MORE:{number}", f"name: {names[0]}"]
        lines += [f'synonym: "{name}" EXACT []' for name in names[1:]] + [""]
    file = tmp_path / "more.obo"
    file.write_text("\n".join(lines), encoding="utf-8")
    import_release(workspace, ImportRequest(workspace.folder, str(file)), JobControl(), quiet)
    return workspace


def test_sets_of_further_ontologies_are_learned_and_not_measured(with_more: Workspace) -> None:
    alone = run_of(with_more, "cca")
    run = train(with_more, asked(with_more, "cca", also=(2,)))
    assert run.split_id == alone.split_id
    cards = [run_card(with_more, trained_run.id) for trained_run in (alone, run)]
    assert cards[0]["data_hash"] == cards[1]["data_hash"]
    assert (cards[0]["further_sets"], cards[0]["further_ontologies"]) == ({}, [])
    assert cards[1]["further_ontologies"] == ["more"]
    further = list(cards[1]["further_sets"].values())
    zero_shot = CONCEPTS // 10
    assert further[1:] == [CONCEPTS - zero_shot, 0, 1, zero_shot]
    data = read_concept_set(with_more.store, run.split_id or 0)
    labels, parts, _ = learned_from(with_more.store, data, 1, (2,))
    learned = {plain(name) for name, part in zip(labels.names, parts, strict=True) if part == TRAIN}
    held_out = {
        plain(name)
        for name, part in zip(data.labels.names, data.parts, strict=True)
        if part in (VALIDATION, TEST, ZERO_SHOT)
    }
    with with_more.store.reading() as connection:
        seen = {plain(text) for text in trained_texts(connection, [run.encoder_id or 0])}
        alone_seen = {plain(text) for text in trained_texts(connection, [alone.encoder_id or 0])}
    assert learned <= seen
    assert "other 1" in seen - alone_seen
    assert held_out.isdisjoint(seen)
    assert further[0] == CONCEPTS - zero_shot + 2
    assert "further ontologies: more" in card_text(cards[1])
    figures = [run_details(with_more, trained_run.id).figures for trained_run in (alone, run)]
    assert {(f.task, f.n) for f in figures[0]} == {(f.task, f.n) for f in figures[1]}
    assert [f.value for f in figures[0]] != [f.value for f in figures[1]]


def test_a_set_that_is_referred_to_is_joined_without_a_name_in_common(
    workspace: Workspace, tmp_path: Path
) -> None:
    def imported(title: str, terms: str) -> Ontology:
        file = tmp_path / f"{title}.obo"
        file.write_text(f"format-version: 1.2\nontology: {title}\n\n{terms}", encoding="utf-8")
        request = ImportRequest(workspace.folder, str(file))
        return import_release(workspace, request, JobControl(), quiet)

    ontology = imported(
        "own",
        "\n".join(
            f"[Term]\nid: D:{n}\nname: wordaa {n}\nxref: NCI2004_11_17:C{n}\n"
            + "".join(f'synonym: "{word} {n}" EXACT []\n' for word in ("wordab", "wordac"))
            for n in range(20)
        ),
    )
    other = imported(
        "other", "\n".join(f"[Term]\nid: NCIT:C{n}\nname: new {n}\n" for n in range(21))
    )
    data, _ = build_concept_set(workspace.store, ontology.id, 3)
    labels, _, facts = learned_from(workspace.store, data, ontology.id, (other.id,))
    zero_shot = 20 // 10
    assert list(facts["further_sets"].values()) == [19, 18, 18, 1, zero_shot]
    members = dict(zip(labels.classes, labels.members(), strict=True))
    assert [labels.names[at] for at in members["NCIT:C20 (2)"]] == ["new 20"]
    new_numbers = {name.split()[1] for name in labels.names if name.startswith("new")}
    assert all(
        [labels.names[at] for at in members[f"D:{n}"]][3:]
        == ([f"new {n}"] if n in new_numbers else [])
        for n in map(str, range(20))
    )


def test_definitions_are_learned_as_names_of_their_concepts(
    workspace: Workspace, tmp_path: Path
) -> None:
    terms = "\n".join(
        f"[Term]\nid: D:{n}\nname: wordaa {n}\n"
        + "".join(f'synonym: "{word} {n}" EXACT []\n' for word in ("wordab", "wordac", "wordad"))
        + f'def: "a definition of {n}{" and more" * 30}" []\n'
        for n in range(20)
    )
    file = tmp_path / "defined.obo"
    file.write_text(f"format-version: 1.2\nontology: defined\n\n{terms}", encoding="utf-8")
    release = import_release(
        workspace, ImportRequest(workspace.folder, str(file)), JobControl(), quiet
    )
    request = replace(asked(workspace, "contrastive"), ontology_id=release.id)
    changed = {**request.hyperparameters, "definitions": True}
    run = train(workspace, replace(request, hyperparameters=changed))
    further = list(run_card(workspace, run.id)["further_sets"].values())
    zero_shot = 20 // 10
    assert further == [20 - zero_shot, 20 - zero_shot, 0, 0, zero_shot]
    data, _ = build_concept_set(workspace.store, release.id, 3)
    labels, _, _ = learned_from(workspace.store, data, release.id, (), definitions=True)
    learned = {name for name in labels.names if name.startswith("a definition")}
    assert len(learned) == 20 - zero_shot
    assert {len(name.split()) for name in learned} == {24}


def test_parents_are_learned_as_sets_of_two_names(workspace: Workspace, tmp_path: Path) -> None:
    names = 'synonym: "wordab {n}" EXACT []\nsynonym: "wordac {n}" EXACT []\n'
    terms = "[Term]\nid: D:0\nname: wordaa of all\n\n" + "\n".join(
        f"[Term]\nid: D:{n}\nname: wordaa {n}\n{names.format(n=n)}is_a: D:0\n" for n in range(1, 21)
    )
    file = tmp_path / "linked.obo"
    file.write_text(f"format-version: 1.2\nontology: linked\n\n{terms}", encoding="utf-8")
    release = import_release(
        workspace, ImportRequest(workspace.folder, str(file)), JobControl(), quiet
    )
    data, _ = build_concept_set(workspace.store, release.id, 3)
    labels, parts, facts = learned_from(workspace.store, data, release.id, (), parents=True)
    learned = {data.labels.names[n].lower() for n in np.flatnonzero(data.parts == 0)}
    expected = {f"wordaa {n} < wordaa of all" for n in range(1, 21) if f"wordaa {n}" in learned}
    if "wordaa of all" not in learned:
        expected = set()
    assert set(labels.classes) - set(data.labels.classes) == expected
    assert 0 < len(expected) < 20, "those of held-out names are left out"
    assert facts["further_sets"]["links to parents"] == len(expected)
    assert len(parts) == len(labels.names)


def test_readers_by_a_transformer_need_one_beneath(workspace: Workspace) -> None:
    words = run_of(workspace, "cca").input_id
    with pytest.raises(UserError, match="is no transformer"):
        train(workspace, replace(asked(workspace, "tuned"), vectors_id=words))


def test_a_run_with_further_ontologies_repeats_itself(with_more: Workspace) -> None:
    request = asked(with_more, "conceptual-grounding", also=(2,))
    first, second = (train(with_more, request) for _ in range(2))
    assert RunRequest.read(first.request) == request
    values = [[f.value for f in run_details(with_more, run.id).figures] for run in (first, second)]
    assert values[0] == values[1]


def test_further_ontologies_that_cannot_be_learned_from_are_refused(workspace: Workspace) -> None:
    with pytest.raises(UserError, match="learned from anyway"):
        add_run(workspace, asked(workspace, "cca", also=(1,)))
    with pytest.raises(UserError, match="9"):
        add_run(workspace, asked(workspace, "cca", also=(9,)))
    level = replace(asked(workspace, "cca", also=(1,)), recipe="dan", hyperparameters={})
    with pytest.raises(UserError, match="dan learns the classes of one ontology's level"):
        add_run(workspace, level)


@pytest.mark.usefixtures("german")
def test_a_recipe_that_is_a_word_is_translated_in_the_title_of_a_run(workspace: Workspace) -> None:
    run = find_run(workspace, add_run(workspace, asked(workspace, "contrastive")))
    assert run.title.startswith("contrastive, ")
    assert run.shown_title.startswith("kontrastiv, ")
