"""The UMLS Metathesaurus or RxNorm in RRF: the folder or zip of a release, or its file of names.

Nothing is assumed of the order of rows. Names are read into columns of numbers, their texts wait
on the disk; then each concept is put together from what tells of it.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass

from termexplorer.errors import UserError
from termexplorer.importers.choices import ImportChoice, chosen
from termexplorer.importers.files.grouped import Grouped
from termexplorer.importers.files.release_files import ReleaseFiles
from termexplorer.importers.files.terms import TermStore
from termexplorer.importers.records import Header, Record
from termexplorer.importers.rrf import atoms as names
from termexplorer.importers.rrf import offered as offers
from termexplorer.importers.rrf import told
from termexplorer.importers.rrf.atoms import SUPPRESSED, Atoms
from termexplorer.importers.rrf.building import RrfBuilder, RrfParts, rows_of_concepts
from termexplorer.importers.rrf.concepts import Concepts, TakenNames, by_code, by_cui, taken_rows
from termexplorer.importers.rrf.header import Story
from termexplorer.importers.rrf.offered import BY_CUI, TYPES
from termexplorer.importers.rrf.ranking import order_of_names
from termexplorer.importers.rrf.relations import HierarchyLinks, WantedRelations, read_links, survey
from termexplorer.importers.rrf.rows import RrfReader
from termexplorer.importers.rrf.sources import SourceInfo, ranks, sources
from termexplorer.texts import tr

_AFTER = 4  # how much longer than reading it takes to put together and to store what was read


class _RrfSurvey:
    """A release whose names were read and whose relations were counted."""

    def __init__(self, release: ReleaseFiles, terms: TermStore | None) -> None:
        self.release = release
        self.reader = RrfReader(release)
        self.known: dict[str, SourceInfo] = sources(self.reader)
        self.atoms: Atoms = names.stage(self.reader, terms)
        if not len(self.atoms):
            raise UserError(
                tr("{path} holds no name; choose the folder of a release", path=release.path)
            )
        counting = RrfReader(release)  # odd rows are told when they are read again
        self.relations = survey(counting)
        counted = sum(len(block) for _, block in counting.of("types"))
        self.choices = offers.choices(self.atoms, self.relations, counted, self.known)


def choices(release: ReleaseFiles) -> tuple[ImportChoice, ...]:
    """What can be chosen of a release.

    Raises:
        UserError: A file is damaged or truncated, or there are no names.
    """
    return _RrfSurvey(release, None).choices


def read(release: ReleaseFiles, options: Mapping[str, object]) -> Iterator[Record]:
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
    with closing(TermStore()) as terms:
        gathered = _gather_release(release, options, terms)
        yield gathered.header
        yield from gathered.left_out
        yield from _build_records(release, gathered.builder, gathered.parts)


@dataclass(frozen=True, slots=True)
class _GatheredRelease:
    """What concepts are made of; all else that was read is forgotten by then."""

    header: Header
    left_out: list[Record]
    builder: RrfBuilder
    parts: RrfParts


def _gather_release(
    release: ReleaseFiles, options: Mapping[str, object], terms: TermStore
) -> _GatheredRelease:
    release_survey = _RrfSurvey(release, terms)
    wanted = chosen(release_survey.choices, options)
    taken = taken_rows(release_survey.atoms, _taken_of_choices(wanted))
    source = wanted["concepts"][0]
    concepts = (
        by_cui(release_survey.atoms, taken)
        if source == BY_CUI
        else by_code(release_survey.atoms, taken, source, terms)
    )
    if not concepts.count:
        raise UserError(
            tr(
                "{path} holds no name of what was chosen: {chosen}; choose more",
                path=release.path,
                chosen=_describe_choices(wanted),
            )
        )
    story = Story(release_survey.reader, release_survey.known, release_survey.relations.other_sorts)
    parts, links = _gather_parts(release_survey, concepts, wanted, terms)
    builder = RrfBuilder(concepts.keys, terms, story.vocabulary(source))
    left_out: list[Record] = [*release_survey.reader.skipped, *story.taken(concepts, taken, links)]
    return _GatheredRelease(story.header(source), left_out, builder, parts)


def _build_records(release: ReleaseFiles, builder: RrfBuilder, parts: RrfParts) -> Iterator[Record]:
    if parts.under_types:
        yield from builder.types(parts.types)
    count, begun = parts.rows.starts.shape[0] - 1, release.done
    for concept in builder.concepts(parts):
        release.done = begun + (release.total - begun) * builder.concepts_made // count
        yield concept
    yield from builder.notes()


def _taken_of_choices(wanted: Mapping[str, tuple[str, ...]]) -> TakenNames:
    return TakenNames(frozenset(wanted["sources"]), wanted["languages"], _wanted_states(wanted))


def _wanted_states(wanted: Mapping[str, tuple[str, ...]]) -> frozenset[int]:
    return frozenset(SUPPRESSED.index(state) for state in wanted["suppressed"])


def _describe_choices(wanted: Mapping[str, tuple[str, ...]]) -> str:
    return ", ".join(f"{key} {'+'.join(values[:5])}" for key, values in wanted.items())


def _gather_parts(
    release_survey: _RrfSurvey,
    concepts: Concepts,
    wanted: Mapping[str, tuple[str, ...]],
    terms: TermStore,
) -> tuple[RrfParts, HierarchyLinks]:
    reader = release_survey.reader
    states = _wanted_states(wanted)
    kinds = frozenset(wanted.get("links", ()))
    asked = WantedRelations(kinds - {TYPES}, frozenset(wanted.get("hierarchies", ())), states)
    links = read_links(reader, concepts, asked)
    parents = Grouped.of_sorted(concepts.count, links.children, links.parents)
    defined = told.definitions(reader, concepts, terms, _sources_by_size(concepts), states)
    types = told.types(reader, concepts)
    order = order_of_names(
        release_survey.atoms, wanted["languages"], ranks(reader), concepts.by_code
    )
    rows = rows_of_concepts(concepts, order, sorted(states))
    cuis = concepts.cuis_of_codes()
    return RrfParts(rows, parents, defined, cuis, types, TYPES in kinds), links


def _sources_by_size(concepts: Concepts) -> list[str]:
    """The vocabularies that names are taken of, those of most names first."""
    return [source for source, _ in concepts.sources().most_common()]
