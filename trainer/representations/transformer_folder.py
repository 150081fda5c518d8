"""Our own copy of a Hugging Face folder, checked: weights as safetensors, and nothing executed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

from termexplorer.trainer.errors import Message, TrainerError
from termexplorer.trainer.files.folders import META, replacing
from termexplorer.trainer.files.tensor_files import give_usual_modes
from termexplorer.trainer.representations.transformer import (
    KIND,
    SAFELY,
    TransformerNames,
    quiet_transformers,
)

_LONGEST = 128  # tokens of a name, if the transformer takes as many
_FIRST_PLACES = 2  # RoBERTa and its kin count the places of tokens from here
_UNUSED = "pooler."  # a layer over the last one, which neither mean nor first token goes through
_MEND = Message("give an encoder of BERT's kind")


def convert_folder(source: Path, folder: Path, *, pooling: str = "mean") -> None:
    """Write our own copy of a folder that holds a transformer encoder.

    The source is what ``save_pretrained`` of the library transformers writes: ``config.json``,
    weights and a tokenizer. Weights that are a ``pytorch_model.bin`` are read by torch's
    restricted reader, which runs no code, and become safetensors. Names will be cut at 128 tokens.

    Args:
        source: a folder on this disk; nothing is fetched.
        folder: where the copy goes.
        pooling: ``mean`` or ``first``, see ``TransformerNames``.

    Raises:
        ValueError: for a folder without configuration, weights or tokenizer, a model that is no
            encoder of text, weights that do not fit or are not finite, and where the library
            transformers is not installed.
    """
    _check_files(source)
    with quiet_transformers() as transformers:
        config = _open_part(source, Message("configuration"), transformers.AutoConfig)
        _check_config(source, config)
        tokenizer = _open_part(source, Message("tokenizer"), transformers.AutoTokenizer)
        model = _open_model(source, transformers)
        names = TransformerNames(model, tokenizer, pooling, _longest_input(config, tokenizer))
        _check_encoder(source, names, model)
        meta = {
            "kind": KIND,
            "dimension": names.dimension,
            "pooling": pooling,
            "longest": names.longest,
            "source": source.resolve().name,
        }
        with replacing(folder, meta) as part:
            model.save_pretrained(part)
            tokenizer.save_pretrained(part)
            give_usual_modes(part)


def _check_files(source: Path) -> None:
    """Refuse a folder that lacks a part, before the library says so in its own words."""
    if not (source / "config.json").is_file():
        if (source / META).is_file() or any(source.glob(f"*/{META}")):
            raise TrainerError(
                "{source} holds an encoder that was saved or exported by this "
                "program, which is no transformer; it opens in Python, by "
                "trainer.load",
                source=source,
            )
        raise TrainerError(
            "{source} has no config.json; give the folder of a Hugging Face model, on this disk",
            source=source,
        )
    weights = ("model*.safetensors", "pytorch_model*.bin")
    if not any(any(source.glob(pattern)) for pattern in weights):
        raise TrainerError(
            "{source} has no weights; fetch model.safetensors (or pytorch_model.bin) of the model",
            source=source,
        )
    tokenizers = ("tokenizer.json", "vocab.txt", "vocab.json", "*.model")
    if not any(any(source.glob(pattern)) for pattern in tokenizers):
        raise TrainerError(
            "{source} has no tokenizer; fetch tokenizer.json or vocab.txt of it", source=source
        )


def _open_part(source: Path, part: str, opener: Any, **more: Any) -> Any:
    """Open a part of a folder; whatever the library raises is the folder's fault."""
    try:
        return opener.from_pretrained(source, **SAFELY, **more)
    except Exception as error:  # the library has no error of its own
        reason = str(error).strip().partition("\n")[0]
        raise TrainerError(
            "{source}: the {what} cannot be read: {reason}", source=source, what=part, reason=reason
        ) from error


def _check_config(source: Path, config: Any) -> None:
    if config.is_encoder_decoder or not hasattr(config, "vocab_size"):
        raise TrainerError(
            "{source} holds a {model_type} model, which is no encoder of text; {mend}",
            source=source,
            model_type=config.model_type,
            mend=_MEND,
        )


def _open_model(source: Path, transformers: Any) -> Any:
    """Open the weights and refuse those that leave a layer at random."""
    model, loading = _open_part(
        source,
        Message("model"),
        transformers.AutoModel,
        dtype=torch.float32,
        output_loading_info=True,
    )
    missing = sorted(key for key in loading["missing_keys"] if _UNUSED not in key)
    if missing or loading["mismatched_keys"]:
        raise TrainerError(
            "{source}: the weights do not fit config.json: {missing} are missing, "
            "such as {example}; fetch both from the same place",
            source=source,
            missing=len(missing),
            example=missing[:1],
        )
    if getattr(model, "pooler", None) is not None:
        model.pooler = None
    return model


def _longest_input(config: Any, tokenizer: Any) -> int:
    places = getattr(config, "max_position_embeddings", _LONGEST + _FIRST_PLACES)
    return min(_LONGEST, int(tokenizer.model_max_length), int(places) - _FIRST_PLACES)


def _check_encoder(source: Path, names: TransformerNames, model: Any) -> None:
    """Try it: two names that differ at their end, and one that is longer than any may be."""
    try:
        vectors = names.encode(["viral pneumonia", "a b " * names.longest])
        starts = model(input_ids=torch.tensor([[0, 1], [0, 2]])).last_hidden_state[:, 0]
    except Exception as error:  # whatever goes wrong within a model of an unknown kind
        raise TrainerError(
            "{source} cannot encode names: {error}; {mend}", source=source, error=error, mend=_MEND
        ) from error
    if not np.isfinite(vectors).all():
        raise TrainerError(
            "{source}: the weights are not all finite numbers; fetch them again", source=source
        )
    if torch.allclose(starts[0], starts[1], rtol=0, atol=1e-7):
        raise TrainerError(
            "{source} holds a model that reads from left to right only; {mend}",
            source=source,
            mend=_MEND,
        )
