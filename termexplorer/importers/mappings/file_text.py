"""Texts of files of mappings, and their rows where they are tables."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.importers.files.source import Source
from termexplorer.texts import tr

_LARGEST = 1 << 28  # characters


def read_file_text(path: Path) -> str:
    """Return the text of a file.

    Raises:
        UserError: there is no such file, it is no text, or too large.
    """
    lines, size = [], 0
    with Source(path) as source:
        for _, line in source.whole_lines():
            size += len(line)
            if size > _LARGEST:
                raise UserError(
                    tr(
                        "{path} is larger than {size} MiB; cut it into several files",
                        path=path,
                        size=_LARGEST >> 20,
                    )
                )
            lines.append(line)
    return "".join(lines)


def read_table_rows(path: Path, wanted: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a CSV file with titles, each with its line; empty cells are left out.

    Args:
        path: The file.
        wanted: Titles that it must have.

    Raises:
        UserError: it is damaged, or has not these titles.
    """
    text = read_file_text(path)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    titles: list[str] = []
    line = 1
    try:
        for cells in reader:
            if not titles:
                titles = [cell.strip() for cell in cells]
                _check_titles(path, titles, wanted)
            elif len(cells) != len(titles) and cells:
                raise UserError(
                    tr(
                        "{path}, line {line}: {cells} cells, but there are {columns} columns; put "
                        "texts with commas between quotation marks",
                        path=path,
                        line=line,
                        cells=len(cells),
                        columns=len(titles),
                    )
                )
            elif any(cells):
                yield line, {t: cell for t, cell in zip(titles, cells, strict=True) if cell}
            line = reader.line_num + 1
    except csv.Error as error:
        raise UserError(
            tr(
                "{path}, line {line}: {error}; put texts with quotation marks between quotation "
                "marks, and double those within",
                path=path,
                line=line,
                error=error,
            )
        ) from None


def _check_titles(path: Path, titles: Sequence[str], wanted: Sequence[str]) -> None:
    missing = [title for title in wanted if title not in titles]
    if missing:
        raise UserError(
            tr(
                "{path}, line 1: no column {column}; there must be {wanted}",
                path=path,
                column=missing[0],
                wanted=", ".join(wanted),
            )
        )


def parse_stored_head(stored: str) -> dict[str, Any] | None:
    """Return the head of a set, as the program writes it into a cell; None of what is none."""
    try:
        head = json.loads(stored)
    except (ValueError, RecursionError):
        return None
    return head if isinstance(head, dict) else None
