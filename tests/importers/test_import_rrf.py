"""RRF: releases come back as a plain reading of their rows has them, whatever was chosen."""

import gzip
import random
import zipfile
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from importing import Imported, names, read

from termexplorer.bench.releases.rrf_release import RrfSize, write_release
from termexplorer.errors import UserError
from termexplorer.importers.files.block import Block, id_text
from termexplorer.importers.formats import choices_of, detect, open_importer
from termexplorer.importers.records import ConceptRecord
from termexplorer.importers.text.prefixes import code_curie

Rows = list[list[str]]


def release(folder: Path, names: int = 60, seed: int = 0) -> Path:
    return write_release(folder / "META", RrfSize(names, definitions=3, seed=seed))


def rows_of(path: Path) -> Rows:
    lines = path.read_text("utf-8").splitlines()
    assert all(line.endswith("|") for line in lines)
    return [line.split("|")[:-1] for line in lines]


def put(path: Path, rows: Rows) -> Path:
    path.write_text("".join("|".join(row) + "|\n" for row in rows), "utf-8")
    return path


def told(path: Path, **choices: str) -> Imported:
    chosen = {key: tuple(values.split(",")) for key, values in choices.items()}
    return read("rrf", path, choices=chosen)


@settings(max_examples=8)
@given(
    st.integers(30, 120),
    st.integers(0, 99),
    st.sampled_from(["ENG", "FRE", "ENG,FRE"]),
    st.sampled_from(["N", "N,O"]),
    st.sampled_from(["MSH", "SNOMEDCT_US,ICD10CM", "MSH,MSHFRE,SNOMEDCT_US,ICD10CM"]),
)
def test_concepts_are_what_their_rows_say(
    tmp_path_factory: pytest.TempPathFactory,
    size: int,
    seed: int,
    languages: str,
    suppressed: str,
    sources: str,
) -> None:
    folder = release(tmp_path_factory.mktemp("rrf"), size, seed)
    offered = {option.value for c in choices_of("rrf", folder) for option in c.options}
    sources = ",".join(source for source in sources.split(",") if source in offered)
    languages = ",".join(language for language in languages.split(",") if language in offered)
    suppressed = ",".join(
        suppression for suppression in suppressed.split(",") if suppression in offered
    )
    texts, parents, codes, states = (defaultdict(set) for _ in range(4))
    for row in rows_of(folder / "MRCONSO.RRF"):
        wanted = row[11] in sources.split(",") and row[1] in languages.split(",")
        if wanted and row[16] in suppressed.split(","):
            texts[row[0]].add(row[14].casefold())
            states[row[0]].add(row[16])
        if row[16] in suppressed.split(","):
            codes[row[0]].add(code_curie(row[11], row[13]))
    if not texts:
        with pytest.raises(UserError, match="no name of what was chosen"):
            told(folder, languages=languages, suppressed=suppressed, sources=sources)
        return
    for row in rows_of(folder / "MRREL.RRF"):
        if row[3] == "PAR" and {row[0], row[4]} <= texts.keys():
            parents[row[0]].add(f"UMLS:{row[4]}")
    types = {row[0]: row[3] for row in rows_of(folder / "MRSTY.RRF")}
    imported = told(folder, languages=languages, suppressed=suppressed, sources=sources)
    assert not imported.skipped
    assert imported.fraction == 1
    assert [concept.code for concept in imported.concepts] == sorted(texts)
    for concept in imported.concepts:
        cui = concept.code
        assert concept.curie == f"UMLS:{cui}"
        assert {name.casefold() for name in names(concept)} == texts[cui]
        assert set(concept.parents) == parents[cui]
        assert set(concept.cross_references) == codes[cui]
        assert concept.obsolete == (states[cui] == {"O"})
        assert concept.kind == types[cui]
    put(folder / "MRCONSO.RRF", shuffled(rows_of(folder / "MRCONSO.RRF"), seed))
    put(folder / "MRREL.RRF", shuffled(rows_of(folder / "MRREL.RRF"), seed))
    again = told(folder, languages=languages, suppressed=suppressed, sources=sources)
    assert unlined(again) == unlined(imported)


def unlined(imported: Imported) -> list[ConceptRecord]:
    return [replace(concept, line=0) for concept in imported.concepts]


def shuffled(rows: Rows, seed: int) -> Rows:
    return random.Random(seed).sample(rows, len(rows))  # noqa: S311 - an order, no secret


def test_a_zip_and_a_file_of_names_tell_what_their_folder_tells(tmp_path: Path) -> None:
    folder = release(tmp_path)
    imported = told(folder)
    archive = tmp_path / "umls.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in folder.iterdir():
            packed.write(path, f"2025AA/META/{path.name}")
    file = folder / "MRCONSO.RRF"
    assert {detect(form) for form in (folder, archive, file)} == {"rrf"}
    assert told(archive).concepts == told(file).concepts == imported.concepts
    assert imported.header is not None
    assert (imported.header.terminology, imported.header.version) == ("umls", "")
    assert "licence" in imported.header.licence
    (folder / "release.dat").write_text("umls.release.name=2025AA\numls.release.date=20250505\n")
    header = told(folder).header
    assert header is not None
    assert header.version == "2025AA"


def atom(cui: str, number: int, source: str, tty: str, code: str, text: str, **more: str) -> Rows:
    cells = [
        cui, more.get("lat", "ENG"), more.get("ts", "S"), "", more.get("stt", "VO"), "",
        more.get("pref", "N"), f"A{number:07d}", "", "", "", source, tty, code, text, "0",
        more.get("suppress", "N"), "",
    ]  # fmt: skip
    return [cells]


def relation(first: tuple[str, int], sort: str, second: tuple[str, int], more: str = "") -> Rows:
    (cui1, aui1), (cui2, aui2) = first, second
    aui1_, aui2_ = (f"A{aui:07d}" if aui else "" for aui in (aui1, aui2))
    return [[cui1, aui1_, "AUI", sort, cui2, aui2_, "AUI", more, "R1", "", "MSH", "MSH",
             "", "", "N", ""]]  # fmt: skip


def small(folder: Path) -> Path:
    """Heart diseases, myocarditis below them, told by two vocabularies and a translation."""
    folder.mkdir()
    put(
        folder / "MRCONSO.RRF",
        atom("C0018799", 1, "MSH", "EN", "D006331", "Cardiac diseases")
        + atom("C0018799", 2, "MSH", "MH", "D006331", "Heart diseases")
        + atom("C0018799", 3, "MSHFRE", "MH", "D006331", "Cardiopathies", lat="FRE")
        + atom("C0018799", 4, "ICD10CM", "PT", "I51.9", "Heart disease, unspecified",
               ts="P", stt="PF", pref="Y")
        + atom("C0027059", 5, "MSH", "MH", "D009205", "Myocarditis")
        + atom("C0027059", 6, "ICD10CM", "PT", "I51.4", 'Myocarditis, "unspecified"')
        + atom("C0027059", 7, "MTH", "PN", "NOCODE", "Inflammation of heart muscle")
        + atom("C0155668", 8, "ICD10CM", "PT", "I51.9", "Old", suppress="O"),
    )  # fmt: skip
    put(
        folder / "MRREL.RRF",
        relation(("C0027059", 5), "PAR", ("C0018799", 2), "inverse_isa")
        + relation(("C0018799", 2), "CHD", ("C0027059", 5), "isa")
        + relation(("C0018799", 0), "RB", ("C0027059", 0)),
    )
    put(folder / "MRDEF.RRF", [["C0027059", "A0000005", "AT1", "", "MSH", "Inflamed.", "N", ""]])
    put(
        folder / "MRSTY.RRF",
        [["C0027059", "T047", "B2.2.1.2.1", "Disease or Syndrome", "AT1", ""],
         ["C0018799", "T046", "B2.2.1.2", "Pathologic Function", "AT2", ""]],
    )  # fmt: skip
    return folder


def test_the_release_names_the_preferred_name_by_cui_and_the_vocabulary_by_code(
    tmp_path: Path,
) -> None:
    folder = small(tmp_path / "META")
    by_cui = {concept.code: concept for concept in told(folder).concepts}
    heart, muscle = by_cui["C0018799"], by_cui["C0027059"]
    assert names(heart)[0] == "Heart disease, unspecified"
    assert heart.cross_references == ("ICD10CM:I51.9", "MESH:D006331")
    assert muscle.parents == ("UMLS:C0018799",)
    assert muscle.definition == "Inflamed."
    assert 'Myocarditis, "unspecified"' in names(muscle)
    imported = told(folder, concepts="MSH", languages="FRE,ENG")
    by_code = {concept.curie: concept for concept in imported.concepts}
    heart, muscle = by_code["MESH:D006331"], by_code["MESH:D009205"]
    assert names(heart) == ["Cardiopathies", "Heart diseases", "Cardiac diseases"]
    assert heart.cross_references == ("UMLS:C0018799", "ICD10CM:I51.9")
    assert (muscle.parents, muscle.definition) == (("MESH:D006331",), "Inflamed.")
    assert imported.header is not None
    assert imported.header.terminology == "mesh"


def test_the_hierarchy_is_of_what_was_chosen(tmp_path: Path) -> None:
    folder = small(tmp_path / "META")
    counts = {
        (choice.key, option.value): option.count
        for choice in choices_of("rrf", folder)
        for option in choice.options
    }
    assert counts["links", "PAR"] == counts["links", "isa"] == 2
    assert (counts["links", "RB"], counts["hierarchies", "MSH"]) == (1, 3)
    assert (counts["sources", "MSH"], counts["suppressed", "O"]) == (3, 1)
    turned = told(folder, links="RB").concepts
    assert [concept.parents for concept in turned] == [("UMLS:C0027059",), ()]
    typed = {concept.curie: concept.parents for concept in told(folder, links="STY").concepts}
    assert typed == {
        "STY:T046": (),
        "STY:T047": ("STY:T046",),
        "UMLS:C0018799": ("STY:T046",),
        "UMLS:C0027059": ("STY:T047",),
    }
    obsolete = told(folder, suppressed="N,O").concepts
    assert [concept.obsolete for concept in obsolete] == [False, False, True]


def test_rxnorm_has_numbers_for_ids_and_links_between_atoms(tmp_path: Path) -> None:
    folder = tmp_path / "rrf"
    folder.mkdir()
    rows = [
        *atom("161", 0, "RXNORM", "IN", "161", "acetaminophen"),
        *atom("161", 0, "MMSL", "PT", "x", "APAP"),
        *atom("1161", 0, "RXNORM", "SCD", "1161", "acetaminophen 325 MG Oral Tablet"),
    ]
    for number, row in enumerate(rows):
        row[7] = f"{number + 90}"
    put(folder / "RXNCONSO.RRF", rows)
    links = relation(("", 0), "RN", ("", 0), "isa")
    links[0][1], links[0][5] = "90", "92"
    put(folder / "RXNREL.RRF", links)
    imported = told(folder)
    assert [(c.curie, c.parents) for c in imported.concepts] == [
        ("RxNorm:161", ()),
        ("RxNorm:1161", ("RxNorm:161",)),
    ]
    assert names(imported.concepts[0]) == ["acetaminophen", "APAP"]


ODD = {
    "17 cells instead of 18": ("MRCONSO.RRF", lambda row: row[:-1]),
    "CUI 'C12x' is no id": ("MRCONSO.RRF", lambda row: ["C12x", *row[1:]]),
    "STR '' is no name": ("MRCONSO.RRF", lambda row: [*row[:14], "", *row[15:]]),
    "SUPPRESS 'Q' is none of N, O, E, Y": ("MRCONSO.RRF", lambda row: [*row[:16], "Q", ""]),
    "its atom (AUI) stands on a line before": (
        "MRCONSO.RRF", lambda row: [*row[:7], "A00000001", *row[8:]],
    ),
    "CUI2 'C7777777' is not among the names": (
        "MRREL.RRF", lambda row: [*row[:3], "PAR", "C7777777", *row[5:]],
    ),
    "DEF '' is empty, too long or not UTF-8": (
        "MRDEF.RRF", lambda row: [*row[:5], "", *row[6:]],
    ),
}  # fmt: skip


@pytest.mark.parametrize("reason", ODD)
def test_an_odd_row_is_left_out_with_its_file_and_line(tmp_path: Path, reason: str) -> None:
    name, change = ODD[reason]
    folder = release(tmp_path)
    rows = rows_of(folder / name)
    put(folder / name, [*rows[:2], change(rows[2]), *rows[3:]])
    imported = told(folder)
    assert [(skipped_line.line, skipped_line.reason) for skipped_line in imported.skipped] == [
        (3, f"{name}: {reason}")
    ]


CUT: dict[str, Callable[[bytes], bytes]] = {
    "has no line end": lambda data: data[:-5],
    "is empty": lambda data: b"",
}


@pytest.mark.parametrize("message", CUT)
def test_a_file_that_is_cut_is_refused(tmp_path: Path, message: str) -> None:
    folder = release(tmp_path)
    path = folder / "MRREL.RRF"
    path.write_bytes(CUT[message](path.read_bytes()))
    with pytest.raises(UserError, match=message):
        told(folder)


def test_other_line_ends_are_as_good_and_files_may_be_absent(tmp_path: Path) -> None:
    folder = release(tmp_path)
    before = told(folder)
    for path in folder.iterdir():
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert told(folder).concepts == before.concepts
    for path in folder.iterdir():
        if path.name != "MRCONSO.RRF":
            path.unlink()
    alone = told(folder)
    assert [concept.code for concept in alone.concepts] == [
        concept.code for concept in before.concepts
    ]
    assert alone.note("absent") == 1
    assert "no file of relations" in "\n".join(note.text for note in alone.notes)


def test_reading_can_be_stopped(tmp_path: Path) -> None:
    def stop() -> None:
        raise InterruptedError

    opened = open_importer("rrf", release(tmp_path))
    opened.progress.watch = stop
    with pytest.raises(InterruptedError):
        next(opened.records)


@given(st.from_regex(r"[A-Z]{0,3}[0-9]{1,12}", fullmatch=True))
def test_ids_are_spelt_as_they_were(text: str) -> None:
    (value,) = Block(f"{text}|\n".encode(), 2, 1, ord("|")).ids(0).tolist()
    assert id_text(value) == text


def test_packed_files_and_other_line_ends_tell_the_same(tmp_path: Path) -> None:
    folder = release(tmp_path)
    imported = told(folder)
    for number, path in enumerate(sorted(folder.glob("*.RRF"))):
        data = path.read_bytes()
        data = data.replace(b"\n", (b"\r", b"\r\n", b"\n")[number % 3])
        (folder / f"{path.name}.gz").write_bytes(gzip.compress(data.rstrip(b"\r\n")))
        path.unlink()
    file = folder / "MRCONSO.RRF.gz"
    assert {detect(folder), detect(file)} == {"rrf"}
    assert told(folder).concepts == told(file).concepts == imported.concepts
    assert told(folder).note("may be cut") == 0  # a last `|` ends the row
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(UserError, match="gzip data ends too early"):
        told(folder)
