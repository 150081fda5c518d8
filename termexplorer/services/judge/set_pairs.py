"""The pairs of a pair set: looked at, left out by their terms, and exported without those."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.errors import UserError
from termexplorer.services.judge.drawn_pairs import FoundPairs, WrittenPairs, write_pairs
from termexplorer.services.pairs.filter import KEEP_ALL, PairFilter, add_counts, filter_pairs
from termexplorer.texts import tr
from termexplorer.workers.process.limited import call_limited
from termexplorer.workers.process.trainer_texts import translate_error

if TYPE_CHECKING:
    from termexplorer.trainer.term_pairs.drawn import DrawnPair

MOST_SHOWN = 10_000


@dataclass(frozen=True, slots=True)
class ShownPairs:
    """What a table shows of a pair set.

    Attributes:
        pairs: the first ones, each with why it is left out, "" where it is not.
        remaining: how many pairs are not left out.
        left_out: how many are, by reason.
    """

    pairs: tuple[tuple[DrawnPair, str], ...]
    remaining: int
    left_out: dict[str, int]


@dataclass(frozen=True, slots=True)
class ExportedSets:
    """Pair sets that were exported.

    Attributes:
        out: the file, or the folder.
        pairs: how many pairs were written.
        left_out: how many were not, by reason.
    """

    out: Path
    pairs: int
    left_out: dict[str, int]


class PairSetReader:
    """Reads pair sets, and keeps the pairs of the last one until its file is another."""

    def __init__(self) -> None:
        self._read: tuple[Path, int, list[DrawnPair]] | None = None

    def look_at_pairs(
        self, path: Path, leave_out: PairFilter, *, left_out: bool, most: int = MOST_SHOWN
    ) -> ShownPairs:
        """Return the pairs that are not left out, or those that are.

        Args:
            path: the file of the set.
            leave_out: what pairs are left out for.
            left_out: whether those are shown.
            most: how many pairs are shown.

        Raises:
            UserError: the file cannot be read.
        """
        pairs = self._pairs(path)
        kept_pairs, counts = filter_pairs(pairs, leave_out)
        shown = [(pair, "") for pair in kept_pairs[:most]]
        if left_out:
            reasons = ((pair, leave_out.reason(pair.left, pair.right)) for pair in pairs)
            shown = [(pair, reason) for pair, reason in reasons if reason][:most]
        return ShownPairs(tuple(shown), len(kept_pairs), counts)

    def forget(self) -> None:
        """Let the pairs go."""
        self._read = None

    def _pairs(self, path: Path) -> list[DrawnPair]:
        read = self._read
        changed = path.stat().st_mtime_ns if path.exists() else 0
        if read is not None and read[:2] == (path, changed):
            return read[2]
        # in a child: a file may be larger than it seems, and the window goes on
        pairs = call_limited(_read_set, path)
        self._read = (path, changed, pairs)
        return pairs


def export_pairs(source: Path, out: Path, leave_out: PairFilter) -> ExportedSets:
    """Write a pair set without the pairs that are left out to another file.

    Raises:
        UserError: the set cannot be read, all is left out, or the file cannot be written or is
            that of the set.
    """
    if out.resolve() == source.resolve():
        raise UserError(tr("{path}: is the pair set itself; name another file", path=out))
    written = call_limited(_write_set, source, out, leave_out)
    return ExportedSets(out, written.pairs, written.left_out)


def export_pair_sets(sources: Sequence[Path], folder: Path, leave_out: PairFilter) -> ExportedSets:
    """Write several pair sets without the pairs that are left out to a folder.

    A set of which no pair is left is not written.

    Raises:
        UserError: a set cannot be read, all is left out, or the folder has such files already or
            cannot be written to.
    """
    return call_limited(_write_sets, tuple(sources), folder, leave_out)


def _write_set(source: Path, out: Path, leave_out: PairFilter) -> WrittenPairs:
    return write_pairs(out, FoundPairs(_read_set(source)), leave_out)


def _write_sets(sources: Sequence[Path], folder: Path, leave_out: PairFilter) -> ExportedSets:
    targets = [folder / source.name for source in sources]
    if existing := [path for path in targets if path.exists()]:
        raise UserError(tr("{path} is there already; choose another folder", path=existing[0]))
    written: list[WrittenPairs] = []
    left_out: dict[str, dict[str, int]] = {}
    for source, target in zip(sources, targets, strict=True):
        kept_pairs, left_out[source.name] = filter_pairs(_read_set(source), leave_out)
        if kept_pairs:
            written.append(write_pairs(target, FoundPairs(kept_pairs), KEEP_ALL))
    if not written:
        raise UserError(tr("all pairs would be left out; leave out less"))
    return ExportedSets(
        folder, sum(written_pairs.pairs for written_pairs in written), add_counts(left_out)
    )


def _read_set(path: Path) -> list[DrawnPair]:
    from termexplorer.trainer.term_pairs.drawn import read_drawn  # brings in RapidFuzz

    try:
        return read_drawn(path)
    except ValueError as error:
        raise UserError(translate_error(error)) from error
