"""Reviewed suggestions as files: what a row says of who judged what, and changes for ROBOT."""

import csv
import json
import uuid
from pathlib import Path

import openpyxl
import pytest
import yaml
from toy_reviews import ANNA, BEN, SEMANTIC, keep, say, suggested, written
from toy_workspace import VECTORS

from termexplorer.errors import UserError
from termexplorer.services.curate.review_files import write_review
from termexplorer.services.curate.review_slots import cell_slots, read_row, row_of
from termexplorer.services.curate.suggestion_lists import Suggestion
from termexplorer.services.files.exports import write_table
from termexplorer.services.verdicts.log import Judge, VerdictSubject
from termexplorer.workspace import Workspace

HEADER = ["concept", "likelihood", "below"]
FIRST = suggested(
    "TOY:2", "TOY:15", cells=["TOY:2", 0.5, "1e3"], subject_label="lung infection",
    object_label="heart disease", confidence="0.5", comment="may be misplaced",
)  # fmt: skip
SECOND = suggested("TOY:3", "TOY:1", cells=["TOY:3", None, "=1+1"])
THIRD = suggested("TOY:4", "TOY:1", cells=["TOY:4", 3, ""], comment="why")


@pytest.fixture
def reviewed(workspace: Workspace) -> int:
    list_id = keep(
        workspace, [FIRST, SECOND, THIRD], HEADER, encoders=[VECTORS, 99], facts=["It is good."]
    )
    say(workspace, ANNA, FIRST, "correct", 'yes, "surely"\n=so\tit is')
    say(workspace, BEN, FIRST, "wrong")
    say(workspace, ANNA, THIRD, "unsure", "hm")
    return list_id


def test_a_similarity_above_one_by_rounding_is_one_in_its_slot() -> None:
    about = VerdictSubject("skos:closeMatch", "A:1", "B:1", "")
    both = [Suggestion(about, [value], {}) for value in (1.0000001, 0.5)]
    slots = cell_slots(("similarity",), both)
    assert slots == ["similarity_score"]
    assert [float(row_of(suggestion, slots)["similarity_score"]) for suggestion in both] == [1, 0.5]
    other = [Suggestion(about, [7.5], {})]  # of BM25
    assert cell_slots(("similarity",), other) != slots


@pytest.mark.parametrize("ending", ["csv", "tsv", "xlsx", "jsonl", "sssom.tsv"])
def test_no_file_has_a_similarity_above_one_by_rounding(
    workspace: Workspace, tmp_path: Path, ending: str
) -> None:
    rows = [
        suggested("TOY:2", "TOY:15", cells=["TOY:2", 1.000000238]),
        suggested("TOY:3", "TOY:1", cells=["TOY:3", 0.5]),
    ]
    list_id = keep(workspace, rows, ["concept", "similarity"])
    say(workspace, ANNA, rows[0], "correct")
    path = tmp_path / f"list.{ending}"
    write_review(workspace, path, list_id)
    if ending == "sssom.tsv":
        similarities = [row["similarity_score"] for row in mappings(path)]
    elif ending == "jsonl":
        lines = path.read_text(encoding="utf-8").splitlines()
        similarities = [json.loads(line)["similarity"] for line in lines]
    elif ending == "xlsx":
        sheet = openpyxl.load_workbook(path).active
        similarities = [cell.value for cell in sheet["B"][1:]]
    else:
        lines = path.read_text(encoding="utf-8").splitlines()[1:]
        similarities = [line.split("," if ending == "csv" else "\t")[1] for line in lines]
    assert [float(similarity) for similarity in similarities] == [1, 0.5]


def mappings(path: Path) -> list[dict[str, str]]:
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    body = (line for line in lines if not line.startswith("#"))
    rows = csv.DictReader(body, delimiter="\t", strict=True)
    return [{slot: text for slot, text in row.items() if text} for row in rows]


def head(path: Path) -> dict[str, object]:
    lines = path.read_text(encoding="utf-8").splitlines()
    loaded: dict[str, object] = yaml.safe_load("\n".join(x[1:] for x in lines if x[:1] == "#"))
    return loaded


def test_a_curator_asserts_denies_or_has_reviewed(
    workspace: Workspace, reviewed: int, tmp_path: Path
) -> None:
    path = tmp_path / "list.sssom.tsv"
    assert write_review(workspace, path, reviewed).rows == 4
    asserted, denied, unjudged, unsure = mappings(path)
    assert (asserted["subject_id"], asserted["predicate_id"], asserted["object_id"]) == (
        "TOY:2", "skos:broadMatch", "TOY:15",
    )  # fmt: skip
    assert asserted["mapping_justification"] == "semapv:ManualMappingCuration"
    assert asserted["author_id"] == "orcid:0000-0002-1825-0097"
    assert asserted["author_label"] == "Anna Berg"
    assert asserted["mapping_date"] == "2026-03-01"
    assert asserted["comment"] == 'yes, "surely"\n=so\tit is'
    assert not {"confidence", "predicate_modifier", "reviewer_label"} & set(asserted)
    assert asserted["ext_termexplorer_suggested_comment"] == "may be misplaced"
    assert asserted["ext_termexplorer_suggested_confidence"] == "0.5"
    assert asserted["ext_termexplorer_cell_below"] == '"1e3"'  # a text, not a number
    assert json.loads(asserted["ext_termexplorer_details"]) == {"a": 1.5}
    assert (denied["author_label"], denied["predicate_modifier"]) == ("Ben", "Not")
    assert "author_id" not in denied
    assert not {"author_label", "ext_termexplorer_answer"} & set(unjudged)
    assert unsure["mapping_justification"] == SEMANTIC
    assert (unsure["reviewer_label"], unsure["comment"]) == ("Anna Berg", "hm")
    assert unsure["ext_termexplorer_answer"] == "unsure"
    assert "author_label" not in unsure


def test_who_is_not_sure_says_so_in_the_standards_own_slot(
    workspace: Workspace, reviewed: int, tmp_path: Path
) -> None:
    say(workspace, BEN, THIRD, "later")
    path = tmp_path / "list.sssom.tsv"
    write_review(workspace, path, reviewed)
    agreed = [(row.get("reviewer_label"), row.get("reviewer_agreement")) for row in mappings(path)]
    assert agreed == [(None, None)] * 3 + [("Anna Berg", "0.0"), ("Ben", "0.0")]


def test_each_record_has_an_id_that_stays(
    workspace: Workspace, reviewed: int, tmp_path: Path
) -> None:
    path = tmp_path / "list.sssom.tsv"

    def ids() -> list[str]:
        write_review(workspace, path, reviewed)
        return [row["record_id"] for row in mappings(path)]

    before = ids()
    assert len(set(before)) == 4  # two curators judged one suggestion
    prefixes = head(path)["curie_map"]
    assert isinstance(prefixes, dict)
    assert {f"{prefixes[identifier.partition(':')[0]]}" for identifier in before} == {"urn:uuid:"}
    assert all(str(uuid.UUID(identifier.partition(":")[2])) in identifier for identifier in before)
    say(workspace, ANNA, FIRST, "wrong", "after all not")
    assert set(ids()) == set(before)
    say(workspace, BEN, THIRD, "correct")
    assert set(before) < set(ids())


def test_the_head_says_by_whom_from_what_and_declares_what_is_not_standard(
    workspace: Workspace, reviewed: int, tmp_path: Path
) -> None:
    path = tmp_path / "list.sssom.tsv"
    write_review(workspace, path, reviewed)
    about = head(path)
    title = str(about["mapping_set_title"])
    assert title.endswith("suggested, reviewed by Anna Berg, Ben")
    assert about["comment"] == "Suggested by toy mean #5, encoder 99, which is there no longer"
    assert about["sssom_version"] == "1.1"  # has review_date
    assert "mapping_date" not in about  # each mapping has its own
    assert {row["mapping_date"] for row in mappings(path)} == {"2026-03-01"}
    definitions = about["extension_definitions"]
    assert isinstance(definitions, list)
    declared = {definition["slot_name"] for definition in definitions}
    used = {slot for row in mappings(path) for slot in row} | set(about)
    assert declared == {slot for slot in used if slot.startswith("ext_")}
    prefixes = about["curie_map"]
    assert isinstance(prefixes, dict)
    assert {definition["property"].partition(":")[0] for definition in definitions} <= set(prefixes)
    assert prefixes["orcid"] == "https://orcid.org/"
    assert "skos" not in prefixes  # is built in
    assert path.read_text().splitlines()[0].startswith("#sssom_version")


def test_tables_have_the_lists_columns_and_the_verdicts(
    workspace: Workspace, reviewed: int, tmp_path: Path
) -> None:
    path = tmp_path / "list.jsonl"
    write_review(workspace, path, reviewed)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    in_words = rows[0].pop("in words")
    assert in_words.startswith("yes: ")
    assert in_words.endswith("?")
    assert {t: cell for t, cell in rows[0].items() if not t.startswith("sssom:")} == {
        "concept": "TOY:2", "likelihood": 0.5, "below": "1e3", "answer": "correct",
        "answered predicate": "skos:broadMatch", "answered target": "TOY:15",
        "answered name": "heart disease",
        "note": 'yes, "surely"\n=so\tit is', "curator": "Anna Berg",
        "ORCID": "0000-0002-1825-0097", "answered at": "2026-03-01T10:00:00.000+00:00",
    }  # fmt: skip
    assert [row["likelihood"] for row in rows] == [0.5, 0.5, None, 3]
    assert [row["curator"] for row in rows] == ["Anna Berg", "Ben", "", "Anna Berg"]
    write_review(workspace, path.with_suffix(".csv"), reviewed)
    with path.with_suffix(".csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert [row["below"] for row in table] == ["1e3", "1e3", "'=1+1", ""]  # nothing to run
    write_review(workspace, path.with_suffix(".xlsx"), reviewed)
    sheet = openpyxl.load_workbook(path.with_suffix(".xlsx")).worksheets[0]
    assert [cell.value for cell in sheet[2]][:4] == ["TOY:2", 0.5, "1e3", "correct"]
    with pytest.raises(UserError, match=r"name the file \.sssom\.tsv, .*, \.robot\.tsv, .*\.csv"):
        write_review(workspace, tmp_path / "list.txt", reviewed)
    with pytest.raises(UserError, match="no such list"):
        write_review(workspace, path, 77)


def template(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    """What ROBOT makes of a template: a row of titles, one of template strings, then terms."""
    with path.open(encoding="utf-8", newline="") as file:
        titles, strings, *rows = csv.reader(file, "excel-tab", escapechar="\\", strict=True)
    assert strings[0] == "ID"
    known = ("ID", "SC %", "A ", "AI ", "")
    assert all(text.startswith(known[2:4]) or text in known for text in strings)
    assert len(set(titles)) == len(titles) == len(strings)
    assert all(len(row) == len(titles) for row in rows)
    assert not any(not row[0] for row in rows)  # ROBOT would leave it out
    return strings, [dict(zip(titles, row, strict=True)) for row in rows]


def test_what_most_curators_call_correct_is_a_change(workspace: Workspace, tmp_path: Path) -> None:
    moved = [suggested(f"TOY:{n}", "TOY:1", subject_label=f"name {n}") for n in range(2, 7)]
    clara = Judge("Clara")
    list_id = keep(workspace, moved)
    answers = ["cc ", "cw ", "ccw", "cww", "cu"]
    words = {"c": "correct", "w": "wrong", "u": "unsure"}
    for suggestion, answer in zip(moved, answers, strict=True):
        for judge, letter in zip((ANNA, BEN, clara), answer.ljust(3), strict=True):
            if letter.strip():
                say(workspace, judge, suggestion, words[letter], "why" if letter == "w" else "")
    path = tmp_path / "moves.robot.tsv"
    done = write_review(workspace, path, list_id)
    strings, rows = template(path)
    assert (done.rows, done.conflicts) == (3, 1)
    assert strings[:3] == ["ID", "", "SC %"]
    assert [row["concept"] for row in rows] == ["TOY:2", "TOY:4", "TOY:6"]
    assert {row["new parent"] for row in rows} == {"TOY:1"}
    assert rows[0]["present parents"] == "TOY:1 lung disease"
    assert rows[0]["curators"] == "Anna Berg; Ben"
    assert rows[1]["notes"] == "Clara: why"


def test_a_further_place_is_asserted_and_takes_no_parent_away(
    workspace: Workspace, tmp_path: Path
) -> None:
    moved = suggested("TOY:2", "TOY:1", subject_label="name 2")
    list_id = keep(workspace, [moved])
    say(workspace, ANNA, moved, "also")
    write_review(workspace, tmp_path / "a.robot.tsv", list_id)
    (row,) = template(tmp_path / "a.robot.tsv")[1]
    assert (row["new parent"], row.get("present parents", ""), row["curators"]) == (
        "TOY:1", "", "Anna Berg",
    )  # fmt: skip
    write_review(workspace, tmp_path / "a.sssom.tsv", list_id)
    (mapping,) = mappings(tmp_path / "a.sssom.tsv")
    assert mapping["author_label"] == "Anna Berg"
    assert "predicate_modifier" not in mapping
    read, verdict = read_row(mapping, [], {})
    assert read.about == moved.about
    assert verdict is not None
    assert verdict[1].answer == "also"


def test_a_file_without_a_row_says_why(workspace: Workspace, tmp_path: Path) -> None:
    moved = [suggested(f"TOY:{n}", "TOY:1") for n in (2, 3)]
    list_id = keep(workspace, moved)
    path = tmp_path / "moves.robot.tsv"
    unjudged = write_review(workspace, path, list_id)
    assert (unjudged.rows, template(path)[1]) == (0, [])
    say(workspace, ANNA, moved[0], "wrong")
    denied = write_review(workspace, path, list_id)
    assert denied.rows == 0
    nothing = write_review(workspace, tmp_path / "m.csv", list_id, [])
    assert all(reason_given.reason for reason_given in (unjudged, denied, nothing))
    assert unjudged.reason != denied.reason
    assert not write_review(workspace, tmp_path / "m.csv", list_id).reason


def test_prefixes_and_versions_say_only_what_is_known(workspace: Workspace, tmp_path: Path) -> None:
    rows = [suggested(f"{prefix}:1", "OWN:1") for prefix in ("HP", "MESH", "UMLS", "in", "SAID")]
    path = tmp_path / "list.sssom.tsv"
    with workspace.store.writing() as connection:
        prefixes_text = json.dumps({"SAID": "http://example.org/said/"})
        connection.exec_driver_sql(
            "UPDATE release SET version = '', prefixes = ?", (prefixes_text,)
        )
    write_review(workspace, path, keep(workspace, rows))
    about = head(path)
    assert not any("version" in slot for slot in about if slot.startswith(("subject", "object")))
    prefixes = about["curie_map"]
    assert isinstance(prefixes, dict)
    assert prefixes["HP"] == "http://purl.obolibrary.org/obo/HP_"
    assert prefixes["MESH"] == "http://id.nlm.nih.gov/mesh/"
    assert prefixes["UMLS"] == "http://linkedlifedata.com/resource/umls/id/"
    assert prefixes["SAID"] == "http://example.org/said/"


def test_each_kind_of_suggestion_is_a_change_of_its_own(
    workspace: Workspace, tmp_path: Path
) -> None:
    kinds = [
        suggested("TOY:2", "TOY:15", "skos:relatedMatch", 'infection "x" \\ y'),
        suggested("TOY:2", "TOY:15", "skos:closeMatch", object_label="the other"),
        suggested("TOY:1", "TOY:2", "skos:narrowMatch"),
    ]
    path = tmp_path / "changes.robot.tsv"
    list_id = keep(workspace, kinds)
    for kind in kinds:
        say(workspace, ANNA, kind, "correct")
    write_review(workspace, path, list_id)
    strings, (named, same, narrower) = template(path)
    assert {"A oboInOwl:hasExactSynonym", "AI skos:closeMatch", "SC %"} <= set(strings)
    assert (named["concept"], named["exact synonym"]) == ("TOY:15", 'infection "x" \\ y')
    assert named["now a name of"].startswith("TOY:2")
    assert (same["concept"], same["close match"]) == ("TOY:2", "TOY:15")
    assert (narrower["concept"], narrower["new parent"]) == ("TOY:2", "TOY:1")
    from_a_file = keep(workspace, kinds[2:], releases=(None, None))
    write_review(workspace, path, from_a_file)
    assert template(path)[1][0]["present parents"] == "TOY:1 lung disease"
    between = keep(workspace, kinds[1:2], releases=(1, None))
    write_review(workspace, path, between)
    strings, (mapped,) = template(path)
    assert strings[:3] == ["ID", "A oboInOwl:hasDbXref", ""]
    assert (mapped["concept"], mapped["cross-reference"]) == ("TOY:2", "TOY:15")


def test_a_deeper_parent_replaces_the_one_above_it_alone(
    workspace: Workspace, tmp_path: Path
) -> None:
    from toy_ontology import HEADER as OBO
    from toy_ontology import stanza
    from toy_workspace import load

    source = tmp_path / "deeper.obo"
    viral = stanza("D:4", "viral lung infection", "D:1") + "is_a: D:2\n"
    stanzas = [
        stanza("D:0", "disease"),
        stanza("D:1", "lung disease", "D:0"),
        stanza("D:2", "viral disease", "D:0"),
        stanza("D:3", "lung infection", "D:1"),
        viral,
    ]
    source.write_text(OBO + "\n" + "\n".join(stanzas), encoding="utf-8")
    release = load(workspace, source).id
    deeper = suggested("D:4", "D:3")
    list_id = keep(workspace, [deeper], releases=(release, release))
    say(workspace, ANNA, deeper, "correct")
    write_review(workspace, tmp_path / "deeper.robot.tsv", list_id)
    (row,) = template(tmp_path / "deeper.robot.tsv")[1]
    assert (row["new parent"], row["present parents"]) == ("D:3", "D:1 lung disease")
    write_review(workspace, tmp_path / "deeper.kgcl", list_id)
    lines = (tmp_path / "deeper.kgcl").read_text("utf-8")
    assert lines == "move D:4 rdfs:subClassOf D:1 from D:1 to D:3\n"


def test_a_name_keeps_its_scope(workspace: Workspace, tmp_path: Path) -> None:
    from toy_ontology import HEADER as OBO
    from toy_ontology import stanza
    from toy_workspace import load

    source = tmp_path / "scopes.obo"
    narrow = 'synonym: "narrow thing" NARROW []\n'
    source.write_text(OBO.replace("toy", "scopes") + stanza("S:1", "a") + narrow + "\n")
    release = load(workspace, source).id
    moved = suggested("S:1", "S:2", "skos:relatedMatch", "narrow thing")
    list_id = keep(workspace, [moved], releases=(release, release))
    say(workspace, ANNA, moved, "correct")
    write_review(workspace, tmp_path / "n.robot.tsv", list_id)
    strings, (row,) = template(tmp_path / "n.robot.tsv")
    assert "A oboInOwl:hasNarrowSynonym" in strings
    assert row["narrow synonym"] == "narrow thing"


def test_a_list_nobody_judged_has_a_row_each(workspace: Workspace, tmp_path: Path) -> None:
    list_id = keep(workspace, [FIRST, SECOND], HEADER)
    lines = written(workspace, tmp_path / "list.sssom.tsv", list_id)
    assert len(lines) == 3
    about = head(tmp_path / "list.sssom.tsv")
    assert str(about["mapping_set_title"]).endswith("suggested, not reviewed")
    assert str(about["mapping_date"]) == "2026-03-01"
    assert write_review(workspace, tmp_path / "none.robot.tsv", list_id).rows == 0
    assert (tmp_path / "none.robot.tsv").read_text() == "concept\nID\n"


@pytest.mark.parametrize(
    "text", ["=1+1", "+1+1", "@a", "-a", "a\x07b\x0b", "\ufffe", "a\nb", "é😀"]
)
def test_a_text_stays_a_text_in_titles_and_cells(tmp_path: Path, text: str) -> None:
    write_table(tmp_path / "a.xlsx", [text], [[text], [1.5]])
    title, cell, number = openpyxl.load_workbook(tmp_path / "a.xlsx").worksheets[0]["A"]
    shown = text.replace("\x07", "_x0007_").replace("\x0b", "_x000B_").replace("\ufffe", "_xFFFE_")
    assert (title.value, cell.value, number.value) == (shown, shown, 1.5)
    assert (title.data_type, cell.data_type, number.data_type) == ("s", "s", "n")
    write_table(tmp_path / "a.csv", [text], [[text]])
    with (tmp_path / "a.csv").open(newline="", encoding="utf-8") as file:
        (title,), (cell,) = csv.reader(file)
    assert title == cell == (f"'{text}" if text[0] in "=+-@" else text)


def test_json_lines_keep_types_and_tell_equal_titles_apart(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    write_table(path, ["a", "a", "a 2", "a"], [["x", 1, None, 0.5], [float("nan"), "", "=é", 2]])
    first, second = (json.loads(line) for line in path.read_text("utf-8").splitlines())
    assert first == {"a": "x", "a 2": 1, "a 2 2": None, "a 3": 0.5}
    assert list(second.values()) == [None, "", "=é", 2]
