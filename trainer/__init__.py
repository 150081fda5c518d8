"""Headless library: names in, encoders, rankings and figures out.

Everything here is imported when it is first asked for: ``from termexplorer import trainer`` alone
costs nothing.

Names in classes, vectors, a run, and its figures::

    trainer.convert("wiki.vec", "vectors/wiki")
    names = trainer.labelled({"Infections": ["measles", "mumps", ...], "Injuries": [...]})
    data = trainer.Data(names, trainer.few_shot_split(names, shots=2, seed=0), "vectors/wiki")
    reports = list(trainer.train(trainer.FewShot.quick(), data, state_dir="runs/first"))
    figures = trainer.evaluate("ranking", trainer.load("runs/first"), data)

What there is:
    Data: `labelled`, `LabelledNames`, `Data`, `concept_split`, `few_shot_split`, `hls_split`,
        `read_pairs`, `PairSet`, `JudgedPairs`, `split_pairs`.
    Encoders: `builtin`, `load`, `convert`, `export`; each has ``encode(names)``, which gives
        (n, d) float32.
    Training: `train`, `Training`, and a recipe: `FewShot`, `DeepAveraging`, `ConceptualGrounding`,
        `CanonicalCorrelation`, `Contrastive`, `ContrastiveSpelled`, `Tuned`, `Judged`,
        `BiomedicalNameEncoder`, `BiLSTMOverWords`, `Paraphrase`, `WeightedWords`, `Whiten`.
    Figures: `evaluate`, by the task's name; `Blended`, an encoder with TF-IDF beside it.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from termexplorer.trainer import export as export
    from termexplorer.trainer.built_in import builtin as builtin
    from termexplorer.trainer.data.judged_pairs import JudgedPairs as JudgedPairs
    from termexplorer.trainer.data.judged_pairs import split_pairs as split_pairs
    from termexplorer.trainer.data.splits import concept_split as concept_split
    from termexplorer.trainer.data.splits import few_shot_split as few_shot_split
    from termexplorer.trainer.data.splits import hls_split as hls_split
    from termexplorer.trainer.evaluation.similarities import Blended as Blended
    from termexplorer.trainer.files.pairs import PairSet as PairSet
    from termexplorer.trainer.files.pairs import read_pairs as read_pairs
    from termexplorer.trainer.notebook import Data as Data
    from termexplorer.trainer.notebook import Training as Training
    from termexplorer.trainer.notebook import labelled as labelled
    from termexplorer.trainer.notebook import load as load
    from termexplorer.trainer.notebook import train as train
    from termexplorer.trainer.recipes.bne import BiomedicalNameEncoder as BiomedicalNameEncoder
    from termexplorer.trainer.recipes.bne_words import BiLSTMOverWords as BiLSTMOverWords
    from termexplorer.trainer.recipes.cca import CanonicalCorrelation as CanonicalCorrelation
    from termexplorer.trainer.recipes.contrastive import Contrastive as Contrastive
    from termexplorer.trainer.recipes.dan import DeepAveraging as DeepAveraging
    from termexplorer.trainer.recipes.few_shot import FewShot as FewShot
    from termexplorer.trainer.recipes.grounding import ConceptualGrounding as ConceptualGrounding
    from termexplorer.trainer.recipes.judged import Judged as Judged
    from termexplorer.trainer.recipes.paraphrase import Paraphrase as Paraphrase
    from termexplorer.trainer.recipes.sif import WeightedWords as WeightedWords
    from termexplorer.trainer.recipes.spelled import ContrastiveSpelled as ContrastiveSpelled
    from termexplorer.trainer.recipes.tuned import Tuned as Tuned
    from termexplorer.trainer.recipes.whitening import Whiten as Whiten
    from termexplorer.trainer.representations import convert as convert
    from termexplorer.trainer.tasks import evaluate as evaluate
    from termexplorer.trainer.text.names import LabelledNames as LabelledNames

_HOMES = {
    "builtin": "built_in",
    "convert": "representations",
    "load": "notebook",
    "labelled": "notebook",
    "read_pairs": "files.pairs",
    "concept_split": "data.splits",
    "few_shot_split": "data.splits",
    "hls_split": "data.splits",
    "train": "notebook",
    "evaluate": "tasks",
    "Blended": "evaluation.similarities",
    "BiLSTMOverWords": "recipes.bne_words",
    "BiomedicalNameEncoder": "recipes.bne",
    "CanonicalCorrelation": "recipes.cca",
    "ConceptualGrounding": "recipes.grounding",
    "Contrastive": "recipes.contrastive",
    "ContrastiveSpelled": "recipes.spelled",
    "Data": "notebook",
    "DeepAveraging": "recipes.dan",
    "FewShot": "recipes.few_shot",
    "Judged": "recipes.judged",
    "JudgedPairs": "data.judged_pairs",
    "split_pairs": "data.judged_pairs",
    "LabelledNames": "text.names",
    "PairSet": "files.pairs",
    "Paraphrase": "recipes.paraphrase",
    "Training": "notebook",
    "Tuned": "recipes.tuned",
    "WeightedWords": "recipes.sif",
    "Whiten": "recipes.whitening",
    "export": "export",
}


__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """Import a name from its home (PEP 562)."""
    if name == "__version__":
        return version("termexplorer")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(f"termexplorer.trainer.{_HOMES[name]}")
    value = home if name == _HOMES[name] else getattr(home, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Name what completion offers."""
    return sorted({*globals(), *_HOMES})
