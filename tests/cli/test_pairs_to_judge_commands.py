"""Pairs that come from elsewhere, and queues: as files, and as studies of them."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from toy_ontology import write_synonyms

from termexplorer.errors import UserError
from termexplorer.services.levels.concept_lists import add_to_list
from termexplorer.services.studies.answers import write_answers
from termexplorer.services.studies.judging import Judging, Seen
from termexplorer.services.studies.packs import open_pack
from termexplorer.workspace import Workspace

Command = Callable[..., str]
TFIDF, JACCARD, EDITS = "1", "2", "4"
CURIES = ["S:1", "S:5", "S:9", "S:13"]
LABELS = {
    "bacterial lung infection", "viral lung infection", "chronic lung infection",
    "acute lung infection",
}  # fmt: skip
AGAIN = "S:1\tbacterial lung infection\tskos:broadMatch\tX:1\tlung\tsemapv:LexicalMatching\n"
MAPPINGS = """#curie_map:
#  S: http://example.org/S_
subject_id\tsubject_label\tpredicate_id\tobject_id\tobject_label\tmapping_justification
S:1\tbacterial lung infection\tskos:closeMatch\tX:1\tlung\tsemapv:LexicalMatching
S:2\t\tskos:closeMatch\tX:2\theart\tsemapv:LexicalMatching
"""


@pytest.fixture
def command_folder(command: Command, tmp_path: Path) -> Path:
    """A workspace with 24 concepts of five names."""
    command("import", str(write_synonyms(tmp_path)))
    return tmp_path


@pytest.fixture
def sets(command: Command, command_folder: Path) -> Path:
    """Pair sets of the ontology."""
    folder = command_folder / "sets"
    command("pairs", "make", "--ontology", "1", "--out", str(folder), "--negatives", "random")
    return folder


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def written(command: Command, out: Path, *words: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(command("pairs", *words, "--out", str(out), "--json"))
    return answer


def test_a_list_is_paired_at_random(command: Command, command_folder: Path) -> None:
    workspace = Workspace(command_folder / "workspace")
    add_to_list(workspace, "lungs", 1, [*CURIES, "S:999"])
    workspace.close()
    out = command_folder / "lungs.tsv"
    asked = ("from-list", "lungs", "--ontology", "1")
    written_answer = written(command, out, *asked)
    assert written_answer == {
        "file": str(out), "pairs": 6, "labelled": 0, "parts": {}, "left_out": {},
        "passed_over": {"entries of the list that are not in use in the release": 1},
    }  # fmt: skip
    written_rows = rows(out)
    assert list(written_rows[0]) == [
        "left", "right", "label", "left_concept", "right_concept", "distance",
    ]  # fmt: skip
    assert {row["left"] for row in written_rows} | {row["right"] for row in written_rows} == LABELS
    assert len({frozenset((row["left"], row["right"])) for row in written_rows}) == 6
    assert not any(row["label"] for row in written_rows)
    assert written(command, out, *asked, "--number", "2", "--seed", "3")["pairs"] == 2
    first = out.read_bytes()
    written(command, out, *asked, "--number", "2", "--seed", "3")
    assert out.read_bytes() == first
    with pytest.raises(UserError, match="there is no list livers"):
        written(command, out, "from-list", "livers", "--ontology", "1")
    with pytest.raises(UserError, match=r"lungs.csv: name the file \.tsv"):
        written(command, command_folder / "lungs.csv", *asked)


def test_names_that_encoders_disagree_on_are_paired_with_their_answers(
    command: Command, command_folder: Path
) -> None:
    out = command_folder / "compared.tsv"
    both = ("--encoder", TFIDF, "--encoder", EDITS)
    asked = ("--task", "synonyms", "--ontology", "1", *both)
    written(command, out, "from-compare", *asked, "--number", "5")
    written_rows = rows(out)
    compared = json.loads(command("compare", *asked, "--top", "200", "--json"))
    assert written_rows[0]["left"] in {
        table_mention["name"] for table_mention in compared["mentions"][:5]
    }
    mentions = list(dict.fromkeys(row["left"] for row in written_rows))
    assert len(mentions) == 5
    for mention in mentions:
        answers = [row for row in written_rows if row["left"] == mention]
        assert len(answers) == 2  # one of each encoder
        for answer in answers:
            same = answer["left_concept"] == answer["right_concept"]
            assert answer["label"] == ("1" if same else "")


def test_suggestions_become_pairs(command: Command, command_folder: Path) -> None:
    source, out = command_folder / "m.sssom.tsv", command_folder / "suggested.tsv"
    source.write_text(MAPPINGS + AGAIN)
    command("suggestion", "import", str(source))
    written_answer = written(command, out, "from-suggestions", "1")
    assert written_answer["left_out"] == {"repeated": 1}
    text = command("pairs", "from-suggestions", "1", "--out", str(out))
    assert "1 pair, none with a label" in text
    assert "1 suggestions of a concept that has no name here" in text
    (result,) = rows(out)
    assert (result["left"], result["right"]) == ("bacterial lung infection", "lung")
    assert (result["left_concept"], result["right_concept"]) == ("S:1", "X:1")


def test_a_queue_has_both_parts_and_each_is_a_set_of_a_study(command: Command, sets: Path) -> None:
    out = sets.parent / "queue.tsv"
    both = ("--encoder", TFIDF, "--encoder", JACCARD)
    asked = ("queue", "--pairs", str(sets), *both, "--number", "20", "--random-share", ".3")
    written_answer = written(command, out, *asked)
    assert (written_answer["pairs"], written_answer["labelled"], written_answer["parts"]) == (
        20,
        20,
        {"queue": 14, "random": 6},
    )
    written_rows = rows(out)
    assert [row["drawn"] for row in written_rows] == ["queue"] * 14 + ["random"] * 6
    assert len({frozenset((row["left"], row["right"])) for row in written_rows}) == 20
    of_sets = {
        (row["left"], row["right"], row["label"])
        for path in sets.glob("*.tsv")
        for row in rows(path)
    }
    assert {(row["left"], row["right"], row["label"]) for row in written_rows} <= of_sets
    first = out.read_bytes()
    written(command, out, *asked)
    assert out.read_bytes() == first

    words = ("--title", "Queue", "--annotator", "Anna", "--annotator", "Ben", "--practice", "0")
    answer = json.loads(command("study", "new", "--pairs", str(out), *words, "--json"))
    assert {pair_set["set"]: pair_set["rated"] for pair_set in answer["sets"]} == {
        "queue, queue": 14, "queue, random": 6,
    }  # fmt: skip
    for name in ("Anna", "Ben"):
        pack = sets.parent / name
        command("study", "export", "1", "--annotator", name, "--out", str(pack))
        assert "random" not in pack.read_text()
        command("study", "merge", str(_answered(pack)))
    agreement = command("study", "agreement", "1")
    assert "queue, queue" in agreement
    assert "queue, random" in agreement
    assert "without bias are those on “queue, random”." in agreement
    page = sets.parent / "report.html"
    command("study", "report", "1", "--encoder", TFIDF, "--out", str(page))
    assert "without bias are those on “queue, random”." in page.read_text("utf-8")


def _answered(pack: Path) -> Path:
    workspace = Workspace(pack.with_suffix(".clinic"))
    seat = open_pack(workspace, pack)
    judging = Judging(workspace, seat.study_id, seat.annotator)
    for turn in judging.turns:
        answer = ("same", "not same")[len(turn.left + turn.right) % 2]
        judging.judge(turn, answer, Seen("2026-03-01T10:00:00.000+00:00", 1_000, 2_000))
    answers = pack.with_suffix(".answers")
    write_answers(workspace, seat.study_id, seat.annotator, answers)
    workspace.close()
    return answers


def test_pairs_without_a_label_are_judged_but_not_measured_on(
    command: Command, command_folder: Path
) -> None:
    out = command_folder / "queue.tsv"
    both = ("--encoder", TFIDF, "--encoder", JACCARD)
    drawn = ("queue", "--ontology", "1", "--candidates", "50", *both)
    assert written(command, out, *drawn, "--number", "10")["labelled"] == 0
    words = ("--title", "Queue", "--annotator", "Anna", "--annotator", "Ben", "--practice", "0")
    assert "study 1: 10 pairs" in command("study", "new", "--pairs", str(out), *words)
    for name in ("Anna", "Ben"):
        pack = command_folder / name
        command("study", "export", "1", "--annotator", name, "--out", str(pack))
        command("study", "merge", str(_answered(pack)))
    assert "queue, random" in command("study", "agreement", "1")
    with pytest.raises(UserError, match="10 of its 10 pairs have no label"):
        command("evaluate", "pairs", "--pairs", str(out), "--encoder", TFIDF)
    with pytest.raises(UserError, match="no best threshold"):
        written(
            command, out, "queue", "--pairs", str(out), "--encoder", TFIDF, "--by", "uncertainty"
        )


def test_what_cannot_be_queued_is_counted(command: Command, command_folder: Path) -> None:
    file, out = command_folder / "some.tsv", command_folder / "queue.tsv"
    lungs = "acute lung infection\tviral lung infection"
    file.write_text(
        "left\tright\tlabel\n"
        f"{lungs}\t0\nViral lung infection\tacute lung infection\t0\nlung\tLung\t1\n"
    )
    both = ("--encoder", TFIDF, "--encoder", JACCARD)
    written_answer = written(
        command, out, "queue", "--pairs", str(file), *both, "--random-share", "0"
    )
    assert (written_answer["pairs"], written_answer["left_out"]) == (
        1,
        {"identical": 1, "repeated": 1},
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--encoder", TFIDF), "one encoder alone does not disagree"),
        (
            ("--encoder", TFIDF, "--encoder", JACCARD, "--by", "uncertainty"),
            "uncertainty is that of one encoder",
        ),
        (("--encoder", TFIDF, "--by", "luck"), "nothing is queued by luck"),
    ],
)
def test_a_queue_that_cannot_be_is_told(
    command: Command, sets: Path, words: tuple[str, ...], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        written(command, sets / "q.tsv", "queue", "--pairs", str(sets), *words)


def test_a_queue_of_uncertainty_takes_what_is_near_the_threshold(
    command: Command, sets: Path
) -> None:
    out = sets.parent / "unsure.tsv"
    asked = ("queue", "--pairs", str(sets), "--encoder", TFIDF, "--by", "uncertainty")
    written_answer = written(command, out, *asked, "--number", "8", "--random-share", "0")
    assert written_answer["parts"] == {"queue": 8}


def test_pairs_are_left_out_of_sets_and_of_lists(command: Command, command_folder: Path) -> None:
    make_words = ("pairs", "make", "--ontology", "1", "--negatives", "random", "--seed", "3")
    whole, fewer = command_folder / "whole", command_folder / "fewer"
    command(*make_words, "--out", str(whole))
    text = "lung"
    output = command(*make_words, "--out", str(fewer), "--leave-out-text", text)
    count = 0
    for path in whole.glob("*.tsv"):
        written_rows = rows(fewer / path.name) if (fewer / path.name).exists() else []
        expected = [r for r in rows(path) if text not in f"{r['left']} {r['right']}"]
        assert written_rows == expected
        count += len(rows(path)) - len(expected)
    assert count
    assert f"{count:,} pairs left out (a text in it: {count:,})" in output
    again = json.loads(
        command(
            *make_words, "--out", str(command_folder / "json"), "--leave-out-text", text, "--json"
        )
    )
    assert sum(sum(counts.values()) for counts in again["left_out"].values()) == count

    queue = ("queue", "--encoder", TFIDF, "--encoder", JACCARD, "--pairs", str(whole))
    out = command_folder / "queue.tsv"
    all_pairs = written(command, out, *queue, "--number", "40")
    some = written(command, out, *queue, "--number", "40", "--leave-out-text", text)
    assert some["pairs"] + some["left_out"]["text"] == all_pairs["pairs"]
    assert not [r for r in rows(out) if text in f"{r['left']} {r['right']}"]
    with pytest.raises(UserError, match="left out"):
        written(command, out, *queue, "--number", "40", "--leave-out-longer", "1")
