"""Vectors of names from a transformer encoder: the mean of a name's tokens, or the first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor

from trainer.representations.base import Float32s, Int64s, meta_of

KIND = "transformer"
POOLINGS = ("mean", "first")
#: from this disk alone, and no code that a folder brings along
SAFELY = {"local_files_only": True, "trust_remote_code": False}
_TOKENS = 8192  # of a batch, padding included


class TransformerNames:
    """Vectors of names from the last layer of a transformer.

    Names are cut at ``longest`` tokens. A name without any token is a zero row.

    Attributes:
        dimension: the width d.
        pooling: ``mean`` of all tokens of a name, the marks at its two ends included, as
            sentence-transformers has it, or the ``first`` token, which is the mark at its start.
        longest: tokens of a name that are read, marks included.
        model: the library's model.
        tokenizer: and its tokenizer.
    """

    def __init__(self, model: Any, tokenizer: Any, pooling: str, longest: int):
        if pooling not in POOLINGS:
            raise ValueError(f"pooling is one of {', '.join(POOLINGS)}, not {pooling!r}")
        self.dimension = int(model.config.hidden_size)
        self.pooling, self.longest = pooling, longest
        self.model, self.tokenizer = model.eval(), tokenizer
        self._marks = int(tokenizer.num_special_tokens_to_add())

    @classmethod
    def load(cls, folder: Path, device: str = "cpu", *, verify: bool = True) -> Self:
        """Open a folder that ``transformer_folder.convert_folder`` has written.

        Raises:
            ValueError: for a folder of another kind, or one that has changed.
        """
        meta = meta_of(folder, KIND, verify=verify)
        with quiet_transformers() as transformers:
            model = transformers.AutoModel.from_pretrained(
                folder, use_safetensors=True, dtype=torch.float32, **SAFELY
            )
            tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **SAFELY)
        return cls(model.to(device), tokenizer, meta["pooling"], meta["longest"])

    def encode(self, names: Sequence[str]) -> Float32s:
        """Return (n, d) float32, in batches of names of about the same length."""
        vectors = np.zeros((len(names), self.dimension), dtype=np.float32)
        if not names:
            return vectors
        cut = {"truncation": True, "max_length": self.longest}
        tokens = self.tokenizer(list(names), **cut)["input_ids"]
        lengths = np.fromiter(map(len, tokens), np.int64, len(tokens))
        for rows in _batches(lengths, self._marks):
            vectors[rows] = self._pooled([tokens[row] for row in rows], int(lengths[rows].max()))
        return vectors

    @torch.inference_mode()
    def _pooled(self, tokens: Sequence[Sequence[int]], width: int) -> Float32s:
        """Return (b, d) for names of at most ``width`` tokens."""
        padding = self.tokenizer.pad_token_id or 0
        ids = torch.tensor([[*row, *[padding] * (width - len(row))] for row in tokens])
        sizes = torch.tensor([len(row) for row in tokens])
        mask = torch.arange(width)[None, :] < sizes[:, None]
        device = self.model.device
        states: Tensor = self.model(
            input_ids=ids.to(device), attention_mask=mask.long().to(device)
        ).last_hidden_state  # (b, t, d)
        if self.pooling == "first":
            return np.asarray(states[:, 0].cpu().numpy())
        means = (states * mask[:, :, None].to(device)).sum(1) / sizes[:, None].to(device)
        return np.asarray(means.cpu().numpy())


def _batches(lengths: Int64s, marks: int) -> Iterator[Int64s]:
    """Yield the rows of names that have a token, shortest first, as many as a batch holds."""
    order = np.argsort(lengths, kind="stable")
    order = order[lengths[order] > marks]
    start = 0
    while start < len(order):
        sizes = lengths[order[start:]] * np.arange(1, len(order) - start + 1)
        count = max(1, int(np.searchsorted(sizes, _TOKENS, side="right")))
        yield order[start : start + count]
        start += count


@contextmanager
def quiet_transformers() -> Iterator[Any]:
    """Yield the library ``transformers``, without its progress bars and advice.

    Raises:
        ValueError: where it is not installed.
    """
    try:
        import transformers
    except ImportError as error:
        raise ValueError(
            "transformer folders need the package transformers; "
            "pip install 'termexplorer[transformers]'"
        ) from error
    log: Any = transformers.utils.logging
    level, bars = log.get_verbosity(), log.is_progress_bar_enabled()
    log.set_verbosity_error()
    log.disable_progress_bar()
    try:
        yield transformers
    finally:
        log.set_verbosity(level)
        if bars:
            log.enable_progress_bar()
