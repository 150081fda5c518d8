"""OMOP vocabularies: concepts, synonyms and relationships as their rows say."""

import csv
import gzip
import io
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from importing import Imported, names, read

from termexplorer.errors import UserError
from termexplorer.importers.formats import choices_of, detect
from termexplorer.importers.omop.files import LAYOUT

Row = Sequence[object]
FILES = {
    "CONCEPT.csv": "concepts",
    "CONCEPT_SYNONYM.csv": "synonyms",
    "CONCEPT_RELATIONSHIP.csv": "relations",
    "VOCABULARY.csv": "vocabularies",
}
ENGLISH, FRENCH = 4180186, 4180190
DATES = ("20020131", "20991231")


def concept(number: int, name: str, vocabulary: str, code: str, **more: str) -> Row:
    sort, domain = more.get("sort", "Clinical Finding"), more.get("domain", "Condition")
    flag, invalid = more.get("flag", "S"), more.get("invalid", "")
    return number, name, domain, vocabulary, sort, flag, code, *DATES, invalid


def related(first: int, sort: str, second: int, invalid: str = "") -> Row:
    return first, second, sort, *DATES, invalid


ROWS: dict[str, list[Row]] = {
    "concepts": [
        concept(1, "Disorder", "SNOMED", "64572001"),
        concept(2, 'Pneumonia, "viral"', "SNOMED", "233604007"),
        concept(3, "Old pneumonia", "SNOMED", "111", flag="", invalid="U"),
        concept(4, "Pneumonia, unspecified", "ICD10CM", "J18.9", sort="4-char code", flag=""),
        concept(5, "Diseases", "ATC-like one", "D", flag="C", sort="Group"),
        concept(FRENCH, "French language", "Language", "fr", domain="Language", sort="Language"),
    ],
    "synonyms": [(2, "Lung inflammation", ENGLISH), (2, "Pneumonie", FRENCH), (2, "Ä", ENGLISH)],
    "relations": [
        related(2, "Is a", 1),
        related(1, "Subsumes", 2),
        related(3, "Is a", 1, "D"),
        related(3, "Concept replaced by", 2),
        related(4, "Maps to", 2),
        related(2, "Maps to", 2),
        related(4, "Is a", 5),
        related(2, "Due to of", 1),
    ],
    "vocabularies": [
        ("SNOMED", "Clinical terms", "http://x", "2024-02-01", 1),
        ("None", "All of them", "http://x", "v5.0 29-AUG-24", 1),
    ],
}


def release(folder: Path, **changed: list[Row]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, role in FILES.items():
        rows = [LAYOUT.columns[role], *changed.get(role, ROWS[role])]
        text = "".join("\t".join(map(str, row)) + "\n" for row in rows)
        (folder / name).write_text(text, "utf-8")
    return folder


def told(path: Path, **choices: str) -> Imported:
    chosen = {key: tuple(values.split(",")) for key, values in choices.items()}
    return read("omop", path, choices=chosen)


def test_concepts_are_what_their_rows_say(tmp_path: Path) -> None:
    folder = release(tmp_path / "omop")
    assert detect(folder) == "omop"
    imported = told(folder)
    by_curie = {imported_concept.curie: imported_concept for imported_concept in imported.concepts}
    viral, old = by_curie["SNOMEDCT:233604007"], by_curie["SNOMEDCT:111"]
    assert names(viral) == ['Pneumonia, "viral"', "Lung inflammation", "Ä"]
    assert (viral.code, viral.alternative_ids) == ("233604007", ("OMOP:2",))
    assert viral.kind == "Clinical Finding, Condition, standard"
    assert viral.parents == ("SNOMEDCT:64572001",)
    assert viral.cross_references == ("ICD10CM:J18.9",)
    assert (old.obsolete, old.replaced_by, old.parents) == (True, (viral.curie,), ())
    assert by_curie["ICD10CM:J18.9"].cross_references == (viral.curie,)
    assert by_curie["ICD10CM:J18.9"].parents == ("ATC-likeone:D",)
    assert by_curie["ATC-likeone:D"].kind == "Group, Condition, classification"
    assert imported.header is not None
    assert (imported.header.terminology, imported.header.version) == ("omop", "v5.0 29-AUG-24")
    assert "SNOMED International" in imported.header.licence
    assert (imported.note("invalid relations"), imported.note("other relations")) == (1, 1)
    assert not imported.skipped


def test_what_is_chosen_comes_in(tmp_path: Path) -> None:
    folder = release(tmp_path / "omop")
    counts = {
        (choice.key, option.value): (option.count, option.label)
        for choice in choices_of("omop", folder)
        for option in choice.options
    }
    assert counts["vocabularies", "SNOMED"] == (3, "Clinical terms")
    assert (counts["standard", "S"][0], counts["standard", "-"][0]) == (3, 2)
    assert counts["languages", str(FRENCH)] == (1, "French language")
    assert counts["languages", str(ENGLISH)] == (2, "English")
    imported = told(folder, vocabularies="SNOMED", standard="S", languages=str(FRENCH))
    assert [imported_concept.code for imported_concept in imported.concepts] == [
        "64572001",
        "233604007",
    ]
    assert names(imported.concepts[1]) == ['Pneumonia, "viral"', "Pneumonie"]
    assert imported.concepts[1].cross_references == ("ICD10CM:J18.9",)
    assert imported.header is not None
    assert (imported.header.terminology, imported.header.title) == ("snomedct", "Clinical terms")
    assert told(folder, vocabularies="ICD10CM").note("links elsewhere") == 1
    with pytest.raises(UserError, match="holds no concept of ICD10CM, S; choose more"):
        told(folder, vocabularies="ICD10CM", standard="S")


@settings(max_examples=10)
@given(st.data(), st.integers(2, 40))
def test_links_are_those_of_either_direction_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, count: int
) -> None:
    folder = tmp_path_factory.mktemp("omop")
    numbers = st.integers(1, count)
    links = data.draw(st.lists(st.tuples(numbers, st.booleans(), numbers), max_size=80))
    rows = [
        related(low, "Is a", high) if up else related(high, "Subsumes", low)
        for low, up, high in links
    ]
    concepts = [concept(n, f"name {n}", "SNOMED", str(n)) for n in range(1, count + 1)]
    shuffled = data.draw(st.permutations(concepts))
    imported = told(release(folder, concepts=shuffled, relations=rows, synonyms=[]))
    assert [imported_concept.code for imported_concept in imported.concepts] == [
        str(n) for n in range(1, count + 1)
    ]
    assert {
        (int(imported_concept.code), int(parent.partition(":")[2]))
        for imported_concept in imported.concepts
        for parent in imported_concept.parents
    } == {(low, high) for low, _, high in links if low != high}


ODD: dict[str, tuple[str, Row]] = {
    "CONCEPT.csv: concept_id 'x' is no number": ("concepts", ("x", *concept(1, "", "A", "1")[1:])),
    "CONCEPT.csv: concept_code '' is no code": ("concepts", concept(9, "a", "A", "")),
    "CONCEPT.csv: its concept_id stands on a line before": (
        "concepts", concept(1, "again", "A", "1"),
    ),
    "CONCEPT.csv: standard_concept 'X' is neither S nor C": (
        "concepts", concept(9, "a", "A", "1", flag="X"),
    ),
    "CONCEPT_SYNONYM.csv: concept_id '99' is no concept of this release": (
        "synonyms", (99, "a", ENGLISH),
    ),
    "CONCEPT_SYNONYM.csv: 2 cells instead of 3": ("synonyms", (2, "a")),
    "CONCEPT_RELATIONSHIP.csv: concept_id_2 '99' is no concept of this release": (
        "relations", related(1, "Is a", 99),
    ),
}  # fmt: skip


@pytest.mark.parametrize("reason", ODD)
def test_an_odd_row_is_left_out_with_its_file_and_line(tmp_path: Path, reason: str) -> None:
    role, row = ODD[reason]
    imported = told(release(tmp_path / "omop", **{role: [*ROWS[role], row]}))
    assert [(skipped_line.line, skipped_line.reason) for skipped_line in imported.skipped] == [
        (len(ROWS[role]) + 2, reason)
    ]


def test_other_columns_and_cut_files_are_refused_and_only_concepts_are_needed(
    tmp_path: Path,
) -> None:
    folder = release(tmp_path / "omop")
    path = folder / "CONCEPT_RELATIONSHIP.csv"
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"relationship_id", b"relation"))
    with pytest.raises(UserError, match=r"line 1: the columns are .*; choose a release in OMOP"):
        told(folder)
    path.write_bytes(whole[:-4])
    with pytest.raises(UserError, match="has no line end; the file is truncated"):
        told(folder)
    for name in FILES:
        if name != "CONCEPT.csv":
            (folder / name).unlink()
    imported = told(folder)
    assert [len(imported_concept.names) for imported_concept in imported.concepts] == [1] * len(
        ROWS["concepts"]
    )
    assert imported.note("absent") == 1


def test_commas_quotes_packed_files_and_line_ends_are_read(tmp_path: Path) -> None:
    folder = release(tmp_path / "omop")
    imported = told(folder)
    for number, (name, role) in enumerate(FILES.items()):
        quoting = csv.QUOTE_ALL if number % 2 else csv.QUOTE_MINIMAL
        ends = ("\n", "\r\n", "\r", "\n")[number]
        text = io.StringIO(newline="")
        rows = [LAYOUT.columns[role], *ROWS[role]]
        writer = csv.writer(text, delimiter=",;,|"[number], quoting=quoting, lineterminator=ends)
        writer.writerows(rows)
        data = b"\xef\xbb\xbf" + text.getvalue().encode()
        (folder / name).unlink()
        (folder / f"{name}.gz").write_bytes(gzip.compress(data))
    assert detect(folder) == "omop"
    assert told(folder) == imported
    packed = tmp_path / "omop.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for path in folder.iterdir():
            archive.write(path, path.name)
    assert told(packed) == imported


def test_a_whole_last_row_without_line_end_is_read_and_that_is_told(tmp_path: Path) -> None:
    folder = release(tmp_path / "omop")
    imported = told(folder)
    path = folder / "CONCEPT.csv"
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    again = told(folder)
    assert again.concepts == imported.concepts
    assert again.note("may be cut") == 1


def test_a_quotation_mark_that_swallows_rows_is_refused_with_its_line(tmp_path: Path) -> None:
    folder = release(tmp_path / "omop")
    path = folder / "CONCEPT.csv"
    rows = [LAYOUT.columns["concepts"], *ROWS["concepts"]]
    lines = [",".join(map(str, row)).replace('"viral"', "x").replace(", ", " ") for row in rows]
    swallowing = [
        *lines[:2],
        lines[2].replace("Pneu", '"Pneu'),
        lines[3].replace("pneumonia", 'pneumonia"'),
    ]
    path.write_text("\n".join([*swallowing, *lines[4:]]) + "\n")
    with pytest.raises(UserError, match="line 3: a quoted cell swallows the rows after it"):
        told(folder)
    path.write_text("\n".join(lines[:2]) + '\n2,"Pneu\nmonia",' + lines[2].split(",", 2)[2] + "\n")
    assert names(told(folder).concepts[1])[0] == "Pneu monia"
    path.write_bytes("\n".join(lines).encode("utf-16"))
    with pytest.raises(UserError, match="UTF-16"):
        told(folder)
