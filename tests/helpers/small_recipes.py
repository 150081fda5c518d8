"""Every recipe on small data: settings, and what each is handed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from grounding_steps import synonym_sets
from judged_steps import judged
from spelled_steps import word_pairs
from tiny_transformer import write_bert
from trainer_toy import make_toy
from trainer_words import Words, parts_of, synonyms, vectors_of
from tuned_steps import sets

from termexplorer import trainer
from termexplorer.trainer.data.splits import concept_split, few_shot_split, hls_split
from termexplorer.trainer.recipes import RECIPES
from termexplorer.trainer.recipes.bne import BiomedicalNameEncoder
from termexplorer.trainer.recipes.bne_words import BiLSTMOverWords
from termexplorer.trainer.recipes.cca import CanonicalCorrelation
from termexplorer.trainer.recipes.contrastive import Contrastive
from termexplorer.trainer.recipes.dan import DeepAveraging
from termexplorer.trainer.recipes.few_shot import FewShot
from termexplorer.trainer.recipes.grounding import ConceptualGrounding
from termexplorer.trainer.recipes.judged import Judged
from termexplorer.trainer.recipes.paraphrase import Paraphrase
from termexplorer.trainer.recipes.sif import WeightedWords
from termexplorer.trainer.recipes.spelled import ContrastiveSpelled
from termexplorer.trainer.recipes.tuned import Tuned
from termexplorer.trainer.recipes.whitening import Whiten
from termexplorer.trainer.representations.transformer import TransformerNames
from termexplorer.trainer.representations.transformer_folder import convert_folder
from termexplorer.trainer.text.names import LabelledNames
from termexplorer.trainer.training.epochs import EpochReport
from termexplorer.trainer.training.run import train as train_epochs

_EPOCHS: dict[str, Any] = {"hidden": 32, "maximum_epochs": 3}
_WORDS: dict[str, Any] = {"hidden": 16, "batch": 16, "maximum_epochs": 2}
SMALL: dict[str, Any] = {
    "few-shot": replace(FewShot.paper(), **_EPOCHS),
    "dan": replace(DeepAveraging.paper(), **_EPOCHS),
    "conceptual-grounding": replace(ConceptualGrounding.quick(), precision="float32", **_EPOCHS),
    "contrastive": replace(Contrastive.quick(), batch=32, precision="float32", **_EPOCHS),
    "contrastive-spelled": replace(
        ContrastiveSpelled.quick(), width=16, batch=64, precision="float32", **_EPOCHS
    ),
    "tuned": Tuned(layers=1, batch=8, learning_rate=0.01, maximum_epochs=3, precision="float32"),
    "cca": CanonicalCorrelation(),
    "sif": WeightedWords(),
    "whitening": Whiten(),
    "bne": replace(BiomedicalNameEncoder.quick(), characters=6, spelling=5, **_WORDS),
    "bne-words": replace(BiLSTMOverWords.quick(), **_WORDS),
    "paraphrase": replace(Paraphrase.quick(), **_WORDS),
    "judged": replace(Judged.quick(), names=2, hidden=64, maximum_epochs=3),
}
OF_WORDS = ("sif", "bne", "bne-words", "paraphrase")


@dataclass(frozen=True)
class Given:
    """What a recipe is handed."""

    labels: LabelledNames
    parts: np.ndarray
    vectors: np.ndarray
    more: dict[str, Any]


def write_transformer(folder: Path) -> Path:
    """Write a tiny transformer as the program keeps one; return its folder."""
    write_bert(folder / "tiny")
    convert_folder(folder / "tiny", folder / "copy")
    return folder / "copy"


def give(name: str, transformer: Path) -> Given:
    """Return what a recipe is handed."""
    if name in OF_WORDS:
        labels = synonyms(30)
        vectors = vectors_of(labels.names)
        return Given(labels, parts_of(labels), vectors, {"source": Words()})
    if name == "tuned":
        source = TransformerNames.load(transformer)  # as the program opens it
        labels, parts = sets()
        return Given(labels, parts, source.encode(labels.names), {"source": source})
    if name == "contrastive-spelled":
        return Given(*word_pairs(), {})
    if RECIPES[name].group in (trainer.recipes.SHOTS, trainer.recipes.LEVEL):
        toy = make_toy(240, 6, 16, 20)
        few_shot = name == "few-shot"
        parts = few_shot_split(toy.labels, 5, 0) if few_shot else hls_split(toy.labels, 2, 3, 0)
        return Given(toy.labels, parts, toy.vectors, {})
    labels, vectors = synonym_sets()
    more = {"judged": judged()} if name == "judged" else {}
    return Given(labels, concept_split(labels, 0.1, 1, 1, 0), vectors, more)


def run_recipe(
    recipe: Any, given: Given, folder: Path, device: str, **more: Any
) -> list[EpochReport]:
    """Train to the end; return all reports."""
    options = {"seed": 7, "device": device, "state_dir": folder, **given.more, **more}
    return list(train_epochs(recipe, given.labels, given.parts, given.vectors, **options))
