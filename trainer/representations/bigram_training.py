"""Training word and bigram vectors on text, as Sent2Vec trains them.

M. Pagliardini, P. Gupta, M. Jaggi 2018, *Unsupervised Learning of Sentence Embeddings using
Compositional n-Gram Features*. Each word of a sentence is predicted, with negative sampling, from
the mean of the vectors of all other words of the sentence and of its bigrams.

fastText's unsupervised models know no bigrams of words, but its supervised one does just this where
the label is the word and the text is its sentence, with a mark in the place of the word: the same
mean, loss, and gradient divided by the size of the bag, and negatives by the root of their counts,
as in the published Sent2Vec, which grew out of fastText. What differs from that:

- The words to predict are drawn once, not anew in each epoch, and negatives are by the counts of
  those drawn.
- No bigrams are dropped at random in training (Sent2Vec drops those of two words).
- fastText's mark of the line's end, and its bigram with the last word, are in each bag.
- A paragraph is cut into sentences by a simple rule, and these after 100 tokens.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.representations.bigrams import KIND
from termexplorer.trainer.representations.fasttext_fit import TrainingProgress, fit
from termexplorer.trainer.representations.fasttext_training import OfLines

_MARK, _LABEL = "<word>", "__label__"  # no token of a text is like these
_LONGEST_SENTENCE = 100  # tokens


@dataclass(frozen=True, slots=True)
class Bigrams(OfLines):
    """Words and the bigrams of words, from which the other words of a sentence are predicted.

    Sizes as in [CG] 5 and the published Sent2Vec, but for the buckets, of which that has 2 million.

    Attributes:
        dimension: width of the vectors.
        negatives: drawn for each word to predict.
        min_count: rarer words are left out, before bigrams are made.
        epochs: times that the words to predict are gone through.
        buckets: rows that the bigrams share by hashing.
        threshold: a word whose share of the text is f is predicted with probability
            ``√(threshold / f) + threshold / f``.
        learning_rate: at the start; it falls to 0.
        seed: of the words to predict; training itself has none.
    """

    dimension: int = 600
    negatives: int = 10
    min_count: int = 5
    epochs: int = 5
    buckets: int = 200_000
    threshold: float = 1e-5
    learning_rate: float = 0.2
    seed: int = 0

    def fit(
        self,
        corpus: Path,
        folder: Path,
        progress: Callable[[TrainingProgress], None] | None = None,
    ) -> None:
        """Train on a corpus of ``write``; see ``TextMethod.fit``.

        Needs room for a file beside the corpus that is some ten times as large.

        Raises:
            ValueError: for a text without two frequent words in a sentence, or vectors that are
                not finite.
        """
        examples = corpus.with_name(corpus.name + ".examples")
        try:
            write_examples(
                corpus,
                examples,
                min_count=self.min_count,
                threshold=self.threshold,
                seed=self.seed,
            )
            fit(
                "train_supervised", examples, folder, KIND, progress, dim=self.dimension,
                loss="ns", neg=self.negatives, minCount=1, minCountLabel=1, wordNgrams=2,
                bucket=self.buckets, epoch=self.epochs, lr=self.learning_rate, minn=0, maxn=0,
                label=_LABEL,
            )  # fmt: skip
        finally:
            examples.unlink(missing_ok=True)


def write_examples(
    corpus: Path, examples: Path, *, min_count: int, threshold: float, seed: int
) -> None:
    """Write a line for each word to predict: the word as a label, and its sentence without it.

    Raises:
        ValueError: fewer than two different words are to be predicted.
    """
    with corpus.open(encoding="utf-8") as lines:
        counts = Counter(token for line in lines for token in line.split())
    shares = {
        word: threshold * counts.total() / count
        for word, count in counts.items()
        if count >= min_count
    }
    chances = {word: share + share**0.5 for word, share in shares.items()}
    chance = random.Random(seed)  # noqa: S311
    predicted: set[str] = set()
    with (
        corpus.open(encoding="utf-8") as lines,
        examples.open("w", encoding="utf-8", newline="\n") as file,
    ):
        for line in lines:
            for sentence in sentences(line.split()):
                words = [word for word in sentence if word in chances]
                for index in range(len(words) if len(words) > 1 else 0):
                    if chance.random() < chances[words[index]]:
                        predicted.add(words[index])
                        context = [*words[:index], _MARK, *words[index + 1 :]]
                        file.write(f"{_LABEL}{words[index]} {' '.join(context)}\n")
    if len(predicted) < 2:  # with one, fastText looks for another for ever
        raise TrainerError(
            "the text has no sentence of words that occur {min_count} times; give "
            "more text, or lower how often a word has to occur",
            min_count=min_count,
        )


def sentences(tokens: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the sentences of a line: up to ``.``, ``!`` or ``?``, and at most 100 tokens.

    Not after a full stop that follows a single letter or comes before a number.
    """
    start = 0
    for position, token in enumerate(tokens, 1):
        if (
            token in {".", "!", "?"} and _ends_sentence(tokens, position)
        ) or position - start == _LONGEST_SENTENCE:
            yield tokens[start:position]
            start = position
    if start < len(tokens):
        yield tokens[start:]


def _ends_sentence(tokens: Sequence[str], position: int) -> bool:
    """Say whether the sign before ``position`` ends a sentence."""
    before, after = tokens[max(position - 2, 0)], tokens[position : position + 1]
    initial = len(before) == 1 and before.isalpha()
    return not initial and not (after and after[0].isdecimal())
