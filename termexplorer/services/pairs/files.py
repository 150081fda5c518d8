"""The pair sets that a study is drawn from: folders of them, and single files."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.errors import UserError
from termexplorer.services.pairs.sampling import PairPool
from termexplorer.texts import tr
from termexplorer.workers.process.trainer_texts import translate_error

if TYPE_CHECKING:
    from termexplorer.trainer.term_pairs.drawn import DrawnPair

_OF_A_FOLDER = ("left", "right", "label")
_PART = ", "  # between a file and its part, in the name of a set


def read_pools(paths: Sequence[Path]) -> Iterator[PairPool]:
    """Reads pair sets, one after the other: the `.tsv` files of folders by name, or other files.

    Pairs of a pair set may have no label. Where a file has parts, each of them is a set, named
    after both, so that figures on pairs that were drawn at random stand apart.

    Raises:
        UserError: a file that cannot be read, a folder without pair sets, or two sets of a name.
    """
    names = set()
    for path, columns in _list_files(paths):
        try:
            pools = list(_open_pools(path, columns))
        except ValueError as error:
            raise UserError(translate_error(error)) from error
        for pool in pools:
            if pool.name in names:
                raise UserError(
                    tr(
                        "{path}: another set is called {name} too; rename the file",
                        path=path,
                        name=pool.name,
                    )
                )
            names.add(pool.name)
            yield pool


def read_checks(paths: Sequence[Path], answers: Sequence[str]) -> Iterator[PairPool]:
    """Read pairs whose right answers are known: as labels or ratings, or as the answers' words.

    Args:
        paths: of the files.
        answers: that can be given.

    Raises:
        UserError: as of `read_pools`, or a column holds other words than the answers.
    """
    for path in paths:
        try:
            yield from read_pools([path])
        except UserError as error:
            try:
                check_words = _read_words(path, answers)
            except ValueError as refusal:
                raise UserError(translate_error(refusal)) from refusal
            if check_words is None:
                raise error from None
            yield check_words


def part_of_queue(set_name: str) -> str:
    """The part of a queue that a set is, as files call it; empty for another set."""
    from termexplorer.trainer.term_pairs.drawn import QUEUE, RANDOM

    part = set_name.rpartition(_PART)[2]
    return part if part in (QUEUE, RANDOM) and part != set_name else ""


def queued_note(sets: Iterable[str]) -> str:
    """What is to be said of figures over sets some of which were queued; empty if none was."""
    from termexplorer.trainer.term_pairs.drawn import QUEUE, RANDOM

    queued = [set_name for set_name in sets if set_name.endswith(_PART + QUEUE)]
    if not queued:
        return ""
    random_sets = (f"“{set_name.removesuffix(QUEUE)}{RANDOM}”" for set_name in queued)
    return (
        f"Pairs of {' and '.join(f'“{set_name}”' for set_name in queued)} "
        "were chosen because encoders find them hard, so that figures on them, "
        "and on all pairs, are not those of the whole; "
        f"without bias are those on {' and '.join(random_sets)}."
    )


def _open_pools(path: Path, columns: Sequence[str] | None) -> Iterator[PairPool]:
    from termexplorer.trainer.files.pairs import (
        read_pairs,  # the window shows before NumPy is there
    )
    from termexplorer.trainer.term_pairs.drawn import is_pair_set, read_drawn

    if is_pair_set(path):
        parts: dict[str, list[DrawnPair]] = {}
        for pair in read_drawn(path):
            parts.setdefault(pair.drawn, []).append(pair)
        for part, pairs in parts.items():
            yield PairPool(
                f"{path.stem}{_PART}{part}" if part else path.stem,
                tuple(pair.left for pair in pairs),
                tuple(pair.right for pair in pairs),
                [pair.label for pair in pairs],
                by_label=not part,
            )
        return
    for pair_set in read_pairs(path, columns):
        yield PairPool(pair_set.name, pair_set.left, pair_set.right, pair_set.scores.tolist())


def _read_words(path: Path, answers: Sequence[str]) -> PairPool | None:
    """Read a table of two terms and one of some answers; None where it is none."""
    from termexplorer.trainer.errors import Message
    from termexplorer.trainer.files.pair_tables import read_tables
    from termexplorer.trainer.files.spreadsheet_errors import refuse_error

    try:
        (table,) = read_tables(path)
    except (ValueError, OSError):
        return None
    words = {"", *(answer.casefold() for answer in answers)}
    width = min(map(len, table.rows))
    columns = [[row[at] for row in table.rows] for at in range(width)]
    answer_columns = [
        at
        for at, cells in enumerate(columns)
        if any(cells) and {cell.casefold() for cell in cells} <= words
    ]
    terms = [cells for at, cells in enumerate(columns) if at not in answer_columns and all(cells)]
    if len(answer_columns) != 1 or len(terms) < 2:
        return None
    for at, pair in enumerate(zip(terms[0], terms[1], strict=True)):
        for term in pair:
            refuse_error(term, Message("{path}, {place}", path=path, place=table.place_of_row(at)))
    scores = [None] * len(table.rows)
    return PairPool(path.stem, terms[0], terms[1], scores, answers=columns[answer_columns[0]])


def _list_files(paths: Sequence[Path]) -> Iterator[tuple[Path, Sequence[str] | None]]:
    for path in paths:
        if not path.is_dir():
            yield path, None
            continue
        files = sorted(path.glob("*.tsv"))
        if not files:
            raise UserError(
                tr("{path} holds no pair sets; name a folder with a .tsv file for each", path=path)
            )
        yield from ((file, _OF_A_FOLDER) for file in files)
