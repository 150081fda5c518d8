"""The steps of an encoder of names as modules of the library sentence-transformers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from termexplorer.trainer.encoders.chained import ChainedNames
from termexplorer.trainer.encoders.sif import SmoothInverseFrequency, without
from termexplorer.trainer.encoders.tuned import TunedTransformer
from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.export.layers import (
    Module,
    impossible,
    layers_of,
    less_mean,
    save,
    unit_length,
    write_json,
)
from termexplorer.trainer.files.tensor_files import give_usual_modes
from termexplorer.trainer.representations.base import Float32s, Representation
from termexplorer.trainer.representations.fasttext_matrices import FastTextVectors
from termexplorer.trainer.representations.transformer import TransformerNames, quiet_transformers
from termexplorer.trainer.representations.word_vectors import WordVectors
from termexplorer.trainer.text.tokenizer import tokenize, tokenize_all

_WORD_MEANS = (FastTextVectors, WordVectors)  # and no class of theirs that encodes otherwise
_BLOCK = 65_536  # words encoded at a time


def modules_of(names: Representation, also: Sequence[str]) -> Iterator[Module]:
    """Yield the steps of an encoder, see ``export.to_sentence_transformers``.

    Raises:
        ValueError: for a step that the library cannot express.
    """
    if isinstance(names, ChainedNames) and isinstance(names.encoder, TunedTransformer):
        assert isinstance(names.beneath, TransformerNames)  # noqa: S101 - what it can stand on
        yield from _transformer_modules(names.beneath, names.encoder.taken())
        yield unit_length()
    elif isinstance(names, ChainedNames) and isinstance(names.encoder, SmoothInverseFrequency):
        weighted = names.encoder
        if weighted.own_length:
            yield _word_sums(names.beneath, also, weighted.weights, weighted.common)
        else:
            yield _word_sums(names.beneath, also, weighted.weights)
            yield unit_length()
            yield from less_mean(weighted.common, torch.eye(names.dimension))
        yield unit_length()
    elif isinstance(names, ChainedNames):
        yield from modules_of(names.beneath, also)
        yield unit_length()
        yield from layers_of(names.encoder)
        yield unit_length()
    elif isinstance(names, TransformerNames):
        yield from _transformer_modules(names, {})
    elif type(names) in _WORD_MEANS:
        yield _word_sums(names, also, {})
    else:
        raise TrainerError(impossible(names))


def _transformer_modules(
    names: TransformerNames, weights: Mapping[str, Tensor]
) -> Iterator[Module]:
    def write(folder: Path) -> None:
        with quiet_transformers():
            names.model.save_pretrained(folder, state_dict={**names.model.state_dict(), **weights})
            names.tokenizer.save_pretrained(folder)
        give_usual_modes(folder)
        limits = {"max_seq_length": names.longest, "do_lower_case": False}
        write_json(folder / "sentence_bert_config.json", limits)

    first = names.pooling == "first"
    pooling = {
        "word_embedding_dimension": names.dimension,
        "pooling_mode_cls_token": first,
        "pooling_mode_mean_tokens": not first,
    }
    yield "Transformer", write
    yield "Pooling", lambda folder: write_json(folder / "config.json", pooling)


def _word_sums(
    names: Representation,
    also: Sequence[str],
    weights: Mapping[str, float],
    common: Tensor | None = None,
) -> Module:
    """Add the vectors of words up, each times its weight, or 1; means point where sums do.

    Args:
        names: word vectors.
        also: names whose words are taken along too.
        weights: of words.
        common: (d,) what is taken away from each word, which is then at unit length.

    Raises:
        ValueError: for anything but word vectors.
    """
    if not isinstance(names, _WORD_MEANS):
        raise TrainerError(impossible(names))
    known = [word for word in names.words if tokenize(word) == [word]]  # no other is ever looked up
    listed = set(known)
    more = [token for token in tokenize_all(also).tokens if token not in listed]
    composed = _encode_blocks(names, more)
    words = known + [word for word, row in zip(more, composed, strict=True) if row.any()]
    vectors = np.concatenate((_encode_blocks(names, known), composed[composed.any(axis=1)]))
    if common is not None:
        vectors = without(torch.from_numpy(vectors), common.cpu()).numpy()
    vectors *= np.array([weights.get(word, 1.0) for word in words], dtype=np.float32)[:, None]

    def write(folder: Path) -> None:
        save({"embedding.weight": torch.from_numpy(vectors)}, folder)
        write_json(folder / "tokenizer.json", tokenizer_of(words))

    return "StaticEmbedding", write


def _encode_blocks(names: Representation, words: Sequence[str]) -> Float32s:
    blocks = [names.encode(words[at : at + _BLOCK]) for at in range(0, len(words), _BLOCK)]
    return np.concatenate([np.zeros((0, names.dimension), dtype=np.float32), *blocks])


_MARK = "\u2581"  # before each word, so that a part of an unknown word is no known word
_CASED = r"[\p{Cased}&&\P{Case_Ignorable}]"
_FINAL_SIGMA = rf"(?<={_CASED}\p{{Case_Ignorable}}*)Σ(?!\p{{Case_Ignorable}}*{_CASED})"
"""Unicode's Final_Sigma, which becomes another letter in lower case."""


def tokenizer_of(words: Sequence[str]) -> dict[str, Any]:
    """Return our tokens as the library tokenizers writes them: known words, the others left out.

    Of its models only byte-pair encoding drops what it does not know; it has no pairs here.
    """
    pattern = r"[\p{L}\p{N}]+|[^\p{L}\p{N}\s]"  # as in ``trainer.text.tokenizer``
    lower = [
        {"type": "NFC"},
        {"type": "Replace", "pattern": {"Regex": _FINAL_SIGMA}, "content": "ς"},
        {"type": "Lowercase"},
    ]
    split = [
        {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Removed", "invert": True},
        {"type": "Metaspace", "replacement": _MARK, "prepend_scheme": "always", "split": False},
    ]
    vocabulary = {_MARK + word: row for row, word in enumerate(words)}
    return {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": {"type": "Sequence", "normalizers": lower},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": split},
        "model": {"type": "BPE", "ignore_merges": True, "vocab": vocabulary, "merges": []},
    }
