"""The likeliest parents of concepts within classes that they may belong to."""

import pytest

from termexplorer.trainer.placing.below import find_parents_below, list_below
from termexplorer.trainer.placing.named_hierarchy import NamedHierarchy

ORGANS = ["heart", "liver", "kidney", "lung", "skin", "brain", "bone", "eye"]
KINDS = ["cancer", "infection", "injury"]


@pytest.fixture(scope="module")
def diseases() -> NamedHierarchy:
    """Diseases, organs below them, kinds below these; an infection of the lung is of the heart."""
    names, parents = [["disease"]], [[]]
    for organ in ORGANS:
        names.append([f"{organ} disease"])
        parents.append([0])
        above = len(names) - 1
        for kind in KINDS:
            names.append([f"{organ} {kind}"])
            parents.append([above])
            for cause in ("acute", "chronic"):
                names.append([f"{cause} {organ} {kind}"])
                parents.append([len(names) - (2 if cause == "acute" else 3)])
    names.append(["rare lung infection"])
    parents.append([names.index(["heart infection"])])
    names.append(["very rare lung infection"])
    parents.append([len(names) - 2])
    return NamedHierarchy.build(names, parents)


def test_the_parent_is_the_specific_one_and_not_the_class(diseases: NamedHierarchy) -> None:
    labels = diseases.labels
    asked = [labels.index("rare lung infection"), labels.index("acute eye injury")]
    classes = [labels.index("lung disease"), labels.index("eye disease")]
    parents = find_parents_below(diseases, None, asked, classes)
    assert [labels[parent] for parent in parents] == ["lung infection", "eye injury"]
    for parent, class_ in zip(parents.tolist(), classes, strict=True):
        assert parent in list_below(diseases, class_)


def test_no_concept_goes_below_itself_or_what_is_below_it(diseases: NamedHierarchy) -> None:
    labels = diseases.labels
    above, below = labels.index("rare lung infection"), labels.index("very rare lung infection")
    root = labels.index("disease")
    parents = find_parents_below(diseases, None, [above, above, below], [root, below, above])
    assert parents[0] not in list_below(diseases, above)
    assert parents[1:].tolist() == [-1, above]


def test_a_small_hierarchy_is_ranked_by_similarity() -> None:
    labels = ["disease", "lung disease", "viral lung infection", "heart disease", "lung virus"]
    small = NamedHierarchy.build([[label] for label in labels], [[], [0], [1], [0], [3]])
    assert find_parents_below(small, None, [4, 2], [2, 3]).tolist() == [2, 4]
    assert find_parents_below(small, None, [], []).tolist() == []


def test_a_caller_may_stop_it(diseases: NamedHierarchy) -> None:
    def stop() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        find_parents_below(diseases, None, [5], [1], tick=stop)
