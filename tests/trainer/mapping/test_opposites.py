"""Names that exclude each other, as one is left and the other right."""

import numpy as np
import pytest

from termexplorer.trainer.mapping.opposites import OppositeNames, list_poles
from termexplorer.trainer.text.tokenizer import tokenize

NAMES = [
    "left ear", "right ear", "left and right ear", "ear", "hypertension", "hypotension",
    "hyperkalemia", "fever with rash", "fever without rash", "increased iron", "reduced iron",
    "hyper", "", "left arch with right aorta", "right arch", "heart without muscle", "muscle",
    "reduced reflexes", "hyperreflexia", "hypothalamus",
]  # fmt: skip


def exclude_naively(left: str, right: str) -> bool:
    first, second = list_poles(left), list_poles(right)
    words = [set(tokenize(name)) for name in (left, right)]
    for name, other in ((left, right), (right, left)):
        _, _, behind = name.partition(" without ")
        if behind and words[0] & words[1] and words[0] & words[1] <= set(behind.split()):
            return "without" not in other
    return any(
        {(about, pole)} == {p for p in first if p[0] == about}
        and {(about, 1 - pole)} == {p for p in second if p[0] == about}
        for about, pole in first
    )


def test_names_exclude_each_other_by_one_sided_opposites() -> None:
    opposites = OppositeNames(NAMES)
    left, right = (side.ravel() for side in np.indices((len(NAMES), len(NAMES))))
    table = opposites.exclude(left, right).reshape(len(NAMES), -1)
    expected = [[exclude_naively(first, second) for second in NAMES] for first in NAMES]
    assert table.tolist() == expected
    for excluding in [(0, 1), (4, 5), (7, 8), (9, 10), (13, 14), (15, 16), (17, 18)]:
        assert table[excluding]
    for fine in [(0, 2), (0, 3), (4, 6), (9, 19)]:
        assert not table[fine]


def test_nothing_excludes_where_no_name_has_an_opposite() -> None:
    zero = np.zeros(1, np.int64)
    assert not OppositeNames(["gout"]).exclude(zero, zero)[0]
    assert list_poles("Hyper tension") == set()


@pytest.mark.parametrize("name", ["hypertension", "Left ear"])
def test_a_pole_is_what_it_is_about_and_a_side(name: str) -> None:
    assert {pole for _, pole in list_poles(name)} == {0}
