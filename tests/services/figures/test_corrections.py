"""p is corrected over exactly what is shown together, whatever was measured besides or before."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from toy_workspace import LEXICAL, VECTORS, quiet

from termexplorer.services.evaluate.evaluation import (
    Difference,
    Evaluated,
    EvaluationRequest,
    FigureInfo,
    evaluate,
    list_evaluations,
)
from termexplorer.services.evaluate.matrix import make_matrix
from termexplorer.services.evaluate.rows import EXPORT_HEADER, evaluation_rows
from termexplorer.services.figures.corrections import correct_alone, correct_together, restrict_to
from termexplorer.store.encoders import evaluations as queries
from termexplorer.trainer.evaluation.comparison import holm
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

FIVE = (1, 2, 3, 4, 5)
RAW = [0.276, 0.004, 0.2, 0.02, 0.9, 0.006, 0.5, 0.001, 0.03, 0.7]


def measured(encoder_ids: tuple[int, ...], p: dict[tuple[int, int], float]) -> Evaluated:
    figures = tuple(
        FigureInfo(encoder_id, "pairs", "hash", "AUC", encoder_id / 10, 0, 1, 200)
        for encoder_id in encoder_ids
    )
    differences = tuple(
        Difference(*couple, "AUC", -0.1, -0.2, 0, raw, False, 200, "DeLong", raw)
        for couple, raw in p.items()
    )
    return Evaluated("pairs", "a set", "hash", "AUC", figures, differences)


def of_five() -> Evaluated:
    return measured(FIVE, dict(zip(combinations(FIVE, 2), RAW, strict=True)))


def p_of(evaluated: Evaluated) -> dict[tuple[int, int], float]:
    return {
        (difference.first_id, difference.second_id): difference.p
        for difference in evaluated.differences
    }


def test_measuring_two_again_leaves_the_p_of_all_five_as_it_was(empty: Workspace) -> None:
    with empty.store.writing() as connection:
        for encoder_id in FIVE:
            connection.exec_driver_sql(
                """INSERT OR IGNORE INTO encoder (id, kind, method, title, dimension, path,
                content_hash, parameters, created_at)
                VALUES (?, 'untrained', 'm', '', 2, 'p', '', '{}', '')""",
                (encoder_id,),
            )
        queries.put_evaluations(connection, [of_five()])
    (before,) = list_evaluations(empty)
    assert list(p_of(before).values()) == pytest.approx(holm(RAW))
    assert {difference.family for difference in before.differences} == {10}
    alone = correct_alone(measured((1, 2), {(1, 2): 0.276}))
    assert (p_of(alone), alone.differences[0].family) == ({(1, 2): 0.276}, 1)
    with empty.store.writing() as connection:
        queries.put_evaluations(connection, [alone])
    (after,) = list_evaluations(empty)
    assert p_of(after) == p_of(before)
    assert [difference.significant for difference in after.differences] == [
        difference.significant for difference in before.differences
    ]


def test_only_what_is_shown_is_corrected_for() -> None:
    three = restrict_to(of_five(), (2, 4, 5))
    raw = dict(zip(combinations(FIVE, 2), RAW, strict=True))
    raw_values = [raw[couple] for couple in combinations((2, 4, 5), 2)]
    assert list(p_of(three).values()) == pytest.approx(holm(raw_values))
    removed = replace(of_five(), figures=of_five().figures[1:])  # encoder 1 is no more
    assert {difference.family for difference in correct_alone(removed).differences} == {6}
    both = correct_together([of_five(), replace(of_five(), data_hash="other")])
    assert [p for evaluation in both for p in p_of(evaluation).values()] == pytest.approx(
        holm(RAW * 2)
    )
    assert {difference.after for of in both for difference in of.differences} == {
        "after Holm over 20 tests"
    }


@pytest.mark.parametrize("count", [1, 9, 10])
def test_sets_of_fewer_than_ten_items_are_not_tested_and_in_no_family(count: int) -> None:
    """The family is what is shown and tested, the same alone, beside others and in a matrix."""
    small = replace(
        of_five(),
        data_hash="small",
        title="small",
        figures=tuple(replace(figure, n=count) for figure in of_five().figures),
        differences=tuple(replace(difference, n=count) for difference in of_five().differences),
    )
    tests = len(RAW) if count >= 10 else 0
    assert len(correct_alone(small).differences) == tests
    both = correct_together([of_five(), small])
    assert [len(evaluation.differences) for evaluation in both] == [len(RAW), tests]
    assert {difference.family for of in both for difference in of.differences} == {len(RAW) + tests}
    assert make_matrix([of_five(), small]).family == len(RAW) + tests
    partly = replace(of_five(), figures=(replace(of_five().figures[0], n=count),))
    assert not correct_alone(partly).differences  # the others have no figure
    one_few = replace(of_five(), figures=(*small.figures[:1], *of_five().figures[1:]))
    assert len(correct_alone(one_few).differences) == tests  # the metric is too few to be told


def test_so_few_items_that_nothing_can_be_shown_decide_nothing() -> None:
    few = replace(
        of_five(),
        differences=tuple(
            replace(difference, raw_p=max(difference.raw_p, 2.0**-6), least_p=2.0**-6)
            for difference in of_five().differences
        ),
    )
    assert all(difference.undecided for difference in correct_alone(few).differences)
    pair = restrict_to(few, (1, 2))
    assert [difference.undecided for difference in pair.differences] == [False]  # 1/64 is below .05


def test_a_pair_of_encoders_has_the_same_p_whatever_is_asked_for_besides(
    with_run: Workspace, tmp_path: Path
) -> None:
    names = [
        f"{organ} {kind}" for organ in ("lung", "heart", "skin") for kind in ("disease", "tumour")
    ]
    rows = [f"{a}\t{b}\t{n % 5}" for n, (a, b) in enumerate(combinations(names, 2))]
    path = tmp_path / "pairs.tsv"
    path.write_text("\n".join(("left\tright\tscore", *rows)) + "\n", "utf-8")

    def run(*encoder_ids: int) -> Evaluated:
        request = EvaluationRequest(with_run.folder, "relatedness", encoder_ids, pairs=(path,))
        return evaluate(with_run, request, JobControl(), quiet)[0]

    run(LEXICAL, 2, VECTORS)
    (three,) = list_evaluations(with_run)
    alone = run(LEXICAL, VECTORS)
    (stored,) = list_evaluations(with_run)
    raw, again = (
        {(d.metric, d.first_id, d.second_id): d.raw_p for d in of.differences}
        for of in (three, alone)
    )
    assert {metric for metric, *_ in again} == {"spearman", "pearson"}
    assert again == pytest.approx({key: raw[key] for key in again})
    assert p_of(stored) == pytest.approx(p_of(three))
    labels = {encoder_id: str(encoder_id) for encoder_id in (LEXICAL, 2, VECTORS)}
    exported = [
        dict(zip(EXPORT_HEADER, row, strict=True)) for row in evaluation_rows([stored], labels)
    ]
    assert {row["tests"] for row in exported if row["p"] is not None} == {len(raw)}


def test_a_copied_file_renames_no_evaluation(with_run: Workspace, tmp_path: Path) -> None:
    rows = ("left\tright\tlabel", "lung disease\tdisease of the lung\t1", "lung\theart\t0")
    for name in ("mine", "copy"):
        path = tmp_path / f"{name}.tsv"
        path.write_text("\n".join(rows) + "\n", "utf-8")
        request = EvaluationRequest(with_run.folder, "pairs", (LEXICAL,), pairs=(path,))
        (evaluated,) = evaluate(with_run, request, JobControl(), quiet)
        assert evaluated.title == name
    assert [evaluation.title for evaluation in list_evaluations(with_run)] == ["mine"]


@pytest.mark.parametrize(("high", "shown"), [(-0.01, True), (0.0, False), (0.05, False)])
def test_a_difference_whose_interval_holds_0_is_not_shown(high: float, shown: bool) -> None:
    difference = Difference(1, 2, "AUC", -0.1, -0.2, high, 0.001, False, 200, "DeLong", 0.001)
    evaluated = replace(measured((1, 2), {}), differences=(difference,))
    assert [
        tested_difference.significant for tested_difference in correct_alone(evaluated).differences
    ] == [shown]
