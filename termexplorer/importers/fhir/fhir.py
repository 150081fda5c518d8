"""FHIR CodeSystem in JSON or XML: one file, a Bundle of several, or a package (.tgz) with them.

What a code system says about itself may follow its concepts, and the largest of several is taken
unless told otherwise: so the file is read twice.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from termexplorer.errors import UserError
from termexplorer.importers.choices import ImportChoice, Option, chosen
from termexplorer.importers.fhir.concepts import CodeSystemReader
from termexplorer.importers.fhir.systems import System, resource_events, systems_in
from termexplorer.importers.files.source import Source
from termexplorer.importers.records import Header, Note, Record
from termexplorer.importers.text.curies import terminology_key
from termexplorer.importers.text.languages import LANGUAGES, Namer, language_choice
from termexplorer.importers.text.notes import count_by_sort, counted
from termexplorer.importers.text.text import NameCleaner
from termexplorer.licences import licence_notes
from termexplorer.texts import mark_plural, tr

SYSTEMS = "systems"


def choices(source: Source) -> tuple[ImportChoice, ...]:
    """The choices of code systems and languages, where there are several.

    Raises:
        UserError: As `read` does.
    """
    return _make_choices(systems_in(source))


def read(source: Source, options: Mapping[str, object]) -> Iterator[Record]:
    """Yield the header, the concepts with their links, and what was left out.

    Args:
        source: The file; its `passes` should be 2.
        options: `choices`, of `choices`.

    Raises:
        UserError: No sound JSON or XML, truncated, a package that is refused, or no concept.
    """
    systems = systems_in(source)
    picked = chosen(_make_choices(systems), options)
    wanted = picked.get(SYSTEMS, (systems[0].value,))[0]
    system = next(candidate for candidate in systems if candidate.value == wanted)
    if not system.concepts:
        raise UserError(
            tr(
                "{path}: the code system {system} holds no concept (content: {content}); choose "
                "another file",
                path=source.path,
                system=system.title or system.value,
                content=system.content or tr("not told"),
            )
        )
    yield _make_header(system)
    namer = Namer(picked.get(LANGUAGES, ()), NameCleaner())
    reader = CodeSystemReader(system, namer)
    yield from reader.records(resource_events(source, system.location))
    yield from _content_notes(system, len(systems), reader.unread)
    yield from namer.notes()


def _make_header(system: System) -> Header:
    return Header(
        terminology=terminology_key(system.url or system.value) or None,
        title=system.title or system.name,
        version=system.version or system.date,
        licence=system.copyright or licence_notes().get(system.prefix, ""),
        prefixes={system.prefix: f"{system.url}#"} if system.url else {},
    )


def _make_choices(systems: list[System]) -> tuple[ImportChoice, ...]:
    languages: Counter[str] = Counter()
    for system in systems:
        languages.update(system.languages)
    return (*_system_choice(systems), *language_choice(languages))


def _system_choice(systems: list[System]) -> list[ImportChoice]:
    if len(systems) < 2:
        return []
    options = [
        Option(system.value, system.title or system.name, system.concepts) for system in systems
    ]
    usual = (systems[0].value,)
    return [ImportChoice(SYSTEMS, tr("Code systems"), tuple(options), usual, False, tr("concepts"))]


def _content_notes(system: System, systems: int, unread: Counter[str]) -> Iterator[Note]:
    if system.content != "complete":
        content = system.content or tr("not told to be complete")
        text = tr("the content is {content}: concepts may be missing", content=content)
        yield Note("content", 1, text)
    if system.hierarchy not in ("", "is-a"):
        text = tr("the hierarchy is {kind}; it is taken as is-a", kind=system.hierarchy)
        yield Note("hierarchy", 1, text)
    text = mark_plural(
        "{n:,} other code system in the file was left out",
        "{n:,} other code systems in the file were left out",
    )
    yield from counted("other systems", systems - 1, text)
    text = mark_plural(
        "{n:,} value of another property is not read: {listed}",
        "{n:,} values of other properties are not read: {listed}",
    )
    yield from count_by_sort("other values", unread, text)
