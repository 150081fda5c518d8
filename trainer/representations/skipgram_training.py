"""Training the skip-gram baselines of [BNE] 2 and 3.1 on text in which names are marked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from termexplorer.trainer.corpora.annotated import AnnotatedLine, Span
from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.representations.fasttext_fit import TrainingProgress, fit
from termexplorer.trainer.representations.skipgrams import KIND, concept_token, name_token
from termexplorer.trainer.representations.text import TrainingText

Marks = Literal["SGW", "SGS", "SGS.C"]


@dataclass(frozen=True, slots=True)
class SkipGrams:
    """Skip-grams of words, and of names and concepts where these are marked.

    Sizes as [BNE] 4 gives them; epochs and rate, which it does not give, are fastText's, as are the
    threshold of frequent words (1e-4) and negatives drawn by the root of their counts, where the
    Gensim of [BNE] has 1e-3 and the power 0.75.

    Attributes:
        marks: what is marked in the text.
        dimension: width of the vectors.
        window: tokens on either side that a token has to predict.
        negatives: drawn for each of these.
        min_count: what is rarer in the sequences has no vector; a line in which concepts are marked
            gives two of them, in which its words count twice, as they do in [BNE].
        epochs: times that the text is read.
        learning_rate: at the start; it falls to 0.
    """

    marks: Marks
    dimension: int = 200
    window: int = 6
    negatives: int = 5
    min_count: int = 3
    epochs: int = 5
    learning_rate: float = 0.05

    def write(
        self, text: TrainingText, corpus: Path, tick: Callable[[], None] = lambda: None
    ) -> dict[str, int]:
        """Lay out a text for ``fit``; see ``TextMethod.write``.

        Raises:
            ValueError: as ``write_marked_corpus``.
        """
        return {"names_in_text": write_marked_corpus(text.marked_lines(tick), self.marks, corpus)}

    def fit(
        self,
        corpus: Path,
        folder: Path,
        progress: Callable[[TrainingProgress], None] | None = None,
    ) -> None:
        """Train on a corpus of ``write``; see ``TextMethod.fit``."""
        fit(
            "train_unsupervised", corpus, folder, KIND, progress, model="skipgram",
            dim=self.dimension, ws=self.window, neg=self.negatives, minCount=self.min_count,
            epoch=self.epochs, lr=self.learning_rate, minn=0, maxn=0, bucket=0,
        )  # fmt: skip


def sequences(line: AnnotatedLine, marks: Marks) -> list[list[str]]:
    """Return what a line becomes for the skip-gram model.

    - SGW: its words.
    - SGS: its words, each name as one token in the place of its words ("segmented into names and
      regular words", [BNE] 4).
    - SGS.C: twice, the token of each name and that of its concept before the words of the name, and
      after them ([BNE] 3.1). A line without a name is written once.
    """
    if marks == "SGW" or not line.spans:
        return [line.tokens]
    if marks == "SGS":
        return [_with_names(line, lambda words, span: [name_token(words)])]
    return [
        _with_names(line, lambda words, span: _span_tokens(words, span) + words),
        _with_names(line, lambda words, span: words + _span_tokens(words, span)),
    ]


def _with_names(line: AnnotatedLine, replaced: Callable[[list[str], Span], list[str]]) -> list[str]:
    """Return the tokens of a line, those of each name replaced."""
    tokens: list[str] = []
    end = 0
    for span in line.spans:
        tokens += line.tokens[end : span.start]
        end = span.end
        tokens += replaced(line.tokens[span.start : end], span)
    return tokens + line.tokens[end:]


def _span_tokens(words: list[str], span: Span) -> list[str]:
    tokens = [name_token(words)]
    return tokens if span.concept is None else [*tokens, concept_token(span.concept)]


def write_marked_corpus(lines: Iterable[AnnotatedLine], marks: Marks, corpus: Path) -> int:
    """Write the lines to train on.

    Args:
        lines: of ``annotated_lines`` or ``lines_with_names``, or both chained.
        marks: what is marked in them.
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
                for sequence in sequences(line, marks):
                    file.write(" ".join(sequence) + "\n")
    if not words:
        raise TrainerError("the text holds no word; choose another one")
    if marks != "SGW" and not names:
        raise TrainerError(
            "no name is marked in the text, which {marks} learns from; give "
            "annotated documents, or text in which names of the dictionary stand",
            marks=marks,
        )
    return names
