"""The names of what pair sets are told apart by; nothing heavy is imported for them."""

from __future__ import annotations

PREFERRED, SYNONYMS = "preferred_synonym", "synonym_synonym"
ASSOCIATIONS = ("consider", "replaced_by", "same_as")
SOURCES = (PREFERRED, SYNONYMS, *ASSOCIATIONS)
"""Where similar pairs come from, in the order of [MTS] Table 2; `consider` is there
POSSIBLY-EQUIVALENT-TO."""

EASY, HARD = "easy", "hard"
THRESHOLD = 5  # edits; pairs that are no farther are easy

RANDOM, NEAREST = "random", "nearest"
STRATEGIES = (RANDOM, NEAREST)
"""How the second term of a dissimilar pair is found."""
