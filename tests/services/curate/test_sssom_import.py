"""SSSOM files kept for review: nothing is lost on the way round, whoever made them."""

import csv
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toy_reviews import ANNA, BEN, DAY, keep, say, suggested

from termexplorer.errors import UserError
from termexplorer.exporters.sssom import write_sssom
from termexplorer.importers.sssom.sssom import read_sssom
from termexplorer.services.curate.review_files import write_review
from termexplorer.services.curate.sssom_import import ImportedMappings, import_sssom
from termexplorer.services.curate.suggestion_lists import find_list, kept_lists, read_list
from termexplorer.services.verdicts.log import Answer, Judge, VerdictSubject, judged
from termexplorer.store.judging.log_batches import append_in_batches
from termexplorer.store.judging.suggestions import Suggestion
from termexplorer.workspace import Workspace

FOREIGN = """\
# curie_map:
#   A: http://a.org/
#   ORCID: https://orcid.org/
# mapping_set_id: https://a.org/set
# mapping_set_confidence: 0.80
# mapping_date: 2020-05-30
# creator_id:
#   - ORCID:0000-0002-7356-1779
# extension_definitions:
#   - slot_name: ext_colour
#     property: A:colour
subject_id\tsubject_label\tpredicate_id\tpredicate_modifier\tobject_id\tmapping_justification\
\tauthor_id\tauthor_label\tsubject_type\tconfidence\tcomment\text_colour\tunknown
A:1\tone\tskos:exactMatch\t\tB:1\tsemapv:LexicalMatching\t\t\t\t0.90\t\tred\t
A:1\tone\tskos:exactMatch\t\tB:1\tsemapv:ManualMappingCuration\t\
ORCID:0000-0002-1825-0097|B:ben\tAnna Berg|Ben \\| B\t\t1\t"sure, ""sure""\nquite"\t\tx
A:2\ttwo\tA:myPredicate\tNot\tsssom:NoTermFound\tsemapv:ManualMappingCuration\t\tClara\t\t\t\t\t
\tthe words\tskos:closeMatch\t\tB:3\tsemapv:ManualMappingCuration\t\t\trdfs literal\t\t\tblue\t
"""
ANNAS = Judge("Anna Berg", "0000-0002-1825-0097")


@pytest.fixture(scope="module")
def nothing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nothing") / "workspace"
    Workspace(folder).close()
    return folder


@contextmanager
def opened(nothing: Path, folder: Path) -> Iterator[Workspace]:
    shutil.rmtree(folder, ignore_errors=True)
    workspace = Workspace(shutil.copytree(nothing, folder))
    try:
        yield workspace
    finally:
        workspace.close()


def imported(workspace: Workspace, folder: Path, text: str = FOREIGN) -> ImportedMappings:
    path = folder / "foreign.sssom.tsv"
    path.write_text(text, encoding="utf-8")
    return import_sssom(workspace, path)


def test_what_others_curated_counts_as_their_verdicts(empty: Workspace, tmp_path: Path) -> None:
    imported_set = imported(empty, tmp_path)
    assert (imported_set.suggestions, imported_set.verdicts, imported_set.new_verdicts) == (4, 3, 3)
    answer_by_key = {(verdict.judge, verdict.subject): verdict.answer for verdict in judged(empty)}
    first, second = (
        VerdictSubject("skos:exactMatch", "A:1", "B:1"),
        VerdictSubject("A:myPredicate", "A:2", "sssom:NoTermFound"),
    )
    assert {key: (a.answer, a.note, a.answered_at) for key, a in answer_by_key.items()} == {
        (ANNAS, first): ("correct", 'sure, "sure"\nquite', "2020-05-30"),
        (Judge("Ben | B"), first): ("correct", 'sure, "sure"\nquite', "2020-05-30"),
        (Judge("Clara"), second): ("wrong", "", "2020-05-30"),
    }
    suggestion_list = find_list(empty, imported_set.list_id)
    assert (suggestion_list.head.kind, suggestion_list.head.title) == (
        "imported",
        "foreign.sssom.tsv",
    )
    rows = read_list(empty, imported_set.list_id)
    assert [row.about.subject for row in rows] == ["A:1", "A:1", "A:2", "the words"]
    titles = list(suggestion_list.head.header)
    assert rows[2].cells[titles.index("predicate")] == "A:myPredicate"
    assert [row.cells[titles.index("negated")] for row in rows] == ["", "", "yes", ""]
    assert rows[0].cells[titles.index("confidence")] == 0.9


def test_a_table_of_denied_mappings_holds_no_double_negative(
    empty: Workspace, tmp_path: Path
) -> None:
    mappings = imported(empty, tmp_path)
    path = tmp_path / "reviewed.csv"
    write_review(empty, path, mappings.list_id)
    with path.open(encoding="utf-8", newline="") as file:
        rows = {row["curator"]: row for row in csv.DictReader(file)}
    denied, agreed = rows["Clara"], rows["Ben | B"]
    assert (denied["predicate"], denied["answer"]) == ("A:myPredicate", "correct")
    shown = [cell for title, cell in denied.items() if not title.startswith("sssom:")]
    assert "Not" not in shown
    assert denied["in words"] == "two is not A:myPredicate sssom:NoTermFound"
    assert agreed["in words"].startswith("yes: Do ")


def test_a_foreign_file_comes_back_as_it_was(empty: Workspace, tmp_path: Path) -> None:
    imported_set = imported(empty, tmp_path)
    write_review(empty, tmp_path / "again.sssom.tsv", imported_set.list_id)
    before, after = (read_sssom(tmp_path / f"{n}.sssom.tsv") for n in ("foreign", "again"))
    assert after.rows == before.rows
    new = {"curie_map": {**before.head["curie_map"], "B": "https://termexplorer.invalid/B/"}}
    assert after.head == before.head | new  # what was not declared is
    text = (tmp_path / "again.sssom.tsv").read_text()
    assert "#mapping_set_confidence: 0.80\n#mapping_date: 2020-05-30\n" in text


def test_a_verdict_makes_another_set_of_it(empty: Workspace, nothing: Path, tmp_path: Path) -> None:
    imported_set = imported(empty, tmp_path)
    first = read_list(empty, imported_set.list_id)[0]
    say(empty, BEN, first, "wrong", "no")
    path = tmp_path / "judged.sssom.tsv"
    write_review(empty, path, imported_set.list_id)
    before, after = read_sssom(tmp_path / "foreign.sssom.tsv"), read_sssom(path)
    assert after.head["mapping_set_source"] == ["https://a.org/set"]
    assert after.head["mapping_set_id"] != "https://a.org/set"
    assert "mapping_date" not in after.head  # each mapping has it now
    day = {"mapping_date": "2020-05-30"}
    kept_rows = [row for row in after.rows if row.get("author_label") != "Ben"]
    assert [{**row, "record_id": ""} for row in kept_rows] == [
        {**row, **day, "record_id": ""} for row in before.rows[1:]
    ]
    assert len({row["record_id"] for row in after.rows}) == len(after.rows)
    assert [row["mapping_date"] for row in after.rows if row.get("author_label") == "Ben"] == [
        DAY[:10], DAY[:10],
    ]  # fmt: skip
    with opened(nothing, tmp_path / "third") as third:
        again = import_sssom(third, path)
        assert (again.suggestions, again.verdicts) == (4, 5)
        write_review(third, tmp_path / "third.sssom.tsv", again.list_id)
    assert (tmp_path / "third.sssom.tsv").read_bytes() == path.read_bytes()
    here = import_sssom(empty, path)
    assert here.new_verdicts == 0
    write_review(empty, tmp_path / "here.sssom.tsv", here.list_id)
    assert (tmp_path / "here.sssom.tsv").read_bytes() == path.read_bytes()


def test_ids_of_a_file_stay_and_a_verdict_is_a_record_of_its_own(
    empty: Workspace, nothing: Path, tmp_path: Path
) -> None:
    columns = "record_id\tsubject_id\tpredicate_id\tobject_id\tmapping_justification"
    about = "http://a.org/1\tskos:exactMatch\tB:1\tsemapv:LexicalMatching\tClara\t0.5"
    twice = "".join(f"urn:x:{n}\t{about}\n" for n in range(3))
    text = f"{columns}\treviewer_label\treviewer_agreement\n{twice}"
    imported_set = imported(empty, tmp_path, text)
    path = tmp_path / "judged.sssom.tsv"
    write_review(empty, path, imported_set.list_id)
    assert read_sssom(path).rows == read_sssom(tmp_path / "foreign.sssom.tsv").rows
    say(empty, ANNA, read_list(empty, imported_set.list_id)[0], "correct")
    say(empty, BEN, read_list(empty, imported_set.list_id)[0], "unsure")
    write_review(empty, path, imported_set.list_id)
    after = read_sssom(path)
    assert len({row["record_id"] for row in after.rows}) == len(after.rows) == 6
    assert {row["ext_termexplorer_suggested_record_id"] for row in after.rows} == {
        "urn:x:0", "urn:x:1", "urn:x:2",
    }  # fmt: skip
    assert [row.get("reviewer_label") for row in after.rows] == [None, "Ben"] * 3
    assert [row.get("reviewer_agreement") for row in after.rows] == [None, "0.0"] * 3
    assert not {"http", "urn"} & set(after.head["curie_map"])  # an IRI is no CURIE
    with opened(nothing, tmp_path / "third") as third:
        again = import_sssom(third, path)
        write_review(third, tmp_path / "third.sssom.tsv", again.list_id)
        slots = [suggestion.slots for suggestion in read_list(third, again.list_id)]
    assert slots == [suggestion.slots for suggestion in read_list(empty, imported_set.list_id)]
    assert (tmp_path / "third.sssom.tsv").read_bytes() == path.read_bytes()


def test_reviewers_of_a_mapping_stay_where_they_stood_before(
    empty: Workspace, tmp_path: Path
) -> None:
    text = (
        "subject_id\tpredicate_id\tobject_id\tmapping_justification\tauthor_label\treviewer_label"
        "\text_termexplorer_answer\nA:1\tskos:exactMatch\tB:1\tsemapv:X\tAnna\tClara\tcorrect\n"
    )
    imported_set = imported(empty, tmp_path, text)
    (row,) = read_list(empty, imported_set.list_id)
    assert row.slots["reviewer_label"] == "Clara"


def test_another_set_names_all_that_it_came_from(empty: Workspace, tmp_path: Path) -> None:
    undated = FOREIGN.replace("# mapping_date: 2020-05-30", "# mapping_set_source: https://b.org/")
    imported_set = imported(empty, tmp_path, undated)
    say(empty, BEN, read_list(empty, imported_set.list_id)[0], "correct")
    write_review(empty, tmp_path / "judged.sssom.tsv", imported_set.list_id)
    after = read_sssom(tmp_path / "judged.sssom.tsv")
    assert after.head["mapping_set_source"] == ["https://b.org/", "https://a.org/set"]
    used = {slot for row in after.rows for slot in row if slot.startswith("ext_")}
    assert {definition["slot_name"] for definition in after.head["extension_definitions"]} == used


def test_the_same_file_again_adds_nothing(empty: Workspace, tmp_path: Path) -> None:
    first, second = imported(empty, tmp_path), imported(empty, tmp_path)
    assert (second.list_id, second.new_verdicts) == (first.list_id, 0)
    assert len(kept_lists(empty)) == 1
    other = imported(empty, tmp_path, FOREIGN.replace("0.90", "0.91"))
    assert (other.list_id != first.list_id, other.new_verdicts) == (True, 0)


MINIMAL = "subject_id\tpredicate_id\tobject_id\tmapping_justification\tauthor_label\n"
sides = st.sampled_from(["TOY:2", "TOY:3", "http://purl.obolibrary.org/obo/TOY_4", "X:1", "X:2"])
justified = st.sampled_from(
    ["semapv:LexicalMatching\t", "semapv:ManualMappingCuration\tAnna", "semapv:Other\t"]
)


@settings(max_examples=15)
@given(st.lists(st.tuples(sides, sides, justified), min_size=1, max_size=8))
def test_rows_are_kept_or_counted_as_doubled(
    nothing: Path, mapping_rows: list[tuple[str, str, str]]
) -> None:
    text = "".join(
        f"{subject}\tskos:exactMatch\t{to}\t{how}\n" for subject, to, how in mapping_rows
    )
    with opened(nothing, nothing.parent / "doubled") as workspace:
        first = imported(workspace, nothing.parent, MINIMAL + text)
        suggestions = read_list(workspace, first.list_id)
        assert first.doubled == len(mapping_rows) - len(set(mapping_rows))
        assert [
            (r.about.subject, r.about.object, r.slots["mapping_justification"]) for r in suggestions
        ] == [
            (subject, to, how.partition("\t")[0])
            for subject, to, how in dict.fromkeys(mapping_rows)
        ]
        again = imported(workspace, nothing.parent, MINIMAL + text)
        assert (first.was_there, again.was_there) == (False, True)
        assert (again.list_id, again.new_verdicts) == (first.list_id, 0)
        assert len(kept_lists(workspace)) == 1


def test_ids_that_no_ontology_has_are_counted_and_kept(
    workspace: Workspace, tmp_path: Path
) -> None:
    rows = [("TOY:2", "TOY:15"), ("TOYS:3", "X:1"), ("X:1", "sssom:NoTermFound"), ("I:4", "X:2")]
    text = "".join(f"{subject}\tskos:exactMatch\t{to}\tsemapv:X\t\n" for subject, to in rows)
    head = "#curie_map:\n#  I: http://purl.obolibrary.org/obo/TOY_\n"
    imported_set = imported(workspace, tmp_path, head + MINIMAL + text)
    assert (imported_set.unknown_ids, list(imported_set.first_unknown_ids)) == (
        3,
        ["TOYS:3", "X:1", "X:2"],
    )
    assert imported_set.suggestions == len(rows)


def test_a_literal_is_no_unknown_id(empty: Workspace, tmp_path: Path) -> None:
    imported_set = imported(empty, tmp_path)
    assert list(imported_set.first_unknown_ids) == ["A:1", "B:1", "A:2", "B:3"]


def test_verdicts_come_back_to_where_they_were_given(workspace: Workspace, tmp_path: Path) -> None:
    rows = [suggested("TOY:2", "TOY:15"), suggested("TOY:3", "TOY:15", comment="c")]
    list_id = keep(workspace, rows)
    say(workspace, ANNA, rows[0], "correct", "yes")
    say(workspace, BEN, rows[0], "later")
    write_review(workspace, tmp_path / "a.sssom.tsv", list_id)
    before = judged(workspace)
    result = import_sssom(workspace, tmp_path / "a.sssom.tsv")
    assert (result.suggestions, result.verdicts, result.new_verdicts) == (2, 2, 0)
    assert judged(workspace) == before


def test_what_somebody_said_later_goes_on_to_count(empty: Workspace, tmp_path: Path) -> None:
    later = suggested("A:1", "B:1", "skos:exactMatch")
    say(empty, ANNAS, later, "wrong")
    imported_set = imported(empty, tmp_path)
    assert (imported_set.verdicts, imported_set.new_verdicts, imported_set.older_verdicts) == (
        3,
        2,
        1,
    )
    answers = [verdict.answer.answer for verdict in judged(empty) if verdict.judge == ANNAS]
    assert answers == ["wrong"]


@pytest.mark.parametrize(
    ("slots", "says"),
    [
        ("ext_termexplorer_details\tun{readable", "line 2: "),
        ("ext_termexplorer_details\t[1]", "line 2: ext_termexplorer_details is no JSON object"),
    ],
)
def test_what_was_changed_in_a_file_is_refused_whole(
    empty: Workspace, tmp_path: Path, slots: str, says: str
) -> None:
    slot, value = slots.split("\t")
    text = (
        f"subject_id\tpredicate_id\tobject_id\tmapping_justification\text_termexplorer_answer\t{slot}"
        f"\nA:1\tskos:exactMatch\tB:1\tsemapv:X\tcorrect\t{value}\n"
    )
    with pytest.raises(UserError, match=says):
        imported(empty, tmp_path, text)
    with pytest.raises(UserError, match="ext_termexplorer_columns in the head"):
        imported(empty, tmp_path, f"#ext_termexplorer_columns: '[1]'\n{text}")
    assert (kept_lists(empty), judged(empty)) == ([], [])


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
words = texts.filter(bool)
cells = st.none() | texts | st.integers() | st.floats(allow_nan=False)
judges = st.sampled_from([ANNA, BEN, Judge("a|b\\"), Judge("", "0000-0002-1694-233X")])
days = st.sampled_from(["", "2020-05-30", "2026-03-01T10:00:00.000+00:00"])
answers = st.builds(
    Answer,
    st.sampled_from(["correct", "wrong", "unsure", "later"]),
    texts,
    days,
    st.just(DAY) | days,
    texts,
    st.dictionaries(texts, texts | st.integers(), max_size=2),
)
# slots whose values are checked
STANDARD_VALUES = {
    "confidence": "0.85", "mapping_date": "2020-05-30", "review_date": "2020-05-30"
}  # fmt: skip
SLOTS = (
    "subject_label", "object_label", "confidence", "comment", "mapping_date", "author_label",
    "author_id", "predicate_modifier", "reviewer_label", "review_date", "reviewer_agreement",
    "record_id", "other", "ext_mine",
)  # fmt: skip


@st.composite
def lists(draw: st.DrawFn) -> tuple[list[str], list[Suggestion]]:
    header = draw(st.lists(texts, max_size=3))
    abouts = draw(
        st.lists(
            st.builds(VerdictSubject, words, words | st.just("a"), words, texts),
            unique=True,
            max_size=4,
        )
    )
    justifications = words | st.just("semapv:ManualMappingCuration")
    literal = st.sampled_from([{}, {"subject_type": "rdfs literal", "subject_label": "a"}])
    slots = st.dictionaries(st.sampled_from(SLOTS), words, max_size=5).map(
        lambda slots: {s: STANDARD_VALUES.get(s, t) for s, t in slots.items()}
    )
    return header, [
        Suggestion(
            about,
            draw(st.lists(cells, min_size=len(header), max_size=len(header))),
            draw(slots) | draw(literal) | {"mapping_justification": draw(justifications)},
        )
        for about in abouts
    ]


@settings(max_examples=25)
@given(lists(), st.lists(st.tuples(st.integers(0, 3), judges, answers), max_size=8), texts)
def test_nothing_is_lost_on_the_way_round(
    nothing: Path,
    header_and_rows: tuple[list[str], list[Suggestion]],
    answers_given: list[tuple[int, Judge, Answer]],
    fact: str,
) -> None:
    folder = nothing.parent
    header, rows = header_and_rows
    with opened(nothing, folder / "here") as here:
        list_id = keep(here, rows, header, (None, None), facts=[fact])
        given = [(w, rows[n].about, a) for n, w, a in answers_given if n < len(rows)]
        append_in_batches(here.store, given)
        write_review(here, folder / "here.sssom.tsv", list_id)
        before, given_here = read_list(here, list_id), judged(here)
    with opened(nothing, folder / "there") as workspace:
        result = import_sssom(workspace, folder / "here.sssom.tsv")
        write_review(workspace, folder / "there.sssom.tsv", result.list_id)
        after, given_there = read_list(workspace, result.list_id), judged(workspace)
        assert find_list(workspace, result.list_id).head.facts == [fact]
    assert (folder / "there.sssom.tsv").read_bytes() == (folder / "here.sssom.tsv").read_bytes()
    assert [(suggestion.about, undated(suggestion)) for suggestion in after] == [
        (suggestion.about, undated(suggestion)) for suggestion in before
    ]
    if header:
        assert [list(suggestion.cells) for suggestion in after] == [
            list(suggestion.cells) for suggestion in before
        ]
    arrived = [(verdict.judge, verdict.subject, verdict.answer) for verdict in given_there]
    assert all((v.judge, v.subject, v.answer) in arrived for v in given_here)


ADDED = ("curie_map", "extension_definitions")
known = st.sampled_from(
    [
        "curie_map", "extension_definitions", "mapping_set_source", "mapping_set_id",
        "mapping_set_title", "mapping_date", "subject_type", "ext_termexplorer_columns",
        "ext_termexplorer_facts", "license",
    ]
)  # fmt: skip
inner = words | st.lists(texts, max_size=2) | st.dictionaries(words, texts, max_size=2)


@settings(max_examples=25)
@given(st.dictionaries(known, inner | st.lists(inner, max_size=2), max_size=4))
def test_any_head_is_refused_or_comes_back(nothing: Path, head: dict[str, object]) -> None:
    folder = nothing.parent
    slots = ("subject_id", "predicate_id", "object_id", "mapping_justification")
    write_sssom(folder / "head.sssom.tsv", head, [dict.fromkeys(slots, "A:1")])
    with opened(nothing, folder / "head") as workspace:
        try:
            result = import_sssom(workspace, folder / "head.sssom.tsv")
        except UserError:
            assert kept_lists(workspace) == []
            return
        write_review(workspace, folder / "again.sssom.tsv", result.list_id)
    after = read_sssom(folder / "again.sssom.tsv").head
    declared = head.get("curie_map", {})
    assert isinstance(declared, dict)
    assert {s: value for s, value in after.items() if s not in ADDED} == {
        s: value for s, value in head.items() if s not in ADDED
    }
    assert declared.items() <= after["curie_map"].items()


def undated(suggestion: Suggestion) -> dict[str, str]:
    """The slots but for the date, which may be that of the set."""
    return {slot: text for slot, text in suggestion.slots.items() if slot != "mapping_date"}


def test_what_was_exported_from_a_list_is_that_list(workspace: Workspace, tmp_path: Path) -> None:
    header = ("concept", "similarity")
    rows = [
        suggested("TOY:2", "TOY:15", cells=["two", 0.5], comment="c"),
        suggested("TOY:3", "TOY:15", cells=["three", 1.00000001]),
    ]
    list_id = keep(workspace, rows, header)
    path = tmp_path / "own.sssom.tsv"
    write_review(workspace, path, list_id)
    result = import_sssom(workspace, path)
    assert (result.list_id, result.was_there, result.verdicts) == (list_id, True, 0)
    say(workspace, ANNA, rows[0], "correct")
    write_review(workspace, path, list_id, only_judged=True)
    part = import_sssom(workspace, path)
    assert (part.list_id, part.was_there, part.suggestions) == (list_id, True, 1)
    assert (part.verdicts, part.new_verdicts, len(kept_lists(workspace))) == (1, 0, 1)

    more = path.read_text("utf-8").splitlines()
    more.append(more[-1].replace("TOY:2", "TOY:4"))
    path.write_text("\n".join(more) + "\n", "utf-8")
    longer = import_sssom(workspace, path)
    assert longer.list_id != list_id
    assert (longer.was_there, longer.part_of, longer.new_suggestions) == (False, list_id, 1)


def test_what_was_exported_from_an_imported_list_is_that_list(
    empty: Workspace, tmp_path: Path
) -> None:
    imported_set = imported(empty, tmp_path)
    say(empty, BEN, read_list(empty, imported_set.list_id)[0], "correct")
    write_review(empty, tmp_path / "judged.sssom.tsv", imported_set.list_id)
    again = import_sssom(empty, tmp_path / "judged.sssom.tsv")
    assert (again.list_id, again.was_there) == (imported_set.list_id, True)
    assert len(kept_lists(empty)) == 1
