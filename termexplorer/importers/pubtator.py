"""PubTator corpora (BC5CDR, MedMentions): what is mentioned of a concept are its names [CG].

The most frequent mention is the preferred name. A composite mention gives a name to each of its
concepts where the file spells its parts out, and else to none.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from termexplorer.errors import UserError
from termexplorer.importers.choices import ImportChoice, Option, chosen
from termexplorer.importers.files.source import Source
from termexplorer.importers.records import ConceptRecord, Header, NameRecord, Note, Record
from termexplorer.importers.tables.dictionary import curie_of, date_of, terminology_of
from termexplorer.importers.text.curies import Curies
from termexplorer.importers.text.notes import counted
from termexplorer.importers.text.prefixes import prefix_of_key
from termexplorer.importers.text.text import NameCleaner, clean
from termexplorer.texts import mark_plural, tr, trn
from termexplorer.trainer.corpora.pubtator import Document, Mention, documents_in

TYPES = "types"
_MESH = re.compile(r"[CD]\d{6}(?:\d{3})?")  # bare in PubTator's own corpora, as BC5CDR


def choices(source: Source) -> tuple[ImportChoice, ...]:
    """The choice of types of mentions, where there are several.

    Raises:
        UserError: As `read` does.
    """
    return _type_choice(_gather_mentions(source).types)


def read(source: Source, options: Mapping[str, object]) -> Iterator[Record]:
    """Yield the header, the concepts as they are first mentioned, and what was left out.

    Args:
        source: The file.
        options: `choices`, of `choices`; `terminology`, for ids that do not tell theirs.

    Raises:
        UserError: Damaged, no PubTator file, truncated, offsets that do not fit, or no concept.
    """
    corpus = _gather_mentions(source)
    picked = chosen(_type_choice(corpus.types), options)
    key, curies, cleaner = terminology_of(source, options), Curies(), NameCleaner()
    yield Header(key, "", date_of(source), "", {})
    concepts = corpus.concepts(picked.get(TYPES))
    if not concepts:
        raise UserError(
            tr("{path} mentions no concept; choose another file or other types", path=source.path)
        )
    for identifier, mentions in concepts.items():
        yield _make_concept(_curie_of_mention(identifier, key, curies), mentions, cleaner)
    yield from corpus.notes(concepts.values())
    yield from cleaner.notes()


@dataclass(slots=True)
class _Corpus:
    """What a corpus mentions.

    Attributes:
        names: (concept, kind, name) -> how often; a kind may be several types: `T047,T191`.
        types: Type -> how many mentions of it name a concept.
        counts: What was left out -> how many.
    """

    names: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, document: Document) -> None:
        self.counts["documents"] += 1
        self.counts["relations"] += document.relations
        for mention in document.mentions:
            self._mention(mention)

    def _mention(self, mention: Mention) -> None:
        composite = len(mention.concepts) > 1
        texts = mention.parts if composite else (mention.text,)
        named = [(name, clean(text)) for name, text in zip(mention.concepts, texts, strict=False)]
        if not named:
            self.counts["composite" if composite else "no concept"] += 1
            return
        self.counts["mentions"] += 1
        self.counts["spelled out"] += composite
        self.types.update(_types_of_kind(mention.kind))
        self.names.update((name, clean(mention.kind), text) for name, text in named if text)

    def concepts(self, types: Iterable[str] | None) -> dict[str, Counter[tuple[str, str]]]:
        """Concept -> (kind, name) -> how often, of the types asked for; all where None."""
        wanted = set(self.types if types is None else types)
        concepts: dict[str, Counter[tuple[str, str]]] = {}
        for (concept, kind, name), count in self.names.items():
            if not wanted.isdisjoint(_types_of_kind(kind)):
                concepts.setdefault(concept, Counter())[kind, name] += count
        return concepts

    def notes(self, taken: Iterable[Counter[tuple[str, str]]]) -> Iterator[Note]:
        counts = self.counts
        taken_count = sum(spellings.total() for spellings in taken)
        text = trn(
            "{n:,} mention names a concept, {abstracts}",
            "{n:,} mentions name a concept, {abstracts}",
            counts["mentions"],
            abstracts=trn("in {n:,} abstract", "in {n:,} abstracts", counts["documents"]),
        )
        if counts["spelled out"]:
            text += tr(", {n:,} of them several, part by part", n=counts["spelled out"])
        yield Note("mentions", counts["mentions"], text)
        left_out = {**counts, "not chosen": self.names.total() - taken_count}
        for kind, text in _TOLD.items():
            yield from counted(kind, left_out.get(kind, 0), text)


_TOLD = {
    "not chosen": mark_plural(
        "{n:,} name in mentions is of another type than chosen",
        "{n:,} names in mentions are of other types than chosen",
    ),
    "no concept": mark_plural(
        "{n:,} mention has no concept's id", "{n:,} mentions have no concept's id"
    ),
    "composite": mark_plural(
        "{n:,} mention is of several concepts and not spelled out; it is left out",
        "{n:,} mentions are of several concepts and not spelled out; they are left out",
    ),
    "relations": mark_plural(
        "{n:,} relation between concepts is not read",
        "{n:,} relations between concepts are not read",
    ),
}


def _gather_mentions(source: Source) -> _Corpus:
    corpus = _Corpus()
    try:
        for document in documents_in(source.lines(), source.path):
            corpus.add(document)
            source.advance(0)
    except ValueError as error:
        raise UserError(str(error)) from None
    return corpus


def _types_of_kind(kind: str) -> list[str]:
    """The types of a mention; MedMentions joins several with commas."""
    return [clean(part) for part in kind.split(",")]


def _type_choice(counts: Counter[str]) -> tuple[ImportChoice, ...]:
    if len(counts) < 2:
        return ()
    options = tuple(
        Option(type_name, type_name, count) for type_name, count in counts.most_common()
    )
    usual = tuple(option.value for option in options)
    return (ImportChoice(TYPES, tr("Types of mentions"), options, usual, counted=tr("mentions")),)


def _curie_of_mention(identifier: str, key: str, curies: Curies) -> str:
    prefix = "MESH" if _MESH.fullmatch(identifier) else prefix_of_key(key)
    return curie_of(identifier, prefix, curies)


def _make_concept(
    curie: str, mentions: Counter[tuple[str, str]], cleaner: NameCleaner
) -> ConceptRecord:
    """The concept; the most frequent of its names first, each as it is mostly spelled."""
    kinds: Counter[str] = Counter()
    spellings: dict[str, Counter[str]] = {}
    for (kind, name), count in mentions.items():
        kinds[kind] += count
        spellings.setdefault(name.casefold(), Counter())[name] += count
    order = sorted(spellings.values(), key=lambda spelling: -spelling.total())
    names = [spelling.most_common(1)[0][0] for spelling in order]
    records = [NameRecord(name, "synonym" if n else "preferred") for n, name in enumerate(names)]
    return ConceptRecord(
        curie=curie, code=curie, kind=kinds.most_common(1)[0][0], names=cleaner.distinct(records)
    )
