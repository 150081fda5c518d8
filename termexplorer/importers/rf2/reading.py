"""SNOMED CT in RF2, the folder or zip of a release: its snapshot, or the newest of its full rows.

Nothing is assumed of the order of rows. All files are read into columns of numbers, terms wait on
the disk; then each concept is put together from what tells of it.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing

from termexplorer.errors import UserError
from termexplorer.importers.choices import ImportChoice, Option, chosen
from termexplorer.importers.files.terms import TermStore
from termexplorer.importers.records import Record
from termexplorer.importers.rf2.concepts import Rf2Builder
from termexplorer.importers.rf2.dialects import survey
from termexplorer.importers.rf2.files import Rf2Release
from termexplorer.importers.rf2.grouping import associations, parents, texts
from termexplorer.importers.rf2.header import header, taken
from termexplorer.importers.rf2.rows import Rf2Reader
from termexplorer.importers.rf2.staging import stage
from termexplorer.importers.text.notes import counted
from termexplorer.texts import mark_plural, tr

RELEASE_TYPE = "release-type"
_AFTER = 4  # how much longer than reading it takes to put together and to store what was read


def choices(release: Rf2Release) -> tuple[ImportChoice, ...]:
    """Which type of a release is read, where there are several."""
    return (_release_type_choice(release),) if len(release.types) > 1 else ()


def read(release: Rf2Release, options: Mapping[str, object]) -> Iterator[Record]:
    """Yield the header, the concepts, and what was left out.

    Args:
        release: Its files.
        options: `language`, a code; `dialect`, a name such as `en-US` or a reference set's id; by
            default English and the US dialect, or else the first that there are; `choices`, of
            `RELEASE_TYPE`.

    Raises:
        UserError: A file has another header or is damaged, the language or dialect is not there,
            or there is no concept.
    """
    release.use(chosen([_release_type_choice(release)], options)[RELEASE_TYPE][0])
    size = sum(member.size for member in release.members)
    release.total = (1 + _AFTER) * max(size, 1)
    offered = survey(release)
    asked = [str(options.get(key) or "") for key in ("language", "dialect")]
    language, dialect = offered.choose(*asked)
    reader = Rf2Reader(release)
    with closing(TermStore()) as terms:
        staged = stage(reader, terms, dialect.refset)
        count = staged.concepts.shape[1]
        if not count:
            raise UserError(
                tr("{path} holds no concept; choose the folder of a release", path=release.path)
            )
        yield from header(release, staged, terms)
        yield from taken(release, offered, language, dialect, staged, terms)
        linked, other_count = associations(staged)
        concepts = staged.concepts, texts(reader, staged, language), parents(reader, staged), linked
        del staged  # what is wanted of it is sorted to the concepts now
        yield from reader.skipped
        text = mark_plural(
            "{n:,} association of what is no obsolete concept is left out",
            "{n:,} associations of what is no obsolete concept are left out",
        )
        yield from counted("other associations", other_count, text)
        builder, begun = Rf2Builder(terms), release.done
        for concept in builder.concepts(*concepts):
            release.done = begun + (release.total - begun) * builder.concepts_made // count
            yield concept
        yield from builder.notes()


def _release_type_choice(release: Rf2Release) -> ImportChoice:
    options = tuple(
        Option(kind, kind.capitalize(), sum(member.size for member in release.files(kind)) >> 20)
        for kind in release.types
    )
    return ImportChoice(
        RELEASE_TYPE,
        tr("Release type"),
        options,
        release.types[:1],
        several=False,
        counted=tr("MB"),
        hint=tr("Snapshot: each row as it is now. Full: all rows ever, of which the newest count"),
    )
