"""What concepts of several classes are called alike is ambiguous; equal names are learned once."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from toy_workspace import DAN, load, quiet, train

from termexplorer.services.encoders.vectors import add_vectors
from termexplorer.store.encoders.runs import split_parts
from termexplorer.store.releases.corpus import named, release_names
from termexplorer.workers.data.level_choice import LevelChoice
from termexplorer.workers.data.level_data import (
    SplitRule,
    build_level_set,
    level_labels,
    split_sets,
)
from termexplorer.workers.data.level_sets import LevelSet
from termexplorer.workers.data.trained_names import trained_names
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

TRAIN = 0  # as in trainer.data.splits
FLU = ("flu", "Flu")
CLASSES = {"T:1": "lung disease", "T:2": "skin disease"}


def write_homographs(folder: Path) -> Path:
    """Two classes of seven concepts; "cold sore" is in both, "flu" twice in the first."""
    names = {
        "T:1": ["cough", "cold sore", "asthma", "croup", "flu", "Flu", "pleurisy"],
        "T:2": ["rash", "Cold sore", "acne", "eczema", "wart", "boil", "scab"],
    }
    rows = ["format-version: 1.2", "ontology: homographs", "[Term]", "id: T:0", "name: disease"]
    for curie, label in CLASSES.items():
        rows += ["[Term]", f"id: {curie}", f"name: {label}", "is_a: T:0"]
    for parent, class_names in names.items():
        for number, name in enumerate(class_names):
            rows += ["[Term]", f"id: {parent}{number}", f"name: {name}", f"is_a: {parent}"]
    path = folder / "homographs.obo"
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    opened = Workspace(tmp_path / "workspace")
    try:
        load(opened, write_homographs(tmp_path))
        yield opened
    finally:
        opened.close()


def classes_of(data: LevelSet) -> list[tuple[str, str]]:
    labels = data.labels
    pairs = zip(labels.name_index.tolist(), labels.class_index.tolist(), strict=True)
    return sorted(
        (labels.names[name].lower(), labels.classes[class_number]) for name, class_number in pairs
    )


def test_few_shot_leaves_out_names_of_several_classes(workspace: Workspace) -> None:
    choice = LevelChoice.for_recipe("few-shot", level=1)
    for without in (True, False):
        asked = replace(choice, without_ambiguous=without)
        for seed in range(4):
            rule = SplitRule("few-shot", shots=2, seed=seed)
            data, _ = build_level_set(workspace.store, 1, asked, rule)
            texts = [name.lower() for name in data.labels.names]
            assert len(texts) == len(set(texts)) >= 11  # of five and six, three times two at most
            assert "cold sore" not in texts


def test_few_shot_leaves_out_what_a_concept_of_several_classes_is_called(
    workspace: Workspace, tmp_path: Path
) -> None:
    path = write_homographs(tmp_path)
    both = ["[Term]", "id: T:9", "name: Acne", *(f"is_a: {parent}" for parent in CLASSES)]
    path.write_text("\n".join([path.read_text(), *both, ""]))
    other = load(workspace, path)
    choice, rule = LevelChoice.for_recipe("few-shot", level=1), SplitRule("few-shot", shots=2)
    for seed in range(9):
        asked = replace(rule, seed=seed)
        data, _ = build_level_set(workspace.store, other.id, choice, asked)
        texts = {name.lower() for name in data.labels.names}
        assert not {"acne", "cold sore"} & texts
        assert len(texts) == 10


def test_dan_takes_them_as_members_of_both_and_learns_or_asks_for_one(
    workspace: Workspace,
) -> None:
    choice, rule = LevelChoice(level=1, depth=1), SplitRule("dan", test_passes=1)
    data, split_id = build_level_set(workspace.store, 1, choice, rule)
    result = classes_of(data)
    (both,) = {name for name, _ in result if name.startswith("cold")}
    assert len([name for name, _ in result if name == both]) == 2
    assert [name for name, _ in result].count("flu") == 1
    assert len(data.labels.names) == 12
    ((_, again),) = split_sets(workspace.store, split_id, [choice])
    assert again.data_hash == data.data_hash


def test_all_names_of_a_release_are_told_of_what_is_called_alike(workspace: Workspace) -> None:
    (labels,) = level_labels(workspace.store, 1, [LevelChoice(level=1, depth=1)])
    counts = dict(zip(labels.names, labels.class_counts().tolist(), strict=True))
    assert counts["cold sore"] == counts["Cold sore"] == 2
    assert counts["flu"] == counts["Flu"] == counts["rash"] == 1
    assert counts["lung disease"] == 0


def test_a_name_that_says_what_was_learned_counts_as_learned(
    workspace: Workspace, tmp_path: Path
) -> None:
    words = ["cough", "cold", "sore", "flu", "rash", "acne", "asthma", "croup", "wart", "boil"]
    rows = [f"{word} {number} 1" for number, word in enumerate(words)]
    (tmp_path / "words.vec").write_text("\n".join([f"{len(words)} 2", *rows]) + "\n")
    vectors = add_vectors(workspace, tmp_path / "words.vec", JobControl(), quiet)
    choice, rule = LevelChoice(level=1, depth=1), SplitRule("dan", test_passes=1)
    run = train(workspace, replace(DAN, vectors_id=vectors.id, choice=choice, rule=rule))
    with workspace.store.reading() as connection:
        parts = split_parts(connection, run.split_id or 0)
        learned = trained_names(connection, [run.encoder_id or 0])
        texts = named(connection, parts)
        of_learned = named(connection, learned)
        names = release_names(connection, 1)
    learned_texts = {texts[name_id][0].lower() for name_id, part in parts.items() if part == TRAIN}
    assert {text.lower() for text, _ in of_learned.values()} == learned_texts
    flu = {i for i, text in zip(names.ids.tolist(), names.texts, strict=True) if text in FLU}
    assert len(flu) == 2
    assert len(flu & set(parts)) == 1
    assert flu <= learned or not flu & learned
