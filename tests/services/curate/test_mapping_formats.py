"""Forms of mappings: what goes out comes in again as it was, whoever made it."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import openpyxl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from toy_reviews import ANNA, BEN, keep, say, suggested

from termexplorer.errors import UserError
from termexplorer.exporters.mappings.concept_map import make_concept_map
from termexplorer.exporters.tables import ENDINGS
from termexplorer.services.curate.mapping_formats import (
    MAPPING_FORMATS,
    open_mappings,
    write_mapping_set,
)
from termexplorer.services.curate.review_files import write_review
from termexplorer.services.curate.sssom_import import import_sssom
from termexplorer.services.files.mapping_tables import write_mapping_table
from termexplorer.services.verdicts.log import judged
from termexplorer.workspace import Workspace

HEAD = {
    "curie_map": {"A": "http://a.org/", "SNOMEDCT": "http://snomed.info/id/"},
    "mapping_set_id": "https://a.org/set",
    "mapping_set_title": "A to SNOMED CT",
    "creator_id": ["orcid:0000-0002-7356-1779"],
}
FORMS = {form.title: form for form in MAPPING_FORMATS}
LOSSLESS = ["SSSOM", "FHIR ConceptMap", "Usagi"]
SKOS = [f"skos:{kind}Match" for kind in ("exact", "close", "broad", "narrow", "related")]
TEXTS = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=8)
CODES = st.text("abc1.|-", min_size=1, max_size=4)
ROWS = st.fixed_dictionaries(
    {
        "subject_id": CODES.map("A:{}".format) | CODES.map("C:{}".format),
        "subject_label": TEXTS,
        "predicate_id": st.sampled_from([*SKOS, "rdfs:subClassOf", "owl:sameAs"]),
        "predicate_modifier": st.sampled_from(["", "Not"]),
        "object_id": st.just("sssom:NoTermFound") | CODES.map("SNOMEDCT:{}".format),
        "object_label": TEXTS,
        "mapping_justification": st.sampled_from(
            ["semapv:LexicalMatching", "semapv:UnspecifiedMatching"]
        ),
        "reviewer_label": TEXTS,
        "comment": TEXTS | st.sampled_from(["=1+1", 'say "a", b']),
        "confidence": st.sampled_from(["", "0.5", "1"]),
        "ext_termexplorer_cell_frequency": st.sampled_from(["", "12"]),
    }
)


def drop_empty(row: Mapping[str, str]) -> dict[str, str]:
    return {slot: text for slot, text in row.items() if text}


def write_form(form: str, path: Path, head: Mapping[str, Any], rows: list[dict[str, str]]) -> None:
    if form in FORMS:
        FORMS[form].write(path, head, rows, {"OMOP:7": "7"})
    else:
        write_mapping_table(path, ["name"], [([row.get("comment", "")], row) for row in rows], head)


def write_and_read(
    form: str, head: Mapping[str, Any], rows: list[dict[str, str]], folder: Path
) -> tuple[dict[str, Any], list[dict[str, str]]]:
    path = folder / f"set{FORMS[form].suffix if form in FORMS else form}"
    write_form(form, path, head, rows)
    with open_mappings(path) as opened:
        return opened.head, [row for _, row in opened.rows]


@pytest.mark.parametrize("form", [*LOSSLESS, *ENDINGS])
@settings(max_examples=25, deadline=None)
@given(rows=st.lists(ROWS, max_size=5))
def test_every_slot_comes_back(form: str, rows: list[dict[str, str]]) -> None:
    filled = [drop_empty(row) for row in rows]
    assume(rows or form not in ENDINGS)
    with TemporaryDirectory() as folder:
        head, again = write_and_read(form, HEAD, filled, Path(folder))
    assert again == filled
    if rows or form != "Usagi":
        assert head == HEAD


@pytest.mark.parametrize("form", [*FORMS, *ENDINGS])
@settings(max_examples=10, deadline=None)
@given(rows=st.lists(ROWS, min_size=1, max_size=4))
def test_what_is_read_is_written_the_same_again(form: str, rows: list[dict[str, str]]) -> None:
    is_omop = form == "OMOP SOURCE_TO_CONCEPT_MAP"
    filled = [drop_empty(row | ({"object_id": "OMOP:7"} if is_omop else {})) for row in rows]
    with TemporaryDirectory() as folder:
        ending = FORMS[form].suffix if form in FORMS else form
        head: Mapping[str, Any] = HEAD
        texts = []
        for target in (Path(folder, f"{name}{ending}") for name in ("first", "second")):
            write_form(form, target, head, filled)
            with open_mappings(target) as opened:
                head, filled = opened.head, [row for _, row in opened.rows]
            texts.append((head.get("curie_map"), filled, read_shown(target)))
    assert texts[0] == texts[1]


def read_shown(path: Path) -> object:
    """Return the content of a file; of a workbook, that of its cells, as it has a date."""
    if path.suffix == ".xlsx":
        sheet = openpyxl.load_workbook(path).worksheets[0]
        return [[cell.value for cell in row] for row in sheet.iter_rows()]
    return path.read_bytes()


FOREIGN_MAP = {
    "resourceType": "ConceptMap",
    "id": "c1",
    "url": "http://x.org/fhir/ConceptMap/c1",
    "version": "4",
    "title": "Ours to SNOMED CT",
    "status": "active",
    "sourceUri": "http://x.org/vs",
    "group": [
        {
            "source": "http://x.org/codes",
            "sourceVersion": "2",
            "target": "http://snomed.info/sct",
            "element": [
                {
                    "id": "e1",
                    "code": "K 1",
                    "display": "Gout",
                    "target": [
                        {
                            "code": "90560007",
                            "display": "Gout",
                            "equivalence": "equal",
                            "dependsOn": [{"property": "http://x.org/p", "value": "v"}],
                        },
                        {"code": "3", "equivalence": "narrower", "comment": "one kind"},
                        {"code": "4", "equivalence": "specializes"},
                        {"code": "5", "equivalence": "disjoint"},
                    ],
                },
                {"code": "K2", "target": [{"equivalence": "unmatched", "comment": "none"}]},
                {"code": "K3"},
            ],
            "unmapped": {"mode": "fixed", "code": "0"},
        },
        {
            "source": "http://y.org/codes",
            "target": "http://loinc.org",
            "element": [{"code": "1", "target": [{"code": "8-9", "equivalence": "wider"}]}],
        },
    ],
}


def test_a_concept_map_of_others_comes_back_whole(tmp_path: Path) -> None:
    path = tmp_path / "their.json"
    path.write_text(json.dumps(FOREIGN_MAP), encoding="utf-8")
    with open_mappings(path) as opened:
        head, rows = opened.head, [row for _, row in opened.rows]
    assert [row["predicate_id"] for row in rows[:3]] == [SKOS[0], SKOS[3], SKOS[3]]
    assert rows[3]["predicate_modifier"] == "Not"
    assert [row["object_id"] for row in rows[4:]] == ["sssom:NoTermFound"] * 2 + ["LOINC:8-9"]
    assert rows[0]["object_id"] == "SNOMEDCT:90560007"
    assert len({row["subject_id"].partition(":")[0] for row in rows}) == 2
    assert make_concept_map(head, rows) == FOREIGN_MAP


def test_a_concept_map_has_what_fhir_r4_asks_for() -> None:
    rows = [
        {"subject_id": "A:1", "predicate_id": SKOS[3], "object_id": "SNOMEDCT:2"},
        {"subject_id": "A:1", "predicate_id": SKOS[0], "object_id": "SNOMEDCT:3"},
    ]
    resource = make_concept_map(HEAD, rows)
    assert resource["status"] == "draft"
    (group,) = resource["group"]
    assert (group["source"], group["target"]) == ("http://a.org/", "http://snomed.info/sct")
    (element,) = group["element"]
    assert [t["equivalence"] for t in element["target"]] == ["narrower", "equivalent"]
    assert element["target"][0]["comment"]  # cmd-1: narrower ones must have one
    assert "comment" not in element["target"][1]


OMOP_TABLE = [
    "source_code,source_concept_id,source_vocabulary_id,source_code_description,target_concept_id,"
    "target_vocabulary_id,valid_start_date,valid_end_date,invalid_reason",
    "K1,0,Clinic,Gout,440674,SNOMED,1970-01-01,2099-12-31,",
    '-K2,2000000001,Clinic,"Flu, bird",4266367,SNOMED,2020-05-01,2021-05-01,U',
    "K3,0,Clinic,Nothing,0,None,1970-01-01,2099-12-31,",
]
USAGI_TABLE = [
    "sourceCode,sourceName,sourceFrequency,sourceAutoAssignedConceptIds,ADD_INFO:ward,matchScore,"
    "mappingStatus,equivalence,statusSetBy,statusSetOn,conceptId,conceptName,domainId,mappingType,"
    "comment,createdBy,createdOn,assignedReviewer",
    "K1,Gout,12,440674,3b,0.98,APPROVED,EQUAL,Anna,1700000000000,440674,Gout,Condition,MAPS_TO,"
    "sure,<auto>,1690000000000,Ben",
    "K2,Flu,3,,,0.41,UNCHECKED,UNREVIEWED,,0,0,Unmapped,,,,,0,",
]


@pytest.mark.parametrize(
    ("name", "lines", "predicates"),
    [
        ("their.stcm.csv", OMOP_TABLE, [SKOS[1]] * 3),
        ("map.csv", OMOP_TABLE, [SKOS[1]] * 3),  # known by its titles
        ("their.usagi.csv", USAGI_TABLE, [SKOS[0]] * 2),
    ],
)
def test_a_table_of_others_comes_back_whole(
    empty: Workspace, tmp_path: Path, name: str, lines: list[str], predicates: list[str]
) -> None:
    path = tmp_path / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    imported = import_sssom(empty, path)
    with open_mappings(path) as opened:
        rows = [row for _, row in opened.rows]
    assert [row["predicate_id"] for row in rows] == predicates
    assert rows[-1]["object_id"] == "sssom:NoTermFound"
    suffix = ".usagi.csv" if "Usagi" in lines[0] or "sourceCode" in lines[0] else ".stcm.csv"
    out = tmp_path / f"out{suffix}"
    write_review(empty, out, imported.list_id)
    tables = [list(csv.DictReader(p.read_text("utf-8").splitlines())) for p in (path, out)]
    assert tables[0] == tables[1]


def test_what_was_approved_in_usagi_counts_as_judged(empty: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "their.usagi.csv"
    path.write_text("\n".join(USAGI_TABLE) + "\n", encoding="utf-8")
    assert import_sssom(empty, path).new_verdicts == 1
    (verdict,) = judged(empty)
    assert (verdict.judge.name, verdict.answer.answer) == ("Anna", "correct")
    assert verdict.subject.object == "OMOP:440674"


@pytest.mark.parametrize("form", [*LOSSLESS, *ENDINGS])
def test_verdicts_go_out_and_come_back(
    workspace: Workspace, empty: Workspace, tmp_path: Path, form: str
) -> None:
    rows = [
        suggested("TOY:2", "TOY:15", cells=["TOY:2", 0.5], subject_label="lung infection"),
        suggested("TOY:3", "TOY:1", cells=["TOY:3", None]),
        suggested("TOY:4", "TOY:1", cells=["TOY:4", 3]),
    ]
    list_id = keep(workspace, rows, ["concept", "likelihood"])
    say(workspace, ANNA, rows[0], "correct", "yes")
    say(workspace, BEN, rows[0], "wrong")
    say(workspace, ANNA, rows[1], "unsure", "hm")
    path = tmp_path / f"out{FORMS[form].suffix if form in FORMS else form}"
    assert write_review(workspace, path, list_id).rows == 4
    imported = import_sssom(empty, path)
    assert (imported.suggestions, imported.new_verdicts) == (3, 3)
    both = [
        {(v.judge, v.subject, v.answer.answer, v.answer.note) for v in judged(w)}
        for w in (workspace, empty)
    ]
    assert both[0] == both[1]
    assert import_sssom(workspace, path).list_id == list_id


def test_omop_has_no_place_for_what_is_not_the_same_or_broader(
    empty: Workspace, tmp_path: Path
) -> None:
    rows = [
        {"subject_id": f"A:{n}", "predicate_id": predicate, "object_id": f"OMOP:{n}"}
        for n, predicate in enumerate(SKOS)
    ]
    path = tmp_path / "out.stcm.csv"
    form = FORMS["OMOP SOURCE_TO_CONCEPT_MAP"]
    assert write_mapping_set(empty, path, form, HEAD, rows) == 3
    table = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    assert [row["target_concept_id"] for row in table] == ["0", "1", "2"]
    with pytest.raises(UserError, match="has no concept_id of OMOP"):
        write_mapping_set(empty, path, form, HEAD, [rows[0] | {"object_id": "HP:1"}])


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.json", "{", "no JSON"),
        ("a.json", "[" * 100_000, "no list of rows in JSON"),
        ("a.json", '{"resourceType": "Bundle"}', "no ConceptMap"),
        ("a.json", '{"resourceType": "ConceptMap", "group": 1}', "no list of objects"),
        (
            "a.json",
            '{"resourceType": "ConceptMap", "group": [{"element": [{"code": "1", "target": '
            '[{"code": "2", "relationship": "equivalent"}]}]}]}',
            r"group\[0\].element\[0\]: equivalence ''",
        ),
        ("a.stcm.csv", "source_code,x\n1,2\n", "no column source_concept_id"),
        ("a.usagi.csv", "\n".join([USAGI_TABLE[0], "1,2"]), "line 2: 2 cells"),
    ],
)
def test_what_cannot_be_read_is_told(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=message), open_mappings(path) as opened:
        list(opened.rows)


def test_changes_are_written_in_kgcl(workspace: Workspace, tmp_path: Path) -> None:
    rows = [
        suggested("TOY:2", "TOY:15", "skos:broadMatch", cells=["TOY:2"]),
        suggested("TOY:3", "TOY:1", cells=["TOY:3"]),
        suggested("TOY:4", "TOY:1", cells=["TOY:4"]),
    ]
    list_id = keep(workspace, rows, ["concept"])
    say(workspace, ANNA, rows[0], "correct")
    say(workspace, ANNA, rows[1], "wrong")
    path = tmp_path / "changes.kgcl"
    assert write_review(workspace, path, list_id).rows == 1
    assert path.read_text("utf-8").split("\n") == [
        "move TOY:2 rdfs:subClassOf TOY:1 from TOY:1 to TOY:15",
        "",
    ]
