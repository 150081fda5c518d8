"""Steps that tests of spelled share with others."""

from __future__ import annotations

import numpy as np

from termexplorer.trainer.data.splits import Parts, concept_split
from termexplorer.trainer.text.names import LabelledNames

WIDTH = 12


_KINDS = ("acute", "chronic", "mild", "severe", "early", "late")


_ORGANS = [
    ("kidney", "renal", "nephric"),
    ("liver", "hepatic", "jecoral"),
    ("heart", "cardiac", "cordal"),
    ("lung", "pulmonary", "pneumonic"),
]


def word_pairs() -> tuple[LabelledNames, Parts, np.ndarray]:
    """Concepts of three names; what is the same is in their words alone, not in the vectors."""
    rows = [
        (f"{kind} {organ} {symptom}", f"{kind} {organs[0]} {symptom}")
        for organs in _ORGANS
        for organ in organs
        for kind in _KINDS
        for symptom in ("pain", "stone", "abscess", "cyst")
    ]
    names = [name for name, _ in rows]
    classes = tuple(dict.fromkeys(concept for _, concept in rows))
    labels = LabelledNames(
        tuple(names),
        classes,
        np.arange(len(names)),
        np.array([classes.index(concept) for _, concept in rows]),
    )
    vectors = np.random.default_rng(0).normal(size=(len(names), WIDTH)).astype(np.float32)
    return labels, concept_split(labels, 0.1, 0, 1, 0), vectors
