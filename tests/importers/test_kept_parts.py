"""What importers say of a file keeps its template and values, for windows in any language."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from importing import Imported, read, write
from sound_files import FILES, RELEASES

from termexplorer.errors import UserError
from termexplorer.store.kept_messages import (
    plain_message,
    read_message,
    translate_message,
    write_message,
)
from termexplorer.texts import SpokenText


def damaged_copies(content: bytes) -> Iterator[bytes]:
    """The file, and copies of it that lack a line or have one that says nothing."""
    yield content
    lines = content.splitlines(keepends=True)
    for at in range(min(len(lines), 24)):
        yield b"".join([*lines[:at], *lines[at + 1 :]])
        yield b"".join([*lines[:at], b"???\n", *lines[at:]])


def texts_of(imported: Imported) -> list[str]:
    return [skipped.reason for skipped in imported.skipped] + [note.text for note in imported.notes]


def check_texts(texts: list[str]) -> None:
    for text in texts:
        assert isinstance(text, SpokenText), text
        stored = read_message(write_message(plain_message(text)))
        assert (str(stored), stored.template) == (text, text.template)


@pytest.mark.parametrize("form", FILES)
def test_every_note_and_reason_of_a_file_keeps_its_parts(form: str, tmp_path: Path) -> None:
    for content in damaged_copies(FILES[form]):
        with suppress(UserError):  # where it is refused
            check_texts(texts_of(read(form.split()[0], write(tmp_path, "damaged", content))))


@pytest.mark.parametrize("form", RELEASES)
def test_every_note_and_reason_of_a_release_keeps_its_parts(form: str, tmp_path: Path) -> None:
    texts = texts_of(read(form, RELEASES[form](tmp_path / "sound")))
    assert texts
    check_texts(texts)


def test_what_was_read_in_english_is_shown_in_german(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    path = write(tmp_path, "order.txt", FILES["icd10cm-order"] + b"no code here\n")
    stored = [write_message(text) for text in texts_of(read("icd10cm-order", path))]
    assert stored
    request.getfixturevalue("german")
    for text in map(read_message, stored):
        assert translate_message(text) != text
