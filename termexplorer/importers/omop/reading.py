"""OMOP vocabularies: the folder or zip that Athena gives out.

Nothing is assumed of the order of rows. Concepts are read into columns of numbers, their texts
wait on the disk; then each is put together from what tells of it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing

import numpy as np

from termexplorer.errors import UserError
from termexplorer.importers.choices import ImportChoice, chosen
from termexplorer.importers.files.block import Integers
from termexplorer.importers.files.entries import unread_files
from termexplorer.importers.files.grouped import Grouped
from termexplorer.importers.files.release_files import ReleaseFiles, RoleReader
from termexplorer.importers.files.terms import TermStore, is_text
from termexplorer.importers.omop import offered as offers
from termexplorer.importers.omop.building import OmopBuilder, taken
from termexplorer.importers.omop.concepts import StagedConcepts, stage
from termexplorer.importers.omop.files import LAYOUT, RELATIONS, SYNONYMS, VOCABULARIES
from termexplorer.importers.omop.header import Vocabularies, vocabularies
from termexplorer.importers.omop.relations import Related, read_relations
from termexplorer.importers.records import Note, Record
from termexplorer.importers.text.notes import absent, count_by_sort, counted
from termexplorer.texts import mark, mark_plural, number, tr

_AFTER = 4  # how much longer than reading it takes to put together and to store what was read
_ID, _NAME, _LANGUAGE = 0, 1, 2  # columns of synonyms
_ABSENT = {
    RELATIONS: mark("relationships: there is no hierarchy"),
    SYNONYMS: mark("synonyms"),
    VOCABULARIES: mark("vocabularies: their names and versions are not told"),
}


class _OmopSurvey:
    """A release whose concepts were read."""

    def __init__(self, release: ReleaseFiles, terms: TermStore) -> None:
        self.reader = RoleReader(release, LAYOUT)
        self.vocabularies: Vocabularies = vocabularies(self.reader)
        self.staged: StagedConcepts = stage(self.reader, terms)
        if not len(self.staged):
            raise UserError(
                tr("{path} holds no concept; choose another folder or zip", path=release.path)
            )
        languages = offers.count_languages(RoleReader(release, LAYOUT))
        labels = _language_labels(self.staged, terms, list(languages))
        self.choices = offers.choices(self.staged, self.vocabularies.titles, languages, labels)


def choices(release: ReleaseFiles) -> tuple[ImportChoice, ...]:
    """What can be chosen of a release.

    Raises:
        UserError: A file is damaged or truncated, has other columns, or there is no concept.
    """
    with closing(TermStore()) as terms:
        return _OmopSurvey(release, terms).choices


def read(release: ReleaseFiles, options: Mapping[str, object]) -> Iterator[Record]:
    """Yield the header, the concepts, and what was left out.

    Args:
        release: Its files.
        options: `choices`: `vocabularies`, `standard`, `languages` of synonyms.

    Raises:
        UserError: A file has other columns, is damaged or truncated, nothing is left of what was
            chosen, or it is not there.
    """
    release.expect(SYNONYMS, after=_AFTER)
    with closing(TermStore()) as terms:
        release_survey = _OmopSurvey(release, terms)
        wanted = chosen(release_survey.choices, options)
        staged, reader = release_survey.staged, release_survey.reader
        rows = taken(staged, wanted["vocabularies"], wanted["standard"])
        if not len(rows):
            asked = ", ".join((*wanted["vocabularies"][:5], *wanted["standard"]))
            raise UserError(
                tr(
                    "{path} holds no concept of {chosen}; choose more",
                    path=release.path,
                    chosen=asked,
                )
            )
        number = np.full(len(staged), -1, np.int64)
        number[rows] = np.arange(len(rows))
        yield release_survey.vocabularies.header(
            [vocabulary for vocabulary, n in _count_by_vocabulary(staged, rows) if n]
        )
        left_out: Counter[str] = Counter()
        languages = wanted.get("languages", ())
        synonyms = _read_synonyms(reader, staged, number, terms, languages, left_out)
        related = read_relations(reader, staged, number, len(rows))
        yield from reader.skipped
        yield from _tell_taken(release, staged, rows, related)
        yield from _tell_synonyms(left_out)
        yield from _build_concepts(
            release, OmopBuilder(staged, rows, terms), synonyms, related, len(rows)
        )


def _build_concepts(
    release: ReleaseFiles, builder: OmopBuilder, synonyms: Grouped, related: Related, count: int
) -> Iterator[Record]:
    begun = release.done
    for concept in builder.concepts(synonyms, related.grouped):
        release.done = begun + (release.total - begun) * builder.concepts_made // count
        yield concept
    yield from builder.notes()


def _tell_taken(
    release: ReleaseFiles, staged: StagedConcepts, rows: Integers, related: Related
) -> Iterator[Note]:
    vocabulary_text = ", ".join(
        f"{vocabulary} {number(n)}" for vocabulary, n in _count_by_vocabulary(staged, rows) if n
    )
    yield Note(
        "vocabularies", len(rows), tr("concepts of {vocabularies}", vocabularies=vocabulary_text)
    )
    text = mark_plural("{n:,} concept was not chosen", "{n:,} concepts were not chosen")
    yield from counted("other concepts", len(staged) - len(rows), text)
    text = mark_plural(
        "{n:,} is-a row leads to a concept that was not chosen",
        "{n:,} is-a rows lead to concepts that were not chosen",
    )
    yield from counted("links elsewhere", related.elsewhere, text)
    text = mark_plural("{n:,} relationship holds no longer", "{n:,} relationships hold no longer")
    yield from counted("invalid relations", related.invalid, text)
    text = mark_plural(
        "{n:,} relationship of another sort is left out: {listed}",
        "{n:,} relationships of other sorts are left out: {listed}",
    )
    yield from count_by_sort("other relations", related.other_relations, text)
    for role, file_kind in _ABSENT.items():
        if role not in release.members:
            yield absent(file_kind)
    read = [member.name for member in release.members.values()]
    yield from unread_files(release.path, read, lambda name: name.lower().endswith(".csv"))


def _tell_synonyms(left_out: Counter[str]) -> Iterator[Note]:
    text = mark_plural(
        "{n:,} synonym in another language than chosen is left out",
        "{n:,} synonyms in other languages than chosen are left out",
    )
    yield from counted("other languages", left_out["language"], text)
    text = mark_plural(
        "{n:,} synonym of a concept that was not chosen is left out",
        "{n:,} synonyms of concepts that were not chosen are left out",
    )
    yield from counted("other synonyms", left_out["concept"], text)


def _count_by_vocabulary(staged: StagedConcepts, rows: Integers) -> list[tuple[str, int]]:
    counts = np.bincount(staged.vocabulary[rows], minlength=len(staged.vocabularies)).tolist()
    return sorted(zip(staged.vocabularies, counts, strict=True), key=lambda item: -item[1])


def _read_synonyms(
    reader: RoleReader,
    staged: StagedConcepts,
    number: Integers,
    terms: TermStore,
    languages: Sequence[str],
    left_out: Counter[str],
) -> Grouped:
    """The places of each concept's synonyms, in the order of the languages and then of the file."""
    order = {int(code): index for index, code in enumerate(languages)}
    parts = [(np.empty(0, np.int64),) * 3]
    for member, block in reader.of(SYNONYMS):
        language = block.integers(_LANGUAGE)
        reader.refuse(member, block, _LANGUAGE, language < 0, tr("no number"))
        wanted = np.isin(language, [*order])
        left_out["language"] += int((~wanted & (language >= 0)).sum())
        block, language = block.only(wanted), language[wanted]
        row = staged.find(block.integers(_ID))
        reader.refuse(member, block, _ID, row < 0, tr("no concept of this release"))
        texts = block.cells(_NAME, np.arange(len(block)))
        sound = np.array([is_text(text) for text in texts], bool)
        odd = (row >= 0) & ~sound
        reader.refuse(member, block, _NAME, odd, tr("empty, too long or not UTF-8"))
        is_known = sound & (row >= 0)
        taken_rows = np.flatnonzero(is_known & (number[row] >= 0))
        left_out["concept"] += int(is_known.sum()) - len(taken_rows)
        places = terms.add([texts[index] for index in taken_rows.tolist()])
        rank = np.array([order[code] for code in language[taken_rows].tolist()], np.int64)
        parts.append((number[row[taken_rows]], rank, places))
    concept, rank, addresses = (np.concatenate(column) for column in zip(*parts, strict=True))
    by = np.lexsort((rank, concept))
    return Grouped.of_sorted(int(number.max(initial=-1)) + 1, concept[by], addresses[by])


def _language_labels(
    staged: StagedConcepts, terms: TermStore, languages: list[int]
) -> dict[int, str]:
    """The names of languages, which are concepts too."""
    rows = staged.find(np.array(languages, np.int64)).tolist()
    labels = {offers.ENGLISH: "English"}
    for language, row in zip(languages, rows, strict=True):
        if row >= 0:
            labels[language] = terms.at(int(staged.place[row])).partition("\t")[0]
    return labels
