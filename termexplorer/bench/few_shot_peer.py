"""A plain PyTorch loop of the few-shot authors' rule, to compare with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import normalize, relu

from termexplorer.trainer.data.splits import TRAIN, VALIDATION
from termexplorer.trainer.text.names import LabelledNames

_BATCH, _MARGIN, _LOOK_BACK, _LEAST, _MOST = 16, 0.1, 9, 11, 1000


@dataclass(frozen=True, eq=False)
class _SplitNames:
    """Training and validation names, with their classes."""

    training: Tensor  # (t, d) at unit length
    validation: Tensor  # (v, d) at unit length
    classes: Tensor  # (t,)
    validation_classes: Tensor  # (v,)
    prototypes: Tensor  # (c, d) at unit length

    @classmethod
    def of(cls, labels: LabelledNames, parts: NDArray[np.uint8], vectors: Tensor) -> _SplitNames:
        number = np.zeros(len(labels.names), dtype=np.int64)
        number[labels.name_index] = labels.class_index
        train, held_out = np.flatnonzero(parts == TRAIN), np.flatnonzero(parts == VALIDATION)
        classes = torch.from_numpy(number[train])
        means = [vectors[train][classes == c].mean(0) for c in range(len(labels.classes))]
        return cls(
            normalize(vectors[train]),
            normalize(vectors[held_out]),
            classes,
            torch.from_numpy(number[held_out]),
            normalize(torch.stack(means)),
        )


class _Encoder(nn.Module):
    def __init__(self, width: int, hidden: int):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(width, hidden), nn.ReLU(), nn.Dropout(0.5), nn.Linear(hidden, width)
        )

    def forward(self, rows: Tensor) -> Tensor:
        output: Tensor = (self.layers(rows) + rows) / 2
        return output


def train_plainly(
    labels: LabelledNames,
    parts: NDArray[np.uint8],
    vectors: NDArray[np.float32],
    seed: int,
    hidden: int = 9600,
) -> tuple[Callable[[NDArray[np.float32]], NDArray[np.float32]], int]:
    """Train by the authors' rule: batches of 16 anchors, every pair, hinge on the batch means.

    Returns:
        A function that encodes (n, d) vectors, and the number of epochs.
    """
    torch.manual_seed(seed)
    names = _SplitNames.of(labels, parts, torch.from_numpy(vectors))
    encoder = _Encoder(vectors.shape[1], hidden)
    adam = torch.optim.Adam(encoder.parameters(), lr=0.001, fused=True)
    losses: list[float] = []
    best = {}
    while not _should_stop(losses):
        of_training, of_validation = _draw_batch_negatives(names, encoder)
        encoder.train()
        for batch in _split_batches(torch.randperm(len(names.training))):
            adam.zero_grad()
            loss = _batch_loss(encoder, names, batch, of_training, validation=False)
            torch.autograd.backward(loss)
            adam.step()
        with torch.no_grad():
            everyone = _split_batches(torch.arange(len(names.validation)))
            batch_losses = [
                _batch_loss(encoder, names, b, of_validation, validation=True) for b in everyone
            ]
        losses.append(float(torch.stack(batch_losses).mean()))
        if losses[-1] == min(losses):
            best = {key: value.clone() for key, value in encoder.state_dict().items()}
    encoder.load_state_dict(best)
    encoder.eval()
    return lambda rows: encode(encoder, rows), len(losses)


def _split_batches(order: Tensor) -> list[Tensor]:
    return [order[start : start + _BATCH] for start in range(0, len(order), _BATCH)]


@torch.no_grad()
def encode(encoder: nn.Module, rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Encode vectors of any length."""
    encoded: NDArray[np.float32] = encoder(normalize(torch.from_numpy(rows))).numpy()
    return encoded


def _should_stop(losses: list[float]) -> bool:
    if len(losses) < _LEAST:
        return False
    return len(losses) >= _MOST or losses[-1] >= losses[-1 - _LOOK_BACK]


@torch.no_grad()
def _draw_batch_negatives(names: _SplitNames, encoder: nn.Module) -> tuple[Tensor, Tensor]:
    """Draw a negative for each training and each validation name, by distance weighting."""
    encoder.eval()
    training = normalize(encoder(names.training))
    validation = normalize(encoder(names.validation))

    def draw(anchors: Tensor, classes: Tensor) -> Tensor:
        weights = 1 / (1 - anchors @ training.T).clamp(1e-9, 1)
        weights[classes[:, None] == names.classes[None, :]] = 0
        return torch.multinomial(weights, 1).squeeze(1)

    return draw(training, names.classes), draw(validation, names.validation_classes)


def _batch_loss(
    encoder: nn.Module, names: _SplitNames, batch: Tensor, negatives: Tensor, *, validation: bool
) -> Tensor:
    """Return the loss of some anchors, each with every training name of its class."""
    rows = names.validation if validation else names.training
    classes = names.validation_classes if validation else names.classes
    same = classes[batch][:, None] == names.classes[None, :]
    if not validation:
        same[torch.arange(len(batch)), batch] = False
    item, positive = same.nonzero(as_tuple=True)
    anchor = rows[batch[item]]
    f_anchor = encoder(anchor)
    f_positive = encoder(names.training[positive])
    f_negative = encoder(names.training[negatives[batch[item]]])
    hinge = relu(
        _mean_distance(f_anchor, f_positive) - _mean_distance(f_anchor, f_negative) + _MARGIN
    )
    target = (anchor + names.prototypes[classes[batch[item]]]) / 2
    return hinge + _mean_distance(f_anchor, target)


def _mean_distance(left: Tensor, right: Tensor) -> Tensor:
    return 1 - (normalize(left) * normalize(right)).sum(1).mean()
