"""A check of text files to train on: whatever is no text would be learned as if it were."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from pathlib import Path

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.text.gzip_files import open_plain_or_gzip


def check_text(path: Path) -> None:
    """Read through a text file, plain or ``.gz``.

    Raises:
        ValueError: for a file that cannot be read, is binary or not UTF-8, or holds no text.
    """
    try:
        with open_plain_or_gzip(path) as lines:
            has_text = _any_text(path, lines)
    except (OSError, EOFError, zlib.error) as error:
        raise TrainerError(
            "{path} cannot be read: {error}; give a text file, plain or .gz", path=path, error=error
        ) from error
    if not has_text:
        raise TrainerError("{path} holds no text; give a text file, plain or .gz", path=path)


def _any_text(path: Path, lines: Iterable[bytes]) -> bool:
    """Decode every line and say whether one holds more than white space."""
    has_text = False
    for number, line in enumerate(lines, 1):
        if b"\0" in line:
            raise TrainerError(
                "{path}, line {number}: it is binary, no text; give a UTF-8 text",
                path=path,
                number=number,
            )
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise TrainerError(
                "{path}, line {number}: byte {byte} is not UTF-8; give a UTF-8 text",
                path=path,
                number=number,
                byte=error.start + 1,
            ) from error
        has_text = has_text or bool(text.lstrip("\ufeff").strip())
    return has_text
