"""Names read by a transformer of BERT's size, beside the library's batches of 32 as they come."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch

from termexplorer.bench.bounds import best_of_each, best_seconds
from termexplorer.bench.figure import BenchContext, BenchFigure, not_measured
from termexplorer.bench.name_vectors import icd10cm_names
from termexplorer.trainer.representations.base import Float32s
from termexplorer.trainer.representations.transformer import TransformerNames, quiet_transformers
from termexplorer.trainer.tensors.matmul_speed import bfloat16_pays
from termexplorer.trainer.text.tokenizer import tokenize_all

_EVERY, _FEWER, _BATCH = 200, 2, 32
_WIDTH, _INNER, _ROWS = 768, 3072, 512
_TOLERANCE = 1e-4
_ROUNDED_GOAL, _ALIKE = 1.5, 0.999
_WHAT = "names read by a transformer of BERT's size"


def run(context: BenchContext) -> list[BenchFigure]:
    """Measure some of ICD-10-CM's names, in float32, and in bfloat16 where that pays here."""
    if find_spec("transformers") is None:
        return [not_measured(_WHAT, "the package transformers is not installed")]
    names = icd10cm_names()[:: _EVERY * (_FEWER if context.quick else 1)]
    with tempfile.TemporaryDirectory() as folder:
        reader = _make_reader(names, Path(folder))
    ours, plain = best_of_each(
        [lambda: reader.encode(names), lambda: _read_plainly(reader, names)], 1
    )
    exact = reader.encode(names)
    error = float(np.abs(exact - _read_plainly(reader, names)).max())
    subject = f"{len(names):,} {_WHAT}"
    figures = [
        BenchFigure(
            f"{subject}, float32, largest difference {error:.0e}", ours, "s",
            f"batches of {_BATCH} as they come", plain, plain / ours,
            f"no slower, equal to {_TOLERANCE:.0e}",
            plain / ours >= 1 and error <= _TOLERANCE,
        )
    ]  # fmt: skip
    if not bfloat16_pays(_ROWS, _WIDTH, _INNER, "cpu"):
        return [*figures, not_measured(f"{subject}, bfloat16", "not offered here")]
    reader.multiply_in("bfloat16")
    rounded = best_seconds(lambda: reader.encode(names), 1)
    alike = float(_pairwise_cosines(exact, reader.encode(names)).min())
    return [
        *figures,
        BenchFigure(
            f"{subject}, bfloat16, least cosine {alike:.5f}", rounded, "s", "float32", ours,
            ours / rounded, f"at least {_ROUNDED_GOAL} times faster, cosines of {_ALIKE}",
            ours / rounded >= _ROUNDED_GOAL and alike >= _ALIKE,
        ),
    ]  # fmt: skip


def _make_reader(names: Sequence[str], folder: Path) -> TransformerNames:
    """Return a transformer of random weights whose pieces are the words of the names."""
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    (folder / "vocab.txt").write_text("\n".join([*marks, *tokenize_all(names).tokens]), "utf-8")
    torch.manual_seed(0)
    with quiet_transformers() as transformers:
        tokenizer = transformers.BertTokenizerFast(str(folder / "vocab.txt"))
        model = transformers.BertModel(transformers.BertConfig(vocab_size=len(tokenizer)))
    return TransformerNames(model, tokenizer, "mean", 128)


@torch.inference_mode()
def _read_plainly(reader: TransformerNames, names: Sequence[str]) -> Float32s:
    """Return the same the plain way."""
    read: Callable[..., Any] = reader.tokenizer
    means = []
    for start in range(0, len(names), _BATCH):
        given = read(list(names[start : start + _BATCH]), padding=True, return_tensors="pt")
        states, mask = reader.model(**given).last_hidden_state, given["attention_mask"][..., None]
        means.append((states * mask).sum(1) / mask.sum(1))
    return torch.cat(means).numpy()


def _pairwise_cosines(first: Float32s, second: Float32s) -> Float32s:
    lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    return np.asarray((first * second).sum(axis=1) / lengths)
