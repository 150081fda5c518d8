import numpy as np
import pytest

from termexplorer.importers.formats import open_importer
from termexplorer.importers.records import ConceptRecord
from termexplorer.taxonomy import FSL_RULES, HLS_RULES, ClassSelection, Examples, Lens, Taxonomy


@pytest.fixture(scope="module")
def concepts():
    records = open_importer("icd10cm", None).records
    return [record for record in records if isinstance(record, ConceptRecord)]


def arranged(concepts, rules):
    places = {concept.curie: index for index, concept in enumerate(concepts)}
    below = [index for index, concept in enumerate(concepts) if concept.parents]
    above = [places[concepts[position].parents[0]] for position in below]
    taxonomy = Taxonomy.build(len(concepts), np.array(below), np.array(above), None, rules)
    counts = [len(concept.names) for concept in concepts]
    return taxonomy, Lens(taxonomy, np.repeat(np.arange(len(concepts)), counts))


def kinds(concepts, places):
    return {concepts[position].kind for position in places}


def test_chapters_blocks_and_categories_are_the_first_three_levels(concepts):
    taxonomy, _ = arranged(concepts, FSL_RULES)
    assert [len(taxonomy.classes(level)) for level in (1, 2, 3)] == [22, 297, 1_918]
    assert kinds(concepts, taxonomy.classes(1)) == {"chapter"}
    assert kinds(concepts, taxonomy.classes(2)) == {"block"}
    assert kinds(concepts, taxonomy.classes(3)) == {"category"}


def test_chapter_22_has_nothing_below_level_four(concepts):
    _, lens = arranged(concepts, HLS_RULES)
    summary = lens.summary(1)
    (gone,) = summary.classes_left_out
    assert gone.reason == "dead end"
    assert [concepts[concept].code for concept in gone.concepts] == ["22"]
    assert summary.classes == 21


def test_few_shot_takes_the_21_largest_chapters(concepts):
    _, lens = arranged(concepts, FSL_RULES)
    summary = lens.summary(1, Examples.ALL_DESCENDANTS, ClassSelection(largest=21, cap=15))
    assert (summary.classes, summary.min, summary.max, summary.names) == (21, 15, 15, 315)
    whole = lens.summary(1, Examples.ALL_DESCENDANTS)
    largest = concepts[whole.concepts[np.argmax(whole.sizes)]]
    assert largest.code == "19"
    assert round(whole.max / whole.names, 2) == 0.5
