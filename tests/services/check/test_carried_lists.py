"""Mappings on a newer release, kept for review: what holds, and what needs a person."""

import csv
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from carried_mappings import (
    ABSCESS,
    CYST,
    FAILURE,
    INTO,
    NEW_STONE,
    STONE,
    TUMOR,
    write_mappings,
    write_releases,
)
from checked_terms import list_known_terms, write_obo
from toy_workspace import load

from termexplorer.errors import UserError
from termexplorer.exporters.sssom import write_sssom
from termexplorer.importers.sssom.sssom import read_sssom
from termexplorer.mapping_terms import EXACT
from termexplorer.services.check.background import CarryRequest, carry_apart
from termexplorer.services.check.carried_lists import keep_carried
from termexplorer.services.check.carry_over import carry_over
from termexplorer.services.curate.list_answers import WantedAnswer, answer_list
from termexplorer.services.curate.mapping_formats import (
    MAPPING_FORMATS,
    MappingFormat,
    open_mappings,
)
from termexplorer.services.curate.mapping_states import explain_state
from termexplorer.services.curate.review import ListReview, read_pair, read_review, say
from termexplorer.services.curate.review_files import write_review
from termexplorer.services.curate.sssom_import import import_sssom
from termexplorer.services.curate.suggestion_filter import SuggestionFields, find_fitting_rows
from termexplorer.services.curate.suggestion_lists import count_judged
from termexplorer.services.curate.suggestion_words import statement_on
from termexplorer.services.verdicts.log import Answer, Judge, now, undo_step
from termexplorer.store.releases.ontologies import ontology
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

ANNA, BEN = Judge("Anna"), Judge("Ben")
ENDINGS = (".sssom.tsv", ".conceptmap.json", ".usagi.csv", ".csv")


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with both releases, the older one first."""
    folder = tmp_path_factory.mktemp("carried")
    with closing(Workspace(folder / "workspace")) as workspace:
        for path in write_releases(folder):
            load(workspace, path)
    return folder / "workspace"


@pytest.fixture
def workspace(imported: Path, tmp_path: Path) -> Iterator[Workspace]:
    """A copy of it, to write into."""
    with closing(Workspace(shutil.copytree(imported, tmp_path / "workspace"))) as opened:
        yield opened


def carry(workspace: Workspace, mappings: str) -> ListReview:
    """Carry mappings from the first release to the second, and read their review."""
    carried = carry_over(mappings, "1", "2", lambda: workspace)
    return read_review(workspace, keep_carried(workspace, carried).list_id)


def cells_of(review: ListReview, number: int) -> dict[str, object]:
    header = review.suggestion_list.head.header
    return dict(zip(header, review.suggestions[number].cells, strict=True))


def answer(workspace: Workspace, review: ListReview, number: int, judge: Judge) -> ListReview:
    """Call a mapping correct now."""
    given = Answer("correct", "still", now(), now())
    return review.add_verdicts(say(workspace, judge, review.suggestions[number].about, given))


def test_what_is_stale_comes_first_on_what_is_proposed(
    workspace: Workspace, tmp_path: Path
) -> None:
    review = carry(workspace, str(write_mappings(tmp_path)))
    states = [cells_of(review, number)["state"] for number in range(5)]
    assert states == ["merged", "retired", "renamed", "holds", "holds"]
    objects = [suggestion.about.object for suggestion in review.suggestions]
    assert objects == [INTO, NEW_STONE, ABSCESS, TUMOR, FAILURE]
    merged, retired = cells_of(review, 0), cells_of(review, 1)
    assert (merged["former concept"], merged["probability"]) == (CYST, 1.0)
    assert (retired["former concept"], retired["former name"]) == (STONE, "kidney stone")
    assert [cells_of(review, number)["negated"] for number in range(5)] == [
        "",
        "",
        "yes",
        "",
        "yes",
    ]
    assert [cells_of(review, number)["comment"] for number in range(5)] == [
        f"seen {number}" for number in (0, 1, 3, 2, 4)
    ]
    assert STONE in explain_state(review.suggestions[1], review.suggestion_list.head.header)


def test_what_holds_is_still_said_by_who_said_it(workspace: Workspace, tmp_path: Path) -> None:
    review = carry(workspace, str(write_mappings(tmp_path)))
    answers = [
        [(v.judge, v.answer.answer, v.answer.note) for v in review.verdicts.get(s.about, ())]
        for s in review.suggestions
    ]
    assert answers == [
        [], [], [], [(ANNA, "correct", "seen 2")], [(ANNA, "wrong", "seen 4")],
    ]  # fmt: skip


def test_candidates_are_what_may_take_the_place(workspace: Workspace, tmp_path: Path) -> None:
    review = carry(workspace, str(write_mappings(tmp_path)))
    pair = read_pair(workspace, review.suggestion_list, review.suggestions[1])
    assert pair.candidates[0].object == NEW_STONE
    assert pair.candidates[0].context is not None
    assert pair.candidates[0].probability
    renamed = read_pair(workspace, review.suggestion_list, review.suggestions[2])
    assert renamed.candidates[0].label == "pus in the kidney"


def test_a_verdict_before_the_release_does_not_count_on_what_is_stale(
    workspace: Workspace, tmp_path: Path
) -> None:
    list_id = import_sssom(workspace, write_mappings(tmp_path)).list_id
    review = carry(workspace, str(list_id))
    assert review.suggestions[2].about.object == ABSCESS  # which Anna denied before
    assert not review.verdicts.get(review.suggestions[2].about)
    assert review.rejections[review.suggestions[2].about].judge == ANNA
    list_id = review.suggestion_list.id
    assert count_judged(workspace, list_id) == 2
    answered = answer(workspace, review, 2, BEN)
    assert [v.judge for v in answered.verdicts[review.suggestions[2].about]] == [BEN]
    assert read_review(workspace, list_id).verdicts[review.suggestions[2].about] == list(
        answered.verdicts[review.suggestions[2].about]
    )
    undo_step(workspace, BEN)
    assert count_judged(workspace, list_id) == 2


def test_the_same_mappings_carried_again_are_the_same_list(
    workspace: Workspace, tmp_path: Path
) -> None:
    path = str(write_mappings(tmp_path))
    first = carry(workspace, path)
    answer(workspace, first, 0, BEN)
    again = carry(workspace, path)
    assert again.suggestion_list.id == first.suggestion_list.id
    assert again.suggestions == first.suggestions


def test_rows_are_filtered_by_their_state(workspace: Workspace, tmp_path: Path) -> None:
    list_id = carry(workspace, str(write_mappings(tmp_path))).suggestion_list.id
    rows = {
        state: find_fitting_rows(workspace, list_id, SuggestionFields(state=state))
        for state in ("stale", "holds", "retired", "moved")
    }
    assert rows == {"stale": [0, 1, 2], "holds": [3, 4], "retired": [1], "moved": []}


@pytest.mark.parametrize(
    "form", [form for form in MAPPING_FORMATS if not form.needs_concept_ids], ids=lambda f: f.title
)
def test_they_go_out_in_each_format_and_come_in_again(
    workspace: Workspace, tmp_path: Path, form: MappingFormat
) -> None:
    review = carry(workspace, str(write_mappings(tmp_path)))
    answer(workspace, review, 0, BEN)
    path = tmp_path / f"carried{form.suffix}"
    written = write_review(workspace, path, review.suggestion_list.id)
    assert written.rows + written.left_out == 5
    assert written.left_out < 5
    with open_mappings(path) as opened:
        rows = [row for _, row in opened.rows]
    if not form.asks_concept_ids:
        assert {row["object_id"] for row in rows} <= {INTO, NEW_STONE, ABSCESS, TUMOR, FAILURE}
        assert ("X:0", EXACT, INTO) in {
            (row["subject_id"], row["predicate_id"], row["object_id"]) for row in rows
        }


def test_a_file_of_them_says_who_reviewed_and_what_it_was(
    workspace: Workspace, tmp_path: Path
) -> None:
    review = carry(workspace, str(write_mappings(tmp_path)))
    answer(workspace, review, 0, BEN)
    path = tmp_path / "carried.sssom.tsv"
    write_review(workspace, path, review.suggestion_list.id)
    written = read_sssom(path)
    assert written.head["license"] == "https://example.org/l"
    assert written.head["mapping_set_source"] == ["https://example.org/m"]
    rows = {row["subject_id"]: row for row in written.rows}
    assert len(written.rows) == len(rows) == 5
    assert (rows["X:0"]["author_label"], rows["X:2"]["author_label"]) == ("Ben", "Anna")
    assert "author_label" not in rows["X:1"]  # which nobody has reviewed since
    assert rows["X:1"]["ext_termexplorer_former_object_id"] == STONE
    assert rows["X:1"]["ext_termexplorer_former_author_label"] == "Anna"
    list_id = import_sssom(workspace, path).list_id
    assert count_judged(workspace, list_id) >= 3


def test_they_are_carried_in_a_child(workspace: Workspace, tmp_path: Path) -> None:
    request = CarryRequest(workspace.folder, str(write_mappings(tmp_path)), "1", "2")
    messages: list[object] = []
    search = carry_apart(workspace, request, JobControl(), messages.append)
    assert (search.count, search.replaced) == (5, None)
    assert messages


def test_confirming_a_denial_keeps_it_and_only_taking_it_back_maps(
    workspace: Workspace, tmp_path: Path
) -> None:
    review = carry(workspace, str(write_mappings(tmp_path)))
    list_id = review.suggestion_list.id
    denied = review.suggestions[2]
    assert denied.about.object == ABSCESS
    assert statement_on(review.suggestion_list, denied) == (
        "thing 3 and pus in the kidney do not mean the same"
    )
    answers = {"correct": ("FLAGGED", "disjoint", 0), "wrong": ("APPROVED", "equivalent", 1)}
    for given, (status, equivalence, count) in answers.items():
        answer_list(workspace, list_id, BEN, [WantedAnswer(3, given)])
        outputs = {ending: tmp_path / f"denied{ending}" for ending in ENDINGS}
        for path in outputs.values():
            assert write_review(workspace, path, list_id, [2]).rows in (1, count)
        (row,) = read_sssom(outputs[".sssom.tsv"]).rows
        assert row["author_label"] == "Ben"
        assert row.get("predicate_modifier", "") == ("" if count else "Not")
        (usagi,) = csv.DictReader(outputs[".usagi.csv"].read_text("utf-8").splitlines())
        assert usagi["mappingStatus"] == status
        assert f'"equivalence": "{equivalence}"' in outputs[".conceptmap.json"].read_text("utf-8")
        (cells,) = csv.DictReader(outputs[".csv"].read_text("utf-8").splitlines())
        assert cells["answer"] == given
        assert cells["in words"].endswith("mean the same")
        assert ("do not" in cells["in words"]) == (not count)


def test_a_withdrawn_term_that_nothing_replaces_is_mapped_to_nothing(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("termexplorer.services.check.carry_over._LEAST", 1.1)
    review = carry(workspace, str(write_mappings(tmp_path)))
    numbers = range(len(review.suggestions))
    (number,) = (n for n in numbers if cells_of(review, n)["state"] == "retired")
    suggestion = review.suggestions[number]
    assert statement_on(review.suggestion_list, suggestion).startswith("No replacement was found")
    assert cells_of(review, number)["probability"] is None
    list_id = review.suggestion_list.id
    for row in ("correct", "wrong"):
        with pytest.raises(UserError, match="none is suggested"):
            answer_list(workspace, list_id, BEN, [WantedAnswer(number + 1, row)])
    path = tmp_path / "none.sssom.tsv"
    write_review(workspace, path, list_id, [number])
    (row_written,) = read_sssom(path).rows
    assert row_written["predicate_id"] == "skos:mappingRelation"
    answer_list(workspace, list_id, BEN, [WantedAnswer(number + 1, predicate="none")])


def test_a_carried_list_goes_out_on_the_newer_release(workspace: Workspace, tmp_path: Path) -> None:
    path = write_mappings(tmp_path)
    text = path.read_text("utf-8").replace(
        "#license", "#object_source_version: '2019'\n#license", 1
    )
    path.write_text(text, "utf-8")
    review = carry(workspace, str(path))
    out = tmp_path / "carried.sssom.tsv"
    write_review(workspace, out, review.suggestion_list.id)
    with workspace.store.reading() as connection:
        newer = ontology(connection, 2)
    assert read_sssom(out).head.get("object_source_version", "") == newer.version


def test_who_asserted_it_before_is_known_after_it_is_judged_and_carried(
    workspace: Workspace, tmp_path: Path
) -> None:
    path = write_mappings(tmp_path)
    text = path.read_text("utf-8").replace("ManualMappingCuration", "LexicalMatching")
    path.write_text(text, "utf-8")
    list_id = import_sssom(workspace, path).list_id
    review = read_review(workspace, list_id)
    for number in range(5):
        review = answer(workspace, review, number, BEN)
    review = carry(workspace, str(list_id))
    out = tmp_path / "carried.sssom.tsv"
    write_review(workspace, out, review.suggestion_list.id)
    for row in read_sssom(out).rows:
        assert row["ext_termexplorer_earlier_author_label"] == "Anna"


def test_a_subject_that_was_split_is_asked_for_each_part(
    workspace: Workspace, tmp_path: Path
) -> None:
    older, newer = (tmp_path / name for name in ("split_old.obo", "split_new.obo"))
    known = {term.curie: term for term in list_known_terms()}
    older.write_text(write_obo(list(known.values())), "utf-8")
    gone = known.pop(CYST)
    parts = "".join(f"replaced_by: {part}\n" for part in (STONE, TUMOR))
    stanza = f"\n[Term]\nid: {CYST}\nname: obsolete {gone.label}\nis_obsolete: true\n{parts}"
    newer.write_text(write_obo(list(known.values())) + stanza, "utf-8")
    row = {
        "subject_id": CYST, "predicate_id": EXACT, "object_id": "X:1", "comment": "seen",
        "mapping_justification": "semapv:ManualMappingCuration", "author_label": "Anna",
    }  # fmt: skip
    path = tmp_path / "split.sssom.tsv"
    write_sssom(path, {"mapping_set_id": "https://example.org/m"}, [row])
    carried = carry_over(str(path), str(older), str(newer), lambda: workspace)
    review = read_review(workspace, keep_carried(workspace, carried).list_id)
    subjects = {suggestion.about.subject for suggestion in review.suggestions}
    assert subjects == {STONE, TUMOR}
    assert {cells_of(review, n)["state"] for n in range(2)} == {"split"}
