"""What a study has come to so far: a line of JSON for each finished piece, written at once."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from termexplorer.errors import UserError
from termexplorer.files import atomic_write

Record: TypeAlias = dict[str, Any]
Key: TypeAlias = tuple[str | int, ...]

_FILE = "results.jsonl"


class Results:
    """The finished pieces of a study, by key.

    A line that a killed process left half-written is dropped; its piece is run again.

    Args:
        folder: of the study.
        asked: what the study is of; pieces of another one are never mixed in.

    Attributes:
        study: the hash of what it is of.

    Raises:
        UserError: the folder holds pieces of something else, or cannot be read.
    """

    def __init__(self, folder: Path, asked: Mapping[str, Any]) -> None:
        self._path = folder / _FILE
        self._records: dict[Key, Record] = {}
        head = _record_line(asked)
        self.study = sha256(head.encode()).hexdigest()
        whole = json.loads(head)
        lines = list(self._lines())
        if lines[1:] and lines[0] != whole:  # a first try that came to nothing binds nobody
            raise UserError(
                f"{folder}: holds a study of other data or settings; choose another --out, "
                f"or remove {self._path.name} to begin anew"
            )
        for record in lines[1:]:
            self._records[tuple(record["key"])] = record
        self._rewrite(whole)

    def __contains__(self, key: Key) -> bool:
        return key in self._records

    def __getitem__(self, key: Key) -> Record:
        return self._records[key]

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records.values())

    def only(self, keys: Iterable[Key]) -> "Results":
        """Those of some keys that are there, in the order of the keys."""
        selection = copy(self)
        selection._records = {key: self[key] for key in keys if key in self}
        return selection

    def put(self, key: Key, record: Mapping[str, Any]) -> None:
        """Keeps a finished piece; it is on disk when this returns."""
        stored = {"key": list(key), **record}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(_record_line(stored))
            file.flush()
            os.fsync(file.fileno())
        self._records[key] = stored

    def _lines(self) -> Iterator[Record]:
        try:
            text = self._path.read_text("utf-8")
        except FileNotFoundError:
            return
        except (OSError, ValueError) as error:
            raise UserError(f"{self._path}: cannot be read; choose another --out") from error
        lines = text.split("\n")  # a text may hold what splitlines splits at
        for number, line in enumerate(lines, 1):
            try:
                yield json.loads(line)
            except (ValueError, RecursionError):
                if number < len(lines):  # only what was written last can be half-written
                    raise UserError(
                        f"{self._path}: line {number} is damaged; mend or remove the file"
                    ) from None

    def _rewrite(self, asked: Record) -> None:
        with atomic_write(self._path) as fresh:
            fresh.write_text("".join(map(_record_line, (asked, *self._records.values()))), "utf-8")


def _record_line(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"
