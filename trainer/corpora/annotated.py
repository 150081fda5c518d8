"""Lines of tokens in which names are marked, from annotated documents."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from termexplorer.trainer.corpora.pubtator import Document, Mention
from termexplorer.trainer.text.tokenizer import tokenize


class Span(NamedTuple):
    """A name in a line: its tokens from ``start`` to before ``end``, and its concept if known."""

    start: int
    end: int
    concept: str | None


@dataclass(frozen=True)
class AnnotatedLine:
    """A sentence or paragraph.

    Attributes:
        tokens: as ``tokenize`` makes them.
        spans: the names, from left to right; none overlap.
    """

    tokens: list[str]
    spans: list[Span]


def annotated_lines(
    documents: Iterable[Document], kinds: Collection[str] | None = None
) -> Iterator[AnnotatedLine]:
    """Yield title and abstract of each document, with its mentions as names.

    Of mentions that overlap the one that starts first counts, of those that start together the
    longest. A mention of several concepts, or of none, is a name without a concept.

    Args:
        documents: of ``read_pubtator``.
        kinds: the types of mentions that count; all by default.
    """
    for document in documents:
        mentions = [
            mention for mention in document.mentions if kinds is None or mention.kind in kinds
        ]
        mentions.sort(key=lambda mention: (mention.start, -mention.end))
        after = len(document.title) + 1
        yield _make_line(document.text, 0, after - 1, mentions)
        yield _make_line(document.text, after, len(document.text), mentions)


def _make_line(text: str, start: int, end: int, mentions: Iterable[Mention]) -> AnnotatedLine:
    """Make a line of the characters from ``start`` to ``end``."""
    tokens: list[str] = []
    spans: list[Span] = []
    for mention in mentions:
        if start <= mention.start and mention.end <= end:
            tokens += tokenize(text[start : mention.start])
            mention_tokens = tokenize(mention.text)
            if mention_tokens:
                concept = mention.concepts[0] if len(mention.concepts) == 1 else None
                spans.append(Span(len(tokens), len(tokens) + len(mention_tokens), concept))
            tokens += mention_tokens
            start = mention.end
    return AnnotatedLine(tokens + tokenize(text[start:end]), spans)
