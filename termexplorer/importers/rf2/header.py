"""What a release says about itself: edition, version, modules; and what was taken from it."""

import re
from collections import Counter
from collections.abc import Iterator

import numpy as np

from termexplorer.importers.files.block import Integers
from termexplorer.importers.files.entries import unread_files
from termexplorer.importers.files.terms import TermStore
from termexplorer.importers.records import Header, Note
from termexplorer.importers.rf2.concepts import PREFIX
from termexplorer.importers.rf2.dialects import Dialect, Dialects
from termexplorer.importers.rf2.files import Rf2Release
from termexplorer.importers.rf2.grouping import count_inactive, count_other_languages
from termexplorer.importers.rf2.ids import CORE_MODULE, FULLY_SPECIFIED
from termexplorer.importers.rf2.staging import StagedRelease
from termexplorer.importers.text.notes import absent, count_by_sort, counted
from termexplorer.licences import licence_notes
from termexplorer.texts import join_texts, mark, mark_plural, tr, trn

_IRI = "http://snomed.info/"
_KEY, _TITLE = "snomedct", "SNOMED CT"


def header(release: Rf2Release, staged: StagedRelease, terms: TermStore) -> Iterator[Header | Note]:
    """Yield the header, and what it stands on.

    The edition is the module of an extension that has most concepts, or else the core module.
    """
    counts = _module_counts(staged)
    edition = _find_edition(counts)
    names = _module_names(staged, terms, {*counts, *staged.modules[4:6].ravel().tolist()})
    version = _find_version(staged, edition)
    core = edition == CORE_MODULE
    yield Header(
        terminology=_KEY if core else f"{_KEY}/{edition}",
        title=_TITLE if core else f"{_TITLE}, {names.get(edition, edition)}",
        version=f"{version[:4]}-{version[4:6]}-{version[6:]}",
        licence=licence_notes()[PREFIX],
        prefixes={PREFIX: f"{_IRI}id/"},
    )
    text = trn(
        "{type} release {iri}, {n} file",
        "{type} release {iri}, {n} files",
        len(release.members),
        type=release.type,
        iri=f"{_IRI}sct/{edition}/version/{version}",
    )
    yield Note("release", len(release.members), text)
    for module, count in sorted(counts.items(), key=lambda item: -item[1]):
        module_name = _named_module(names, module)
        text = trn(
            "{n:,} concept of the module {module}",
            "{n:,} concepts of the module {module}",
            count,
            module=module_name,
        )
        yield Note("module", count, text + _stands_on(staged, names, module))


def taken(
    release: Rf2Release,
    offered: Dialects,
    language: str,
    dialect: Dialect,
    staged: StagedRelease,
    terms: TermStore,
) -> Iterator[Note]:
    """Say which language and dialect were taken, and what the release holds besides."""
    text = tr(
        "names in the language {language}, dialect {dialect}",
        language=language,
        dialect=dialect.label,
    )
    alternatives = [option.label for option in offered.dialects if option != dialect]
    alternatives += [option for option in offered.languages if option != language]
    text += tr("; there are also {others}", others=", ".join(alternatives)) if alternatives else ""
    yield Note("dialect", 1, text)
    names = _module_names(staged, terms, set(staged.attributes))
    attributes: Counter[str] = Counter()
    for kind, count in staged.attributes.items():
        attributes[names.get(kind, str(kind))] += count
    text = mark_plural(
        "{n:,} row of relationships is no is-a link: {listed}",
        "{n:,} rows of relationships are no is-a links: {listed}",
    )
    yield from count_by_sort("attributes", attributes, text)
    yield from _tell_left_out(language, staged)
    for role, file_kind in (
        ("definition", mark("text definitions")),
        ("association", mark("associations")),
    ):
        if not release.of(role):
            yield absent(file_kind)
    of_type = re.compile(rf"x?(?:der2|sct2)_.*{release.type}.*\.txt", re.IGNORECASE)
    read = [member.name for member in release.members]
    yield from unread_files(release.path, read, lambda name: bool(of_type.fullmatch(name)))


def _tell_left_out(language: str, staged: StagedRelease) -> Iterator[Note]:
    text = mark_plural(
        "{n:,} row is inactive and left out: {listed}",
        "{n:,} rows are inactive and left out: {listed}",
    )
    yield from count_by_sort("inactive rows", +count_inactive(staged), text)
    text = mark_plural(
        "{n:,} description is of another language and left out",
        "{n:,} descriptions are of other languages and left out",
    )
    yield from counted("other languages", count_other_languages(staged, language), text)
    text = mark_plural(
        "{n:,} is-a link is stated, not inferred, and left out",
        "{n:,} is-a links are stated, not inferred, and left out",
    )
    yield from counted("stated links", staged.stated, text)


def _module_counts(staged: StagedRelease) -> dict[int, int]:
    modules, counts = np.unique(staged.concepts[3], return_counts=True)
    return dict(zip(modules.tolist(), counts.tolist(), strict=True))


def _find_edition(counts: dict[int, int]) -> int:
    extensions = [module for module in counts if _is_of_extension(module)]
    return max(extensions, key=lambda module: (counts[module], -module), default=CORE_MODULE)


def _is_of_extension(module: int) -> bool:
    """Whether an id has a namespace in it: its partition's first digit is 1."""
    return module // 100 % 10 == 1


def _find_version(staged: StagedRelease, edition: int) -> str:
    """The date of the edition's module where the release tells, else the newest date in it."""
    dates = _module_dependencies(staged, edition)[6]
    return str(int(dates.max(initial=0)) or staged.newest or "")


def _stands_on(staged: StagedRelease, names: dict[int, str], module: int) -> str:
    rows = _module_dependencies(staged, module)
    newest = rows[:, rows[6] == rows[6].max(initial=0)]
    module_texts = [
        tr("{module} of {date}", module=_named_module(names, target), date=date)
        for target, date in newest[[5, 7]].T.tolist()
    ]
    return (
        tr("; it stands on {modules}", modules=join_texts(module_texts, ", "))
        if module_texts
        else ""
    )


def _module_dependencies(staged: StagedRelease, module: int) -> Integers:
    """The rows of what a module stands on."""
    rows = staged.modules
    return rows[:, (rows[3] == 1) & (rows[4] == module)]


def _named_module(names: dict[int, str], module: int) -> str:
    return f"{names[module]} ({module})" if module in names else str(module)


def _module_names(staged: StagedRelease, terms: TermStore, modules: set[int]) -> dict[int, str]:
    rows = staged.descriptions
    named = np.isin(rows[3], list(modules)) & (rows[4] == FULLY_SPECIFIED) & (rows[2] == 1)
    return {
        concept: terms.at(address).rpartition(" (")[0] or terms.at(address)
        for concept, address in rows[[3, 6]][:, named].T.tolist()
    }
