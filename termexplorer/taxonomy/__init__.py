"""The is-a graph made into levels and classes, and what each level would train on."""

from termexplorer.taxonomy.cleaning import FSL_RULES, HLS_RULES, Removed, Rules, Taxonomy
from termexplorer.taxonomy.lens import ClassesLeftOut, Lens, LevelSummary
from termexplorer.taxonomy.selection import Examples, Selection
from termexplorer.taxonomy.training_names import TrainingNames

__all__ = [
    "FSL_RULES",
    "HLS_RULES",
    "ClassesLeftOut",
    "Examples",
    "Lens",
    "LevelSummary",
    "Removed",
    "Rules",
    "Selection",
    "Taxonomy",
    "TrainingNames",
]
