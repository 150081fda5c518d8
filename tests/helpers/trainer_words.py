"""Synonyms that share words, and word vectors that depend on the word alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from termexplorer.trainer.data.splits import TRAIN, VALIDATION
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.data.words import NameWords
from termexplorer.trainer.text.names import LabelledNames

CPU = torch.device("cpu")
WIDTH = 12


class Words:
    """Word vectors that depend on the word alone; words with a digit are unknown."""

    def token_vectors(self, tokens: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        known = np.array([token.isalpha() for token in tokens], dtype=np.bool_)
        vectors = np.zeros((len(tokens), WIDTH), dtype=np.float32)
        for row, token in enumerate(tokens):
            if known[row]:
                rng = np.random.default_rng(list(token.encode()))
                vectors[row] = rng.normal(size=WIDTH)
        return vectors, known


def synonyms(concepts: int) -> LabelledNames:
    """Four names a concept, which share one word of its own and have others in common."""
    common = ["acute", "chronic", "disease", "disorder of the", "type 2", "viral"]
    letters = "abcdefghijklmnopqrstuvwxyz"
    names, of = [], []
    for concept in range(concepts):
        rare_word = letters[concept % 26] * 2 + letters[concept // 26] + "itis"
        for number in range(4):
            names.append(f"{common[(concept + number) % 6]} {rare_word}")
            of.append(concept)
    classes = tuple(f"c{number}" for number in range(concepts))
    return LabelledNames(tuple(names), classes, np.arange(len(names)), np.array(of))


def parts_of(labels: LabelledNames) -> np.ndarray:
    every = np.arange(len(labels.names))
    return np.where(every % 4 == 3, VALIDATION, TRAIN).astype(np.uint8)


def vectors_of(names: Sequence[str]) -> np.ndarray:
    return NameWords.of_names(names, Words(), "", CPU).means().numpy()


def data_of(labels: LabelledNames) -> TrainingData:
    parts = parts_of(labels)
    return TrainingData.prepare(labels, parts, vectors_of(labels.names), CPU, Words())
