"""Which formats there are, which one a file is in, and the door to their importers."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from termexplorer.errors import UserError
from termexplorer.importers import dictionary, icd10cm, obo, obographs, table
from termexplorer.importers.records import Record
from termexplorer.importers.rf2 import reading as rf2
from termexplorer.importers.rf2.files import holds_release, open_release
from termexplorer.importers.rf2.zipped import holds_name
from termexplorer.importers.signs import refuse_another, told_format
from termexplorer.importers.source import Progress, Source

ICD10CM, RF2 = "icd10cm", "rf2"
_Reader: TypeAlias = Callable[[Any, Mapping[str, object]], Iterator[Record]]

# Format -> its reader and how often it goes over the file.
_READERS: dict[str, tuple[_Reader, int]] = {
    "obo": (obo.read, 1),
    "obographs": (obographs.read, 2),
    "table": (table.read, 1),
    "dictionary": (dictionary.read, 1),
}
FORMATS: tuple[str, ...] = (ICD10CM, *_READERS, RF2)


@dataclass(frozen=True, slots=True)
class Import:
    """An import under way: `records` to iterate over once, `progress` to ask how far it is."""

    format: str
    records: Iterator[Record]
    progress: Progress


def open_importer(
    name: str, path: Path | str | None, options: Mapping[str, object] | None = None
) -> Import:
    """Open a file; nothing but its first bytes is read until `records` are asked for.

    Args:
        name: One of `FORMATS`.
        path: The file, for `rf2` a folder or zip; not needed for `icd10cm`.
        options: What the format's `read` takes: `columns` and `delimiter` of a table,
            `terminology` of a table or dictionary, `language` and `dialect` of `rf2`.

    Raises:
        UserError: Not a known format, or a file that cannot be read, is empty, or is plainly in
            another format.
    """
    if name == ICD10CM:
        progress = Progress()
        return Import(name, icd10cm.read(progress, options or {}), progress)
    if name == RF2 and path is not None:
        release = open_release(Path(path))
        return Import(name, rf2.read(release, options or {}), release)
    if name not in (*_READERS, RF2):
        raise UserError(f"there is no format {name!r}; choose one of {', '.join(FORMATS)}")
    if path is None:
        raise UserError(f"the format {name} needs a file")
    if holds_release(Path(path)):
        raise UserError(f"{path} is a release in RF2; choose the format {RF2}")
    reader, passes = _READERS[name]
    source = Source(path, passes)
    refuse_another(source, name)
    return Import(name, _closing(source, reader(source, options or {})), source)


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
    if holds_release(Path(path)):
        return RF2
    if Path(path).is_dir() or _is_other_zip(Path(path)):
        raise UserError(
            f"{path} holds no RF2 release (it has no sct2_Concept file); choose a file in it"
        )
    if found := told_format(Source(path)):
        return found
    raise UserError(
        f"{path}: no format that can be told; say which with --format ({', '.join(FORMATS)})"
    )


def _is_other_zip(path: Path) -> bool:
    """Whether a file is a zip, and no workbook, which is one too."""
    return holds_name(path, bool) and not holds_name(path, "[Content_Types].xml".__eq__)
