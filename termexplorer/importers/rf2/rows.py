"""Files of a release as checked blocks of rows; a row that does not hold is told with its line."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.importers.records import Skipped
from termexplorer.importers.rf2.block import Block, Integers
from termexplorer.importers.rf2.files import Member, Release

_CHUNK = 1 << 20
_LONGEST_LINE = 1 << 26  # bytes; more is no line of text
_BOM = b"\xef\xbb\xbf"
_STATE = ("id", "effectiveTime", "active", "moduleId")
_TEXTS = ("conceptId", "languageCode", "typeId", "term", "caseSignificanceId")
_MEMBER = ("refsetId", "referencedComponentId")
COLUMNS: dict[str, tuple[str, ...]] = {
    "concept": (*_STATE, "definitionStatusId"),
    "description": (*_STATE, *_TEXTS),
    "definition": (*_STATE, *_TEXTS),
    "relationship": (
        *_STATE, "sourceId", "destinationId", "relationshipGroup", "typeId",
        "characteristicTypeId", "modifierId",
    ),
    "language": (*_STATE, *_MEMBER, "acceptabilityId"),
    "association": (*_STATE, *_MEMBER, "targetComponentId"),
    "modules": (*_STATE, *_MEMBER, "sourceEffectiveTime", "targetEffectiveTime"),
}  # fmt: skip
TIME, ACTIVE = 1, 2  # columns
UNPUBLISHED = 99_999_999  # stands for an empty effective time: later than all that are published


class Reader:
    """Reads the files of a release and keeps what was left out.

    Attributes:
        skipped: Rows that were left out, with reasons that name their file.
    """

    def __init__(self, release: Release) -> None:
        self.release = release
        self.skipped: list[Skipped] = []

    def skip(self, member: Member, line: int, reason: str) -> None:
        """Note a row that is left out."""
        self.skipped.append(Skipped(line, f"{member.name}: {reason}"))

    def blocks(self, member: Member) -> Iterator[Block]:
        """The rows of a file; each has as many cells as its columns.

        Raises:
            UserError: Another header, a damaged or truncated file.
        """
        columns = COLUMNS[member.role]
        line = 1
        with member.open() as file:
            for data in self._whole_lines(file.read):
                if not data.endswith(b"\n"):
                    raise UserError(
                        f"{self._where(member)}, line {line}: has no line end; the file is "
                        "truncated, fetch the release again"
                    )
                if line == 1:
                    data = self._without_header(member, data, columns)
                    line = 2
                block = Block(data, len(columns), line)
                for number, count in block.odd:
                    self.skip(member, number, f"{count} cells instead of {len(columns)}")
                line += block.count
                yield block
        if line == 1:
            raise UserError(f"{self._where(member)} is empty; fetch the release again")

    def state(self, member: Member, block: Block) -> tuple[Integers, Integers, NDArray[np.bool_]]:
        """Effective time, whether it is active, and which rows hold both, (n,) each."""
        times, active = block.integers(TIME), block.integers(ACTIVE)
        times = np.where(block.empty(TIME), UNPUBLISHED, times)
        dated = (times >= 10_000_000) & (times <= UNPUBLISHED)
        flagged = (active == 0) | (active == 1)
        self.refuse(member, block, TIME, ~dated, "no date")
        self.refuse(member, block, ACTIVE, dated & ~flagged, "neither 0 nor 1")
        return times, active, dated & flagged

    def numbers(
        self, member: Member, block: Block, columns: Sequence[int], good: NDArray[np.bool_]
    ) -> tuple[list[Integers], NDArray[np.bool_]]:
        """Columns of ids, and which of the good rows hold numbers in all of them."""
        found = [block.integers(column) for column in columns]
        for column, values in zip(columns, found, strict=True):
            self.refuse(member, block, column, good & (values < 0), "no number")
            good = good & (values >= 0)
        return found, good

    def refuse(
        self, member: Member, block: Block, column: int, rows: NDArray[np.bool_], what: str
    ) -> None:
        """Note rows of a block that are left out for what a column holds."""
        title = COLUMNS[member.role][column]
        for row in np.flatnonzero(rows).tolist():
            text = f"{title} {block.cell(row, column)[:40]!r} is {what}"
            self.skip(member, int(block.lines[row]), text)

    def _whole_lines(self, read: Callable[[int], bytes]) -> Iterator[bytes]:
        """The bytes of a file, cut at line ends; what has none, or is too long, comes last."""
        rest = b""
        while len(rest) <= _LONGEST_LINE and (chunk := read(_CHUNK)):
            self.release.advance(len(chunk))
            end = chunk.rfind(b"\n") + 1
            if end:
                yield rest + chunk[:end]
                rest = b""
            rest += chunk[end:]
        if rest:
            yield rest

    def _without_header(self, member: Member, data: bytes, columns: Sequence[str]) -> bytes:
        first, _, rest = data.removeprefix(_BOM).partition(b"\n")
        titles = first.rstrip(b"\r").decode("utf-8", "replace").split("\t")
        if [title.strip().lower() for title in titles] != [title.lower() for title in columns]:
            raise UserError(
                f"{self._where(member)}, line 1: the columns are {', '.join(titles)[:200]}, not "
                f"{', '.join(columns)}; choose a release in RF2"
            )
        return rest

    def _where(self, member: Member) -> str:
        return f"{self.release.path}: {member.name}"
