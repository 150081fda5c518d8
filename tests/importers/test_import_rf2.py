"""RF2: releases that the generator makes come back, whatever the form and order of their files."""

import csv
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from importing import names
from rf2_toy import SMALL, content, file_of, release, rewrite, row, shuffle, told

from termexplorer.bench.releases.rf2_release import Rf2Size, identifier, zip_release
from termexplorer.errors import UserError
from termexplorer.importers.formats import choices_of, detect, open_importer
from termexplorer.importers.records import ConceptRecord
from termexplorer.importers.rf2.ids import DIALECTS, IS_A, check_digit

FULL, SYNONYM, PREFERRED = "900000000000003001", "900000000000013009", "900000000000548007"
sizes = st.builds(
    lambda concepts, names, links, seed: Rf2Size(
        concepts, names * concepts, links * concepts, definitions=5, seed=seed
    ),
    st.integers(25, 60),
    st.integers(2, 5),
    st.integers(2, 6),
    st.integers(0, 999),
)


def rows_of(folder: Path, role: str) -> list[dict[str, str]]:
    with file_of(folder, role).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@settings(max_examples=15)
@given(sizes)
def test_every_row_is_where_it_belongs(
    tmp_path_factory: pytest.TempPathFactory, size: Rf2Size
) -> None:
    folder = release(tmp_path_factory.mktemp("rf2"), size)
    imported = told(folder)
    assert not imported.skipped
    assert imported.fraction == 1
    by_id = {concept.code: concept for concept in imported.concepts}
    listed = {
        table_row["referencedComponentId"]: table_row["acceptabilityId"]
        for table_row in rows_of(folder, "language")
        if table_row["active"] == "1" and table_row["refsetId"] == str(DIALECTS["en-US"])
    }
    texts, kinds, parents = defaultdict(set), {}, defaultdict(set)
    for table_row in rows_of(folder, "description"):
        if table_row["active"] == "1":
            texts[table_row["conceptId"]].add(table_row["term"])
            kind = "preferred" if listed[table_row["id"]] == PREFERRED else "synonym"
            kind = "fully specified" if table_row["typeId"] == FULL else kind
            kinds[table_row["conceptId"], table_row["term"]] = kind
    for table_row in rows_of(folder, "relationship"):
        if table_row["active"] == "1" and table_row["typeId"] == str(IS_A):
            parents[table_row["sourceId"]].add(f"SNOMEDCT:{table_row['destinationId']}")
    rows = rows_of(folder, "concept")
    assert [int(cells["id"]) for cells in rows] == sorted(int(code) for code in by_id)
    for table_row in rows:
        concept = by_id[table_row["id"]]
        assert concept.obsolete == (table_row["active"] == "0")
        assert set(names(concept)) == texts[table_row["id"]]
        assert {
            (table_row["id"], name.text): name.kind for name in concept.names
        }.items() <= kinds.items()
        assert concept.names[0].kind == "preferred"
        assert set(concept.parents) == parents[table_row["id"]]
        assert f"({concept.kind})" in next(t for t in names(concept) if t.endswith(")"))
    definitions = {cells["conceptId"]: cells["term"] for cells in rows_of(folder, "definition")}
    assert {c.code: c.definition for c in imported.concepts if c.definition} == definitions


@settings(max_examples=15)
@given(sizes, st.integers(0, 99))
def test_the_order_of_rows_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, size: Rf2Size, seed: int
) -> None:
    folder = release(tmp_path_factory.mktemp("rf2"), size)
    before = content(told(folder))
    shuffle(folder, seed)
    assert content(told(folder)) == before
    assert content(told(folder / "Full")) == before


@settings(max_examples=15)
@given(sizes)
def test_a_full_release_tells_the_same_as_its_snapshot_and_a_zip_as_its_folder(
    tmp_path_factory: pytest.TempPathFactory, size: Rf2Size
) -> None:
    base_folder = tmp_path_factory.mktemp("rf2")
    folder = release(base_folder, size)
    snapshot, full = told(folder / "Snapshot"), told(folder / "Full")
    assert content(full) == content(snapshot)
    assert full.header == snapshot.header
    archive = zip_release(folder, base_folder / "release.zip")
    assert detect(archive) == detect(folder) == "rf2"
    zipped = told(archive)
    assert zipped.concepts == snapshot.concepts
    assert zipped.header == snapshot.header


def test_the_snapshot_is_read_unless_the_full_release_is_asked_for(tmp_path: Path) -> None:
    folder = release(tmp_path)
    lost = rewrite(file_of(folder, "concept"), lambda rows: rows[:-1])
    assert lost.exists()
    full = told(folder, choices={"release-type": ("Full",)})
    usual, snapshot = told(folder), told(folder, choices={"release-type": ("snapshot",)})
    assert content(usual) == content(snapshot)
    assert len(full.concepts) == len(usual.concepts) + 1
    assert [
        next(n.text for n in release_read.notes if n.kind == "release").split()[0]
        for release_read in (usual, full)
    ] == ["snapshot", "full"]
    (choice,) = choices_of("rf2", folder)
    assert [option.value for option in choice.options] == ["snapshot", "full"]
    assert choices_of("rf2", folder / "Full") == ()
    with pytest.raises(UserError, match="no 'full' among release-type; there are snapshot"):
        told(folder / "Snapshot", choices={"release-type": ("full",)})


def test_historical_associations_are_told_apart(tmp_path: Path) -> None:
    folder = release(tmp_path, replace(SMALL, concepts=150))
    rows = [table_row for table_row in rows_of(folder, "association") if table_row["active"] == "1"]
    members_by_refset = defaultdict(set)
    for table_row in rows:
        members_by_refset[table_row["refsetId"]].add(
            (table_row["referencedComponentId"], table_row["targetComponentId"])
        )
    keys = {"900000000000526001": "replaced_by", "900000000000527005": "same_as"}
    keys["900000000000523009"] = "consider"
    imported = told(folder)
    for refset, key in keys.items():
        assert members_by_refset[refset]
        assert {
            (concept.code, target.partition(":")[2])
            for concept in imported.concepts
            for target in getattr(concept, key)
        } == members_by_refset[refset]
    assert not any(concept.same_as for concept in imported.concepts if not concept.obsolete)


def test_other_associations_are_kept_by_their_refset(tmp_path: Path) -> None:
    folder = release(tmp_path)
    old = next(concept for concept in told(folder).concepts if concept.obsolete)
    first = identifier("concept", 1)
    uuid = "00000000-0000-0000-0000-00000000000{}"
    refsets = (900000000000528000, 734138000, 900000000000526001)
    sources = (old.code, old.code, first)
    added = [
        row(uuid.format(n), "20250101", 1, 900000000000207008, refset, source, first)
        for n, (refset, source) in enumerate(zip(refsets, sources, strict=True))
    ]
    rewrite(file_of(folder, "association"), lambda rows: rows + added)
    imported = told(folder)
    concept = next(
        imported_concept
        for imported_concept in imported.concepts
        if imported_concept.code == old.code
    )
    told_ = f"SNOMEDCT:{first}"
    assert concept.associations == (f"734138000 {told_}", f"WAS A {told_}")
    assert imported.note("other associations") == 1  # of a live concept


def test_the_header_and_the_report_say_what_was_taken(tmp_path: Path) -> None:
    imported = told(release(tmp_path))
    assert imported.header is not None
    assert imported.header.terminology == "snomedct"
    assert imported.header.version == "2025-01-01"
    assert "needs a licence" in imported.header.licence
    assert imported.header.prefixes == {"SNOMEDCT": "http://snomed.info/id/"}
    text = "\n".join(note.text for note in imported.notes)
    assert "http://snomed.info/sct/900000000000207008/version/20250101" in text
    assert "it stands on 900000000000012004 of 20250101" in text
    assert "language en, dialect en-US (900000000000509007); there are also en-GB" in text
    assert "semantic tags of live concepts: " in text
    live = sum(not concept.obsolete for concept in imported.concepts)
    assert imported.note("semantic tags") == live < SMALL.concepts


def test_another_dialect_has_other_preferred_names(tmp_path: Path) -> None:
    folder = release(tmp_path)
    usual = told(folder).concepts[0]
    synonyms = [name.text for name in usual.names if name.kind == "synonym"]
    rows = {table_row["term"]: table_row["id"] for table_row in rows_of(folder, "description")}
    swapped = {
        rows[usual.names[0].text]: b"900000000000549004",
        rows[synonyms[0]]: PREFERRED.encode(),
    }

    def prefer(lines: list[bytes]) -> list[bytes]:
        for at, line in enumerate(lines):
            cells = line.split(b"\t")
            if cells[4] == b"900000000000508004" and cells[5].decode() in swapped:
                lines[at] = b"\t".join([*cells[:6], swapped[cells[5].decode()] + b"\r\n"])
        return lines

    rewrite(file_of(folder, "language"), prefer)
    for dialect in ("en-GB", "EN-gb", "900000000000508004"):
        british = told(folder, dialect=dialect).concepts[0]
        assert british.names[0].text == synonyms[0]
        assert sorted(names(british)) == sorted(names(usual))
    assert told(folder).concepts[0] == usual


def test_an_extension_is_an_edition_of_its_own_and_names_fall_back(tmp_path: Path) -> None:
    folder = release(tmp_path)
    module, refset = identifier("concept", 8_000), 46011000052107
    concept = identifier("concept", 9_000)
    term = identifier("description", 90_000)
    extension = folder / "Snapshot" / "Extension"
    extension.mkdir()
    state = ("20250301", 1, module)
    primitive, case = 900000000000074008, 900000000000448009
    parts = {
        "sct2_Concept_Snapshot_SE1999999_20250301.txt": [
            row(module, *state, primitive), row(concept, *state, primitive),
        ],
        "sct2_Description_Snapshot-sv_SE1999999_20250301.txt": [
            row(term, *state, concept, "sv", SYNONYM, "“blå” njure", case),
            row(term + 100, *state, module, "en", FULL, "Sweden module (core concept)", case),
        ],
        "sct2_Relationship_Snapshot_SE1999999_20250301.txt": [
            row(identifier("relationship", 90_000), *state, concept, identifier("concept", 1), 0,
                IS_A, 900000000000011006, 900000000000451002),
        ],
        "der2_cRefset_LanguageSnapshot-sv_SE1999999_20250301.txt": [
            row("a0000000-0000-0000-0000-000000000000", *state, refset, term, PREFERRED),
        ],
    }  # fmt: skip
    for name, rows in parts.items():
        role = next(r for r in ("Concept", "Description", "Relationship", "Language") if r in name)
        header = file_of(folder, role.lower()).read_bytes().split(b"\n")[0]
        (extension / name).write_bytes(b"".join([header, b"\n", *rows]))
    imported = told(folder, language="sv")
    assert imported.header is not None
    assert imported.header.terminology == f"snomedct/{module}"
    assert imported.header.title == "SNOMED CT, Sweden module"
    assert imported.header.version == "2025-03-01"
    by_code = {imported_concept.code: imported_concept for imported_concept in imported.concepts}
    assert by_code[str(concept)].names[0].text == "“blå” njure"
    assert by_code[str(concept)].parents == (f"SNOMEDCT:{identifier('concept', 1)}",)
    other = by_code[str(identifier("concept", 2))]
    assert [name.kind for name in other.names] == ["preferred"]
    assert other.kind
    assert other.kind not in other.names[0].text
    assert imported.note("foreign") == SMALL.concepts + 1
    assert "dialect 46011000052107" in "\n".join(note.text for note in imported.notes)


def test_reading_shows_its_progress_and_can_be_stopped(tmp_path: Path) -> None:
    folder = release(tmp_path)
    opened = open_importer("rf2", folder)
    seen: list[float] = []
    opened.progress.watch = lambda: seen.append(opened.progress.fraction())
    concepts = [record for record in opened.records if isinstance(record, ConceptRecord)]
    assert len(concepts) == SMALL.concepts
    assert 0 < seen[0] < seen[-1] < 0.5
    assert seen == sorted(seen)
    assert opened.progress.fraction() == 1

    def stop() -> None:
        raise InterruptedError

    opened = open_importer("rf2", folder)
    opened.progress.watch = stop
    with pytest.raises(InterruptedError):
        next(opened.records)


def test_check_digits_are_those_of_published_ids() -> None:
    for published in ("138875005", "404684003", "900000000000207008", "731000124108"):
        assert check_digit(published[:-1]) == published[-1]
        assert check_digit(published[1] + published[0] + published[2:-1]) != published[-1]


def test_the_module_of_a_concept_is_kept_but_for_the_core(tmp_path: Path) -> None:
    folder = release(tmp_path)
    first, core, other = identifier("concept", 1), b"900000000000207008", b"900000000000012004"
    start = f"{first}\t".encode()

    def moved(rows: list[bytes]) -> list[bytes]:
        return [
            table_row.replace(core, other) if table_row.startswith(start) else table_row
            for table_row in rows
        ]

    rewrite(file_of(folder, "concept"), moved)
    modules_by_curie = {
        concept.curie: concept.modules for concept in told(folder).concepts if concept.modules
    }
    assert modules_by_curie == {f"SNOMEDCT:{first}": ("SNOMEDCT:900000000000012004",)}
