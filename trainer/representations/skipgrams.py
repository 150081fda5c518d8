"""The skip-gram baselines of [BNE] 2 and 3.1: vectors of words, of names, and of concepts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from trainer.corpora.annotated import AnnotatedLine, Span
from trainer.representations.base import Float32s
from trainer.representations.fasttext_matrices import FastTextVectors
from trainer.representations.fasttext_training import TrainingProgress, fit
from trainer.tokenizer import tokenize

KIND = "skipgrams"

Method = Literal["SGW", "SGS", "SGS.C"]


class SkipGramNames(FastTextVectors):
    """A name's own vector where it was marked in the text, else the mean of its known words.

    Of SGW, which marks no names, it is always the mean ([BNE] 4).
    """

    kind: ClassVar[str] = KIND

    def encode(self, names: Sequence[str]) -> Float32s:
        """Return (n, d) float32; zero for a name of which no word is known."""
        vectors = super().encode(names)
        own, known = self.name_vectors(names)
        vectors[known] = own[known]
        return vectors

    def name_vectors(self, names: Sequence[str]) -> tuple[Float32s, NDArray[np.bool_]]:
        """Return the names' own vectors (u_s of [BNE] 3), (n, d), and which there are, (n,)."""
        return self.token_vectors([name_token(tokenize(name)) for name in names])

    def concept_vectors(self, concepts: Sequence[str]) -> tuple[Float32s, NDArray[np.bool_]]:
        """Return the vectors of concepts (u_c of [BNE] 3), (c, d), and which there are, (c,)."""
        return self.token_vectors([concept_token(concept) for concept in concepts])


def name_token(tokens: Sequence[str]) -> str:
    """Return the token that stands for a name; no word has one like it."""
    return "s_" + "_".join(tokens)


def concept_token(concept: str) -> str:
    """Return the token that stands for the id of a concept."""
    return "c_" + "_".join(concept.split())


def sequences(line: AnnotatedLine, method: Method) -> list[list[str]]:
    """Return what a line becomes for the skip-gram model.

    - SGW: its words.
    - SGS: its words, each name as one token in the place of its words ("segmented into names and
      regular words", [BNE] 4).
    - SGS.C: twice, the token of each name and that of its concept before the words of the name, and
      after them ([BNE] 3.1). A line without a name is written once.
    """
    if method == "SGW" or not line.spans:
        return [line.tokens]
    if method == "SGS":
        return [_with_names(line, lambda words, span: [name_token(words)])]
    return [
        _with_names(line, lambda words, span: _marks(words, span) + words),
        _with_names(line, lambda words, span: words + _marks(words, span)),
    ]


def _with_names(line: AnnotatedLine, replaced: Callable[[list[str], Span], list[str]]) -> list[str]:
    """Return the tokens of a line, those of each name replaced."""
    made: list[str] = []
    end = 0
    for span in line.spans:
        made += line.tokens[end : span.start]
        end = span.end
        made += replaced(line.tokens[span.start : end], span)
    return made + line.tokens[end:]


def _marks(words: list[str], span: Span) -> list[str]:
    own = [name_token(words)]
    return own if span.concept is None else [*own, concept_token(span.concept)]


def write_marked_corpus(lines: Iterable[AnnotatedLine], method: Method, corpus: Path) -> int:
    """Write the lines for ``train_skipgrams``.

    Args:
        lines: of ``annotated_lines`` or ``lines_with_names``, or both chained.
        method: what is marked in them.
        corpus: the file to write.

    Returns:
        How often a name stands in the text, marked or (SGW) not.

    Raises:
        ValueError: no line has a token, or no name is marked for SGS or SGS.C.
    """
    words = names = 0
    with corpus.open("w", encoding="utf-8", newline="\n") as file:
        for line in lines:
            words += len(line.tokens)
            names += len(line.spans)
            if line.tokens:
                for sequence in sequences(line, method):
                    file.write(" ".join(sequence) + "\n")
    if not words:
        raise ValueError("the text holds no word; choose another one")
    if method != "SGW" and not names:
        raise ValueError(
            f"no name is marked in the text, which {method} learns from; give annotated documents, "
            "or a dictionary whose names occur in the text"
        )
    return names


def train_skipgrams(
    corpus: Path,
    folder: Path,
    *,
    dimension: int = 200,
    window: int = 6,
    negatives: int = 5,
    min_count: int = 3,
    epochs: int = 5,
    learning_rate: float = 0.05,
    progress: Callable[[TrainingProgress], None] | None = None,
) -> None:
    """Train vectors of words, names and concepts on a file of ``write_marked_corpus``.

    Sizes as [BNE] 4 gives them; epochs and rate, which it does not give, are fastText's, as are the
    threshold of frequent words (1e-4) and negatives drawn by the root of their counts, where the
    Gensim of [BNE] has 1e-3 and the power 0.75. As ``fasttext_training.train``, to be called in a
    child process.

    Args:
        corpus: the text.
        folder: where the vectors go; opened by ``SkipGramNames.load``.
        dimension: width of the vectors.
        window: tokens on either side that a token has to predict.
        negatives: drawn for each of these.
        min_count: rarer words, names and concepts have no vector.
        epochs: times that the text is read.
        learning_rate: at the start; it falls to 0.
        progress: called from another thread about ten times a second.

    Raises:
        ValueError: for a text without a frequent token, or vectors that are not finite.
    """
    fit(
        "train_unsupervised", corpus, folder, kind=KIND, progress=progress, model="skipgram",
        dim=dimension, ws=window, neg=negatives, minCount=min_count, epoch=epochs,
        lr=learning_rate, minn=0, maxn=0, bucket=0,
    )  # fmt: skip
