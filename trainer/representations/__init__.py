"""Pretrained representations: names to vectors, each saved as a folder with hashes.

A folder may build on others, to which it refers by relative path and hash (``joined``,
``chained``), and can then be opened alone. Who keeps track of what lies beneath by other means can
do without such folders: ``joined.join`` and the ``encode`` of an encoder are all there is to it.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.files.damage import damage_named
from termexplorer.trainer.files.folders import is_free, read_meta

if TYPE_CHECKING:
    from termexplorer.trainer.representations.base import Opened, Representation
    from termexplorer.trainer.representations.tfidf import TfidfNames

# kind: its module and class; imported when one is opened
_KINDS = {
    "bigrams": ("termexplorer.trainer.representations.bigrams", "BigramNames"),
    "chained": ("termexplorer.trainer.encoders.chained", "ChainedNames"),
    "fasttext": ("termexplorer.trainer.representations.fasttext_matrices", "FastTextVectors"),
    "joined": ("termexplorer.trainer.encoders.joined", "JoinedNames"),
    "matrix": ("termexplorer.trainer.representations.matrix", "MatrixNames"),
    "skipgrams": ("termexplorer.trainer.representations.skipgrams", "SkipGramNames"),
    "static": ("termexplorer.trainer.representations.static", "StaticNames"),
    "tfidf": ("termexplorer.trainer.representations.tfidf", "TfidfNames"),
    "transformer": ("termexplorer.trainer.representations.transformer", "TransformerNames"),
    "words": ("termexplorer.trainer.representations.word_vectors", "WordVectors"),
}
OF_WORDS = ("bigrams", "fasttext", "skipgrams", "static", "words")  # have vectors of words
_BUILT = ("chained", "joined")
_ON_DEVICE = (*_BUILT, "transformer")


def load(
    folder: Path, device: str = "cpu", *, verify: bool = True, opened: Opened | None = None
) -> Representation | TfidfNames:
    """Open any saved representation.

    Args:
        folder: what one of the modules of this package has written.
        device: where the weights of transformers and trained encoders go, as torch names it.
        verify: compare the SHA-256 of each file; false where the caller has done so.
        opened: what lies beneath several parts of one is opened once, and kept here.

    Raises:
        ValueError: for an unknown kind, or a missing or changed file.
    """
    kind = read_meta(folder, verify=False).get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise TrainerError(
            "{folder} holds vectors of an unknown kind, {kind!r}", folder=folder, kind=kind
        )
    module, name = _KINDS[kind]
    opener: Any = getattr(import_module(module), name)
    more: dict[str, Any] = {"device": device} if kind in _ON_DEVICE else {}
    if kind in _BUILT:
        more["opened"] = opened
    with damage_named(folder):
        representation: Representation | TfidfNames = opener.load(folder, verify=verify, **more)
    return representation


def load_dense(
    folder: Path, device: str = "cpu", *, verify: bool = True, opened: Opened | None = None
) -> Representation:
    """Open a saved representation that has vectors to build on; see ``load``.

    Raises:
        ValueError: as ``load``, and for a lexical index.
    """
    from termexplorer.trainer.representations.tfidf import TfidfNames

    opened, resolved = {} if opened is None else opened, folder.resolve()
    if resolved not in opened:
        representation = load(folder, device, verify=verify, opened=opened)
        if isinstance(representation, TfidfNames):
            raise TrainerError("{folder} is lexical: it has no vectors to build on", folder=folder)
        opened[resolved] = representation
    return opened[resolved]


def convert(
    source: str | Path,
    folder: str | Path,
    *,
    names: str | Path | None = None,
    pooling: str = "mean",
) -> None:
    """Write our own copy of whatever makes vectors of names, to be opened by ``load``.

    Args:
        source: a fastText ``.bin`` model, word vectors of word2vec (as text or binary), fastText or
            GloVe (plain or ``.gz``), the folder of a transformer, or a ``.npy`` matrix.
        folder: where the copy goes; nothing that is there is written over.
        names: the text file that names the rows of a matrix.
        pooling: of a transformer's tokens, ``mean`` or ``first``.

    Raises:
        ValueError: for a folder that is not empty, or a source that is not sound; see the module of
            each kind.
    """
    from termexplorer.trainer.representations.word_vectors import is_word2vec

    source, folder = Path(source), Path(folder)
    if not is_free(folder):
        raise TrainerError(
            "{folder} is there already; choose another folder, or remove this one", folder=folder
        )
    if source.suffix == ".npy":
        from termexplorer.trainer.representations.matrix import convert_matrix

        if names is None:
            raise TrainerError(
                "{source} has no names of its own; give the text file of its rows (names)",
                source=source,
            )
        convert_matrix(source, Path(names), folder)
    elif source.is_dir():
        from termexplorer.trainer.representations.transformer_folder import convert_folder

        convert_folder(source, folder, pooling=pooling)
    elif source.suffix == ".bin" and not is_word2vec(source):
        from termexplorer.trainer.representations.fasttext_matrices import convert_bin

        convert_bin(source, folder)
    else:
        from termexplorer.trainer.representations.word_vectors import convert_text

        convert_text(source, folder)
