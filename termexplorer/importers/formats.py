"""The door to the importers: which format a file is in, what can be chosen of it, its records."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from termexplorer.errors import UserError
from termexplorer.importers.choices import ImportChoice, chosen
from termexplorer.importers.files.missing_file import check_no_pipe
from termexplorer.importers.files.source import ImportProgress, Source
from termexplorer.importers.files.zipped import holds_name
from termexplorer.importers.format_table import FORMATS, ICD10CM, RELEASES, Format
from termexplorer.importers.records import Record
from termexplorer.importers.signs import is_office_file, refuse_another, told_format
from termexplorer.importers.text.invisible import visible_records
from termexplorer.importers.text.text import clean
from termexplorer.texts import tr, translated

Options: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Import:
    """An import under way: `records` to iterate over once, `progress` to ask how far it is."""

    format: str
    records: Iterator[Record]
    progress: ImportProgress


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
        progress = ImportProgress()
        read = FORMATS[name].reader().read(progress, options)
        return Import(name, visible_records(read, clean), progress)
    file_format, checked_path = _find_format(name), _need_path(name, path)
    reader = file_format.reader()
    if not hasattr(reader, "choices"):
        chosen((), options)  # refuses any
    if file_format.files:
        release = file_format.release().open_release(checked_path)
        return Import(name, visible_records(reader.read(release, options), clean), release)
    source = _open_source(file_format, checked_path)
    records = visible_records(reader.read(source, options), clean)
    return Import(name, _close_after(source, records), source)


def choices_of(name: str, path: Path) -> tuple[ImportChoice, ...]:
    """What can be chosen of a file before it is imported; () where there is nothing to choose.

    Raises:
        UserError: As `open_importer` does.
    """
    file_format = _find_format(name)
    of: Callable[[Any], tuple[ImportChoice, ...]] | None = getattr(
        file_format.reader(), "choices", None
    )
    if of is None:
        return ()
    checked_path = _need_path(name, path)
    if file_format.files:
        return of(file_format.release().open_release(checked_path))
    with _open_source(file_format, checked_path) as source:
        return of(source)


def _find_format(name: str) -> Format:
    if name not in FORMATS:
        raise UserError(
            tr(
                "there is no format {name!r}; choose one of {formats}",
                name=name,
                formats=", ".join(FORMATS),
            )
        )
    return FORMATS[name]


def _need_path(name: str, path: Path | str | None) -> Path:
    if path is None:
        raise UserError(tr("the format {format} needs a file", format=name))
    check_no_pipe(Path(path))
    return Path(path)


def _open_source(file_format: Format, path: Path) -> Source:
    if held := _release_in(path):
        raise UserError(
            tr(
                "{path} is {like}; choose the format {format}",
                path=path,
                like=translated(held.like),
                format=held.key,
            )
        )
    source = Source(path, file_format.passes)
    refuse_another(source, file_format.key)
    return source


def _close_after(source: Source, records: Iterator[Record]) -> Iterator[Record]:
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
    check_no_pipe(Path(path))
    if held := _release_in(Path(path)):
        return held.key
    if Path(path).is_dir() or _is_other_zip(Path(path)):
        known = tr(" or ").join(release.key.upper() for release in RELEASES)
        raise UserError(
            tr("{path} holds no release in {known}; choose a file in it", path=path, known=known)
        )
    if format_key := told_format(Source(path)):
        return format_key
    raise UserError(
        tr(
            "{path}: no format that can be told; say which with --format ({formats})",
            path=path,
            formats=", ".join(FORMATS),
        )
    )


def _release_in(path: Path) -> Format | None:
    return next((release for release in RELEASES if release.release().holds_release(path)), None)


def _is_other_zip(path: Path) -> bool:
    """Whether a file is a zip, and none of an office program, as workbooks are."""
    return holds_name(path, bool) and not is_office_file(path)
