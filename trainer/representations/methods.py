"""The methods that make vectors of text alone, each with when to use it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import Field, asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Protocol

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.files.folders import room_beside
from termexplorer.trainer.representations.bigram_training import Bigrams
from termexplorer.trainer.representations.fasttext_fit import TrainingProgress
from termexplorer.trainer.representations.fasttext_training import FastText
from termexplorer.trainer.representations.ppmi_training import CountedWords
from termexplorer.trainer.representations.skipgram_training import SkipGrams
from termexplorer.trainer.representations.text import TrainingText


class TextMethod(Protocol):
    """Makes vectors of names from text; a frozen dataclass of its sizes."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def dimension(self) -> int:
        """The width of the vectors."""
        ...

    @property
    def epochs(self) -> int:
        """How often the text, or what was counted of it, is gone through."""
        ...

    @property
    def min_count(self) -> int:
        """Rarer words have no vector of their own."""
        ...

    def write(
        self, text: TrainingText, corpus: Path, tick: Callable[[], None] = ...
    ) -> dict[str, int]:
        """Lay out a text for ``fit``.

        Args:
            text: all that is read.
            corpus: the file to write.
            tick: called now and then; may raise to stop.

        Returns:
            What there is to know of the text: how many lines, or marked names, it has.

        Raises:
            ValueError: for a file that cannot be read.
        """
        ...

    def fit(
        self,
        corpus: Path,
        folder: Path,
        progress: Callable[[TrainingProgress], None] | None = ...,
    ) -> None:
        """Train vectors and write them to a folder for ``trainer.representations.load``.

        Runs until it is done: call it in a child process, to be able to stop it.

        Args:
            corpus: as ``write`` has written it.
            folder: where the vectors go.
            progress: called from another thread about ten times a second.

        Raises:
            ValueError: for a text without a frequent word, or vectors that are not finite.
        """
        ...


@dataclass(frozen=True, slots=True)
class ListedMethod:
    """A method that can be chosen by its name.

    Attributes:
        usual: with the sizes that it has where nobody asks for others.
        title: for people.
        vectors: what its vectors of names are called.
        when: when to use it, in a sentence.
        repeatable: whether the same seed gives the same vectors; the threads of fastText do not.
    """

    usual: TextMethod
    title: str
    vectors: str
    when: str
    repeatable: bool = False


METHODS = {
    "fasttext": ListedMethod(
        FastText(),
        "fastText",
        "fastText mean",
        "Words and their character n-grams: unknown and misspelt words have vectors too. The usual"
        " input of an encoder.",
    ),
    "sgw": ListedMethod(
        SkipGrams("SGW"),
        "Skip-gram of words (SGW)",
        "SGW mean",
        "Whole words only, the simplest baseline; a name of unknown words has no vector.",
    ),
    "sgs": ListedMethod(
        SkipGrams("SGS"),
        "Skip-gram of names (SGS)",
        "SGS",
        "Names found or annotated in the text get vectors of their own: for frequent "
        "names, from much text.",
    ),
    "sgs.c": ListedMethod(
        SkipGrams("SGS.C"),
        "Skip-gram of names and concepts (SGS.C)",
        "SGS.C",
        "Names are trained together with their words and the synonyms of their "
        "concept: the best of the three skip-grams.",
    ),
    "bigrams": ListedMethod(
        Bigrams(),
        "Words and bigrams (as Sent2Vec)",
        "word and bigram mean",
        "Means of words and bigrams, which respect word order; from text of whole sentences.",
    ),
    "ppmi": ListedMethod(
        CountedWords(),
        "Counted words (PPMI, SVD)",
        "PPMI mean",
        "What words are about, counted over wide windows in a few minutes: joined with fastText for"
        " relatedness.",
        repeatable=True,
    ),
}


def _check_sizes(method: TextMethod) -> None:
    for name in ("dimension", "epochs", "min_count"):
        if getattr(method, name) < 1:
            raise TrainerError(
                "{name} is {value}; choose 1 or more", name=name, value=getattr(method, name)
            )


def learn(
    method: TextMethod,
    text: TrainingText,
    folder: str | Path,
    *,
    progress: Callable[[TrainingProgress], None] | None = None,
    tick: Callable[[], None] = lambda: None,
    open_sizes: Collection[str] = (),
) -> dict[str, int]:
    """Train vectors on a text and write them to a folder; see ``TextMethod``.

    Args:
        method: such as ``METHODS["sgs.c"].usual``.
        text: all that is read.
        folder: where the vectors go; what is written meanwhile goes beside it, see
            ``room_beside``.
        progress: called from another thread about ten times a second.
        tick: called now and then before training begins; may raise to stop.
        open_sizes: of ``epochs`` and ``min_count`` those that may be chosen by the length of the
            text, where the method can.

    Returns:
        What there is to know of the text: how many lines, or marked names, it has; and the sizes
        that were chosen by it.

    Raises:
        ValueError: for a size below 1, a file that cannot be read, or too little text.
    """
    folder = Path(folder)
    _check_sizes(method)
    with room_beside(folder) as work_folder:
        corpus = work_folder / "corpus.txt"
        facts = method.write(text, corpus, tick)
        if open_sizes and isinstance(method, FastText):
            facts = {**facts, "tokens": _count_tokens(corpus)}
            fitting = asdict(method.sized(facts["tokens"]))
            chosen = {name: int(fitting[name]) for name in sorted(open_sizes)}
            method, facts = replace(method, **chosen), facts | chosen
        method.fit(corpus, folder, progress)
    return facts


def _count_tokens(corpus: Path) -> int:
    """Return the tokens of a corpus as it is laid out, parted by spaces."""
    with corpus.open("rb") as file:
        return sum(line.count(b" ") + 1 for line in file if line.strip())
