"""Training fastText vectors on names, definitions and text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from termexplorer.trainer.corpora.text_file import check_text
from termexplorer.trainer.representations.fasttext_fit import TrainingProgress, fit
from termexplorer.trainer.representations.fasttext_matrices import KIND
from termexplorer.trainer.representations.text import LINES_PER_TICK, TrainingText
from termexplorer.trainer.text.tokenizer import tokenize, tokenized_lines

_READ = 5_000_000  # tokens, with repetitions, below which all words still point the same way
_FEWEST_EPOCHS, _MOST_EPOCHS = 5, 50
_SMALL, _TINY = 5_000_000, 20_000  # tokens of a text in which words seen twice, or once, count


class OfLines:
    """What does not differ between methods that read lines of words: how these are laid out."""

    __slots__ = ()

    def write(
        self, text: TrainingText, corpus: Path, tick: Callable[[], None] = lambda: None
    ) -> dict[str, int]:
        """Lay out a text for ``fit``; see ``TextMethod.write``."""
        return {"lines": write_corpus(text.lines(), text.files, corpus, tick)}


@dataclass(frozen=True, slots=True)
class FastText(OfLines):
    """Skip-grams of words and of their character n-grams.

    Attributes:
        dimension: width of the vectors.
        window: words on either side that a word has to predict.
        epochs: times that the text is read.
        min_count: rarer words have no vector of their own.
        minn: shortest character n-gram.
        maxn: longest character n-gram.
        buckets: rows that the n-grams share by hashing.
        learning_rate: at the start; it falls to 0.
    """

    dimension: int = 300
    window: int = 5
    epochs: int = 5
    min_count: int = 5
    minn: int = 3
    maxn: int = 6
    buckets: int = 200_000
    learning_rate: float = 0.05

    def sized(self, tokens: int) -> FastText:
        """Return the same with epochs and least count for a text of so many tokens.

        A few epochs over the names and definitions of one ontology leave all vectors where they
        began, at a cosine of .9 and more; over much text they are enough.
        """
        epochs = max(_FEWEST_EPOCHS, min(-(-_READ // max(tokens, 1)), _MOST_EPOCHS))
        least = 1 if tokens < _TINY else 2 if tokens < _SMALL else self.min_count
        return replace(self, epochs=epochs, min_count=least)

    def fit(
        self,
        corpus: Path,
        folder: Path,
        progress: Callable[[TrainingProgress], None] | None = None,
    ) -> None:
        """Train on a corpus of ``write``; see ``TextMethod.fit``."""
        fit(
            "train_unsupervised", corpus, folder, KIND, progress, model="skipgram",
            dim=self.dimension, ws=self.window, epoch=self.epochs, minCount=self.min_count,
            minn=self.minn, maxn=self.maxn, bucket=self.buckets, lr=self.learning_rate,
        )  # fmt: skip


def write_corpus(
    names: Iterable[str],
    texts: Iterable[Path],
    corpus: Path,
    tick: Callable[[], None] = lambda: None,
) -> int:
    """Lay out names, definitions and text files for training: one a line, tokens parted by spaces.

    Args:
        names: names and definitions.
        texts: further text files, plain or ``.gz``, a sentence or paragraph a line.
        corpus: the file to write.
        tick: called now and then; may raise to stop.

    Returns:
        The number of lines written.

    Raises:
        ValueError: for a text file that cannot be read, is no UTF-8 text, or is empty; nothing is
            written then.
    """
    texts = list(texts)
    for path in texts:
        check_text(path)
    lines = 0
    with corpus.open("w", encoding="utf-8", newline="\n") as file:
        for line_number, line in enumerate(_corpus_lines(names, texts)):
            if line_number % LINES_PER_TICK == 0:
                tick()
            lines += file.write(line + "\n") > 1
    return lines


def _corpus_lines(names: Iterable[str], texts: Iterable[Path]) -> Iterator[str]:
    for name in names:
        yield " ".join(tokenize(name))
    for path in texts:
        yield from tokenized_lines(path)
