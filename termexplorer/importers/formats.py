"""Which formats there are, which one a file is in, and the door to their importers.

A format of single files has its reader in `_READERS` and its sign in `signs`; one of folders and
zips, told by the names of the files inside, has its release in `_RELEASES`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from termexplorer.errors import UserError
from termexplorer.importers import (
    claml,
    dictionary,
    fhir,
    icd10cm,
    icd10cm_order,
    icd10cm_tabular,
    mesh,
    mesh_tree,
    obo,
    obographs,
    pubtator,
    table,
)
from termexplorer.importers.choices import Choice, chosen
from termexplorer.importers.omop import files as omop_files
from termexplorer.importers.omop import reading as omop
from termexplorer.importers.rdf import reading as rdf
from termexplorer.importers.records import Record
from termexplorer.importers.rf2 import reading as rf2
from termexplorer.importers.rf2.files import holds_release, open_release
from termexplorer.importers.rrf import files as rrf_files
from termexplorer.importers.rrf import reading as rrf
from termexplorer.importers.signs import refuse_another, told_format
from termexplorer.importers.source import Progress, Source
from termexplorer.importers.zipped import holds_name

ICD10CM, RF2 = "icd10cm", "rf2"
Options: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class _Reader:
    """A format of single files: its reader, how often that goes over the file, what to choose."""

    read: Callable[[Source, Options], Iterator[Record]]
    passes: int = 1
    choices: Callable[[Source], tuple[Choice, ...]] | None = None


@dataclass(frozen=True, slots=True)
class _Release:
    """A format of folders and zips: whether one is there, its files, its reader, what to choose."""

    title: str
    holds: Callable[[Path], bool]
    open: Callable[[Path], Any]
    read: Callable[[Any, Options], Iterator[Record]]
    choices: Callable[[Any], tuple[Choice, ...]] | None = None


_READERS: dict[str, _Reader] = {
    "obo": _Reader(obo.read),
    "obographs": _Reader(obographs.read, passes=2),
    "fhir": _Reader(fhir.read, passes=2, choices=fhir.choices),
    "pubtator": _Reader(pubtator.read, choices=pubtator.choices),
    "rdf": _Reader(rdf.read, rdf.PASSES, rdf.choices),
    "table": _Reader(table.read),
    "dictionary": _Reader(dictionary.read),
    "mesh": _Reader(mesh.read, choices=mesh.choices),
    "mesh-tree": _Reader(mesh_tree.read),
    "icd10cm-order": _Reader(icd10cm_order.read, passes=2),
    "icd10cm-tabular": _Reader(icd10cm_tabular.read),
    "claml": _Reader(claml.read, passes=2, choices=claml.choices),
}
_RELEASES: dict[str, _Release] = {
    RF2: _Release("RF2", holds_release, open_release, rf2.read, rf2.choices),
    "rrf": _Release("RRF", rrf_files.holds_release, rrf_files.open_release, rrf.read, rrf.offered),
    "omop": _Release(
        "OMOP", omop_files.holds_release, omop_files.open_release, omop.read, omop.offered
    ),
}
FORMATS: tuple[str, ...] = (ICD10CM, *_READERS, *_RELEASES)


@dataclass(frozen=True, slots=True)
class Import:
    """An import under way: `records` to iterate over once, `progress` to ask how far it is."""

    format: str
    records: Iterator[Record]
    progress: Progress


def open_importer(name: str, path: Path | str | None, options: Options | None = None) -> Import:
    """Open a file; nothing but its first bytes is read until `records` are asked for.

    Args:
        name: One of `FORMATS`.
        path: The file, for some formats a folder or zip; not needed for `icd10cm`.
        options: What the format's `read` takes: `columns` and `delimiter` of a table,
            `terminology` of a table or dictionary, `language` and `dialect` of `rf2`, `choices`
            (key -> values) of those that offer any.

    Raises:
        UserError: Not a known format, or a file that cannot be read, is empty, or is plainly in
            another format.
    """
    options = options or {}
    if name == ICD10CM:
        progress = Progress()
        return Import(name, icd10cm.read(progress, options), progress)
    place = _place(name, path)
    if (_RELEASES.get(name) or _READERS[name]).choices is None:
        chosen((), options)  # refuses any
    if name in _RELEASES:
        release = _RELEASES[name].open(place)
        return Import(name, _RELEASES[name].read(release, options), release)
    source = _source(name, place)
    return Import(name, _closing(source, _READERS[name].read(source, options)), source)


def choices_of(name: str, path: Path) -> tuple[Choice, ...]:
    """What can be chosen of a file before it is imported; () where there is nothing to choose.

    Raises:
        UserError: As `open_importer` does.
    """
    if name == ICD10CM:
        return ()
    place = _place(name, path)
    if name in _RELEASES:
        of_release = _RELEASES[name].choices
        return of_release(_RELEASES[name].open(place)) if of_release else ()
    of_file = _READERS[name].choices
    if of_file is None:
        return ()
    with _source(name, place) as source:
        return of_file(source)


def _place(name: str, path: Path | str | None) -> Path:
    if name not in (*_READERS, *_RELEASES):
        raise UserError(f"there is no format {name!r}; choose one of {', '.join(FORMATS)}")
    if path is None:
        raise UserError(f"the format {name} needs a file")
    return Path(path)


def _source(name: str, path: Path) -> Source:
    if held := _release_in(path):
        raise UserError(f"{path} is a release in {_RELEASES[held].title}; choose the format {held}")
    source = Source(path, _READERS[name].passes)
    refuse_another(source, name)
    return source


def _closing(source: Source, records: Iterator[Record]) -> Iterator[Record]:
    with source:
        yield from records


def detect(path: Path | str) -> str:
    """The format of a file or folder, by what it holds.

    The word `icd10cm` stands for the package's data.

    Raises:
        UserError: The file cannot be read, is empty, or is in no known format.
    """
    if str(path).lower() == ICD10CM and not Path(path).exists():
        return ICD10CM
    if held := _release_in(Path(path)):
        return held
    if Path(path).is_dir() or _is_other_zip(Path(path)):
        titles = " or ".join(release.title for release in _RELEASES.values())
        raise UserError(f"{path} holds no release in {titles}; choose a file in it")
    if found := told_format(Source(path)):
        return found
    raise UserError(
        f"{path}: no format that can be told; say which with --format ({', '.join(FORMATS)})"
    )


def _release_in(path: Path) -> str:
    return next((name for name, release in _RELEASES.items() if release.holds(path)), "")


def _is_other_zip(path: Path) -> bool:
    """Whether a file is a zip, and no workbook, which is one too."""
    return holds_name(path, bool) and not holds_name(path, "[Content_Types].xml".__eq__)
