"""What is said of a run when it is done, however its figures are turned round."""

from dataclasses import replace
from itertools import permutations

import pytest
from toy_workspace import LEXICAL, TRAINED, VECTORS

from termexplorer.cli.train.runs import print_end
from termexplorer.services.evaluate.evaluation import Evaluated, FigureInfo
from termexplorer.services.train.run_conclusions import run_conclusions, run_warnings, trained_text
from termexplorer.services.train.runs import RunDetails
from termexplorer.store.encoders.evaluations import Difference
from termexplorer.store.encoders.runs import RunInfo

LABELS = {LEXICAL: "TF-IDF #1", VECTORS: "fastText #5", TRAINED: "few-shot #6"}
RUN = RunInfo(
    1, "few-shot", "few-shot", "quick", "finished", 1, VECTORS, TRAINED, 1, {}, {}, "", "", "", ""
)  # fmt: skip


def details(*values: float) -> RunDetails:
    """A run whose encoders, in the order of `LABELS`, have these figures, all told apart."""
    value_by_encoder = dict(zip(LABELS, values, strict=True))
    figures = tuple(
        FigureInfo(encoder_id, "ranking", "hash", "mAP", value, 0, 1, 50)
        for encoder_id, value in value_by_encoder.items()
    )
    differences = tuple(
        Difference(
            first, two, "mAP", value_by_encoder[first] - value_by_encoder[two], 0, 1, 0.01, True, 50
        )
        for first in value_by_encoder
        for two in value_by_encoder
        if first < two
    )
    evaluated = Evaluated("ranking", "few-shot", "hash", "mAP", figures, differences)
    return RunDetails(RUN, (), (), (evaluated,))


@pytest.mark.parametrize("values", [*permutations((0.58, 0.555, 0.47))])
def test_a_trained_encoder_is_told_beside_tfidf_and_what_lies_beneath(
    values: tuple[float, float, float],
) -> None:
    text = trained_text(details(*values), LABELS)
    best = max(zip(values, LABELS.values(), strict=True))[1]
    assert text.endswith(f"Best in mAP: {best}.")
    assert f"mAP {values[2]:.3f} against" in text
    assert f"TF-IDF #1 {values[0]:.3f}" in text
    assert f"fastText #5 {values[1]:.3f}" in text


@pytest.mark.parametrize("values", [*permutations((0.58, 0.555, 0.47))])
def test_a_task_on_which_another_encoder_leads_is_told_too(
    values: tuple[float, float, float],
) -> None:
    first, second = details(0.4, 0.3, 0.5), details(*values)
    (other,) = second.evaluations
    both = replace(first, evaluations=(*first.evaluations, replace(other, task="hypernyms")))
    text = trained_text(both, LABELS)
    best = max(zip(values, LABELS.values(), strict=True))[1]
    assert ("hypernyms: Best in mAP" in text) == (best != LABELS[TRAINED])
    assert text.endswith(f"Best in mAP: {best}.")


def test_no_figure_of_a_single_item_is_told_of_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    several = details(0.58, 0.555, 0.47)
    figures = tuple(replace(figure, n=1) for figure in several.evaluations[0].figures)
    alone = replace(
        several, figures=figures, evaluations=(replace(several.evaluations[0], figures=figures),)
    )
    print_end(alone, LABELS)
    for text in (trained_text(alone, LABELS), capsys.readouterr().out):
        assert "few" in text
        assert not any(value in text for value in ("0.580", "0.555", "0.470"))


@pytest.mark.parametrize("values", [*permutations((0.58, 0.555, 0.47))])
def test_a_runs_conclusion_holds_its_encoder_against_both(
    values: tuple[float, float, float],
) -> None:
    ((task, text),) = run_conclusions(details(*values), LABELS)
    assert task == "ranking"
    best = max(zip(values, LABELS, strict=True))[1]
    assert ("against TF-IDF #1: mAP +" in text) == (best != LEXICAL)
    assert ("base vectors, fastText #5: mAP +" in text) == (best == TRAINED)


def _told_apart(low: float, high: float, *, turned: bool = False) -> RunDetails:
    """A run whose encoder differs so from what it stands on, told from either side."""
    ids = (VECTORS, TRAINED) if turned else (TRAINED, VECTORS)
    ends = (-high, -low) if turned else (low, high)
    value = sum(ends) / 2
    difference = Difference(*ids, "mAP", value, *ends, 0.01, True, 50)
    run_details = details(0.4, 0.3, 0.5)
    return replace(
        run_details, evaluations=(replace(run_details.evaluations[0], differences=(difference,)),)
    )


@pytest.mark.parametrize("turned", [False, True])
def test_a_run_that_is_no_better_than_what_it_stands_on_says_so(turned: bool) -> None:
    assert run_warnings(_told_apart(0.01, 0.05, turned=turned), LABELS) == []
    (warning,) = run_warnings(_told_apart(-0.02, 0.06, turned=turned), LABELS)
    assert "not shown to be better than fastText #5" in warning
    assert "+0.020 [-0.020, +0.060]" in warning
    (warning,) = run_warnings(_told_apart(-0.06, -0.02, turned=turned), LABELS)
    assert "worse than fastText #5" in warning
    assert "-0.040 [-0.060, -0.020]" in warning


def test_collapsed_vectors_and_an_input_that_was_kept_are_told() -> None:
    card = {"best_epoch": 0, "collapsed": {"mean_cosine": 0.99, "effective_rank": 1.5}}
    run_details = _told_apart(0.01, 0.05)
    run_details = replace(run_details, run=replace(run_details.run, card=card))
    alike, nothing_learned = run_warnings(run_details, LABELS)
    assert "0.99" in alike
    assert "more epochs" in alike
    assert "No epoch" in nothing_learned
    assert nothing_learned in trained_text(run_details, LABELS)
