"""Which field a column's title names, and whether a row is one of titles."""

import re
from collections.abc import Sequence

FIELDS = ("id", "name", "kind", "parents", "definition", "synonyms", "obsolete")
# Titles as they stand, of each field the best first.
_TITLES = {
    "id": (
        "id", "code", "curie", "identifier", "desc_ui", "concept", "conceptid", "concept_id", "cui",
        "ui", "kode", "schlüsselnummer",
    ),
    "name": (
        "name", "label", "term", "names", "title", "description", "preferred", "synonym",
        "bezeichnung",
    ),
    "kind": ("kind", "type", "name_kind", "name_type", "tty", "term_type"),
    "parents": ("parents", "parent", "parent_id", "parent_ids", "parentid", "is_a", "broader"),
    "definition": ("definition", "def", "definitions", "meaning", "gloss"),
    "synonyms": ("synonyms", "synonym", "aliases", "alias"),
    "obsolete": (
        "obsolete", "is_obsolete", "isobsolete", "deprecated", "is_deprecated", "isdeprecated",
        "retired", "is_retired", "inactive", "is_inactive", "withdrawn", "veraltet", "active",
        "is_active", "isactive", "aktiv", "status", "concept_status",
    ),
}  # fmt: skip
# Words that make a longer title one of a field: as its last word, or anywhere in it.
_LAST = {
    "id": {
        "id", "ids", "code", "codes", "kode", "kodes", "curie", "identifier", "cui", "ui", "iri",
        "uri", "kennung", "nummer", "number", "nr", "no", "schlüssel", "schluessel", "notation",
        "key", "num", "código", "codigo", "codice", "klassenkode", "sctid", "rxcui",
    },
    "name": {
        "name", "names", "label", "labels", "term", "terms", "title", "titel", "bezeichnung",
        "benennung", "begriff", "text", "description", "beschreibung", "klartext", "preferred",
        "libellé", "libelle", "intitulé", "nom", "nombre", "término", "termino", "descripción",
        "descripcion", "display", "heading", "str", "symbol", "naam", "omschrijving",
        "nome", "descrizione", "denominación",
    },
    "kind": {"kind", "type", "types", "tty", "typ", "art"},
}  # fmt: skip
_ANYWHERE = {
    "parents": {
        "parent", "parents", "parentid", "parentids", "broader", "superclass", "superclasses",
        "oberbegriff", "oberbegriffe", "übergeordnet", "übergeordnete", "uebergeordnet",
    },
    "synonyms": {
        "synonym", "synonyms", "synonyme", "alias", "aliases", "aka", "altlabel", "altlabels",
    },
    "definition": {"definition", "definitions", "gloss"},
}  # fmt: skip
_COMPOUND = {
    "id": ("kode", "code", "schlüssel", "schluessel", "nummer", "kennung"),
    "name": ("bezeichnung", "benennung", "titel", "begriff", "name", "klartext"),
}
_OTHER = {
    "alt", "alternate", "alternative", "alternativ", "other", "also", "secondary", "old", "weitere",
    "andere", "exact",
}  # fmt: skip
# What titles call ids and names by where both are there.
_VOCABULARY = re.compile(
    r"icd(?:_?(?:9|10|11|o))?(?:_?(?:cm|gm|who))?|atc|ops|snomed(?:_?ct)?|mesh|omim|loinc|hpo|umls"
    r"|rxnorm|meddra|orpha(?:net)?|ncit|mondo|doid|chebi"
)
_NAMED = {
    "concept", "concepts", "diagnose", "diagnosen", "diagnosis", "disease", "diseases", "disorder",
    "drug", "entity", "gene", "krankheit", "medication", "mention", "phenotype", "procedure",
    "prozedur", "substance", "symptom", "wirkstoff",
}  # fmt: skip
_SHORT = {"short", "abbreviated", "abbreviation", "abbr", "kurz"}  # of a name that is none in full
_OUT_OF_USE = {"obsolete", "retired", "deprecated", "inactive", "withdrawn", "veraltet", "inaktiv"}
_IN_USE = {"active", "aktiv", "current", "valid", "gültig"}
_STATUS = {"status"}
_MARKS = _OUT_OF_USE | {"active", "aktiv"} | _STATUS  # words of titles of what is obsolete
_NEGATIONS = {"not", "non", "no", "nicht"}
_NO_FIELD = {"prüfziffer"}  # titles of what is never read
# titles that another column's may outdo
_WEAK = {"concept", "cui", "ui", "title", "description", "preferred", "synonym"}
_MOST_WORDS = 6  # of a title
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)*%?")
_CODE = re.compile(r"(?=\S*\d)[\w.:/+*†#-]{1,40}")


def is_code(cell: str) -> bool:
    """Return whether a cell looks like a code: one word, with a digit."""
    return bool(_CODE.fullmatch(cell.strip()))


def known_columns(titles: Sequence[str]) -> dict[str, int]:
    """Return field -> column, counted from 1, of the fields that titles name."""
    plain = [_plain_title(title) for title in titles]
    words = [_title_words(title) for title in titles]
    fields = [_field_of(title_words) for title_words in words]
    columns: dict[str, int] = {}
    for field in ("name", *FIELDS):
        free = [at for at in range(1, len(titles) + 1) if at not in columns.values()]
        if field not in columns:
            columns[field] = _column_of(field, free, plain, fields)
            if field == "id" and not columns[field]:
                similar = [at for at in free if fields[at - 1] == "id"]
                columns[field] = _nearest_column(similar, columns["name"], words)
        columns = {field: column for field, column in columns.items() if column}
        columns.setdefault("name", 0)
    _add_weak_pair(columns, plain, words)
    return {field: column for field, column in columns.items() if column}


def _column_of(field: str, free: Sequence[int], plain: Sequence[str], fields: Sequence[str]) -> int:
    """The column whose title is the field's, exactly or else by its words; 0 where there is none.

    An id is none by its words here, as several may be called so.
    """
    by_words = [at for at in free if fields[at - 1] == field]
    by_words.sort(key=lambda at: field == "name" and _is_short(plain[at - 1]))
    exact = next((at for title in _TITLES[field] for at in free if plain[at - 1] == title), 0)
    if exact and plain[exact - 1] in _WEAK:
        candidates = [at for at in by_words if plain[at - 1] not in _WEAK]
        if field == "name":
            candidates = [at for at in candidates if not _is_short(plain[at - 1])]
        if candidates and (field != "id" or candidates[0] < exact):
            return candidates[0] if field != "id" else 0
    if exact or field == "id":
        return exact
    return by_words[0] if by_words else 0


def is_title_row(row: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Return whether a row holds the titles of the rows below it.

    Its words are of the field, for an id and a name, for an id above codes, or exactly for one of
    them; and no cell of it looks like the codes in its column.
    """
    known = known_columns(row)
    known_titles = {*_TITLES["id"], *_TITLES["name"], *_NO_FIELD}
    exact = any(_plain_title(cell) in known_titles for cell in row)
    above_codes = "id" in known and _are_codes(_column_cells(below, known["id"] - 1))
    if not exact and not {"id", "name"} <= set(known) and not above_codes:
        return False
    if any(_NUMBER.fullmatch(cell.strip()) for cell in row) and not {"id", "name"} <= set(known):
        return False
    return not any(
        _looks_like_column(cell, _column_cells(below, at)) for at, cell in enumerate(row)
    )


def may_be_titles(row: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Return whether a row differs from those below it as titles do: no code above codes."""
    codes = [at for at in range(len(row)) if _are_codes(_column_cells(below, at))]
    return bool(codes) and not any(is_code(row[at]) or not row[at].strip() for at in codes)


def may_be_name(title: str) -> bool:
    """Return whether the words of a title are those of a name."""
    return _plain_title(title) in _TITLES["name"] or _field_of(_title_words(title)) == "name"


def may_mark_obsolete(title: str) -> bool:
    """Return whether a column of this title may tell which concepts are obsolete."""
    return not _MARKS.isdisjoint(_title_words(title))


def marks_in_use(title: str) -> bool:
    """Return whether a yes under a title means that a concept is in use, and not obsolete."""
    words = set(_title_words(title))
    return bool(words & _IN_USE) and not words & (_OUT_OF_USE | _NEGATIONS)


def marks_status(title: str) -> bool:
    """Return whether a title does not tell what a yes under it means."""
    words = set(_title_words(title))
    return bool(words & _STATUS) and not words & (_OUT_OF_USE | _IN_USE)


def _is_short(plain: str) -> bool:
    return plain.startswith("kurz") or not _SHORT.isdisjoint(plain.split("_"))


def _plain_title(title: str) -> str:
    return re.sub(r"\W+", "_", title.strip().lower()).strip("_")


def _title_words(title: str) -> list[str]:
    apart = re.sub(r"(?<=[a-zäöü])(?=[A-ZÄÖÜ])|(?<=[A-Z])(?=[A-Z][a-z])", " ", title.strip())
    return re.findall(r"[^\W\d_]+", apart.lower())


def _field_of(words: Sequence[str]) -> str:
    """The field that the words of a title name, or ""."""
    if not words or len(words) > _MOST_WORDS:
        return ""
    for field, known in _ANYWHERE.items():
        if known & set(words):
            return field
    if _OTHER & set(words[:-1]):
        return "synonyms" if words[-1] in ("names", "labels", "terms", "name", "label") else ""
    last = words[-1]
    for field, known in _LAST.items():
        if last in known or (len(last) > 7 and last.endswith(_COMPOUND.get(field, ("\0",)))):
            return field
    return "obsolete" if last in _MARKS else ""


def _nearest_column(columns: Sequence[int], name: int, words: Sequence[list[str]]) -> int:
    """The id's column that shares most words with the name's, else the first; 0 without any."""
    about = set(words[name - 1]) if name else set()
    return max(columns, key=lambda at: len(about & set(words[at - 1][:-1])), default=0)


def _weakly_named(words: Sequence[list[str]], columns: dict[str, int]) -> int:
    taken = set(columns.values())
    named = (
        at for at, title_words in enumerate(words, 1) if title_words and title_words[-1] in _NAMED
    )
    return next((at for at in named if at not in taken), 0)


def _add_weak_pair(
    columns: dict[str, int], plain: Sequence[str], words: Sequence[list[str]]
) -> None:
    """Take a vocabulary for the id and what its concepts are for the name, where both are there."""
    taken = set(columns.values())
    at = columns.get("id") or next(
        (at for at, text in enumerate(plain, 1) if _VOCABULARY.fullmatch(text)), 0
    )
    name = columns.get("name") or _weakly_named(words, columns | {"id": at})
    if at and name and (at not in taken or name not in taken):
        columns["id"], columns["name"] = at, name


def _column_cells(rows: Sequence[Sequence[str]], at: int) -> list[str]:
    return [cells[at].strip() for cells in rows if at < len(cells) and cells[at].strip()]


def _are_codes(cells: Sequence[str]) -> bool:
    return bool(cells) and sum(map(is_code, cells)) * 2 > len(cells)


def _looks_like_column(cell: str, below: Sequence[str]) -> bool:
    """Whether a cell has the form of the codes below it, as `E10` above `E11`."""
    if not cell.strip() or not _are_codes(below):
        return False
    return is_code(cell) and _cell_form(cell) in set(map(_cell_form, below))


def _cell_form(cell: str) -> str:
    text = re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "9", cell.strip()))
    return re.sub(r"9+", "9", text)
