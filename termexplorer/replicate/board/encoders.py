"""The twenty encoders of the board: as written, static, transformers, built-in, and trained."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import torch

from termexplorer.replicate.board.sources import MENTIONS_TO_CHOOSE_BY, BoardSources
from termexplorer.replicate.board.training import train_over_built_in
from termexplorer.replicate.work.worker import LeftOutError
from termexplorer.texts import tr
from termexplorer.trainer import lexical
from termexplorer.trainer.built_in import builtin
from termexplorer.trainer.evaluation.normalisation import normalisation
from termexplorer.trainer.evaluation.scores import Scores
from termexplorer.trainer.evaluation.similarities import (
    AsWritten,
    Blended,
    ByVectors,
    Similarities,
)
from termexplorer.trainer.evaluation.sparse import best_weight
from termexplorer.trainer.lexical.word_movers import WordMoverNames
from termexplorer.trainer.recipes import RECIPES
from termexplorer.trainer.representations.base import Float32s, Representation, texts_of
from termexplorer.trainer.representations.transformer import quiet_transformers

_EXACT = 20  # of the word mover's rankings, for the time it takes
_DIMENSIONS = 256  # of what model2vec makes


@dataclass(frozen=True, slots=True)
class BoardRequest:
    """What the encoders of a board are made of.

    Attributes:
        sources: of the data.
        folder: where what is trained goes.
        transformer: the folder of MiniLM; None: it is left out, and what is made of it.
        quick: small networks and few epochs.
    """

    sources: BoardSources
    folder: Path
    transformer: Path | None
    quick: bool = False


@dataclass(frozen=True, slots=True)
class OpenedEncoder:
    """An encoder that is ready to be measured.

    Attributes:
        similarities: of names.
        note: what its making came to, such as epochs; "" where there is nothing to say.
    """

    similarities: Similarities
    note: str = ""


@dataclass(frozen=True, slots=True)
class BoardEncoder:
    """An encoder of the board.

    Attributes:
        title: what people call it.
        kind: of encoder, a heading of the table.
        open: makes it ready.
        over_built_in: whether it has learned what the built-in encoder has.
    """

    title: str
    kind: str
    open: Callable[[BoardRequest], OpenedEncoder]
    over_built_in: bool = False


class MissingEncoderError(LeftOutError):
    """What an encoder needs is not there; the board goes on without it."""


class RememberedVectors:
    """An encoder that encodes each name once, as several tasks ask for the same ones.

    Attributes:
        dimension: the width of its vectors.
    """

    def __init__(self, encoder: Representation) -> None:
        self._encoder = encoder
        self._rows: dict[str, int] = {}
        self._vectors: list[Float32s] = []
        self.dimension = encoder.dimension

    def encode(self, names: Iterable[str]) -> Float32s:
        """Return the vectors of names, (n, d) float32."""
        texts = texts_of(names)
        fresh = [text for text in dict.fromkeys(texts) if text not in self._rows]
        if fresh:
            for text in fresh:
                self._rows[text] = len(self._rows)
            self._vectors = [np.concatenate((*self._vectors, self._encoder.encode(fresh)))]
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.asarray(self._vectors[0][[self._rows[text] for text in texts]])


class _PackageVectors:
    """Vectors of names that a function of another package makes.

    Attributes:
        dimension: the width of its vectors.
    """

    def __init__(self, embed: Callable[[list[str]], Any]) -> None:
        self._embed = embed
        self.dimension = int(np.asarray(embed(["name"])).shape[1])

    def encode(self, names: Iterable[str]) -> Float32s:
        """Return the vectors of names, (n, d) float32."""
        vectors = np.asarray(self._embed(texts_of(names)), dtype=np.float32)
        return np.nan_to_num(vectors)


def _open_lexical(method: str, request: BoardRequest) -> OpenedEncoder:
    return OpenedEncoder(AsWritten(partial(lexical.fit, method)))


def _open_word_movers(request: BoardRequest) -> OpenedEncoder:
    words = builtin()

    def index(names: Sequence[str]) -> WordMoverNames:
        return WordMoverNames(names, words, _EXACT)

    return OpenedEncoder(AsWritten(index))


def _open_wordllama(request: BoardRequest) -> OpenedEncoder:
    package = _import_package("wordllama")
    home = Path(package.__file__).parent  # its files lie there, but it looks for one elsewhere
    model = package.WordLlama.load(cache_dir=home, disable_download=True)
    return _open_vectors(_PackageVectors(partial(model.embed, norm=True)))


def _open_model2vec(request: BoardRequest) -> OpenedEncoder:
    folder = request.folder / "model2vec"
    package = _import_package("model2vec")
    if not (folder / "config.json").is_file():
        source = _need_transformer(request)
        distil = _import_package("model2vec.distill").distill_from_model
        with quiet_transformers() as transformers, _quiet_logs():
            model = transformers.AutoModel.from_pretrained(source)
            tokenizer = transformers.AutoTokenizer.from_pretrained(source)
            distil(model, tokenizer, pca_dims=_DIMENSIONS).save_pretrained(str(folder))
    model = package.StaticModel.from_pretrained(str(folder))
    return _open_vectors(_PackageVectors(partial(model.encode, show_progress_bar=False)))


def _open_transformer(request: BoardRequest) -> OpenedEncoder:
    from termexplorer.trainer.representations import convert, load_dense

    folder = request.folder / "transformer"
    if not folder.is_dir():
        convert(_need_transformer(request), folder)
    return _open_vectors(load_dense(folder))


def _open_built_in(request: BoardRequest) -> OpenedEncoder:
    return _open_vectors(builtin())


def _open_blended(request: BoardRequest) -> OpenedEncoder:
    encoder = RememberedVectors(builtin())
    weight = _choose_weight(encoder, request.sources)
    return OpenedEncoder(Blended(encoder, weight), f"TF-IDF × {weight:g}")


def _choose_weight(encoder: Representation, sources: BoardSources) -> float:
    """Return the weight of TF-IDF with which other mentions find their concepts best."""
    queries, names = sources.list_mentions(MENTIONS_TO_CHOOSE_BY)

    def compute_scores(by: Similarities) -> Scores:
        scores = by.scores(queries.texts, names.names)
        table = np.asarray(scores(np.arange(len(queries.texts)), np.arange(len(names.names))))
        return lambda texts, candidates: torch.from_numpy(table[np.ix_(texts, candidates)])

    dense = compute_scores(ByVectors(encoder))
    sparse = compute_scores(AsWritten(partial(lexical.fit, "tfidf")))
    return best_weight(
        dense,
        sparse,
        lambda scores: normalisation(queries, names, scores, leave_out_unknown=True),
    )


def _open_trained(recipe: str, request: BoardRequest) -> OpenedEncoder:
    folder = request.folder / recipe
    training = train_over_built_in(recipe, request.sources, folder, quick=request.quick)
    note = f"epoch {training.best_epoch} of {training.epochs}" if training.epochs > 1 else ""
    return OpenedEncoder(ByVectors(RememberedVectors(training.encoder)), note)


def _open_vectors(encoder: Representation) -> OpenedEncoder:
    return OpenedEncoder(ByVectors(RememberedVectors(encoder)))


def _import_package(name: str) -> Any:
    """Import a package that is not among those of the program.

    Raises:
        MissingEncoderError: it is not installed.
    """
    try:
        return import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise MissingEncoderError(
            tr(
                "{package} cannot be imported ({error}); install it, or what it needs",
                package=package,
                error=error,
            )
        ) from error


@contextmanager
def _quiet_logs() -> Iterator[None]:
    """Keep what another package logs, and its progress, off standard error."""
    logging.disable(logging.WARNING)
    try:
        with redirect_stderr(StringIO()):
            yield
    finally:
        logging.disable(logging.NOTSET)


def _need_transformer(request: BoardRequest) -> Path:
    if request.transformer is None:
        raise MissingEncoderError(tr("no --transformer is given, the folder of all-MiniLM-L6-v2"))
    return request.transformer


AS_WRITTEN, STATIC, TRANSFORMER = "as written", "static, general", "transformer"
BUILT_IN, TRAINED = "built-in", "trained over the built-in one"


def _list_trained() -> Mapping[str, BoardEncoder]:
    recipes = (
        "few-shot", "dan", "conceptual-grounding", "contrastive", "contrastive-spelled", "bne",
        "paraphrase", "cca", "sif", "whitening",
    )  # fmt: skip
    return {
        name: BoardEncoder(
            RECIPES[name].title, TRAINED, partial(_open_trained, name), over_built_in=True
        )
        for name in recipes
    }


ENCODERS: Mapping[str, BoardEncoder] = {
    "tfidf": BoardEncoder("TF-IDF", AS_WRITTEN, partial(_open_lexical, "tfidf")),
    "bm25": BoardEncoder("BM25", AS_WRITTEN, partial(_open_lexical, "bm25")),
    "jaccard": BoardEncoder("Jaccard of words", AS_WRITTEN, partial(_open_lexical, "jaccard")),
    "edit-distance": BoardEncoder(
        "Edit distance", AS_WRITTEN, partial(_open_lexical, "edit_distance")
    ),
    "wordllama": BoardEncoder("WordLlama", STATIC, _open_wordllama),
    "model2vec": BoardEncoder("model2vec of MiniLM", STATIC, _open_model2vec),
    "minilm": BoardEncoder("MiniLM", TRANSFORMER, _open_transformer),
    "built-in": BoardEncoder("Built-in", BUILT_IN, _open_built_in, over_built_in=True),
    "built-in-tfidf": BoardEncoder(
        "Built-in + TF-IDF", BUILT_IN, _open_blended, over_built_in=True
    ),
    "word-movers": BoardEncoder(
        "Word mover's over built-in words", BUILT_IN, _open_word_movers, over_built_in=True
    ),
    **_list_trained(),
}
