"""RF2 that is broken: one clear error, or a row that is left out with its file and line."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from importing import read
from rf2_toy import content, file_of, release, rewrite, row, told

from termexplorer.bench.releases.rf2_release import identifier, zip_release
from termexplorer.errors import UserError
from termexplorer.importers.formats import detect

Rows = list[bytes]
STATE = ("20250101", 1, 900000000000207008)
CASE = 900000000000448009
SYNONYM = 900000000000013009


def cells(line: bytes, **changed: str) -> bytes:
    """A row with other cells at some places, `at3="…"`."""
    parts = line.rstrip(b"\r\n").split(b"\t")
    for part_number, text in changed.items():
        parts[int(part_number.removeprefix("at"))] = text.encode()
    return b"\t".join(parts) + b"\r\n"


def third(change: Callable[[bytes], bytes]) -> Callable[[Rows], Rows]:
    """Changes the row on line 4."""
    return lambda rows: [*rows[:2], change(rows[2]), *rows[3:]]


def is_a(**changed: str) -> Callable[[Rows], Rows]:
    """Adds an is-a link on line 4."""
    child, parent = identifier("concept", 2), identifier("concept", 1)
    link = row(9, *STATE, child, parent, 0, 116680003, 900000000000011006, 900000000000451002)
    return lambda rows: [*rows[:2], cells(link, **changed), *rows[2:]]


ODD_ROWS = {
    "id 'abc' is no number": ("concept", third(lambda line: cells(line, at0="abc"))),
    "id '1_0' is no number": ("relationship", is_a(at0="1_0")),
    "id '1234567890123456789' is no number": (
        "description", third(lambda line: cells(line, at0="1234567890123456789")),
    ),
    "effectiveTime 'yesterday' is no date": ("relationship", is_a(at1="yesterday")),
    "typeId 'is-a' is no number": ("relationship", is_a(at7="is-a")),
    "active 'yes' is neither 0 nor 1": ("concept", third(lambda line: cells(line, at2="yes"))),
    "9 cells instead of 10": ("relationship", third(lambda line: line.partition(b"\t")[2])),
    "11 cells instead of 10": ("relationship", third(lambda line: b"x\t" + line)),
    "typeId '1' is no known type": ("description", third(lambda line: cells(line, at6="1"))),
    "term '' is empty, too long or not UTF-8": (
        "description", third(lambda line: cells(line, at7="")),
    ),
    "conceptId '' is no number": ("definition", third(lambda line: cells(line, at4=""))),
    "id 'no-uuid' is no UUID": ("language", third(lambda line: cells(line, at0="no-uuid"))),
    "acceptabilityId 'x' is no number": ("language", third(lambda line: cells(line, at6="x"))),
    "targetComponentId '-1' is no number": (
        "association", third(lambda line: cells(line, at6="-1")),
    ),
    "the description's concept 12 is not in this release": (
        "description", third(lambda line: cells(line, at4="12")),
    ),
    "the is-a link's parent 12 is not in this release": ("relationship", is_a(at5="12")),
}  # fmt: skip


@pytest.mark.parametrize("reason", ODD_ROWS)
def test_an_odd_row_is_left_out_with_its_file_and_line(tmp_path: Path, reason: str) -> None:
    role, change = ODD_ROWS[reason]
    folder = release(tmp_path)
    path = rewrite(file_of(folder, role), change)
    imported = told(folder)
    (skipped,) = [
        skipped_line for skipped_line in imported.skipped if reason in skipped_line.reason
    ]
    assert skipped.line == 4
    assert skipped.reason == f"{path.name}: {reason}"


def test_a_term_that_is_not_utf8_is_left_out(tmp_path: Path) -> None:
    folder = release(tmp_path)
    path = file_of(folder, "description")
    rewrite(path, third(lambda line: cells(line, at7="x").replace(b"\tx\t", b"\t\xff\xfe\t")))
    (skipped,) = told(folder).skipped
    assert (skipped.line, "not UTF-8" in skipped.reason) == (4, True)


def test_quotes_and_either_line_end_are_text_as_it_stands(tmp_path: Path) -> None:
    folder = release(tmp_path)
    concept = told(folder).concepts[0]
    term = '"quoted, 50% 5" wide'
    rewrite(
        file_of(folder, "description"),
        lambda rows: [
            *(table_row.replace(b"\r\n", b"\n") for table_row in rows),
            row(90019999999110, *STATE, concept.code, "en", SYNONYM, term, CASE),
        ],
    )
    rewrite(
        file_of(folder, "language"),
        lambda rows: [
            *rows,
            row("b" * 8 + "-bbbb-bbbb-bbbb-" + "b" * 12, *STATE, 900000000000509007,
                90019999999110, 900000000000549004),
        ],
    )  # fmt: skip
    changed = told(folder)
    assert not changed.skipped
    assert term in [name.text for name in changed.concepts[0].names]


@pytest.mark.parametrize("role", ["concept", "relationship", "language"])
def test_a_last_row_without_its_line_end_is_taken_and_told(tmp_path: Path, role: str) -> None:
    folder = release(tmp_path)
    whole = content(told(folder))
    path = file_of(folder, role)
    path.write_bytes(path.read_bytes().removesuffix(b"\r\n"))
    changed = told(folder)
    assert content(changed) == whole
    assert any(path.name in note.text for note in changed.notes)


@pytest.mark.parametrize("lost", [3, 4, 40, 400])
def test_a_file_that_is_cut_within_a_line_is_refused(tmp_path: Path, lost: int) -> None:
    folder = release(tmp_path)
    path = file_of(folder, "relationship")
    cut = path.read_bytes()[:-lost]
    path.write_bytes(cut)
    line = cut.count(b"\n") + (not cut.endswith(b"\n"))
    with pytest.raises(
        UserError, match=rf"{path.name}, line {line}: has no line end; .* truncated"
    ):
        told(folder)


def test_another_header_is_refused(tmp_path: Path) -> None:
    folder = release(tmp_path)
    path = file_of(folder, "language")
    path.write_bytes(path.read_bytes().replace(b"acceptabilityId", b"valueId", 1))
    with pytest.raises(UserError, match=rf"{path.name}, line 1: the columns are .*valueId, not id"):
        told(folder)
    path.write_bytes(b"")
    with pytest.raises(UserError, match=f"{path.name} is empty"):
        told(folder)


@pytest.mark.parametrize("role", ["concept", "description", "relationship", "language"])
def test_a_release_that_lacks_a_file_says_which(tmp_path: Path, role: str) -> None:
    folder = release(tmp_path) / "Snapshot"
    file_of(folder.parent, role).unlink()
    with pytest.raises(UserError, match=f"the snapshot release lacks its files of {role}s"):
        told(folder)


def test_definitions_associations_and_modules_may_be_absent(tmp_path: Path) -> None:
    folder = release(tmp_path)
    for role in ("definition", "association", "modules"):
        file_of(folder, role).unlink()
    imported = told(folder / "Snapshot")
    assert not any(concept.definition or concept.consider for concept in imported.concepts)
    assert imported.header is not None
    assert imported.header.version == "2025-01-01"
    text = "\n".join(note.text for note in imported.notes)
    assert "no file of text definitions" in text
    assert "no file of associations" in text


def test_a_delta_alone_is_no_release(tmp_path: Path) -> None:
    folder = release(tmp_path) / "Snapshot"
    for path in folder.rglob("*.txt"):
        path.rename(path.with_name(path.name.replace("Snapshot", "Delta")))
    assert detect(folder) == "rf2"
    with pytest.raises(UserError, match="holds a delta alone"):
        told(folder)


def test_what_is_no_release_says_so(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no RF2 release"):
        told(tmp_path)
    with pytest.raises(UserError, match="holds no release in RF2"):
        detect(tmp_path)
    other = tmp_path / "other.zip"
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("doid.obo", "format-version: 1.2")
    with pytest.raises(UserError, match="holds no release in RF2"):
        detect(other)
    with pytest.raises(UserError, match=r"release is a release in RF2; choose the format rf2"):
        read("obo", release(tmp_path))
    with pytest.raises(UserError, match="does not exist"):
        told(tmp_path / "nowhere.zip")
    text = tmp_path / "text.zip"
    text.write_text("no zip")
    with pytest.raises(UserError, match="is a damaged zip"):
        told(text)


def test_a_language_or_dialect_that_is_not_there_names_those_that_are(tmp_path: Path) -> None:
    folder = release(tmp_path)
    with pytest.raises(UserError, match=r"no dialect 'fr' .*en-GB \(900000000000508004\), en-US"):
        told(folder, dialect="fr")
    with pytest.raises(UserError, match="in the language 'sv'; there are en"):
        told(folder, language="SV")


def test_a_damaged_zip_is_refused(tmp_path: Path) -> None:
    path = zip_release(release(tmp_path) / "Snapshot", tmp_path / "release.zip")
    whole = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        starts = [info.header_offset + 300 for info in archive.infolist() if info.file_size > 2_000]
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(UserError, match=r"release\.zip is a damaged zip"):
        told(path)
    assert len(starts) == 5
    for at in starts:
        path.write_bytes(whole[:at] + b"\0\xff\0\xff" + whole[at + 4 :])
        with pytest.raises(UserError, match=r"release\.zip is a damaged zip"):
            told(path)


@pytest.mark.parametrize("name", ["../out.txt", "/etc/out.txt", "a/../../out.txt", r"C:\out.txt"])
def test_a_zip_that_leads_out_of_itself_is_refused(tmp_path: Path, name: str) -> None:
    path = zip_release(release(tmp_path), tmp_path / "release.zip")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(name, "x")
    with pytest.raises(UserError, match="leads out of the zip"):
        told(path)


def test_a_bomb_is_not_opened(tmp_path: Path) -> None:
    path = zip_release(release(tmp_path), tmp_path / "release.zip")
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("sct2_Concept_Snapshot_XX_20250101.txt", b"\0" * (1 << 24))
    with pytest.raises(UserError, match="packed more than text can be"):
        told(path)


def test_an_encrypted_zip_is_refused(tmp_path: Path) -> None:
    path = zip_release(release(tmp_path), tmp_path / "release.zip")
    data = bytearray(path.read_bytes())
    for sign, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):  # the flags of every member
        at = data.find(sign)
        while at >= 0:
            data[at + offset] |= 1
            at = data.find(sign, at + 4)
    path.write_bytes(bytes(data))
    with pytest.raises(UserError, match="is encrypted"):
        told(path)
