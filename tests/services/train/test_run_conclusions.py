"""What is said of a run when it is done, however its figures are turned round."""

from dataclasses import replace
from itertools import permutations

import pytest
from toy_workspace import LEXICAL, TRAINED, VECTORS

from termexplorer.cli.train.runs import print_end
from termexplorer.services.evaluate.evaluation import Evaluated, FigureInfo
from termexplorer.services.train.run_conclusions import run_conclusions, run_warnings, trained_text
from termexplorer.services.train.run_gains import gain_text, gain_texts
from termexplorer.services.train.runs import RunDetails
from termexplorer.store.encoders.evaluations import Difference
from termexplorer.store.encoders.runs import RunInfo

LABELS = {LEXICAL: "TF-IDF #1", VECTORS: "fastText #5", TRAINED: "few-shot #6"}
RUN = RunInfo(
    1, "few-shot", "few-shot", "quick", "finished", 1, VECTORS, TRAINED, 1, {}, {}, "", "", "", ""
)  # fmt: skip


def _difference(first: int, second: int, value: float) -> Difference:
    return Difference(first, second, "mAP", value, value - 0.001, value + 0.001, 0.01, True, 50)


def details(*values: float) -> RunDetails:
    """A run whose encoders, in the order of `LABELS`, have these figures, all told apart."""
    value_by_encoder = dict(zip(LABELS, values, strict=True))
    figures = tuple(
        FigureInfo(encoder_id, "ranking", "hash", "mAP", value, 0, 1, 50)
        for encoder_id, value in value_by_encoder.items()
    )
    differences = tuple(
        _difference(first, two, value_by_encoder[first] - value_by_encoder[two])
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
    assert text.startswith("few-shot #6 is trained. ")
    assert f"mAP {values[2]:.3f}" in text
    outcomes = {clause.split(" than ")[0] for clause in text.partition(": ")[2].split("; ")}
    assert ("better" in outcomes) == (values[2] > min(values[:2]))
    assert ("worse" in outcomes) == (values[2] < max(values[:2]))
    for label, value in zip((LABELS[LEXICAL], LABELS[VECTORS]), values[:2], strict=True):
        assert f"{label} ({values[2] - value:+.3f} [" in text


@pytest.mark.parametrize("values", [*permutations((0.58, 0.555, 0.47))])
def test_a_task_on_which_another_encoder_leads_is_told_too(
    values: tuple[float, float, float],
) -> None:
    first, second = details(0.4, 0.3, 0.5), details(*values)
    (other,) = second.evaluations
    both = replace(first, evaluations=(*first.evaluations, replace(other, task="hypernyms")))
    text = trained_text(both, LABELS)
    assert "ranking, mAP 0.500: better than" in text
    assert ("hypernyms" in text) == (values[2] < max(values))
    assert len(gain_texts(both, LABELS)) == 2


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
    difference = Difference(*ids, "mAP", sum(ends) / 2, *ends, 0.01, True, 50)
    run_details = details(0.4, 0.3, 0.5)
    return replace(
        run_details, evaluations=(replace(run_details.evaluations[0], differences=(difference,)),)
    )


def _gain(run_details: RunDetails) -> str:
    return gain_text(run_details, run_details.evaluations[0], LABELS)


@pytest.mark.parametrize("turned", [False, True])
def test_a_run_is_better_no_better_or_worse_than_what_it_stands_on(turned: bool) -> None:
    better = _gain(_told_apart(0.01, 0.05, turned=turned))
    assert better == "ranking, mAP 0.500: better than fastText #5 (+0.030 [+0.010, +0.050])"
    unclear = _gain(_told_apart(-0.02, 0.06, turned=turned))
    assert "not shown to be better than fastText #5 (+0.020 [-0.020, +0.060])" in unclear
    worse = _gain(_told_apart(-0.06, -0.02, turned=turned))
    assert ": worse than fastText #5 (-0.040 [-0.060, -0.020])" in worse
    for text in (unclear, worse):
        assert "only 50 names are held out" in text
    assert "because" not in better


def test_the_reason_for_no_gain_is_looked_for() -> None:
    flat = _told_apart(-0.02, 0.06)
    level = {"choice": {"level": 1}}

    def told(card: dict[str, object], request: dict[str, object], tokens: int = 0) -> str:
        run = replace(flat.run, card=card, request=request)
        return _gain(replace(flat, run=run, input_facts={"tokens": tokens} if tokens else {}))

    assert "one-sided: 90%" in told({"classes": {"a": 90, "b": 10}}, level)
    assert "one-sided" not in told({"classes": {"a": 50, "b": 50}}, level)
    assert "one-sided" not in told({"classes": {"a": 90, "b": 10}}, {})
    assert "30 pairs of synonyms" in told({"synonym_sets": {"train synonym pairs": 30}}, {})
    assert "synonyms" not in told({"synonym_sets": {"train synonym pairs": 3_000}}, {})
    assert "little text (9,000 words)" in told({}, {}, 9_000)
    assert "text" not in told({}, {}, 9_000_000)
    assert "hardly tell" in told({"collapsed": {"mean_cosine": 0.99, "effective_rank": 1.5}}, {})
    full = replace(
        flat,
        evaluations=tuple(
            replace(e, figures=tuple(replace(f, value=0.95) for f in e.figures))
            for e in flat.evaluations
        ),
    )
    assert "little left to gain over 0.950" in _gain(full)


def test_collapsed_vectors_and_an_input_that_was_kept_are_told() -> None:
    card = {"best_epoch": 0, "collapsed": {"mean_cosine": 0.99, "effective_rank": 1.5}}
    run_details = _told_apart(0.01, 0.05)
    run_details = replace(run_details, run=replace(run_details.run, card=card))
    alike, nothing_learned = run_warnings(run_details)
    assert "0.99" in alike
    assert "more epochs" in alike
    assert "No epoch" in nothing_learned
    assert nothing_learned in trained_text(run_details, LABELS)
