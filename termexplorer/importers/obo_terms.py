"""Term stanzas of OBO to concepts, each clause parsed by fastobo."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import fastobo

from termexplorer.importers.curies import Curies
from termexplorer.importers.obo_stanzas import Clause, Stanza
from termexplorer.importers.records import ConceptRecord, NameRecord, Skipped
from termexplorer.importers.text import NameCleaner, clean, unique
from termexplorer.texts import tr

_PLAIN = {"name", "def", "is_a", "alt_id", "xref", "is_obsolete", "replaced_by", "consider"}
_SYNONYMS = {"synonym", "exact_synonym", "related_synonym", "narrow_synonym", "broad_synonym"}
_READ = frozenset(_PLAIN | _SYNONYMS)
_QUOTED = re.compile(r'("(?:[^"\\]|\\.)*")\s*(.*)')
_SCOPES = ("EXACT", "RELATED", "NARROW", "BROAD")


def concepts(
    stanzas: Sequence[Stanza], curies: Curies, cleaner: NameCleaner
) -> Iterator[ConceptRecord | Skipped]:
    """Parse Term stanzas in one go; where something does not parse, halve until it stands alone."""
    if len(stanzas) == 1:
        yield from _carefully(stanzas[0], curies, cleaner)
        return
    try:
        frames = _parse([_text(stanza, _wanted(stanza)) for stanza in stanzas])
    except SyntaxError:
        frames = []
    if len(frames) == len(stanzas):
        for stanza, frame in zip(stanzas, frames, strict=True):
            yield _concept(stanza, frame.id, list(frame), curies, cleaner)
    else:
        half = len(stanzas) // 2
        yield from concepts(stanzas[:half], curies, cleaner)
        yield from concepts(stanzas[half:], curies, cleaner)


def _wanted(stanza: Stanza) -> list[Clause]:
    return [clause for clause in stanza.clauses if clause.tag in _READ]


def _parse(texts: Sequence[str]) -> list[Any]:
    return list(fastobo.loads("\n".join(texts)))


def _text(stanza: Stanza, clauses: Sequence[Clause]) -> str:
    lines = ["[Term]", *(f"id: {value}" for value in _ids(stanza)[:1])]
    lines += [f"{clause.tag}: {clause.value}" for clause in clauses]
    return "\n".join(lines) + "\n"


def _ids(stanza: Stanza) -> list[str]:
    return [clause.value for clause in stanza.clauses if clause.tag == "id" and clause.value]


def _carefully(
    stanza: Stanza, curies: Curies, cleaner: NameCleaner
) -> Iterator[ConceptRecord | Skipped]:
    """Parse clause by clause; what does not parse is left out and the rest is kept."""
    if not _ids(stanza):
        yield Skipped(stanza.line, tr("a term without an id"))
        return
    try:
        identifier = _parse([_text(stanza, [])])[0].id
    except SyntaxError:
        text = _ids(stanza)[0][:60]
        yield Skipped(stanza.line, tr("a term whose id does not parse: {text!r}", text=text))
        return
    parsed: list[Any] = []
    for clause in _wanted(stanza):
        found, reason = _mended(clause)
        parsed += found
        if reason:
            yield Skipped(clause.line, reason)
    yield _concept(stanza, identifier, parsed, curies, cleaner)


def _mended(clause: Clause) -> tuple[list[Any], str]:
    """The parsed clause, [] where nothing can be done; and what was wrong with it, or ""."""
    try:
        return _one(clause.tag, clause.value), ""
    except SyntaxError as error:
        reason = tr("{clause} does not parse ({error})", clause=clause.tag, error=error.msg)
    try:
        return _mended_as(clause, reason)
    except SyntaxError:
        return [], reason


def _one(tag: str, value: str) -> list[Any]:
    return list(_parse([f"[Term]\nid: x\n{tag}: {value}\n"])[0])


def _mended_as(clause: Clause, reason: str) -> tuple[list[Any], str]:
    """Read names in braces, old synonyms, definitions and synonyms with malformed sources."""
    if clause.tag == "name":
        return _one("name", re.sub(r"[{}]", r"\\\g<0>", clause.value)), ""
    quoted = _QUOTED.fullmatch(clause.value)
    if not quoted:
        return [], reason
    if clause.tag == "def":
        kept = tr("{reason}; its text is kept, its sources are not", reason=reason)
        return _one("def", f"{quoted[1]} []"), kept
    if not clause.tag.endswith("synonym"):
        return [], reason
    old_scope = clause.tag.removesuffix("_synonym").upper()
    scope = next((scope for scope in _SCOPES if quoted[2].startswith(scope)), "RELATED")
    scope = old_scope if old_scope in _SCOPES else scope
    synonym = _one("synonym", f"{quoted[1]} {scope} []")
    stated = clause.tag != "synonym" or quoted[2].startswith(("[", *_SCOPES))
    if stated and _sound(quoted[2]):
        return synonym, ""
    return synonym, tr("{reason}; kept as {scope}", reason=reason, scope=scope)


def _sound(rest: str) -> bool:
    """Whether what follows an old synonym's text is nothing but a list of sources."""
    return not rest or re.fullmatch(r"\[[^\]]*\]\s*(?:\{.*\})?\s*(?:!.*)?", rest) is not None


def _concept(
    stanza: Stanza,
    identifier: object,
    clauses: Sequence[Any],
    curies: Curies,
    cleaner: NameCleaner,
) -> ConceptRecord:
    """Gather what the clauses of one term say; without a name its id stands for it."""
    by_tag: dict[str, list[Any]] = {}
    for clause in clauses:
        by_tag.setdefault(clause.raw_tag(), []).append(clause)

    def ids(tag: str, attribute: str) -> tuple[str, ...]:
        found = by_tag.get(tag, ())
        return unique(_curie(getattr(clause, attribute), curies) for clause in found)

    curie = _curie(identifier, curies)
    definitions = [clean(str(clause.definition)) for clause in by_tag.get("def", ())]
    return ConceptRecord(
        curie=curie,
        code=curie,
        names=cleaner.distinct(_names(curie, by_tag)),
        parents=ids("is_a", "term"),
        definition=" ".join(definitions),
        alternative_ids=ids("alt_id", "alt_id"),
        cross_references=unique(
            _curie(clause.xref.id, curies) for clause in by_tag.get("xref", ())
        ),
        obsolete=any(clause.obsolete for clause in by_tag.get("is_obsolete", ())),
        replaced_by=ids("replaced_by", "term"),
        consider=ids("consider", "term"),
        line=stanza.line,
    )


def _names(curie: str, by_tag: dict[str, list[Any]]) -> Iterator[NameRecord]:
    given = [clause.name for clause in by_tag.get("name", ()) if clean(clause.name)]
    yield NameRecord(given[0] if given else curie, "preferred")
    for name in given[1:]:
        yield NameRecord(name, "synonym", "EXACT")
    for clause in by_tag.get("synonym", ()):
        yield NameRecord(clause.synonym.desc, "synonym", clause.synonym.scope)


def _curie(identifier: Any, curies: Curies) -> str:
    """The id as text, its escapes undone."""
    prefix = getattr(identifier, "prefix", None)
    if prefix is not None:
        return clean(f"{prefix}:{identifier.local}")
    unescaped = getattr(identifier, "unescaped", None)
    return curies.shorten(clean(str(identifier if unescaped is None else unescaped)))
