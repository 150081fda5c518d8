"""The glossary that an author adds to a study: read from a file, and looked up in."""

import re
from collections.abc import Sequence
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.services.files.plain_texts import check_text
from termexplorer.store.indexes.folding import fold_text
from termexplorer.store.judging.studies import Entry
from termexplorer.texts import tr

__all__ = ["LONGEST_ENTRY", "MOST_ENTRIES", "Entry", "look_up", "read_glossary"]

LONGEST_ENTRY, MOST_ENTRIES = 2_000, 10_000  # characters of a term, or of its text; entries


def read_glossary(path: Path) -> tuple[Entry, ...]:
    """Reads a text in UTF-8, a line an entry: a term, a tab, and what is to be said of it.

    Raises:
        UserError: not there, no such file, or a line that is no entry.
    """
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(
            tr("{path}: cannot be read as a text ({error})", path=path, error=error)
        ) from error
    entries = []
    for number, line in enumerate(lines, 1):
        term, _, text = (part.strip() for part in line.partition("\t"))
        if not line.strip():
            continue
        if not term or not text:
            raise UserError(
                tr(
                    "{path}, line {number}: is not a term, a tab and a text; mend it",
                    path=path,
                    number=number,
                )
            )
        try:
            check_text(tr("the term"), term, LONGEST_ENTRY)
            check_text(tr("the text"), text, LONGEST_ENTRY, turning=True)
        except ValueError as error:
            raise UserError(
                tr("{path}, line {number}: {error}", path=path, number=number, error=error)
            ) from error
        entries.append(Entry(term, text))
    if not 0 < len(entries) <= MOST_ENTRIES:
        raise UserError(
            tr(
                "{path}: has {count:,} entries; 1 to {most:,} can be kept",
                path=path,
                count=len(entries),
                most=MOST_ENTRIES,
            )
        )
    return tuple(entries)


def look_up(glossary: Sequence[Entry], *terms: str) -> list[Entry]:
    """The entries that stand in some of the terms, as whole words, compared as searches do."""
    shown = fold_text("\n".join(terms))
    return [entry for entry in glossary if re.search(_whole_word_pattern(entry.term), shown)]


def _whole_word_pattern(term: str) -> str:
    return rf"(?<!\w){re.escape(fold_text(term))}(?!\w)"
