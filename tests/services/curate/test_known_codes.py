"""Mapped lists held against the concepts that some of their rows are known to be."""

import csv
import json
import math
from contextlib import closing
from pathlib import Path

import pytest
from toy_ontology import HEADER, stanza
from toy_workspace import LEXICAL, load
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.services.curate.known_codes import (
    KnownAnswer,
    KnownCodes,
    describe_known,
    measure_known,
)
from termexplorer.workers.curate.deciding import DecidedMapping, MappingCandidate
from termexplorer.workspace import Workspace

CURIES = ("ICD10CM:E11.9", "ICD10CM:I10", "ICD10CM:J44", "ICD10CM:N39.0")


def answer(
    curie: str, text: str, chosen: str, predicate: str = "exact", probability: float = 0.9
) -> KnownAnswer:
    candidates = (MappingCandidate("ICD10CM:J44", "exact", 0.05),)
    decision = DecidedMapping(curie, chosen, predicate, probability, False, False, (), candidates)
    return KnownAnswer(curie, text, decision)


def tell(figures: KnownCodes) -> str:
    return " ".join(map(str, describe_known(figures)))


def test_each_known_code_counts_once_and_what_is_unknown_nowhere() -> None:
    figures = measure_known(
        [
            answer("L:1", "ICD10CM:I10", "ICD10CM:I10"),
            answer("L:2", "e119", "ICD10CM:E11.9"),  # as a bill has it
            answer("L:3", "N39.0 | J44", "ICD10CM:J44"),  # either is right
            answer("L:4", "J44", "ICD10CM:I10", probability=0.6),  # another one, J44 behind it
            answer("L:5", "I10", "ICD10CM:I10", "none"),  # the first, and not taken
            answer("L:1", "I10", "ICD10CM:I10"),  # the same code again
            answer("L:6", "", "ICD10CM:I10"),
            answer("L:7", "X99", "ICD10CM:I10"),
        ],
        CURIES,
    )
    shares = (figures.mapped, figures.right, figures.first, figures.found)
    assert [(share.value, share.n) for share in shares] == [
        (3 / 5, 5), (3 / 4, 4), (4 / 5, 5), (1.0, 5)
    ]  # fmt: skip
    assert figures.probability == pytest.approx((0.9 + 0.9 + 0.9 + 0.6) / 4)
    assert figures.missing == ("X99",)
    assert "X99" in tell(figures)


def test_the_sentence_turns_with_the_figures() -> None:
    wrong, right = "ICD10CM:J44", "ICD10CM:I10"

    def measure(share: float, probability: float) -> str:
        answers = [
            answer(f"L:{n}", "I10", right if n < share * 100 else wrong, probability=probability)
            for n in range(100)
        ]
        return tell(measure_known(answers, CURIES))

    assert "too high" in measure(0.6, 0.9)
    assert "too low" in measure(0.9, 0.6)
    as_sure = measure(0.9, 0.9)
    assert "0.900" in as_sure
    assert not any(word in as_sure for word in ("too high", "too low"))


def test_nothing_known_says_nothing() -> None:
    figures = measure_known([answer("L:1", "", "ICD10CM:I10")], CURIES)
    assert figures.mapped.n == 0
    assert math.isnan(figures.probability)
    assert describe_known(figures) == []


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("known")
    organs = ("kidney", "liver", "heart", "lung")
    troubles = ("failure", "abscess", "cyst", "injury", "tumour", "infection")
    terms = [stanza("B:0", "disease")]
    for number, organ in enumerate(organs, start=1):
        terms.append(stanza(f"B:{number}", f"{organ} disease", "B:0"))
        terms += [
            stanza(f"B:{number}{i}", f"{organ} {t}", f"B:{number}", f"{t} of {organ}")
            for i, t in enumerate(troubles)
        ]
    text = HEADER.replace("ontology: toy", "ontology: B")
    (folder / "B.obo").write_text("\n".join([text, *terms]), encoding="utf-8")
    rows = [
        ["code", "name", "known"],
        ["L1", "Liver cyst", "B:22"],
        ["L2", "kidney abscess", "B:99"],
        ["L3", "abscess of kidney", "11"],
        ["L4", "lung injury", ""],
    ]
    with (folder / "codes.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    with closing(Workspace(folder / "workspace")) as workspace:
        load(workspace, folder / "B.obo")
    return folder


def test_the_command_measures_what_is_known(folder: Path, tmp_path: Path) -> None:
    words = ["map", "table", str(folder / "codes.csv"), "--to", "b", "--encoder", str(LEXICAL)]
    further = ["--workspace", str(folder / "workspace"), "--json"]

    def call(*options: str) -> dict[str, object]:
        done = CliRunner().invoke(app, [*words, *options, *further])
        assert done.exit_code == 0, done.output
        (target,) = json.loads(done.output)["targets"]
        assert isinstance(target, dict)
        return target

    assert call()["known"] is None  # nobody said which column it is
    out = tmp_path / "out.csv"
    target = call("--columns", "known=known", "--out", str(out))
    known = target["known"]
    assert isinstance(known, dict)
    assert known["missing"] == ["B:99"]
    assert (known["mapped"]["value"], known["mapped"]["n"]) == (1.0, 2)
    assert (known["right"]["value"], known["right"]["n"]) == (1.0, 2)
    with out.open(encoding="utf-8", newline="") as file:
        assert [row["known"] for row in csv.DictReader(file)] == ["B:22", "B:99", "11", ""]
