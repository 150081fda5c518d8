"""What the built-in encoder is made of, what is held out, and what its card tells."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from termexplorer.errors import UserError
from termexplorer.replicate.builtin import data as built_in_data
from termexplorer.replicate.builtin import figures as built_in_figures
from termexplorer.replicate.builtin.card import CARD, write_card, write_figures
from termexplorer.replicate.builtin.data import (
    OntologySource,
    TextSource,
    gather_data,
)
from termexplorer.replicate.builtin.making import BuiltInMaking
from termexplorer.trainer.data.splits import TRAIN, ZERO_SHOT
from termexplorer.trainer.distillation.distil import StaticSettings
from termexplorer.trainer.distillation.rounding import make_tables
from termexplorer.trainer.representations.static import StaticNames

_COUNT = 30


def _write_obo(path: Path, prefix: str, stanzas: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    head = f"format-version: 1.2\nontology: {prefix.lower()}\n"
    path.write_text(head + "".join(f"\n[Term]\n{stanza}\n" for stanza in stanzas), "utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    first = [
        f'id: A:{n}\nname: fever kind{n}\nsynonym: "kind{n} pyrexia" EXACT []\n'
        f'synonym: "hot kind{n}" EXACT []\nsynonym: "wide kind{n}" BROAD []\n'
        f'def: "A fever of kind{n}." []' + (f"\nis_a: A:{n - 1}" if n else "")
        for n in range(_COUNT)
    ]
    second = [
        f'id: B:{n}\nname: other fever kind{n}\nxref: A:{n}\nsynonym: "b{n}" EXACT []'
        for n in range(_COUNT)
    ]
    _write_obo(tmp_path / "ontologies" / "a.obo", "A", first)
    _write_obo(tmp_path / "ontologies" / "b.obo", "B", second)
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "text.txt").write_text("Fever is hot.\n", encoding="utf-8")
    monkeypatch.setattr(
        built_in_data,
        "ONTOLOGIES",
        (
            OntologySource("doid", "a.obo", "obo", "A", "CC0"),
            OntologySource("hp", "b.obo", "obo", "B", "CC BY"),
        ),
    )
    monkeypatch.setattr(built_in_data, "TEXTS", (TextSource("text.txt", "T", "CC BY"),))
    return tmp_path


def test_nothing_that_is_measured_is_learned_as_a_synonym(folder: Path) -> None:
    data, held_out = gather_data(folder, folder / "corpus.txt")
    measured = {
        name
        for name, part in zip(held_out.labels.names, held_out.parts.tolist(), strict=True)
        if part != TRAIN
    }
    learned = {
        name
        for name, part in zip(data.labels.names, data.parts.tolist(), strict=True)
        if part == TRAIN
    }
    assert measured
    assert not measured & learned
    apart = {
        held_out.labels.classes[number].removeprefix("A:")
        for name, number in zip(
            held_out.labels.name_index, held_out.labels.class_index, strict=True
        )
        if held_out.parts[name] == ZERO_SHOT
    }
    assert len(apart) == _COUNT // 10
    assert not {f"b{number}" for number in apart} & learned
    assert {f"b{number}" for number in range(_COUNT) if str(number) not in apart} <= learned
    assert not any(name.startswith("wide") for name in learned)


def test_parents_and_definitions_are_of_the_concepts_that_are_learned(folder: Path) -> None:
    data, _ = gather_data(folder, folder / "corpus.txt")
    classes = data.labels.classes
    assert {(classes[child], classes[parent]) for child, parent in data.parents} == {
        (f"A:{n}", f"A:{n - 1}") for n in range(1, _COUNT)
    }
    assert {classes[number]: text for number, text in data.definitions.items()} == {
        f"A:{n}": f"A fever of kind{n}." for n in range(_COUNT)
    }
    lines = (folder / "corpus.txt").read_text(encoding="utf-8").splitlines()
    assert {"fever is hot .", "a fever of kind3 .", "wide kind4", "b5"} <= set(lines)


def test_a_missing_file_is_told(folder: Path) -> None:
    (folder / "ontologies" / "b.obo").unlink()
    with pytest.raises(UserError, match=r"b\.obo.*--data"):
        gather_data(folder, folder / "corpus.txt")


def test_the_card_tells_data_licences_and_figures(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, held_out = gather_data(folder, folder / "corpus.txt")
    words = sorted({word for name in held_out.labels.names for word in name.split()})
    vectors = np.random.default_rng(0).normal(size=(len(words), 8)).astype(np.float32)
    out = folder / "made"
    StaticNames(make_tables(words, vectors, np.ones(len(words)), 16)).save(out)
    rows = [f"fever kind{n}\thot kind{n + 1}\t{n}" for n in range(20)]
    pairs = folder / "pairs.tsv"
    pairs.write_text("\n".join(["term1\tterm2\tscore", *rows]), encoding="utf-8")
    (folder / "mentions.txt").write_text(
        "1|t|Other fever kind3\n1|a|None.\n1\t0\t17\tOther fever kind3\tDisease\tB:3\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(built_in_figures, "_BENCHMARKS", "pairs.tsv")
    monkeypatch.setattr(built_in_figures, "_DICTIONARY", "ontologies/b.obo")
    monkeypatch.setattr(built_in_figures, "_MENTIONS", "mentions.txt")
    monkeypatch.setattr(built_in_figures, "_TO_CHOOSE_BY", "mentions.txt")
    monkeypatch.setattr(built_in_figures, "_LEARNED", {"A": "ontologies/a.obo"})
    settings = replace(StaticSettings(), dimension=8)
    making = BuiltInMaking(settings, len(words), 90, 30, 61.0, held_out)
    reported: list[str] = []
    write_card(out, making, folder, reported.append)
    card = (out / CARD).read_text(encoding="utf-8")
    assert reported
    assert "CC BY 4.0" in card
    assert "- dimension: 8" in card
    (relatedness,) = [line for line in card.splitlines() if "Spearman" in line]
    assert relatedness.endswith("| 20 |")
    assert card.count("synonyms, ") >= 2
    (accuracy,) = [line for line in card.splitlines() if ": accuracy |" in line]
    assert accuracy.startswith("| BC5CDR")
    assert accuracy.count("| 1.000 (") == 3
    write_figures(out, held_out, folder, reported.append)
    assert (out / CARD).read_text(encoding="utf-8") == card
