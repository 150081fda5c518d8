"""Answers that say which match a mapping is, and to what: written, read back, and keyed."""

import csv
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from toy_reviews import ANNA, DAY, keep, suggested

from termexplorer.mapping_terms import BROAD, EXACT, MAPPING_SUFFIXES, NO_TERM
from termexplorer.services.curate.mapping_candidates import choose_suggested, compare_names
from termexplorer.services.curate.review_files import write_review
from termexplorer.services.curate.sssom_import import import_sssom
from termexplorer.services.curate.suggestion_lists import read_list
from termexplorer.services.studies.verdict_files import write_verdicts
from termexplorer.services.studies.verdict_import import import_verdicts
from termexplorer.services.verdicts.judging_keys import NOTE, mapping_keys, suggestion_keys
from termexplorer.services.verdicts.log import Answer, VerdictSubject, give_verdict, judged
from termexplorer.services.verdicts.mapping_answers import (
    ChosenMapping,
    answer_mapping,
    find_chosen,
    predicate_keys,
)
from termexplorer.workspace import Workspace

ROWS = [
    suggested("A:1", "OMOP:1", EXACT, subject_label="one", object_label="first"),
    suggested("A:2", "OMOP:2", EXACT, subject_label="two", object_label="second"),
    suggested("A:3", "OMOP:3", BROAD, subject_label="three", object_label="third"),
]
CHOSEN = {
    "A:1": ChosenMapping(BROAD, "OMOP:9", "ninth"),
    "A:2": ChosenMapping(EXACT, NO_TERM),
    "A:3": ChosenMapping(BROAD, "OMOP:3", "third"),
}


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with closing(Workspace(tmp_path / "workspace")) as workspace:
        yield workspace


@pytest.fixture
def answered(workspace: Workspace) -> int:
    """A list on which Anna chose another concept, no match, and what was suggested."""
    list_id = keep(workspace, ROWS, releases=(None, None))
    for row in ROWS:
        answer, details = answer_mapping(row.about, CHOSEN[str(row.about.subject)])
        give_verdict(workspace, ANNA, row.about, Answer(answer, "", DAY, DAY, "", details))
    return list_id


def read_answers(workspace: Workspace) -> dict[str, tuple[str, str, str]]:
    chosen = {v.subject.subject: find_chosen(v.subject, v.answer) for v in judged(workspace)}
    return {str(s): (c.predicate, c.object, c.object_label) for s, c in chosen.items() if c}


def test_the_answers_differ_from_what_was_suggested_only_where_they_do(
    workspace: Workspace, answered: int
) -> None:
    assert [v.answer.answer for v in judged(workspace)] == ["changed", "changed", "correct"]
    about = VerdictSubject(EXACT, "A:1", NO_TERM)
    assert answer_mapping(about, ChosenMapping(EXACT, NO_TERM)) == ("correct", {})
    assert choose_suggested(ROWS[0], EXACT) == ("correct", {})


@pytest.mark.parametrize("suffix", [s for s in MAPPING_SUFFIXES if s != ".stcm.csv"])
def test_a_file_has_what_was_chosen_and_comes_in_again_with_what_was_suggested(
    workspace: Workspace, answered: int, tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"list{suffix}"
    write_review(workspace, path, answered)
    with closing(Workspace(tmp_path / "other")) as other:
        imported = import_sssom(other, path)
        assert [row.about for row in read_list(other, imported.list_id)] == [r.about for r in ROWS]
        labels = [row.slots["object_label"] for row in read_list(other, imported.list_id)]
        assert labels == ["first", "second", "third"]
        assert judged(other)[0].answer == judged(workspace)[0].answer
        assert [v.answer for v in judged(other)] == [v.answer for v in judged(workspace)]
    assert import_sssom(workspace, path).new_verdicts == 0


def test_each_form_of_file_says_it_in_its_own_words(
    workspace: Workspace, answered: int, tmp_path: Path
) -> None:
    def write(name: str) -> Path:
        write_review(workspace, tmp_path / name, answered)
        return tmp_path / name

    def read_table(path: Path, delimiter: str = ",") -> list[dict[str, str]]:
        lines = path.read_text("utf-8").splitlines()
        rows = [line for line in lines if not line.startswith("#")]
        return list(csv.DictReader(rows, delimiter=delimiter))

    sssom = read_table(write("a.sssom.tsv"), "\t")
    columns = ("predicate_id", "object_id", "object_label", "mapping_justification")
    manual = "semapv:ManualMappingCuration"
    assert [tuple(row[c] for c in columns) for row in sssom] == [
        (BROAD, "OMOP:9", "ninth", manual),
        (EXACT, NO_TERM, "", manual),
        (BROAD, "OMOP:3", "third", manual),
    ]
    fhir = json.loads(write("a.conceptmap.json").read_text("utf-8"))
    targets = [e["target"][0] for group in fhir["group"] for e in group["element"]]
    assert [(t.get("code"), t["equivalence"]) for t in targets] == [
        ("9", "wider"), (None, "unmatched"), ("3", "wider"),
    ]  # fmt: skip
    omop = read_table(write("a.stcm.csv"))
    assert [row["target_concept_id"] for row in omop] == ["9", "0", "3"]
    usagi = read_table(write("a.usagi.csv"))
    assert [(row["conceptId"], row["equivalence"], row["mappingStatus"]) for row in usagi] == [
        ("9", "WIDER", "APPROVED"), ("0", "UNMATCHED", "APPROVED"), ("3", "WIDER", "APPROVED"),
    ]  # fmt: skip
    table = read_table(write("a.csv"))
    titles = ("answered predicate", "answered target", "answered name")
    assert [tuple(row[title] for title in titles) for row in table] == [
        (BROAD, "OMOP:9", "ninth"), (EXACT, NO_TERM, ""), (BROAD, "OMOP:3", "third"),
    ]  # fmt: skip
    assert table[0]["in words"] == "ninth is broader than one"
    robot = read_table(write("a.robot.tsv"), "\t")[1:]
    assert [row["cross-reference"] for row in robot] == ["OMOP:9", "OMOP:3"]


def test_a_table_of_verdicts_comes_in_again_and_needs_what_was_chosen(
    workspace: Workspace, answered: int, tmp_path: Path
) -> None:
    path = tmp_path / "verdicts.jsonl"
    write_verdicts(workspace, path, "")
    with closing(Workspace(tmp_path / "other")) as other:
        assert import_verdicts(other, path, None).new == 3
        assert read_answers(other) == read_answers(workspace)
        path.write_text(path.read_text("utf-8").replace("instead", "other"), "utf-8")
        assert len(import_verdicts(other, path, None).unfit) == 2


def test_no_key_is_two_answers() -> None:
    keys = mapping_keys()
    assert list(keys.values()) == ["E", "B", "O", "R", "0"]
    assert not set(keys.values()) & {*suggestion_keys().values(), NOTE}
    german = predicate_keys("RAFUSN")  # whatever is taken, each has its own
    assert len({*german.values()}) == len(german)


def test_what_differs_is_told_by_the_nearest_two_names() -> None:
    differences = compare_names(
        ["Type II diabetes of the left eye"], ["diabetes type 1 of eye NOS", "other"]
    )
    assert differences.missing == ("2", "left")
    assert differences.extra == ("1", "nos")
    kinds = {"2": "numbers", "1": "numbers", "left": "sides", "nos": "unspecified"}
    assert differences.kinds == kinds
    assert set(compare_names(["gout, not specified"], ["gout"]).kinds.values()) == {"unspecified"}
    assert compare_names(["gout not elsewhere classified"], ["gout"]).kinds["not"] == "other"
    assert compare_names(["gout without rash"], ["gout"]).kinds == {"without": "presence"}
    assert compare_names(["heart attack", "MI"], ["coronary", "Heart attacks"]).missing == ()
