"""The seats of judges at a service: what they are asked, and their answers, on the disk.

`AnswersShelf` is the one door between the service and where answers are kept; what keeps them
elsewhere needs its three methods and nothing else.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from termexplorer.errors import UserError
from termexplorer.services.files.annotator_files import name_files
from termexplorer.services.files.json_fields import Fields
from termexplorer.services.studies.content import pack_content
from termexplorer.services.studies.envelopes import ANSWERS, read_envelope, write_envelope
from termexplorer.services.studies.packs import SealedPack, read_pack
from termexplorer.services.studies.rows import read_rows
from termexplorer.store.judging.verdicts import json_hash
from termexplorer.texts import tr

__all__ = ["AnswersShelf", "JudgeSeat", "RowsRefusedError", "read_seats"]

FileRow = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class JudgeSeat:
    """One who judges a study.

    Attributes:
        pack: what they are asked.
        hash: of the pack.
        name: of their file of answers, without its ending.
    """

    pack: SealedPack
    hash: str
    name: str


class RowsRefusedError(Exception):
    """Rows are not what follows those that are there.

    Attributes:
        count: how many rows are there.
    """

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.count = count


def read_seats(packs: Sequence[Path]) -> list[JudgeSeat]:
    """Read the packs of the judges whom a service serves.

    Raises:
        UserError: no sound pack, or two of one judge.
    """
    read = [_read_pack(path) for path in packs]
    keys = [(pack.head.key, pack.annotator) for pack, _ in read]
    for path, key in zip(packs, keys, strict=True):
        if keys.count(key) > 1:
            raise UserError(tr("{path}: there are two packs of {name}", path=path, name=key[1]))
    labels = [f"{pack.head.pack_title} {pack.annotator}" for pack, _ in read]
    names = name_files(dict.fromkeys(labels))
    return [
        JudgeSeat(pack, pack_hash, names[label])
        for (pack, pack_hash), label in zip(read, labels, strict=True)
    ]


def _read_pack(path: Path) -> tuple[SealedPack, str]:
    envelope, read = read_pack(path)
    content = pack_content(read.head, read.annotator, read.turns)
    if json_hash(content) != envelope.hash:
        why = tr("it was written by another termexplorer")
        raise UserError(tr("{path}: {error}; ask for the file again", path=path, error=why))
    return SealedPack(read.head, read.annotator, read.turns, content), envelope.hash


class AnswersShelf:
    """A folder with a file of answers for each seat, which `study merge` takes.

    Args:
        folder: where they are; it is there.
        seats: whose they are.

    Raises:
        UserError: a file that is there is damaged, or of another pack.
    """

    def __init__(self, folder: Path, seats: Sequence[JudgeSeat]) -> None:
        self._folder = folder
        self._locks = {seat.hash: Lock() for seat in seats}
        self._rows = {seat.hash: self._load_rows(seat) for seat in seats}

    def list_rows(self, seat: JudgeSeat) -> Sequence[FileRow]:
        """Return the rows that are on the disk."""
        return self._rows[seat.hash]

    def add_rows(self, seat: JudgeSeat, after: int, rows: Sequence[FileRow]) -> int:
        """Write rows to the disk, but for those that are there; return how many are there then.

        Args:
            seat: whose they are.
            after: how many rows come before them.
            rows: as files have them.

        Raises:
            RowsRefusedError: they do not follow those that are there.
            ValueError: what is wrong with them, in words.
            UserError: they cannot be written.
        """
        with self._locks[seat.hash]:
            known = self._rows[seat.hash]
            links = [row.get("link") for row in rows]
            overlap = [row["link"] for row in known[after:]]
            if after > len(known) or links[: len(overlap)] != overlap[: len(links)]:
                raise RowsRefusedError(len(known))
            fresh = rows[len(overlap) :]
            if fresh:
                whole = [*known, *fresh]
                _check_rows(seat, whole)
                write_envelope(self.locate_file(seat), ANSWERS, _make_content(seat, whole))
                self._rows[seat.hash] = whole
            return len(self._rows[seat.hash])

    def locate_file(self, seat: JudgeSeat) -> Path:
        """Return the file of answers of a seat."""
        return self._folder / f"{seat.name}.termanswers"

    def _load_rows(self, seat: JudgeSeat) -> Sequence[FileRow]:
        path = self.locate_file(seat)
        if not path.exists():
            return []
        fields = read_envelope(path, ANSWERS).content
        content = {name: fields.raw(name) for name in ("study", "title", "annotator", "pack")}
        rows = fields.raw("rows")
        try:
            if content["pack"] != seat.hash:
                raise ValueError(tr("it has answers to another pack"))
            _check_rows(seat, rows)
        except ValueError as error:
            raise UserError(
                tr("{path}: {error}; move it elsewhere", path=path, error=error)
            ) from error
        return list(rows)


def _check_rows(seat: JudgeSeat, rows: Sequence[FileRow]) -> None:
    read_rows(Fields({"rows": list(rows)}), seat.pack.head, seat.pack.turns, seat.hash)


def _make_content(seat: JudgeSeat, rows: Sequence[FileRow]) -> Mapping[str, Any]:
    return {
        "study": seat.pack.head.key,
        "title": seat.pack.head.pack_title,
        "annotator": seat.pack.annotator,
        "pack": seat.hash,
        "rows": list(rows),
    }
