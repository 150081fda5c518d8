"""A table of proposed terms: name, synonyms, definition and parent, with or without ids."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.importers.files.source import Source
from termexplorer.importers.table_synonyms import SynonymSeparator
from termexplorer.importers.tables.guess import guess
from termexplorer.importers.tables.rows import rows
from termexplorer.importers.tables.titles import known_columns
from termexplorer.services.check.term_sources import TermSource
from termexplorer.texts import tr
from termexplorer.trainer.checking.terms import OntologyTerm
from termexplorer.trainer.mapping.sides import EXACT, INEXACT, PREFERRED

_NEEDED = "name"
_PARENT_SIGNS = ("|", ";")


def read_proposals(path: Path, known: Sequence[OntologyTerm]) -> TermSource:
    """Read a table whose first row has the titles of its columns.

    Parents are ids or names of known or proposed terms; terms without an id are called by row.

    Args:
        path: CSV, TSV, XLSX or ODS.
        known: terms that parents may be.

    Raises:
        UserError: it cannot be read, or has no column of names.
    """
    layout = guess(path)
    columns = known_columns(layout.header) if layout.header else {}
    if _NEEDED not in columns:
        raise UserError(
            tr(
                "{path}: no column is called name; give the first row the titles name, synonyms, "
                "definition and parent",
                path=path,
            )
        )
    with Source(path) as source:
        cells_by_line = [
            (line, cells)
            for line, cells in rows(source, layout.delimiter, layout.sheet)
            if tuple(cells) != layout.header and line >= layout.first_line
        ]
    read = [(line, _read_fields(cells, columns)) for line, cells in cells_by_line]
    separator = SynonymSeparator()
    for line, fields in read:
        separator.add_cell(line, fields.get("synonyms", ""))
    terms = [_make_term(line, fields, separator) for line, fields in read]
    ids = _index_names([*known, *terms])
    resolved = tuple(_resolve_parents(term, ids) for term in terms)
    return TermSource(path.name, resolved, path)


def _read_fields(cells: Sequence[str], columns: Mapping[str, int]) -> dict[str, str]:
    return {
        field: " ".join(cells[column - 1].split())
        for field, column in columns.items()
        if column <= len(cells)
    }


def _make_term(line: int, fields: Mapping[str, str], separator: SynonymSeparator) -> OntologyTerm:
    names = {}
    if fields.get("name"):
        names[fields["name"].casefold()] = (fields["name"], PREFERRED)
    for synonym in separator.split(fields.get("synonyms", "")):
        names.setdefault(synonym.casefold(), (synonym, EXACT))
    return OntologyTerm(
        fields.get("id") or tr("row {line}", line=line),
        tuple(names.values()),
        (fields["parents"],) if fields.get("parents") else (),
        fields.get("definition", ""),
        line=line,
    )


def _index_names(terms: Iterable[OntologyTerm]) -> dict[str, str]:
    """Return the id of the term that an id or name means; labels go before synonyms."""
    by_kind: dict[int, dict[str, str]] = {PREFERRED: {}, EXACT: {}, INEXACT: {}}
    ids = {}
    for term in terms:
        ids[term.curie.casefold()] = term.curie
        if not term.obsolete:
            for text, kind in term.names:
                by_kind[kind].setdefault(text.casefold(), term.curie)
    return by_kind[EXACT] | by_kind[PREFERRED] | ids


def _resolve_parents(term: OntologyTerm, ids: Mapping[str, str]) -> OntologyTerm:
    if not term.parents:
        return term
    (cell,) = term.parents
    texts = [cell]
    if cell.casefold() not in ids:
        for sign in _PARENT_SIGNS:
            texts = [part.strip() for text in texts for part in text.split(sign)]
    parents = tuple(ids.get(text.casefold(), text) for text in texts if text)
    return replace(term, parents=tuple(dict.fromkeys(parents)))
