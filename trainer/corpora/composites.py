"""Composite mentions taken apart: ``breast and ovarian cancer`` names two concepts ([BNE] 4.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

_CONJUNCTION = re.compile(r"\s*,?\s+(?:and\s*/\s*or|and|or|&)\s+", re.IGNORECASE)
_PIECE_END = re.compile(rf"{_CONJUNCTION.pattern}|\s*,\s+", re.IGNORECASE)
_ONE_REGION, _KEPT = re.compile(r"\b(head)\s+and\s+(neck)\b", re.IGNORECASE), "\0"
_BOTH = re.compile(r"^(?:both|either)\s+", re.IGNORECASE)
_PREPOSITION = re.compile(r"\s(?:of|in)\s(?:the\s)?", re.IGNORECASE)
_STARTS_WITH_ONE = re.compile(r"(?:of|in)\s", re.IGNORECASE)
# what can stand for itself in `hyper- or hypotension`; of two the longer one first
_PREFIX = re.compile(
    "ante|anti|brady|di|dys|endo|epi|extra|hemi|hyper|hypo|infra|inter|intra|iso|macro|meta|micro"
    "|mono|multi|neo|non|oligo|pan|para|peri|per|poly|post|pre|pro|quadri|sub|supra|tachy|tetra"
    "|tri|uni",
    re.IGNORECASE,
)

Parts = tuple[str, ...]


def split_composite(mention: str, is_name: Callable[[str], bool] = lambda _: False) -> Parts:
    """Return the names that a mention with ``and`` or ``or`` is made of; else the mention itself.

    The mention is cut at its conjunctions, and at its commas if it has a conjunction; then what
    the pieces share is given to each. The rules, of which the first one counts that makes the most
    names of the dictionary, and without a dictionary the first that applies:

    1. *cancer of the lung and liver*: up to ``of`` or ``in`` (and ``the``) of the first piece,
       where no other has one; of *cancer of the lung and of the liver* up to before it;
    2. *stenosis and dilation of the aorta*: from ``of`` or ``in`` of the last piece, where no other
       has one;
    3. *breast and ovarian cancer*: the last word of the last piece; then the last two, and so on;
    4. *cleft lip and palate*: all but the last word of the first piece, where the last piece is one
       word;
    5. *fever and rash*: nothing; 3 and 4 are left out where the first and the last piece have
       ``of`` or ``in``;
    6. *type 1 and 2 diabetes*: all but the last word of the first piece, and the last word of the
       last piece; then the last two, and so on: where that makes more names of the dictionary.

    Before these, *hyper- or hypotension*: a piece that ends in a hyphen takes what follows the
    hyphen or the prefix in the next piece, but what makes it a name of the dictionary where
    anything does. *Head and neck* is never cut.

    Args:
        mention: with its abbreviations resolved.
        is_name: whether a text is a name of the dictionary; a mention that is one stays whole.
    """
    text = _ONE_REGION.sub(rf"\1{_KEPT}\2", mention)
    if not _CONJUNCTION.search(text) or is_name(mention):
        return (mention,)
    pieces = [piece.strip() for piece in _PIECE_END.split(_BOTH.sub("", text)) if piece.strip()]
    if len(pieces) < 2:
        return (mention,)
    readings = [
        tuple(part.replace(_KEPT, " and ") for part in parts)
        for parts in _part_readings(_without_hyphens(pieces, is_name))
    ]
    return max(readings, key=lambda parts: sum(map(is_name, parts)))


def _without_hyphens(pieces: Sequence[str], is_name: Callable[[str], bool]) -> list[str]:
    joined_pieces: list[str] = []
    for piece in reversed(pieces):
        word = joined_pieces[-1].split()[0] if joined_pieces and piece.endswith("-") else ""
        rest = _longest_name_end(piece, word, is_name) or _after_prefix(word)
        if rest:
            piece = (piece if rest.startswith("-") else piece[:-1]) + rest.lstrip("-")
        joined_pieces.append(piece)
    return joined_pieces[::-1]


def _after_prefix(word: str) -> str:
    """Return what follows the first hyphen, with it, or the prefix; nothing if there is neither."""
    before, hyphen, after = word.partition("-")
    if before and after:
        return hyphen + after
    prefix = _PREFIX.match(word)
    return word[prefix.end() :] if prefix else ""


def _longest_name_end(piece: str, word: str, is_name: Callable[[str], bool]) -> str:
    """Return the longest end of a word with which a piece without its hyphen is a name, or none."""
    ends = (word[at:] for at in range(1, len(word)))
    return next((end for end in ends if is_name(piece.removesuffix("-") + end)), "")


def _part_readings(pieces: Sequence[str]) -> Iterator[Parts]:
    """Yield the parts by each rule that applies."""
    *earlier, last = pieces
    links = [_PREPOSITION.search(piece) for piece in pieces]
    if links[0] and not any(links[1:]):
        lead = pieces[0][: links[0].end()]
        shared = pieces[0][: links[0].start()] + " "
        yield (
            pieces[0],
            *((shared if _STARTS_WITH_ONE.match(piece) else lead) + piece for piece in pieces[1:]),
        )
    if links[-1] and not any(links[:-1]):
        tail = last[links[-1].start() :]
        yield (*(piece + tail for piece in earlier), last)
    if not (links[0] and links[-1]):
        yield from _without_link(pieces)
    yield tuple(pieces)
    yield from _of_both_ends(pieces)


def _of_both_ends(pieces: Sequence[str]) -> Iterator[Parts]:
    """Yield the parts that share words at their start and others at their end."""
    first, words = pieces[0], pieces[-1].split()
    lead = " ".join([*first.split()[:-1], ""])
    for count in range(1, len(words) if lead else 0):
        tail = " ".join(["", *words[-count:]])
        between = (lead + piece + tail for piece in pieces[1:-1])
        yield (first + tail, *between, lead + pieces[-1])


def _without_link(pieces: Sequence[str]) -> Iterator[Parts]:
    """Yield the parts that share words at their end, or at their start."""
    *earlier, last = pieces
    words = last.split()
    for count in range(1, len(words)):
        tail = " ".join(["", *words[-count:]])
        yield (*(piece + tail for piece in earlier), last)
    lead = " ".join([*pieces[0].split()[:-1], ""])
    if len(words) == 1 and lead:
        yield (pieces[0], *(lead + piece for piece in pieces[1:]))
