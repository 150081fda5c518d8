"""OWL and SKOS: the file is gathered on the disk, then each subject is told in the order of IRIs.

Restrictions, equivalence axioms and imports are counted and not followed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing

from termexplorer.errors import UserError
from termexplorer.importers.choices import ImportChoice, chosen
from termexplorer.importers.files.source import Source
from termexplorer.importers.rdf.concepts import RdfBuilder
from termexplorer.importers.rdf.contents import NO_SCHEME, ChosenContents, choices_in, heads
from termexplorer.importers.rdf.staging import RdfSubject, Staging
from termexplorer.importers.rdf.vocabulary import CLASS, ONTOLOGY, SCHEME
from termexplorer.importers.records import ConceptRecord, Header, Note, Record
from termexplorer.importers.text.curies import (
    Curies,
    release_version,
    telling_prefixes,
    terminology_key,
)
from termexplorer.importers.text.languages import Namer
from termexplorer.importers.text.notes import count_by_sort, counted
from termexplorer.importers.text.properties import shorten_property
from termexplorer.importers.text.text import NameCleaner, clean, mentions_licence
from termexplorer.licences import licence_notes
from termexplorer.texts import mark_plural, tr

_SCHEMES_TOLD = 5
_TOLD = {
    "imports": mark_plural(
        "{n:,} imported ontology is not followed; import its file, if it is wanted",
        "{n:,} imported ontologies are not followed; import their files, if they are wanted",
    ),
    "equivalence axioms": mark_plural(
        "{n:,} equivalence axiom is not read", "{n:,} equivalence axioms are not read"
    ),
    "superclass expressions": mark_plural(
        "{n:,} superclass is an expression, which is no is-a link",
        "{n:,} superclasses are expressions, which are no is-a links",
    ),
    "restrictions": mark_plural("{n:,} restriction is not read", "{n:,} restrictions are not read"),
    "annotated axioms": mark_plural(
        "{n:,} axiom with annotations: the annotations are not read",
        "{n:,} axioms with annotations: the annotations are not read",
    ),
    "references": mark_plural(
        "{n:,} class is a mere reference to another ontology",
        "{n:,} classes are mere references to other ontologies",
    ),
    "not chosen": mark_plural(
        "{n:,} concept is left out, as it was not chosen",
        "{n:,} concepts are left out, as they were not chosen",
    ),
    "without names": mark_plural(
        "{n:,} concept without a preferred name goes by its id",
        "{n:,} concepts without a preferred name go by their id",
    ),
    "named by synonyms": mark_plural(
        "{n:,} concept without a preferred name goes by a synonym",
        "{n:,} concepts without a preferred name go by a synonym",
    ),
    "further definitions": mark_plural(
        "{n:,} definition beside another of its concept is left out",
        "{n:,} definitions beside another of their concept are left out",
    ),
    "absent texts": mark_plural(
        "{n:,} label or note is named, but its text is not in the file",
        "{n:,} labels or notes are named, but their texts are not in the file",
    ),
    "without IRI": mark_plural(
        "{n:,} concept without an IRI is left out", "{n:,} concepts without an IRI are left out"
    ),
    "parts of expressions": mark_plural(
        "{n:,} statement within expressions and axioms is not read",
        "{n:,} statements within expressions and axioms are not read",
    ),
    "properties": mark_plural("{n:,} property is no concept", "{n:,} properties are no concepts"),
    "individuals": mark_plural(
        "{n:,} individual is no concept", "{n:,} individuals are no concepts"
    ),
    "collections": mark_plural(
        "{n:,} collection is no concept", "{n:,} collections are no concepts"
    ),
}


def choices(source: Source) -> tuple[ImportChoice, ...]:
    """The choices that a file offers; all of it is read for them.

    Raises:
        UserError: As `read` does.
    """
    with closing(Staging(source)) as staging:
        return choices_in(staging, Curies(telling_prefixes(staging.prefixes)))


def read(source: Source, options: Mapping[str, object]) -> Iterator[Record]:
    """Yield the header, then classes or concepts with their parents, then notes.

    Args:
        source: The file; its `passes` should be 3.
        options: `choices`, of `choices`.

    Raises:
        UserError: No sound RDF, truncated, harmful, or without a class or concept.
    """
    with closing(Staging(source)) as staging:
        curies = Curies(telling_prefixes(staging.prefixes))
        wanted = ChosenContents.of(staging, chosen(choices_in(staging, curies), options))
        if not wanted.kind:
            raise UserError(
                tr(
                    "{path} holds no owl:Class and no skos:Concept; choose another file",
                    path=source.path,
                )
            )
        namer, above = Namer(wanted.languages, NameCleaner()), heads(staging)
        builder = RdfBuilder(staging, curies, namer, wanted, above if wanted.kind != CLASS else ())
        yield _make_header(staging, wanted, namer, curies, above)
        yield from _read_records(source, staging, builder)
        yield from _note_heads(builder.head_names)
        yield from _count_notes(staging.counts + builder.counts)
        yield from _note_others(staging.unknown_properties, curies)
        yield from namer.notes()


def _read_records(source: Source, staging: Staging, builder: RdfBuilder) -> Iterator[ConceptRecord]:
    total = staging.number("SELECT count(DISTINCT subject) FROM row")
    for number, subject in enumerate(staging.subjects(), start=1):
        source.after = (source.passes - 1) * number / total
        if record := builder.record(subject):
            yield record


def _make_header(
    staging: Staging, wanted: ChosenContents, namer: Namer, curies: Curies, above: Mapping[str, int]
) -> Header:
    about = _find_about(staging, wanted, above)
    prefixes = _count_prefixes(staging, wanted.kind, curies)
    return Header(
        terminology=terminology_key(about.iri) or None,
        title=clean(namer.text(about.texts("title", "pref", "label"))),
        version=release_version(clean(_find_version(about))),
        licence=_find_licence(about, prefixes),
        prefixes=prefixes,
    )


def _find_about(staging: Staging, wanted: ChosenContents, above: Mapping[str, int]) -> RdfSubject:
    """What the file says of its ontology, or of the scheme with most concepts."""
    sorts = (ONTOLOGY, SCHEME) if wanted.kind == CLASS else (SCHEME, ONTOLOGY)
    chosen_ones = [iri for iri in wanted.schemes or above if iri != NO_SCHEME]
    query = "SELECT subject FROM row WHERE field = 'type' AND value = ? ORDER BY rowid"
    typed = {sort: [iri for (iri,) in staging.rows(query, sort)] for sort in sorts}
    first = [iri for iri in chosen_ones if wanted.kind != CLASS and iri in typed[SCHEME]]
    iri = next(iter([*first, *typed[sorts[0]], *typed[sorts[1]]]), "")
    query = "SELECT field, value, language FROM row WHERE subject = ? ORDER BY rowid"
    return RdfSubject.of(iri, staging.rows(query, iri))


def _find_version(about: RdfSubject) -> str:
    versions = about.values("version iri", "version")
    return (versions or [max(about.values("date"), default="")])[0]


def _find_licence(about: RdfSubject, prefixes: Iterable[str]) -> str:
    """As the file states it, or the note on what its concepts are from."""
    licences = about.values("licence", "rights")
    licences += [text for text in about.values("comment") if mentions_licence(text)]
    licences += [licence_notes()[prefix] for prefix in prefixes if prefix in licence_notes()]
    return clean(licences[0]) if licences else ""


def _count_prefixes(staging: Staging, kind: str, curies: Curies) -> dict[str, str]:
    """Prefix -> IRI, of the concepts' ids, the most frequent first."""
    query = "SELECT subject FROM concept WHERE kind = ?"
    counts: Counter[str] = Counter()
    iris: dict[str, str] = {}
    for (iri,) in staging.rows(query, kind):
        curie = curies.shorten(iri)
        if curie != iri:
            prefix, _, local = curie.partition(":")
            counts[prefix] += 1
            iris.setdefault(prefix, iri.removesuffix(local))
    return {prefix: iris[prefix] for prefix, _ in counts.most_common()}


def _count_notes(counts: Mapping[str, int]) -> Iterator[Note]:
    for kind, count in sorted(counts.items()):
        yield from counted(kind, count, _TOLD[kind])


def _note_heads(names: Sequence[str]) -> Iterator[Note]:
    text = mark_plural(
        "{n:,} scheme stands as a concept above its top concepts: {listed}",
        "{n:,} schemes stand as concepts above their top concepts: {listed}",
    )
    listed = ", ".join(f"“{name}”" for name in names[:_SCHEMES_TOLD])
    listed += ", …" if len(names) > _SCHEMES_TOLD else ""
    yield from counted("schemes above", len(names), text, listed=listed)


def _note_others(property_counts: Counter[str], curies: Curies) -> Iterator[Note]:
    named: Counter[str] = Counter()
    for iri, count in (+property_counts).items():
        named[shorten_property(iri, curies)] += count
    text = mark_plural(
        "{n:,} other statement is left out: {listed}",
        "{n:,} other statements are left out: {listed}",
    )
    yield from count_by_sort("other statements", named, text)
