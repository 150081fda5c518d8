"""A BiLSTM over characters and words, held to meaning by concepts and contexts ([BNE])."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import torch
from torch import Tensor
from torch.nn.functional import softplus

from termexplorer.trainer.data.sampling import apart
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders.base import TrainingStep
from termexplorer.trainer.encoders.recurrent import RecurrentEncoder, Sizes
from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.recipes.base import Plan, Tick, setting
from termexplorer.trainer.recipes.common import check_settings
from termexplorer.trainer.recipes.ranges import AT_LEAST_ONE, POSITIVE, SHARE
from termexplorer.trainer.recipes.recurrent import (
    ReadsWords,
    concept_means,
    drawn_in_batch,
    synonym_plan,
    training_words,
)
from termexplorer.trainer.tensors.objectives import masked_mean, taken
from termexplorer.trainer.tensors.random_state import RandomState


@dataclass(frozen=True)
class BiomedicalNameEncoder(ReadsWords):
    """The hyper-parameters of [BNE]; see ``paper`` and ``quick``.

    Of the targets, ``words`` is option 2 of the paper and ``own`` its option 1. The paper stops on
    the accuracy of normalisation; here it is the mAP of validation names, since a terminology comes
    without mentions.
    """

    name: ClassVar[str] = "bne"

    hidden: int = setting(
        200, "States of the BiLSTM over words, in each direction", within=AT_LEAST_ONE
    )
    characters: int = setting(50, "Width of the vectors of characters; 0 leaves the spelling out")
    spelling: int = setting(
        200, "States of the BiLSTM over characters, in each direction", within=AT_LEAST_ONE
    )
    dropout: float = setting(
        0.5, "Share of inputs of both layers left out at random in each step", within=SHARE
    )
    learning_rate: float = setting(0.001, "Step size of Adam", within=POSITIVE)
    batch: int = setting(64, "Names in a step; negatives are drawn among them", within=AT_LEAST_ONE)
    synonym_weight: float = setting(1.0, "Weight of the loss that brings synonyms together")
    concept_weight: float = setting(
        1.0, "Weight of the loss that draws names to the target of their concept"
    )
    context_weight: float = setting(
        1.0, "Weight of the loss that keeps names near their own target"
    )
    targets: str = setting(
        "words",
        "What names are drawn to: means of vectors of words; or own vectors of names and concepts,"
        " of skip-grams (SGS.C) trained on text in which these are marked",
        ("words", "own"),
    )
    patience: int = setting(
        5, "Stop after this many epochs without a better validation mAP", within=AT_LEAST_ONE
    )
    maximum_epochs: int = setting(200, "No run is longer", within=AT_LEAST_ONE)

    def __post_init__(self) -> None:
        check_settings(self, ("synonym_weight", "concept_weight", "context_weight"))

    @classmethod
    def paper(cls) -> BiomedicalNameEncoder:
        """Return the settings of the paper."""
        return cls()

    @classmethod
    def quick(cls) -> BiomedicalNameEncoder:
        """Return settings for two cores: smaller layers, larger batches and steps."""
        return cls(
            hidden=100, characters=25, spelling=50, batch=256, learning_rate=0.002, patience=3
        )

    def prepared(self, data: TrainingData) -> TrainingData:
        """Put the contexts ``q(s)`` and concepts ``g(c)`` in the place of vectors ([BNE] 3.2).

        They are taken as they are, not at unit length: all losses are of dot products. Where a name
        was too rare in the text to have a vector of its own, of which the paper does not speak,
        that of option 2 stands in, and for a concept the mean of its names' vectors: all are of
        one space.

        Raises:
            ValueError: there are to be own vectors, and the vectors beneath have none.
        """
        contexts = training_words(data).means()
        if self.targets == "words":
            return replace(data, names=contexts, prototypes=concept_means(data, contexts))
        if data.marked is None:
            raise TrainerError(
                "these vectors are of words alone, so that names and concepts have "
                "none of their own; take skip-grams (SGS.C) of a text in which "
                "both are marked, or the means of words as targets"
            )
        contexts = data.marked.names_or(contexts)
        concepts = data.marked.concepts_or(concept_means(data, contexts))
        return replace(data, names=contexts, prototypes=concepts)

    def encoder(self, data: TrainingData, noise: RandomState) -> RecurrentEncoder:
        """Return the encoder of [BNE] 3.2 before training; names come out as wide as words."""
        words = training_words(data)
        width = words.vectors.shape[1]
        sizes = Sizes(width, self.hidden, width, self.characters, self.spelling)
        return RecurrentEncoder.initial(sizes, words.alphabet, noise)

    def plan(
        self, data: TrainingData, encoder: RecurrentEncoder, noise: RandomState, tick: Tick
    ) -> Plan:
        """Draw a synonym for each name, and shuffle."""
        return synonym_plan(data, noise)

    def losses(
        self, data: TrainingData, batch: Plan, forward: TrainingStep, noise: RandomState
    ) -> dict[str, Tensor]:
        """Return ``L_syn``, ``L_def`` and ``L_ctx`` ([BNE] eq. 3 to 6, in their logistic form).

        Of each, a name has one positive and one negative from the batch, drawn for that loss.
        """
        anchor = batch["anchor"]
        encoded, positive = _encode_pairs(batch, forward, paired=bool(self.synonym_weight))
        contexts, concepts = data.names[anchor], data.prototypes[batch["class"]]
        everyone = torch.ones_like(anchor)
        terms = {
            "synonym": (self.synonym_weight, positive, encoded, batch["paired"]),
            "concept": (self.concept_weight, concepts, concepts, everyone),
            "context": (self.context_weight, contexts, contexts, everyone),
        }
        allowed, losses = apart(data, anchor, anchor), {}
        for name, (weight, own_vectors, other_vectors, counted) in terms.items():
            if weight:
                negative, has_negative = drawn_in_batch(allowed, noise)
                near = masked_mean(logistic(encoded, own_vectors), counted)
                far = masked_mean(logistic(encoded, -taken(other_vectors, negative)), has_negative)
                losses[name] = weight * (near + far)
        return losses


def logistic(left: Tensor, right: Tensor) -> Tensor:
    """Return ``log(1 + exp(-left . right))`` of the rows of two (n, d) tensors ([BNE] 3.2)."""
    return softplus(-(left * right).sum(1))


def _encode_pairs(batch: Plan, forward: TrainingStep, *, paired: bool) -> tuple[Tensor, Tensor]:
    """Encode the anchors, and their synonyms where those are wanted; else the anchors again."""
    if not paired:
        anchors = forward(batch["anchor"])
        return anchors, anchors
    anchors, positives = forward(torch.cat((batch["anchor"], batch["positive"]))).chunk(2)
    return anchors, positives
