"""The UMLS Metathesaurus or RxNorm in RRF: the folder or zip of a release, or its file of names.

Nothing is assumed of the order of rows. Names are read into columns of numbers, their texts wait
on the disk; then each concept is put together from what tells of it.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass

from termexplorer.errors import UserError
from termexplorer.importers.choices import Choice, chosen
from termexplorer.importers.files.grouped import Grouped
from termexplorer.importers.files.release_files import Release
from termexplorer.importers.files.terms import Terms
from termexplorer.importers.records import Header, Record
from termexplorer.importers.rrf import atoms as names
from termexplorer.importers.rrf import offered as offers
from termexplorer.importers.rrf import told
from termexplorer.importers.rrf.atoms import SUPPRESSED, Atoms
from termexplorer.importers.rrf.building import Builder, Parts, rows_of_concepts
from termexplorer.importers.rrf.concepts import Concepts, Taken, by_code, by_cui, taken_rows
from termexplorer.importers.rrf.header import Story
from termexplorer.importers.rrf.offered import BY_CUI, TYPES
from termexplorer.importers.rrf.ranking import order_of_names
from termexplorer.importers.rrf.relations import Links, Wanted, read_links, survey
from termexplorer.importers.rrf.rows import Reader
from termexplorer.importers.rrf.sources import SourceInfo, ranks, sources
from termexplorer.texts import tr

_AFTER = 4  # how much longer than reading it takes to put together and to store what was read


class _Survey:
    """A release whose names were read and whose relations were counted."""

    def __init__(self, release: Release, terms: Terms | None) -> None:
        self.release = release
        self.reader = Reader(release)
        self.known: dict[str, SourceInfo] = sources(self.reader)
        self.atoms: Atoms = names.stage(self.reader, terms)
        if not len(self.atoms):
            raise UserError(
                tr("{path} holds no name; choose the folder of a release", path=release.path)
            )
        counting = Reader(release)  # odd rows are told when they are read again
        self.relations = survey(counting)
        counted = sum(len(block) for _, block in counting.of("types"))
        self.choices = offers.choices(self.atoms, self.relations, counted, self.known)


def choices(release: Release) -> tuple[Choice, ...]:
    """What can be chosen of a release.

    Raises:
        UserError: A file is damaged or truncated, or there are no names.
    """
    return _Survey(release, None).choices


def read(release: Release, options: Mapping[str, object]) -> Iterator[Record]:
    """Yield the header, the concepts, and what was left out.

    Args:
        release: Its files.
        options: `choices`: `concepts`, `CUI` or a vocabulary; `sources`, `languages`,
            `suppressed`, `links`, `hierarchies`.

    Raises:
        UserError: A file is damaged or truncated, nothing is left of what was chosen, or it is not
            there.
    """
    release.expect("relations", "types", after=_AFTER)
    with closing(Terms()) as terms:
        gathered = _gathered(release, options, terms)
        yield gathered.header
        yield from gathered.left_out
        yield from _built(release, gathered.builder, gathered.parts)


@dataclass(frozen=True, slots=True)
class _Gathered:
    """What concepts are made of; all else that was read is forgotten by then."""

    header: Header
    left_out: list[Record]
    builder: Builder
    parts: Parts


def _gathered(release: Release, options: Mapping[str, object], terms: Terms) -> _Gathered:
    found = _Survey(release, terms)
    wanted = chosen(found.choices, options)
    taken = taken_rows(found.atoms, _taken(wanted))
    source = wanted["concepts"][0]
    concepts = (
        by_cui(found.atoms, taken)
        if source == BY_CUI
        else by_code(found.atoms, taken, source, terms)
    )
    if not concepts.count:
        raise UserError(
            tr(
                "{path} holds no name of what was chosen: {chosen}; choose more",
                path=release.path,
                chosen=_told(wanted),
            )
        )
    story = Story(found.reader, found.known, found.relations.others)
    parts, links = _parts(found, concepts, wanted, terms)
    builder = Builder(concepts.keys, terms, story.vocabulary(source))
    left_out: list[Record] = [*found.reader.skipped, *story.taken(concepts, taken, links)]
    return _Gathered(story.header(source), left_out, builder, parts)


def _built(release: Release, builder: Builder, parts: Parts) -> Iterator[Record]:
    if parts.under_types:
        yield from builder.types(parts.types)
    count, begun = parts.rows.starts.shape[0] - 1, release.done
    for concept in builder.concepts(parts):
        release.done = begun + (release.total - begun) * builder.made // count
        yield concept
    yield from builder.notes()


def _taken(wanted: Mapping[str, tuple[str, ...]]) -> Taken:
    return Taken(frozenset(wanted["sources"]), wanted["languages"], _states(wanted))


def _states(wanted: Mapping[str, tuple[str, ...]]) -> frozenset[int]:
    return frozenset(SUPPRESSED.index(each) for each in wanted["suppressed"])


def _told(wanted: Mapping[str, tuple[str, ...]]) -> str:
    return ", ".join(f"{key} {'+'.join(values[:5])}" for key, values in wanted.items())


def _parts(
    found: _Survey, concepts: Concepts, wanted: Mapping[str, tuple[str, ...]], terms: Terms
) -> tuple[Parts, Links]:
    reader = found.reader
    states = _states(wanted)
    kinds = frozenset(wanted.get("links", ()))
    asked = Wanted(kinds - {TYPES}, frozenset(wanted.get("hierarchies", ())), states)
    links = read_links(reader, concepts, asked)
    parents = Grouped.of_sorted(concepts.count, links.children, links.parents)
    defined = told.definitions(reader, concepts, terms, _speaking(concepts), states)
    types = told.types(reader, concepts)
    order = order_of_names(found.atoms, wanted["languages"], ranks(reader), concepts.by_code)
    rows = rows_of_concepts(concepts, order, sorted(states))
    cuis = concepts.cuis_of_codes()
    return Parts(rows, parents, defined, cuis, types, TYPES in kinds), links


def _speaking(concepts: Concepts) -> list[str]:
    """The vocabularies that names are taken of, those of most names first."""
    return [source for source, _ in concepts.sources().most_common()]
