"""Vectors of names from a transformer encoder: the mean of a name's tokens, or the first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.representations.base import Float32s, Int64s, meta_of, texts_of

KIND = "transformer"
POOLINGS = ("mean", "first")
#: from this disk alone, and no code that a folder brings along
SAFELY = {"local_files_only": True, "trust_remote_code": False}
_LAYER = re.compile(r"\blayers?\.(\d+)\.")
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
        bfloat16: multiply in bfloat16 while names are encoded.
    """

    def __init__(self, model: Any, tokenizer: Any, pooling: str, longest: int):
        if pooling not in POOLINGS:
            raise TrainerError(
                "pooling is one of {poolings}, not {pooling!r}",
                poolings=", ".join(POOLINGS),
                pooling=pooling,
            )
        self.dimension = int(model.config.hidden_size)
        self.pooling, self.longest = pooling, longest
        self.model, self.tokenizer = model.eval().requires_grad_(False), tokenizer
        self.bfloat16 = False
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

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return torch.device(self.model.device)

    def to(self, device: torch.device) -> None:
        """Take its weights to a device."""
        self.model.to(device)

    def multiply_in(self, precision: str) -> None:
        """Take ``float32`` or ``bfloat16`` for the matrix products when names are encoded.

        Vectors in bfloat16 are at cosines of about .9999 to those in float32.
        """
        self.bfloat16 = precision == "bfloat16"

    def encode(self, names: Iterable[str]) -> Float32s:
        """Return (n, d) float32, in batches of names of about the same length."""
        return self.encode_with({}, texts_of(names))

    @torch.inference_mode()
    def encode_with(self, weights: Mapping[str, Tensor], names: Sequence[str]) -> Float32s:
        """Return (n, d) float32, with other weights in the place of some of the model's.

        Raises:
            torch.OutOfMemoryError: a GPU has no memory for one name.
        """
        vectors = np.zeros((len(names), self.dimension), dtype=np.float32)
        tokens = self.pieces(names)
        half = torch.autocast(self.device.type, torch.bfloat16, enabled=self.bfloat16)
        with half:
            for rows in batches([len(row) for row in tokens], self._marks):
                vectors[rows] = self._fitting([tokens[row] for row in rows], weights)
        return vectors

    def _fitting(self, tokens: Sequence[Sequence[int]], weights: Mapping[str, Tensor]) -> Float32s:
        """Return (b, d) as ``pooled``, of halves where a GPU has no memory for the whole.

        Raises:
            torch.OutOfMemoryError: it has none for one name.
        """
        try:
            vectors: Float32s = self.pooled(tokens, weights).cpu().numpy()
        except torch.OutOfMemoryError:
            if len(tokens) == 1:
                raise
        else:
            return vectors
        middle = len(tokens) // 2  # outside of the handler, which holds on to what was computed
        halves = (tokens[:middle], tokens[middle:])
        return np.concatenate([self._fitting(half, weights) for half in halves])

    def layers(self, count: int) -> dict[str, Tensor]:
        """Return the weights of the last layers, ``count`` if there are so many, by their names.

        Raises:
            ValueError: the model calls its layers otherwise than BERT and its kin.
        """
        weights_by_layer: dict[int, dict[str, Tensor]] = {}
        for name, weight in self.model.named_parameters():
            number = _LAYER.search(name)
            if number:
                weights_by_layer.setdefault(int(number[1]), {})[name] = weight
        if not weights_by_layer:
            raise TrainerError("no layers are found in the transformer; give one of BERT's kind")
        last = sorted(weights_by_layer)[-count:]
        return {
            name: weight for number in last for name, weight in weights_by_layer[number].items()
        }

    def pieces(self, names: Sequence[str], longest: int = 0) -> list[list[int]]:
        """Return the numbers of the tokens of each name, marks included.

        Args:
            names: n names.
            longest: where they are cut, if that is earlier than usual; 0: as usual.
        """
        if not names:
            return []
        cut = min(longest or self.longest, self.longest)
        token_ids: list[list[int]] = self.tokenizer(list(names), truncation=True, max_length=cut)[
            "input_ids"
        ]
        return token_ids

    def pooled(self, tokens: Sequence[Sequence[int]], weights: Mapping[str, Tensor]) -> Tensor:
        """Return (b, d) float32 for the tokens of some names.

        Args:
            tokens: of each of them.
            weights: by their names in the model, in the place of its own.
        """
        width, padding = max(map(len, tokens)), self.tokenizer.pad_token_id or 0
        ids = torch.tensor([[*row, *[padding] * (width - len(row))] for row in tokens])
        sizes = torch.tensor([len(row) for row in tokens])
        mask = torch.arange(width)[None, :] < sizes[:, None]
        read = {"input_ids": ids, "attention_mask": mask.long()}
        given = {name: tensor.to(self.device) for name, tensor in read.items()}
        output = torch.func.functional_call(self.model, dict(weights), kwargs=given)
        states: Tensor = output.last_hidden_state.float()  # (b, t, d)
        if self.pooling == "first":
            return states[:, 0]
        mask, sizes = mask.to(self.device), sizes.to(self.device)
        return (states * mask[:, :, None]).sum(1) / sizes[:, None]


def batches(sizes: Sequence[int], marks: int) -> Iterator[Int64s]:
    """Yield the rows of names that have a token, shortest first, as many as a batch holds.

    Args:
        sizes: tokens of each name, marks included.
        marks: how many of them are marks.
    """
    lengths = np.fromiter(sizes, np.int64, len(sizes))
    order = np.argsort(lengths, kind="stable")
    order = order[lengths[order] > marks]
    start = 0
    while start < len(order):
        padded = lengths[order[start:]] * np.arange(1, len(order) - start + 1)
        count = max(1, int(np.searchsorted(padded, _TOKENS, side="right")))
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
        raise TrainerError(
            "transformer folders need the package transformers; pip install "
            "'termexplorer[transformers]' (packages come without it)"
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
