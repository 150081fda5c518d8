"""What a release tells of itself and of its vocabularies: titles, versions, restrictions, ranks."""

import re
from dataclasses import dataclass

import numpy as np

from termexplorer.importers.rrf.rows import RrfReader
from termexplorer.texts import tr

_RSAB, _SON, _SVER, _SRL, _CURRENT = 3, 4, 6, 13, 21
_MOST_BYTES = 1 << 16  # of the file that tells the version
_VERSION = re.compile(r"^umls\.release\.name\s*=\s*(\S+)", re.MULTILINE)
_NAME_OF_RELEASE = re.compile(r"\b(?:19|20)\d\dA[A-Z]\b")
_RXNORM_DATE = re.compile(r"(\d\d)[A-Z]{2}_(\d\d)(\d\d)(\d\d)F")  # `20AA_240102F`
_FREE = ("", "0")


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """What a release tells of a vocabulary.

    Attributes:
        title: Its official name.
        version: Of it, in this release.
        restriction: The source restriction level (SRL): 0 is free of further terms.
    """

    title: str
    version: str
    restriction: str


def sources(reader: RrfReader) -> dict[str, SourceInfo]:
    """What there is told of vocabularies; nothing where the file is not there."""
    infos: dict[str, SourceInfo] = {}
    for _, block in reader.of("sources"):
        for row in range(len(block)):
            name = block.cell(row, _RSAB)
            if name not in infos or block.cell(row, _CURRENT) == "Y":
                cells = (block.cell(row, column).strip() for column in (_SON, _SVER, _SRL))
                title, version, restriction = cells
                infos[name] = SourceInfo(title or name, version, restriction)
    return infos


def restricted(known: dict[str, SourceInfo], taken: list[str]) -> dict[str, str]:
    """Those vocabularies taken that have terms of their own, with their level."""
    levels = {source: known[source].restriction for source in taken if source in known}
    return {source: level for source, level in levels.items() if level not in _FREE}


def version(reader: RrfReader, known: dict[str, SourceInfo]) -> str:
    """The release's own version: `2023AB`, of RxNorm its date; "" where it does not tell."""
    if reader.rxnorm:
        version_text = known["RXNORM"].version if "RXNORM" in known else ""
        date = _RXNORM_DATE.search(version_text)
        return f"20{date[2]}-{date[3]}-{date[4]}" if date else version_text
    if member := reader.release.members.get("release"):
        with member.open() as file:
            if match := _VERSION.search(file.read(_MOST_BYTES).decode("utf-8", "replace")):
                return match[1]
    return _documented_name(reader)


def _documented_name(reader: RrfReader) -> str:
    for _, block in reader.of("documentation"):
        for row in range(len(block)):
            if block.cell(row, 0) == "RELEASE":
                cells = " ".join(block.cell(row, column) for column in (1, 2, 3))
                if match := _NAME_OF_RELEASE.search(cells):
                    return match[0]
    return ""


def ranks(reader: RrfReader) -> dict[tuple[str, str], int]:
    """Vocabulary and sort of name -> its rank, the higher the better; {} if there is no file."""
    rank_by_kind: dict[tuple[str, str], int] = {}
    for member, block in reader.of("ranks"):
        values = block.integers(0)
        reader.refuse(member, block, 0, values < 0, tr("no number"))
        for row in np.flatnonzero(values >= 0).tolist():
            kind = block.cell(row, 1), block.cell(row, 2)
            rank_by_kind[kind] = max(rank_by_kind.get(kind, 0), int(values[row]))
    return rank_by_kind
