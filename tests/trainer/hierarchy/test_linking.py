"""Links of a hierarchy as sets of two names."""

from __future__ import annotations

import numpy as np
import pytest

from termexplorer.trainer.data.splits import TEST, TRAIN, ZERO_SHOT
from termexplorer.trainer.hierarchy.linking import with_links
from termexplorer.trainer.text.names import LabelledNames

NAMES = ("Lung disease", "disorder of the lung", "Pneumonia", "asthma", "Heart disease")
LABELS = LabelledNames(NAMES, ("D:1", "D:2", "D:3", "D:4"), np.arange(5), np.array([0, 0, 1, 2, 3]))
PARTS = np.array([TRAIN, TEST, TRAIN, ZERO_SHOT, TRAIN], np.uint8)


def sets(labels: LabelledNames) -> dict[str, list[str]]:
    members = zip(labels.classes, labels.members(), strict=True)
    return {
        label: [labels.names[n] for n in row_indices.tolist()] for label, row_indices in members
    }


def test_each_link_is_a_set_of_two_names_for_training() -> None:
    links = [("pneumonia", "lung  disease"), ("Lung disease", "Disease"), ("Disease", "Disease")]
    labels, parts = with_links(LABELS, PARTS, links)
    assert labels.names == (*NAMES, "Disease")
    assert parts.tolist() == [*PARTS.tolist(), TRAIN]
    added = {label: names for label, names in sets(labels).items() if label not in LABELS.classes}
    assert added == {
        "pneumonia < lung  disease": ["Lung disease", "Pneumonia"],
        "Lung disease < Disease": ["Lung disease", "Disease"],
    }
    before = {label: names for label, names in sets(labels).items() if label in LABELS.classes}
    assert before == sets(LABELS)


@pytest.mark.parametrize("held_out", ["Disorder of the lung", "Asthma"])
def test_what_is_held_out_is_in_no_link(held_out: str) -> None:
    labels, parts = with_links(LABELS, PARTS, [(held_out, "Disease"), ("Tumour", held_out)])
    assert labels.names == NAMES
    assert labels.classes == LABELS.classes
    assert parts.tolist() == PARTS.tolist()


def test_a_link_counts_once() -> None:
    labels, _ = with_links(LABELS, PARTS, [("Pneumonia", "Disease"), ("PNEUMONIA", "disease")])
    assert len(labels.classes) == len(LABELS.classes) + 1
