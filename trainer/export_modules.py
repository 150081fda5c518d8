"""The steps of an encoder of names as modules of the library sentence-transformers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from trainer.encoders import Encoder, WordEncoder
from trainer.encoders.network import FeedForwardEncoder
from trainer.representations.base import Float32s, Representation
from trainer.representations.chained import ChainedNames
from trainer.representations.fasttext_matrices import FastTextVectors
from trainer.representations.transformer import TransformerNames, quiet_transformers
from trainer.representations.word_vectors import WordVectors
from trainer.tokenizer import tokenize, tokenize_all

Module = tuple[str, Callable[[Path], None]]  # its class there, and what writes its folder

_BLOCK = 65_536  # words encoded at a time
_RELU, _CLAMP = "torch.nn.modules.activation.ReLU", "torch.nn.modules.activation.Hardtanh"
_NOTHING = "torch.nn.modules.linear.Identity"


def modules_of(names: Representation, also: Sequence[str]) -> Iterator[Module]:
    """Yield the steps of an encoder, see ``export.to_sentence_transformers``.

    Raises:
        ValueError: for a step that the library cannot express.
    """
    if isinstance(names, ChainedNames):
        yield from modules_of(names.beneath, also)
        yield _unit()
        yield from _network(names.encoder)
        yield _unit()
    elif isinstance(names, TransformerNames):
        yield from _transformer(names)
    elif isinstance(names, FastTextVectors | WordVectors):
        yield _word_means(names, also)
    else:
        raise ValueError(_impossible(names))


def _impossible(what: object) -> str:
    return (
        f"sentence-transformers has no modules for {type(what).__name__}; word vectors, "
        "transformers and trained feed-forward encoders over these can be exported"
    )


def _unit() -> Module:
    return "Normalize", lambda place: write_json(place / "config.json", {})


def _transformer(names: TransformerNames) -> Iterator[Module]:
    def write(place: Path) -> None:
        with quiet_transformers():
            names.model.save_pretrained(place)
            names.tokenizer.save_pretrained(place)
        limits = {"max_seq_length": names.longest, "do_lower_case": False}
        write_json(place / "sentence_bert_config.json", limits)

    first = names.pooling == "first"
    pooling = {
        "word_embedding_dimension": names.dimension,
        "pooling_mode_cls_token": first,
        "pooling_mode_mean_tokens": not first,
    }
    yield "Transformer", write
    yield "Pooling", lambda place: write_json(place / "config.json", pooling)


def _word_means(names: FastTextVectors | WordVectors, also: Sequence[str]) -> Module:
    known = [word for word in names.words if tokenize(word) == [word]]  # no other is ever looked up
    listed = set(known)
    more = [token for token in tokenize_all(also).tokens if token not in listed]
    composed = _encoded(names, more)
    words = known + [word for word, row in zip(more, composed, strict=True) if row.any()]
    vectors = np.concatenate((_encoded(names, known), composed[composed.any(axis=1)]))

    def write(place: Path) -> None:
        _save({"embedding.weight": torch.from_numpy(vectors)}, place)
        write_json(place / "tokenizer.json", tokenizer_of(words))

    return "StaticEmbedding", write


def _encoded(names: Representation, words: Sequence[str]) -> Float32s:
    blocks = [names.encode(words[at : at + _BLOCK]) for at in range(0, len(words), _BLOCK)]
    return np.concatenate([np.zeros((0, names.dimension), dtype=np.float32), *blocks])


_MARK = "\u2581"  # before each word, so that a part of an unknown word is no known word
_FINAL_SIGMA = r"(?<=\p{L})Σ(?!\p{L})"  # becomes another letter in lower case


def tokenizer_of(words: Sequence[str]) -> dict[str, Any]:
    """Return our tokens as the library tokenizers writes them: known words, the others left out.

    Of its models only byte-pair encoding drops what it does not know; it has no pairs here.
    """
    pattern = r"[\p{L}\p{N}]+|[^\p{L}\p{N}\s]"  # as in ``trainer.tokenizer``
    lower = [
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


def _network(encoder: Encoder | WordEncoder) -> Iterator[Module]:
    """Yield dense layers that compute what a feed-forward encoder does, zero for zero.

    No layer has a bias: a constant 1, which is 0 for a zero row, goes along in its place. The first
    two layers add it to u, from ``relu(u)`` and ``relu(-u)``, which also carry u past the hidden
    layer.
    """
    if not isinstance(encoder, FeedForwardEncoder):
        raise ValueError(_impossible(encoder))
    w1, b1, w2, b2 = (weight.detach().cpu() for weight in encoder.parameters())
    d = encoder.dimension
    eye, none, one = torch.eye(d), torch.zeros(d, d), torch.ones(1, 1)
    signs = torch.cat((eye, -eye))  # (2d, d)
    constant = torch.full((1, 2 * d), 2.0)  # the sum of absolute values of u is at least 1
    past = torch.cat((signs, torch.zeros(2 * d, 1)), dim=1)
    last = torch.cat((torch.zeros(1, d), one), dim=1)
    own, carried = encoder.join(eye, none), encoder.join(none, eye)
    yield _dense(signs, _RELU)
    yield _dense(torch.cat((signs.T, constant)), _CLAMP)  # (d + 1, 2d)
    yield _dense(torch.cat((torch.cat((w1, b1[:, None]), dim=1), past, last)), _RELU)
    yield _dense(torch.cat((own @ w2.T, carried, -carried, own @ b2[:, None]), dim=1), _NOTHING)


def _dense(weight: Tensor, activation: str) -> Module:
    config = {
        "in_features": weight.shape[1],
        "out_features": weight.shape[0],
        "bias": False,
        "activation_function": activation,
    }

    def write(place: Path) -> None:
        write_json(place / "config.json", config)
        _save({"linear.weight": weight.contiguous()}, place)

    return "Dense", write


def _save(tensors: dict[str, Tensor], place: Path) -> None:
    from safetensors.torch import save_file

    save_file(tensors, place / "model.safetensors")


def write_json(path: Path, content: object) -> None:
    """Write JSON that a reader can understand."""
    text = json.dumps(content, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
