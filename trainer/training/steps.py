"""The steps of a run, each of them one of Adam; on a graphics processor recorded and replayed."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders.base import Trainable
from termexplorer.trainer.recipes.base import Plan, Recipe
from termexplorer.trainer.tensors.adam import Adam
from termexplorer.trainer.tensors.random_state import RandomState

_FIRST = 3  # steps before the recording, in which the libraries set themselves up


class OptimizerSteps:
    """Takes steps, and says what the losses were.

    A graphics processor is done with a step's hundreds of small operations sooner than they can be
    asked of it one by one. Where all steps of a recipe do the same ones (``recordable``), these are
    recorded once, as a CUDA graph, and asked for as a whole from then on. Each replay draws the
    random numbers that come next, so that the figures are those of single operations.
    """

    def __init__(
        self,
        recipe: Recipe[Any],
        data: TrainingData,
        encoder: Trainable,
        adam: Adam,
        noise: RandomState,
    ) -> None:
        self._recipe, self._data, self._noise = recipe, data, noise
        self._encoder, self._adam = encoder, adam
        on_cuda = data.names.device.type == "cuda"
        self._recordable = on_cuda and recipe.recordable and encoder.ranks is None
        self._taken = 0
        self._graph: Any = None
        self._batch: Plan = {}
        self._losses: dict[str, Tensor] = {}

    def take(self, batch: Plan, *, whole: bool) -> dict[str, Tensor]:
        """Take one step; return the parts of the loss, which the next step may write over.

        Args:
            batch: a part of the plan.
            whole: whether it has as many items as the others have; the last one may have fewer.
        """
        if not (whole and self._recordable):
            return self._take(batch)
        if self._taken < _FIRST:
            self._taken += 1
            return self._take(batch)
        if self._graph is None:
            self._record(batch)
        for name, column in batch.items():
            self._batch[name].copy_(column)
        self._graph.replay()
        return self._losses

    def _record(self, batch: Plan) -> None:
        """Record a step on a batch that others are then written over."""
        self._batch = {name: column.clone() for name, column in batch.items()}
        graph: Any = torch.cuda.CUDAGraph()
        graph.register_generator_state(self._noise.torch)
        with torch.cuda.graph(graph):
            self._losses = self._take(self._batch)
        self._graph = graph

    def _take(self, batch: Plan) -> dict[str, Tensor]:
        step = self._encoder.step(self._data, self._noise, self._recipe.dropout)
        losses = self._recipe.losses(self._data, batch, step, self._noise)
        torch.autograd.backward(torch.stack(list(losses.values())).sum())
        step.backward()
        self._adam.step()
        return {name: loss.detach() for name, loss in losses.items()}
