"""What a study has come to so far: a record for each finished piece, by its key."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from termexplorer.errors import UserError
from termexplorer.files import atomic_write
from termexplorer.store.tasks.databases import TASKS_FILE
from termexplorer.store.tasks.task_table import StoredStudy, TaskKey, TaskTable, dump_json
from termexplorer.texts import tr

Record: TypeAlias = dict[str, Any]
Key: TypeAlias = TaskKey

RESULTS_FILE = "results.jsonl"


class FinishedPieces:
    """Records of a study by key, each with its key in it.

    Args:
        records: by key, in the order in which they are gone through.
    """

    def __init__(self, records: Mapping[Key, Record]) -> None:
        self._records = {key: {"key": list(key), **record} for key, record in records.items()}

    def __contains__(self, key: Key) -> bool:
        return key in self._records

    def __getitem__(self, key: Key) -> Record:
        return self._records[key]

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records.values())


class StoredPieces(FinishedPieces):
    """Records of a study that are looked up in its table, where other workers put theirs too."""

    def __init__(self, table: TaskTable) -> None:
        super().__init__({})
        self._table = table

    def __contains__(self, key: Key) -> bool:
        return self._table.has_piece(key)

    def __getitem__(self, key: Key) -> Record:
        record = self._table.find_piece(key)
        if record is None:
            raise KeyError(key)
        return {"key": list(key), **record}

    def __iter__(self) -> Iterator[Record]:
        return iter(FinishedPieces(self._table.read_pieces()))


def select_pieces(table: TaskTable, keys: Iterable[Key]) -> FinishedPieces:
    """Return those of some pieces that are there, in the order of the keys."""
    records = table.read_pieces()
    return FinishedPieces({key: records[key] for key in keys if key in records})


def begin_study(table: TaskTable, folder: Path, study: StoredStudy) -> None:
    """Begin a study in its table, or go on with it there.

    Pieces that an earlier version left as lines in the folder, or that were copied without the
    table, are taken into it.

    Args:
        table: of its tasks.
        folder: of the study.
        study: its pieces count only for what it is of.

    Raises:
        UserError: the folder holds pieces of something else, or lines that cannot be read.
    """
    study = _as_stored(study)
    before = table.find_study()
    earlier = {} if before is not None else _read_lines(folder, study.asked)
    # a first try that came to nothing binds nobody
    if before is not None and before.asked != study.asked and table.read_pieces():
        raise _refuse_other_study(folder)
    table.put_study(study)
    table.put_pieces(earlier)


def check_same_data(table: TaskTable, asked: Mapping[str, Any]) -> None:
    """Refuse a worker whose files are not those of the study.

    Args:
        table: of the study's tasks.
        asked: what the study would be of here.

    Raises:
        UserError: they are others.
    """
    study = table.find_study()
    if study is None or dump_json(study.asked) != dump_json(asked):
        raise UserError(
            tr(
                "the files that the study reads are not the same here as where it was begun; give "
                "each machine the same folders, such as on a shared disk"
            )
        )


def write_pieces(table: TaskTable, folder: Path, keys: Iterable[Key]) -> None:
    """Write all pieces as lines of JSON, first those of some keys in their order.

    Args:
        table: of the study's tasks.
        folder: where the file goes.
        keys: of the pieces that are written first.
    """
    study, records = table.find_study(), table.read_pieces()
    asked = {} if study is None else study.asked
    ordered = dict.fromkeys((*(key for key in keys if key in records), *records))
    lines = [asked, *({"key": list(key), **records[key]} for key in ordered)]
    with atomic_write(folder / RESULTS_FILE) as fresh:
        fresh.write_text("".join(map(_write_line, lines)), "utf-8")


def _as_stored(study: StoredStudy) -> StoredStudy:
    """Return a study as a table gives it back, whose lists are not tuples."""
    return StoredStudy(
        study.kind, *(json.loads(json.dumps(x)) for x in (study.asked, study.request))
    )


def _read_lines(folder: Path, asked: Mapping[str, Any]) -> dict[Key, Record]:
    lines = list(_parse_lines(folder / RESULTS_FILE))
    if lines[1:] and lines[0] != asked:
        raise _refuse_other_study(folder)
    return {
        tuple(line["key"]): {name: value for name, value in line.items() if name != "key"}
        for line in lines[1:]
    }


def _parse_lines(path: Path) -> Iterator[Record]:
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:
        raise UserError(tr("{path}: cannot be read; choose another --out", path=path)) from error
    lines = text.split("\n")  # a text may hold what splitlines splits at
    for number, line in enumerate(lines, 1):
        try:
            yield json.loads(line)
        except (ValueError, RecursionError):
            if number < len(lines):  # only what was written last can be half-written
                raise UserError(
                    tr(
                        "{path}: line {number} is damaged; mend or remove the file",
                        path=path,
                        number=number,
                    )
                ) from None


def _refuse_other_study(folder: Path) -> UserError:
    return UserError(
        tr(
            "{folder}: holds a study of other data or settings; choose another --out, or remove "
            "{tasks} and {results} to begin anew",
            folder=folder,
            tasks=TASKS_FILE,
            results=RESULTS_FILE,
        )
    )


def _write_line(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"
