"""Folders of small random transformers, as the library transformers writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch

from termexplorer.trainer.representations.transformer import quiet_transformers

WORDS = ["viral", "pneumonia", "acute", "chronic", "fever", "of", "the", "lung", "##s", "##itis"]
MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
SIZES = {
    "vocab_size": len(MARKS) + len(WORDS),
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 24,
}


def write_tokenizer(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("".join(f"{word}\n" for word in [*MARKS, *WORDS]))
    settings = {"tokenizer_class": "BertTokenizer", "model_max_length": 24}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))


def write_model(folder: Path, model: Any) -> Any:
    """Write the model, with the tokenizer of all models here, and return it ready to use."""
    write_tokenizer(folder)
    with quiet_transformers():
        model.save_pretrained(folder)
    return model.eval()


def write_bert(folder: Path, **sizes: int) -> Any:
    from transformers import BertConfig, BertModel

    torch.manual_seed(0)
    return write_model(folder, BertModel(BertConfig(**{**SIZES, **sizes})))
