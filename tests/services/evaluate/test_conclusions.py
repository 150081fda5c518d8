"""A conclusion says what the table says, however its figures are turned round."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.services.evaluate.conclusion_words import conclusion_text, headline_text
from termexplorer.services.evaluate.conclusions import BesideChance, Contradiction, conclude
from termexplorer.services.evaluate.evaluation import Difference, Evaluated, FigureInfo
from termexplorer.trainer.metrics import is_higher_better

LABELS = {1: "TF-IDF #1", 5: "fastText #5", 6: "few-shot #6", 7: "dan #7"}
IDS = tuple(LABELS)
METRICS = ("mAP", "accuracy", "MRR")
BENEATH = {6: 5, 7: 5}

values = st.lists(st.integers(0, 9), min_size=len(IDS), max_size=len(IDS))
tables = st.fixed_dictionaries(dict.fromkeys(METRICS, values))


def evaluated(
    table: dict[str, Sequence[float]],
    shown: float = 0.0,
    tested: Sequence[str] = ("mAP", "accuracy"),
    n: int = 300,
) -> Evaluated:
    """Figures of `IDS` by metric; differences above `shown` are by more than chance."""
    primary = "mAP" if "mAP" in table else next(iter(table))
    figures = [
        FigureInfo(id_, "ranking", "hash", metric, value, value - 0.01, value + 0.01, n)
        for metric, row in table.items()
        for id_, value in zip(IDS, row, strict=True)
    ]
    differences = [
        Difference(first, second, metric, a - b, a - b, a - b, 0.01, abs(a - b) > shown, n)
        for metric in tested
        if metric in table
        for (first, a), (second, b) in combinations(zip(IDS, table[metric], strict=True), 2)
    ]
    return Evaluated("ranking", "data", "hash", primary, tuple(figures), tuple(differences))


def test_metrics_that_are_shown_without_a_test_are_named_with_the_reason() -> None:
    table = dict.fromkeys(METRICS, (1, 2, 3, 4))
    for tested in (("mAP",), ("mAP", "accuracy")):
        of_some = evaluated(table, tested=tested)
        concluded = conclude(of_some)
        untested = tuple(metric for metric in METRICS if metric not in tested)
        assert (concluded.compared, concluded.uncompared) == (tested, untested)
        (conclusion,) = [
            sentence
            for sentence in conclusion_text(of_some, LABELS).split(". ")
            if "without a test" in sentence
        ]
        named, _, untested_text = conclusion.partition("without a test")
        assert all(name in named for name in tested)
        assert all(name in untested_text for name in untested)
    for tested in (METRICS, ()):
        assert "without a test" not in conclusion_text(evaluated(table, tested=tested), LABELS)


@given(tables, st.integers(0, 3))
def test_each_metric_says_what_its_column_says(table: dict[str, list[float]], shown: int) -> None:
    concluded = conclude(evaluated(table, shown), BENEATH)
    assert [metric.metric for metric in concluded.metrics] == list(METRICS)
    for metric in concluded.metrics:
        column = dict(zip(IDS, table[metric.metric], strict=True))
        top = max(column.values())
        assert set(metric.best_ids) == {id_ for id_, value in column.items() if value == top}
        behind = {id_ for id_, value in column.items() if value < top}
        if metric.metric == "MRR":
            assert set(metric.untested_ids) == behind
            assert not metric.shown
        else:
            worse = {id_ for id_ in behind if top - column[id_] > shown}
            assert (set(metric.worse_ids), set(metric.level_ids)) == (worse, behind - worse)
            assert metric.shown == (len(metric.best_ids) == 1 and worse == behind)


@given(tables, st.integers(0, 3))
def test_metrics_contradict_each_other_where_no_encoder_is_best_in_all(
    table: dict[str, list[float]], shown: int
) -> None:
    concluded = conclude(evaluated(table, shown))
    best = [
        {id_ for id_, value in zip(IDS, row, strict=True) if value == max(row)}
        for row in table.values()
    ]
    differ = not set.intersection(*best)
    assert (concluded.contradiction is not Contradiction.NONE) == differ
    headline = headline_text(concluded, LABELS)
    assert headline.startswith("The metrics") == differ
    if differ:
        tested = {
            id_
            for metric in ("mAP", "accuracy")
            for id_, value in zip(IDS, table[metric], strict=True)
            if max(table[metric]) - value > shown
        }
        is_shown = bool(set.union(*best) & tested)
        assert (concluded.contradiction is Contradiction.SHOWN) == is_shown


@given(st.permutations([0.2, 0.3, 0.5, 0.9]), st.permutations([0.1, 0.4, 0.6, 0.8]))
def test_the_sentence_turns_with_the_figures(first: list[float], second: list[float]) -> None:
    """Each encoder whose figure is put at the top is named right after its metric."""
    headline = headline_text(conclude(evaluated({"mAP": first, "accuracy": second})), LABELS)
    top = [LABELS[IDS[row.index(max(row))]] for row in (first, second)]
    if top[0] == top[1]:
        assert headline == f"Best in mAP and accuracy: {top[0]}."
    else:
        assert f"Best in mAP: {top[0]}. Best in accuracy: {top[1]}." in headline


@pytest.mark.parametrize("metric", ["median rank", "mAP"])
def test_less_is_better_where_the_metric_says_so(metric: str) -> None:
    for row in permutations([1.0, 2.0, 3.0, 4.0]):
        concluded = conclude(evaluated({metric: row}, tested=(metric,)))
        best = max(row) if is_higher_better(metric) else min(row)
        assert concluded.best_id == IDS[row.index(best)]
        assert concluded.primary is not None
        assert concluded.primary.shown


@given(tables)
def test_the_best_is_held_against_tfidf_and_against_what_lies_beneath(
    table: dict[str, list[float]],
) -> None:
    concluded = conclude(evaluated(table), BENEATH)
    best = concluded.best_id
    assert best is not None
    for against, other in ((concluded.lexical, 1), (concluded.beneath, BENEATH.get(best))):
        assert (against is None) == (other in (best, None))
        if against is not None:
            assert against.encoder_id == other
            rows = {name: dict(zip(IDS, row, strict=True)) for name, row in table.items()}
            ahead = {name: rows[name][best] - rows[name][other or 0] for name in METRICS}
            assert {lead.metric: lead.value for lead in against.leads} == ahead


def test_a_run_that_tfidf_beats_says_so() -> None:
    table = {"mAP": (0.555, 0.47, 0.58, 0.3), "accuracy": (0.7, 0.4, 0.5, 0.3)}
    text = conclusion_text(evaluated(table), LABELS, beneath=BENEATH)
    assert text.startswith(
        "The metrics contradict each other. Best in mAP: few-shot #6. Best in accuracy: TF-IDF #1."
    )
    assert "few-shot #6 against TF-IDF #1: mAP +0.025 (shown), accuracy -0.200 (shown)." in text
    assert "few-shot #6 against its base vectors, fastText #5: mAP +0.110 (shown)" in text


def test_that_tfidf_was_left_out_is_said() -> None:
    whole = evaluated({"mAP": (0.5, 0.4, 0.3, 0.2)})
    without = replace(whole, figures=whole.figures[1:])
    assert "TF-IDF was not measured" not in conclusion_text(whole, LABELS)
    assert "TF-IDF was not measured" in conclusion_text(without, LABELS)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ((0.468, 0.41, 0.5, 0.3), BesideChance.BELOW),
        ((0.505, 0.41, 0.5, 0.3), BesideChance.NOT_SHOWN),
        ((0.61, 0.41, 0.5, 0.3), BesideChance.ABOVE),
    ],
)
def test_nobody_is_best_below_chance(row: Sequence[float], expected: BesideChance) -> None:
    evaluation = evaluated({"AUC": row}, tested=("AUC",))
    concluded = conclude(evaluation)
    assert concluded.primary is not None
    assert concluded.primary.chance is expected
    headline = headline_text(concluded, LABELS)
    assert ("Best" in headline) == (expected is not BesideChance.BELOW)
    is_limited = "better than chance" in conclusion_text(evaluation, LABELS)
    assert is_limited == (expected is not BesideChance.ABOVE)


@pytest.mark.parametrize(("n", "is_named"), [(9, False), (10, True)])
def test_a_figure_of_few_items_is_not_headlined(n: int, is_named: bool) -> None:
    evaluation = evaluated({"mAP": (0.2, 0.3, 0.5, 0.9)}, n=n, tested=("mAP",))
    assert ("Best in" in headline_text(conclude(evaluation), LABELS)) == is_named
    assert ("dan #7" in conclusion_text(evaluation, LABELS)) == is_named
