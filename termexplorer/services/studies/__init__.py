"""Studies: packs, answers, ground truth."""
