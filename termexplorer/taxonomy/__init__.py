"""The is-a graph made into levels and classes, and what each level would train on."""

from termexplorer.taxonomy.cleaning import FSL_RULES, HLS_RULES, CleaningCounts, Rules, Taxonomy
from termexplorer.taxonomy.lens import ClassesLeftOut, Lens, LevelSummary
from termexplorer.taxonomy.selection import ClassSelection, Examples
from termexplorer.taxonomy.training_names import TrainingNames

__all__ = [
    "FSL_RULES",
    "HLS_RULES",
    "ClassSelection",
    "ClassesLeftOut",
    "CleaningCounts",
    "Examples",
    "Lens",
    "LevelSummary",
    "Rules",
    "Taxonomy",
    "TrainingNames",
]
