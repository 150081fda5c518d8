"""Mentions made ready to be normalised: abbreviations, composites, and what training tells."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.corpora.abbreviations import defined_abbreviations, resolved
from termexplorer.trainer.corpora.composites import split_composite
from termexplorer.trainer.corpora.dictionary import Dictionary, as_compared
from termexplorer.trainer.corpora.pubtator import Document, Mention
from termexplorer.trainer.errors import Message, TrainerError
from termexplorer.trainer.files.pairs import distinct

Int64s = NDArray[np.int64]
NO_ANSWER = -1


@dataclass(frozen=True)
class MentionPreparation:
    """What is done to mentions before they are ranked.

    Attributes:
        abbreviations: replace those that the document defines, ``resolved``.
        composites: take composite mentions apart, ``split_composite``.
        training: the documents of the exact-match rule (XM of [BNE] 4.3), by which a mention that
            is found in the training data has the concept that it has there; none by default. Of
            several the most frequent counts; those that the dictionary lacks are left out.
        kinds: the types of mentions that count, such as ``Disease``, in whatever case; all by
            default.
    """

    abbreviations: bool = True
    composites: bool = True
    training: tuple[Document, ...] = ()
    kinds: frozenset[str] | None = None


@dataclass(frozen=True, eq=False)
class Queries:
    """Mentions and the texts to rank names for, one or several for each mention.

    Attributes:
        mentions: the m mentions.
        texts: the t distinct texts.
        mention: (q,) int64, the mention of each query; rising.
        text: (q,) int64, its text.
        answer: (q,) int64, the concept that the exact-match rule gives it, or ``NO_ANSWER``.
        exact: (m,) bool, mentions of whose queries each is a name of the dictionary or answered.
        gold_mention: (g,) int64, the mention of each right concept; rising.
        gold: (g,) int64, the class of the dictionary, -1 where it lacks the concept.
    """

    mentions: tuple[Mention, ...]
    texts: tuple[str, ...]
    mention: Int64s
    text: Int64s
    answer: Int64s
    exact: NDArray[np.bool_]
    gold_mention: Int64s
    gold: Int64s

    def unknown(self) -> NDArray[np.bool_]:
        """Return which mentions have no concept, or one that the dictionary lacks, (m,) bool."""
        counts = np.bincount(self.gold_mention, minlength=len(self.mentions))
        without: NDArray[np.bool_] = counts == 0
        without[self.gold_mention[self.gold < 0]] = True
        return without

    def joined(self, other: Queries) -> Queries:
        """Return the mentions of both, one after the other; a text of both is there once."""
        texts, own_rows, other_rows = distinct(self.texts, other.texts)
        first = len(self.mentions)
        return Queries(
            mentions=self.mentions + other.mentions,
            texts=texts,
            mention=np.concatenate((self.mention, other.mention + first)),
            text=np.concatenate((own_rows[self.text], other_rows[other.text])),
            answer=np.concatenate((self.answer, other.answer)),
            exact=np.concatenate((self.exact, other.exact)),
            gold_mention=np.concatenate((self.gold_mention, other.gold_mention + first)),
            gold=np.concatenate((self.gold, other.gold)),
        )


def prepare_queries(
    documents: Iterable[Document], dictionary: Dictionary, preparation: MentionPreparation
) -> Queries:
    """Turn the mentions of documents into queries.

    Args:
        documents: with the mentions to normalise.
        dictionary: the names that they are normalised to.
        preparation: what is done to them.

    Raises:
        ValueError: no mention is of the kinds that count.
    """
    documents = tuple(documents)
    answers = _answers_by_text(dictionary, preparation)
    mentions: list[Mention] = []
    texts: dict[str, int] = {}
    queries: list[tuple[int, int, int]] = []
    exact: list[bool] = []
    for mention, whole in _prepare_mentions(documents, preparation):
        query_parts = list(_split_queries(whole, dictionary, preparation, answers))
        for text, answer in query_parts:
            queries.append((len(mentions), texts.setdefault(text, len(texts)), answer))
        exact.append(all(answer >= 0 or dictionary.is_name(text) for text, answer in query_parts))
        mentions.append(mention)
    if not mentions:
        raise TrainerError(_no_mentions(documents, preparation))
    gold = _gold_concepts(mentions, dictionary)
    mention_of, text, answer = np.array(queries, dtype=np.int64).T
    return Queries(tuple(mentions), tuple(texts), mention_of, text, answer, np.array(exact), *gold)


def _no_mentions(documents: Iterable[Document], preparation: MentionPreparation) -> Message:
    kinds = sorted({mention.kind for document in documents for mention in document.mentions})
    known = Message("; there are some of {kinds}", kinds=", ".join(kinds)) if kinds else ""
    if preparation.kinds is None:
        return Message(
            "there are no mentions to normalise{known}; choose another file or type", known=known
        )
    return Message(
        "there are no mentions of {kinds} to normalise{known}; choose another file or type",
        kinds=", ".join(sorted(preparation.kinds)),
        known=known,
    )


def _prepare_mentions(
    documents: Iterable[Document], preparation: MentionPreparation
) -> Iterator[tuple[Mention, str]]:
    """Yield each mention that counts, and its text with abbreviations resolved if they are to."""
    kinds = preparation.kinds
    counted = None if kinds is None else {kind.casefold() for kind in kinds}
    for document in documents:
        definitions = defined_abbreviations(document.text) if preparation.abbreviations else {}
        for mention in document.mentions:
            if counted is None or mention.kind.casefold() in counted:
                yield mention, resolved(mention.text, definitions)


def _split_queries(
    text: str,
    dictionary: Dictionary,
    preparation: MentionPreparation,
    answers: Mapping[str, tuple[int, ...]],
) -> Iterator[tuple[str, int]]:
    """Yield the texts that a mention is made of, each with its answer by the exact-match rule."""
    known = answers.get(as_compared(text), ())
    if known or not preparation.composites:
        yield from ((text, answer) for answer in known or (NO_ANSWER,))
        return
    for part in split_composite(text, dictionary.is_name):
        answer = answers.get(as_compared(part), ())
        yield part, answer[0] if len(answer) == 1 else NO_ANSWER


def _answers_by_text(
    dictionary: Dictionary, preparation: MentionPreparation
) -> dict[str, tuple[int, ...]]:
    """Return the concepts of each training mention, the most frequent ones of its text."""
    counts: defaultdict[str, Counter[tuple[int, ...]]] = defaultdict(Counter)
    for mention, text in _prepare_mentions(preparation.training, preparation):
        concepts = tuple(sorted({dictionary.concept(name) for name in mention.concepts}))
        if concepts and concepts[0] >= 0:
            counts[as_compared(text)][concepts] += 1
    return {text: _most_frequent(answer_counts) for text, answer_counts in counts.items()}


def _most_frequent(counts: Counter[tuple[int, ...]]) -> tuple[int, ...]:
    """Return what was counted most; of equals the first in order, so that no shuffle matters."""
    return min(counts, key=lambda concepts: (-counts[concepts], concepts))


def _gold_concepts(mentions: Collection[Mention], dictionary: Dictionary) -> tuple[Int64s, Int64s]:
    """Return the mentions and the classes of the distinct right concepts, (g,) each."""
    pairs = {
        (number, dictionary.concept(name))
        for number, mention in enumerate(mentions)
        for name in mention.concepts
    }
    columns = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
    return columns[:, 0], columns[:, 1]
