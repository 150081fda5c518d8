from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.trainer.agreement import majority, measure_agreement, measure_sets, ratings_of

UNSURE = "don't know"
answers = st.lists(st.sampled_from(["same", "not same", UNSURE, ""]), min_size=3, max_size=3)
judged = st.lists(
    st.tuples(answers, st.sampled_from(["same", "not same", ""]), st.sampled_from("ab")),
    min_size=1,
    max_size=20,
)


def voted(row: list[str], dont_know_votes: bool) -> str:
    votes = [answer for answer in row if answer and (dont_know_votes or answer != UNSURE)]
    for answer, count in Counter(votes).items():
        if count > len(votes) / 2 and answer != UNSURE:
            return answer
    return ""


def told(rows: list[list[str]], dont_know_votes: bool) -> list[str]:
    ratings = ratings_of(rows, ["A", "B", "C"], dont_know=UNSURE)
    labels = [*ratings.labels, ""]
    return [labels[code] for code in majority(ratings, dont_know_votes=dont_know_votes)]


@pytest.mark.parametrize(
    ("row", "as_vote", "as_missing"),
    [
        (["same", "same", UNSURE], "same", "same"),
        (["same", UNSURE, UNSURE], "", "same"),
        (["same", "not same", UNSURE], "", ""),
        (["same", UNSURE, ""], "", "same"),
        ([UNSURE, UNSURE, UNSURE], "", ""),
        (["", "", ""], "", ""),
    ],
)
def test_how_dont_know_enters_a_vote(row: list[str], as_vote: str, as_missing: str) -> None:
    assert told([row], True) == [as_vote]
    assert told([row], False) == [as_missing]


@given(judged, st.booleans())
def test_labels_beside_the_majority(
    pairs: list[tuple[list[str], str, str]], dont_know_votes: bool
) -> None:
    rows = [answers for answers, _, _ in pairs]
    truth = [voted(row, dont_know_votes) for row in rows]
    assert told(rows, dont_know_votes) == truth
    ratings = ratings_of(rows, ["A", "B", "C"], dont_know=UNSURE)
    result = measure_sets(
        ratings,
        [name for _, _, name in pairs],
        [label for _, label, _ in pairs],
        "same",
        dont_know_votes=dont_know_votes,
        resamples=2,
    )
    assert [measured_set.set for measured_set in result] == list(
        dict.fromkeys(name for _, _, name in pairs)
    )
    for measured_set in result:
        both = [
            (true, answer)
            for true, (_, answer, name) in zip(truth, pairs, strict=True)
            if name == measured_set.set
        ]
        labelled_pairs = [(true, answer) for true, answer in both if true and answer]
        wanted = {
            "no_majority": [
                not true
                for true, row, (_, _, name) in zip(truth, rows, pairs, strict=True)
                if name == measured_set.set and any(row)
            ],
            "accuracy": [true == answer for true, answer in labelled_pairs],
            "recall": [answer == "same" for true, answer in labelled_pairs if true == "same"],
            "precision": [true == "same" for true, answer in labelled_pairs if answer == "same"],
        }
        assert measured_set.items == len(both)
        assert [figure.metric for figure in measured_set.votes] == list(wanted)
        for figure in measured_set.votes:
            values = wanted[figure.metric]
            assert figure.n == len(values)
            if values:
                assert figure.value == pytest.approx(np.mean(values))
            else:
                assert math.isnan(figure.value)


def test_sets_have_intervals_and_the_raters_agreement() -> None:
    rows = [["same"] * 3, ["not same"] * 3, ["same", "same", "not same"]] * 10
    labels = ["same", "not same", "not same"] * 10
    ratings = ratings_of(rows, "ABC")
    (result,) = measure_sets(ratings, None, labels, "same")
    figures = {vote.metric: vote for vote in result.votes}
    assert result.set == "all"
    assert figures["accuracy"].value == pytest.approx(2 / 3)
    assert figures["accuracy"].low < 2 / 3 < figures["accuracy"].high
    assert (figures["recall"].value, figures["precision"].value) == (0.5, 1)
    assert result.agreement == measure_agreement(ratings).figures
    first, second = measure_sets(ratings, ["a", "b", "a"] * 10)
    assert [(measured_set.set, measured_set.items) for measured_set in (first, second)] == [
        ("a", 20),
        ("b", 10),
    ]
    assert [figure.metric for figure in first.votes] == ["no_majority"]
    assert "all ratings that can be compared are 'not same'" in second.agreement[0].undefined
    with pytest.raises(ValueError, match="2 labels do not fit 30 items"):
        measure_sets(ratings, None, ["same", "same"], "same")
    with pytest.raises(ValueError, match="1 sets do not fit 30 items"):
        measure_sets(ratings, ["a"])
