"""What an import is asked for, and what a look at its file brings."""

from dataclasses import dataclass, field
from pathlib import Path

from termexplorer.importers.choices import ImportChoice


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """What to import.

    Attributes:
        workspace: the workspace folder.
        source: a file, for RF2 a folder or zip, or the word `icd10cm`.
        format: one of the importers' formats, or None: a table where something of tables is given,
            else told from the content.
        terminology: the terminology that this is a release of, or None to take it from the file.
        columns: of a names table: what is in which column.
        delimiter: of a names table, or None to guess it.
        sheet: of a workbook, by name or number from 1, or None: the first one with titles.
        titles: whether the first row of a names table has titles, or None to guess it.
        language: of the names in an RF2 release, or None for the usual one.
        dialect: of them, a name or the id of a language reference set, or None.
        choices: key -> values, of what the format offers to choose; the rest is as usual.
    """

    workspace: Path
    source: str
    format: str | None = None
    terminology: str | None = None
    columns: dict[str, str] = field(default_factory=dict)
    delimiter: str | None = None
    sheet: str | None = None
    titles: bool | None = None
    language: str | None = None
    dialect: str | None = None
    choices: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FilePreview:
    """What a file would bring.

    Attributes:
        format: the importer's.
        title: of the terminology, its version and licence; "" for what the file does not tell.
        version: see there.
        licence: see there.
        choices: what can be chosen.
        concepts: the first ones, each its code, its preferred name, its other names, its parents.
        remarks: what was said of the whole file before the first concept.
    """

    format: str
    title: str
    version: str
    licence: str
    choices: tuple[ImportChoice, ...]
    concepts: tuple[tuple[str, str, str, str], ...]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SpoiledCells:
    """What a spreadsheet has spoiled in a table, told before its first row is stored.

    Attributes:
        warnings: sentences with counts.
    """

    warnings: tuple[str, ...]
