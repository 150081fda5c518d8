"""Term stanzas of OBO to concepts, each clause parsed by fastobo."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import fastobo

from termexplorer.importers.obo.stanzas import Clause, Stanza
from termexplorer.importers.records import ConceptRecord, NameRecord, Note, Skipped
from termexplorer.importers.text.curies import Curies
from termexplorer.importers.text.notes import count_by_sort, count_key, counted
from termexplorer.importers.text.properties import (
    LABELS,
    NAMES,
    SYNONYMS,
    field_of_property,
    is_true,
)
from termexplorer.importers.text.text import NameCleaner, clean, unique
from termexplorer.texts import mark_plural, tr

_PLAIN = {"name", "def", "is_a", "alt_id", "xref", "is_obsolete", "replaced_by", "consider"}
_SYNONYMS = {"synonym", "exact_synonym", "related_synonym", "narrow_synonym", "broad_synonym"}
_READ = frozenset(_PLAIN | _SYNONYMS)
_KNOWN = _READ | {"id", "property_value"}
_PROPERTY_FIELDS = frozenset(
    {*NAMES, "definition", "deprecated", "replaced", "consider"} | {"alternative", "xref"}
)
_EXCLAMATION = re.compile(r"(\\.|^!(?=\s|$))|(?<![\s}])!")
_COMMENT = re.compile(r"\s!|^!(?=\s|$)")
_UNTYPED = re.compile(r'(\S+\s+"(?:[^"\\]|\\.)*")(\s*(?:\{.*\})?)')
_QUOTED = re.compile(r'("(?:[^"\\]|\\.)*")\s*(.*)')
_SCOPES = ("EXACT", "RELATED", "NARROW", "BROAD")


class TermReader:
    """Reads the terms of one file, and counts what it does not read of them.

    Attributes:
        relationships: Type of relationship -> how many.
        unread: Tag, with the property of a `property_value`, -> how many clauses.
    """

    def __init__(self, curies: Curies, cleaner: NameCleaner) -> None:
        self.relationships: Counter[str] = Counter()
        self.unread: Counter[str] = Counter()
        self._commented = 0
        self._curies = curies
        self._cleaner = cleaner

    def read_terms(self, stanzas: Sequence[Stanza]) -> Iterator[ConceptRecord | Skipped]:
        """Parse Term stanzas in one go; where one does not parse, halve until it stands alone."""
        for stanza in stanzas:
            self._count(stanza)
        yield from self._parsed(stanzas)

    def notes(self) -> Iterator[Note]:
        """Say what was not read."""
        text = mark_plural(
            "{n:,} relationship is no is-a link: {listed}",
            "{n:,} relationships are no is-a links: {listed}",
        )
        yield from count_by_sort("relationships", self.relationships, text)
        text = mark_plural(
            "{n:,} clause is not read: {listed}", "{n:,} clauses are not read: {listed}"
        )
        yield from count_by_sort("other clauses", self.unread, text)
        text = mark_plural(
            "{n:,} name ends where a comment begins (` !`); the comment is left out",
            "{n:,} names end where a comment begins (` !`); the comments are left out",
        )
        yield from counted("comments", self._commented, text)

    def _count(self, stanza: Stanza) -> None:
        for clause in stanza.clauses:
            if clause.tag == "relationship":
                count_key(self.relationships, _first_word(clause.value))
            elif clause.tag == "property_value" and not _is_read(clause):
                count_key(self.unread, f"{clause.tag} {_first_word(clause.value)}")
            elif clause.tag not in _KNOWN:
                count_key(self.unread, clause.tag)
            elif clause.tag == "name":
                self._commented += _COMMENT.search(clause.value) is not None

    def _parsed(self, stanzas: Sequence[Stanza]) -> Iterator[ConceptRecord | Skipped]:
        if len(stanzas) == 1:
            yield from self._carefully(stanzas[0])
            return
        try:
            frames = _parse_stanzas(
                [_stanza_text(stanza, _wanted_clauses(stanza)) for stanza in stanzas]
            )
        except SyntaxError:
            frames = []
        if len(frames) == len(stanzas):
            for stanza, frame in zip(stanzas, frames, strict=True):
                yield self._concept(stanza, frame.id, list(frame))
        else:
            half = len(stanzas) // 2
            yield from self._parsed(stanzas[:half])
            yield from self._parsed(stanzas[half:])

    def _carefully(self, stanza: Stanza) -> Iterator[ConceptRecord | Skipped]:
        """Parse clause by clause; what does not parse is left out and the rest is kept."""
        if not _ids_of_stanza(stanza):
            yield Skipped(stanza.line, tr("a term without an id"))
            return
        try:
            identifier = _parse_stanzas([_stanza_text(stanza, [])])[0].id
        except SyntaxError:
            text = _ids_of_stanza(stanza)[0][:60]
            yield Skipped(stanza.line, tr("a term whose id does not parse: {text!r}", text=text))
            return
        parsed: list[Any] = []
        for clause in _wanted_clauses(stanza):
            mended, reason = _mend_clause(clause)
            parsed += mended
            if reason:
                yield Skipped(clause.line, reason)
        yield self._concept(stanza, identifier, parsed)

    def _concept(self, stanza: Stanza, identifier: object, clauses: Sequence[Any]) -> ConceptRecord:
        """Gather what the clauses of one term say; without a name its id stands for it."""
        curies = self._curies
        by_tag: dict[str, list[Any]] = {}
        for clause in clauses:
            by_tag.setdefault(clause.raw_tag(), []).append(clause)
        values = _values_by_field(by_tag.get("property_value", ()))

        def ids(tag: str, attribute: str, field: str = "") -> tuple[str, ...]:
            tagged = by_tag.get(tag, ())
            stated = (_curie_of_id(getattr(clause, attribute), curies) for clause in tagged)
            return unique((*stated, *(curies.shorten(clean(v)) for v in values.get(field, ()))))

        curie = _curie_of_id(identifier, curies)
        definitions = [clean(str(clause.definition)) for clause in by_tag.get("def", ())]
        definitions = definitions or list(map(clean, values.get("definition", ())))
        references = (_curie_of_id(clause.xref.id, curies) for clause in by_tag.get("xref", ()))
        stated = (curies.shorten(clean(value)) for value in values.get("xref", ()))
        return ConceptRecord(
            curie=curie,
            code=curie,
            names=self._cleaner.distinct(_read_names(curie, by_tag, values)),
            parents=ids("is_a", "term"),
            definition=" ".join(unique(definitions)),
            alternative_ids=ids("alt_id", "alt_id", "alternative"),
            cross_references=unique((*references, *stated)),
            obsolete=any(clause.obsolete for clause in by_tag.get("is_obsolete", ()))
            or any(map(is_true, values.get("deprecated", ()))),
            replaced_by=ids("replaced_by", "term", "replaced"),
            consider=ids("consider", "term", "consider"),
            line=stanza.line,
        )


def _wanted_clauses(stanza: Stanza) -> list[Clause]:
    return [clause for clause in stanza.clauses if _is_read(clause)]


def _is_read(clause: Clause) -> bool:
    if clause.tag != "property_value":
        return clause.tag in _READ
    return field_of_property(_first_word(clause.value)) in _PROPERTY_FIELDS


def _first_word(value: str) -> str:
    """Return the type of a relationship or property value, its escapes undone."""
    return re.sub(r"\\(.)", r"\1", value.partition(" ")[0])


def _values_by_field(clauses: Sequence[Any]) -> dict[str, list[str]]:
    """Return field -> values, of clauses with properties that are known."""
    values: dict[str, list[str]] = {}
    for clause in clauses:
        stated = clause.property_value
        field = field_of_property(_plain_id(stated.relation))
        value = stated.value
        values.setdefault(field, []).append(value if isinstance(value, str) else _plain_id(value))
    return values


def _parse_stanzas(texts: Sequence[str]) -> list[Any]:
    return list(fastobo.loads("\n".join(texts)))


def _stanza_text(stanza: Stanza, clauses: Sequence[Clause]) -> str:
    lines = ["[Term]", *(f"id: {value}" for value in _ids_of_stanza(stanza)[:1])]
    lines += [f"{clause.tag}: {_parsable_value(clause)}" for clause in clauses]
    return "\n".join(lines) + "\n"


def _ids_of_stanza(stanza: Stanza) -> list[str]:
    return [clause.value for clause in stanza.clauses if clause.tag == "id" and clause.value]


def _parsable_value(clause: Clause) -> str:
    """Return a clause's value as the parser takes it.

    In a name a `!` begins a comment only after a blank; a text without a type is a string.
    """
    if clause.tag == "property_value" and (untyped := _UNTYPED.fullmatch(clause.value)):
        return f"{untyped[1]} xsd:string{untyped[2]}"
    if clause.tag != "name" or "!" not in clause.value:
        return clause.value
    return _EXCLAMATION.sub(lambda match: match[1] or r"\!", clause.value)


def _mend_clause(clause: Clause) -> tuple[list[Any], str]:
    """The parsed clause, [] where nothing can be done; and what was wrong with it, or ""."""
    try:
        return _parse_clause(clause.tag, _parsable_value(clause)), ""
    except SyntaxError as error:
        reason = tr("{clause} does not parse ({error})", clause=clause.tag, error=error.msg)
    try:
        return _mended_as(clause, reason)
    except SyntaxError:
        return [], reason


def _parse_clause(tag: str, value: str) -> list[Any]:
    return list(_parse_stanzas([f"[Term]\nid: x\n{tag}: {value}\n"])[0])


def _mended_as(clause: Clause, reason: str) -> tuple[list[Any], str]:
    """Read names in braces, old synonyms, definitions and synonyms with malformed sources."""
    if clause.tag == "name":
        return _parse_clause("name", re.sub(r"[{}]", r"\\\g<0>", _parsable_value(clause))), ""
    quoted = _QUOTED.fullmatch(clause.value)
    if not quoted:
        return [], reason
    if clause.tag == "def":
        warning = tr("{reason}; its text is kept, its sources are not", reason=reason)
        return _parse_clause("def", f"{quoted[1]} []"), warning
    if not clause.tag.endswith("synonym"):
        return [], reason
    old_scope = clause.tag.removesuffix("_synonym").upper()
    scope = next((scope for scope in _SCOPES if quoted[2].startswith(scope)), "RELATED")
    scope = old_scope if old_scope in _SCOPES else scope
    synonym = _parse_clause("synonym", f"{quoted[1]} {scope} []")
    stated = clause.tag != "synonym" or quoted[2].startswith(("[", *_SCOPES))
    if stated and _is_sound_rest(quoted[2]):
        return synonym, ""
    return synonym, tr("{reason}; kept as {scope}", reason=reason, scope=scope)


def _is_sound_rest(rest: str) -> bool:
    """Whether what follows an old synonym's text is nothing but a list of sources."""
    return not rest or re.fullmatch(r"\[[^\]]*\]\s*(?:\{.*\})?\s*(?:!.*)?", rest) is not None


def _read_names(
    curie: str, by_tag: dict[str, list[Any]], values: dict[str, list[str]]
) -> Iterator[NameRecord]:
    given = [clause.name for clause in by_tag.get("name", ()) if clean(clause.name)]
    given += [text for field in LABELS for text in values.get(field, ())]
    yield NameRecord(given[0] if given else curie, "preferred")
    for name in given[1:]:
        yield NameRecord(name, "synonym", "EXACT")
    for clause in by_tag.get("synonym", ()):
        yield NameRecord(clause.synonym.desc, "synonym", clause.synonym.scope)
    for field, name in SYNONYMS.items():
        yield from (name._replace(text=text) for text in values.get(field, ()))


def _curie_of_id(identifier: Any, curies: Curies) -> str:
    """The id as text, its escapes undone."""
    prefix = getattr(identifier, "prefix", None)
    text = clean(_plain_id(identifier))
    return curies.shorten(text) if prefix is None else text


def _plain_id(identifier: Any) -> str:
    prefix = getattr(identifier, "prefix", None)
    if prefix is not None:
        return f"{prefix}:{identifier.local}"
    unescaped = getattr(identifier, "unescaped", None)
    return str(identifier if unescaped is None else unescaped)
