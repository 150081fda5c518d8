"""Flipped bits in every table and kind of file of a workspace: the check finds and names them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

from termexplorer.bench.reliability.fault import Attempt, BreakingFault
from termexplorer.bench.reliability.flipped_tables import AGAIN, Key, TableBits, list_tables
from termexplorer.bench.reliability.rich_sample import make_rich_workspace
from termexplorer.errors import UserError
from termexplorer.services.workspace.check import check_workspace
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

_STORE = "workspace.sqlite"
_SHARE, _LEAST_FOUND = 0.4, 0.99
_MANY = 3  # rows that a flip in a page's own pointers changes, and more
_GROUPS = {
    "concepts": r"concept",
    "names": r"name",
    "links": r"is_a",
    "identifiers, releases, remarks": r"identifier|release|terminology|import_remark",
    "what searches look up": r"sorted_name|lookup_key|name_word",
    "search indexes": r"search_.*",
    "checksums and versions": r"row_checksum|alembic_version",
    "copies of rows": r"copy_of_.*",
    "rows of encoders, vectors, ranks, maps": r"encoder|encoder_part|vectors|ranks|projection",
    "runs": r"run|epoch",
    "splits": r"split|split_name",
    "evaluations": r"evaluation|figure|pair_detail",
    "studies": r"study|study_.*",
    "lists and people": r"list|list_item|person",
    "suggestions and mappings": r"suggestion|suggestion_list",
}
_FILES = {
    "files of vectors": "vectors/*",
    "files of encoders": "runs/*/best",
    "files of maps": "maps/*.npy",
    "files of ranks": "ranks/*.npy",
    "the file of the log's end": "verdicts-head.json",
}
_MADE_ANEW = ("search_", "sorted_name", "lookup_key", "name_word")  # as a whole


@dataclass(frozen=True)
class FoundFault:
    """What a check said of a workspace.

    Attributes:
        where: the places that it named, with what is wrong there.
        refused: whether it could not be opened.
    """

    where: tuple[str, ...]
    refused: bool = False


def check_copy(folder: Path) -> FoundFault:
    """Check a workspace in this process, and return what was found."""
    try:
        with closing(Workspace(folder)) as workspace:
            faults = check_workspace(workspace, JobControl()).faults
    except UserError as error:
        return FoundFault((str(error),), refused=True)
    return FoundFault(tuple(f"{fault.where} {fault.what}" for fault in faults))


def flip_tables(workspace: Path, tables: list[str], count: int, draw: Random) -> list[str]:
    """Flip bits of tables one at a time, and return those that a check does not find or name.

    Args:
        workspace: sound; it is put back after each.
        tables: of its store, each flipped as often.
        count: how often in all.
        draw: of the bits.
    """
    whole = {path: path.read_bytes() for path in workspace.glob("*.json")}
    fell = []
    for number in range(count):
        bits = TableBits(workspace / _STORE, tables[number % len(tables)])
        keys = bits.flip(draw)
        fault = check_copy(workspace)
        bits.put_back()
        for path, content in whole.items():
            path.write_bytes(content)
        if not fault.where:
            fell.append(f"{bits.table} {keys}: not found")
        elif not _is_named(bits.table, keys, fault):
            fell.append(f"{bits.table} {keys}: found as {fault.where[:2]}")
    return fell


def _is_named(table: str, keys: list[Key] | None, fault: FoundFault) -> bool:
    """Whether a fault names the table, and one of the rows where they can be read."""
    if table == "row_checksum":  # it says of a row that it is another
        return True
    table = re.sub(r"^(search_[a-z]+).*", r"\1", table.removeprefix("copy_of_"))
    about = [text.replace("'", "") for text in fault.where if table in text]
    if not about or keys is None or len(keys) > _MANY or table.startswith(_MADE_ANEW):
        return bool(about)
    words = [[word for word in key if not word.startswith(AGAIN)] for key in keys]
    return fault.refused or any(
        "missing" in text or any(all(word in text for word in key) for key in words)
        for text in about
    )


def flip_files(workspace: Path, pattern: str, count: int, draw: Random) -> list[str]:
    """Flip bits of files one at a time, and return those that a check does not find and name."""
    files = [
        path
        for file in sorted(workspace.glob(pattern))
        for path in (sorted(file.rglob("*")) if file.is_dir() else [file])
        if path.is_file() and path.stat().st_size
    ]
    fell = []
    for number in range(count):
        path = files[number % len(files)]
        whole = path.read_bytes()
        changed = bytearray(whole)
        changed[draw.randrange(len(whole))] ^= 1 << draw.randrange(8)
        path.write_bytes(changed)
        name = str(path.relative_to(workspace))
        fault = check_copy(workspace)
        path.write_bytes(whole)
        if not any(text.split(" ")[0] in name or "log of verdicts" in text for text in fault.where):
            fell.append(f"{name}: {fault.where[:2] or 'not found'}")
    return fell


def copy_rich(attempt: Attempt) -> Path:
    """Copy the workspace with something of everything, which is made for the first that asks."""
    folder = attempt.sample.workspace.parent / "rich"
    if not folder.exists():
        folder.mkdir()
        make_rich_workspace(folder)
    return Path(shutil.copytree(folder / "workspace", attempt.folder / "workspace"))


def _flip_group(pattern: str) -> Callable[[Attempt], list[str]]:
    def attempt(given: Attempt) -> list[str]:
        workspace = copy_rich(given)
        all_tables = list_tables(workspace / _STORE)
        tables = [table for table in all_tables if re.fullmatch(pattern, table)]
        return flip_tables(workspace, tables, given.rounds, given.draw)

    return attempt


def _flip_kind(pattern: str) -> Callable[[Attempt], list[str]]:
    def attempt(given: Attempt) -> list[str]:
        return flip_files(copy_rich(given), pattern, given.rounds, given.draw)

    return attempt


def _make_faults() -> Iterator[BreakingFault]:
    for group, pattern in _GROUPS.items():
        name = f"flipped bits: {group}"
        yield BreakingFault(name, _SHARE, _flip_group(pattern), at_once=True, least=_LEAST_FOUND)
    yield BreakingFault("flipped bits: verdicts", _SHARE, _flip_group("verdict"), at_once=True)
    for kind, pattern in _FILES.items():
        name = f"flipped bits: {kind}"
        yield BreakingFault(name, _SHARE, _flip_kind(pattern), at_once=True)


FLIPS = tuple(_make_faults())
