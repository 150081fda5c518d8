"""The is-a graph made into levels and classes, and what each level would train on."""

from termexplorer.taxonomy.cleaning import FSL_RULES, HLS_RULES, Removed, Rules, Taxonomy
from termexplorer.taxonomy.lens import ClassesLeftOut, Lens, LevelSummary, TrainingNames
from termexplorer.taxonomy.selection import Examples, Selection

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
