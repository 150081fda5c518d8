"""Automatic labels beside the ground truth of a study, and decisions, as sections of its report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isinf, nan
from typing import TYPE_CHECKING

from termexplorer.exporters.documents.blocks import Blocks, Section
from termexplorer.replicate.report import (
    Shown,
    Value,
    make_charts,
    make_heading,
    make_paragraph,
    make_section,
    make_table,
)
from termexplorer.replicate.roc_chart import RocCurve, roc_chart
from termexplorer.replicate.study.agreement_tables import count, share_value, shown
from termexplorer.replicate.study.set_words import readable_set
from termexplorer.services.agreement.agreement import METRICS
from termexplorer.services.pairs.files import queued_note
from termexplorer.services.studies.encoders import LabelQuality, PairLabels
from termexplorer.services.studies.report import StudyReport
from termexplorer.texts import figure_text
from termexplorer.trainer.evaluation.shares import ShareFigure

if TYPE_CHECKING:
    from termexplorer.services.agreement.agreement import AgreementFigure, MetricValue
    from termexplorer.services.studies.truth import StudyTruth
    from termexplorer.trainer.agreement.ratings import Bools, Int64s

_UNDEFINED = {
    "accuracy": "no pair has both a ground truth and a label",
    "recall": "no pair that has a label is a similar one by the ground truth",
    "precision": "no pair that has a ground truth is labelled as a similar one",
}


def truth_section(report: StudyReport) -> Section:
    """The paper's Table 3: without a majority, alpha, how good the labels are."""
    own_labels = [label for label in report.labels if label.given.encoder_id is None]
    parts = [make_paragraph(_truth_told(report))]
    if not own_labels:
        parts.append(
            make_paragraph(
                "Accuracy, recall and precision are undefined: the pairs came without labels of "
                "similar and dissimilar ones."
            )
        )
    parts.append(_table_three(report, own_labels[0] if own_labels else None))
    return make_section("Ground truth, and the sets' labels", *parts)


def encoders_section(report: StudyReport) -> Section | None:
    """Return whether encoders agree with the annotators as these do with each other, if any."""
    encoders = [label for label in report.labels if label.given.encoder_id is not None]
    if not encoders:
        return None
    parts = [
        make_paragraph(
            "Each encoder labels a pair as a similar one from a threshold of its similarity on: "
            "one for all pairs, the highest of the best accuracy by the ground truth on these same "
            "pairs, so that its figures are a little better than on other pairs."
        ),
        _overview_table(encoders),
        _draw_curves(encoders),
        make_heading("Do they agree with the annotators as well as these do with each other?"),
        *(make_paragraph(_state_verdict(label)) for label in report.labels),
        _beside_table(report.labels),
    ]
    for encoder in encoders:
        if not encoder.given.undefined:
            parts += [make_heading(encoder.given.title), _quality_table(encoder)]
    return make_section("Encoders", *parts)


def decisions_section(report: StudyReport) -> Section | None:
    """The decisions that the ground truth takes; None where there are none."""
    rows: list[list[Shown]] = [
        [
            pair.subject,
            pair.object,
            readable_set(pair.set_name),
            decision.answer,
            decision.adjudicator,
            "shown" if decision.verdicts_shown else "hidden",
            decision.note,
        ]
        for pair, decision in report.truth.decided.items()
    ]
    if not rows:
        return None
    titles = ("term", "term", "set", "decision", "by", "verdicts", "note")
    caption = "Verdicts: whether the adjudicator had seen what the annotators said"
    return make_section("Decisions", make_table(titles, rows, caption, contest=False))


def _truth_told(report: StudyReport) -> str:
    truth = report.truth
    text = f"Of {_tell_pairs(len(truth.pairs))} "
    if truth.unjudged:
        text += f"{len(truth.pairs) - truth.unjudged:,} were judged; of these "
    text += f"{truth.without_majority:,} have no majority. "
    if truth.decided:
        text += (
            f"The ground truth is the decision of an adjudicator on {len(truth.decided):,} pairs, "
            f"{truth.decided_over:,} of which have a majority as well, and the majority on all "
            "others."
        )
    else:
        text += "The ground truth is the majority; no decision was taken."
    note = queued_note(sorted({pair.set_name for pair in truth.pairs}))
    return " ".join(sentence for sentence in (text, _tell_uncounted(truth), note) if sentence)


def _tell_uncounted(truth: StudyTruth) -> str:
    """Return which pairs have no ground truth and count in no figure by it; "" for none."""
    kinds = {
        "neither a majority nor a decision": truth.without_truth,
        "no answer from anybody": truth.unjudged,
    }
    named = [f"{_tell_pairs(count)} with {kind}" for kind, count in kinds.items() if count]
    if not named:
        return ""
    verb = "counts" if sum(kinds.values()) == 1 else "count"
    return (
        f"Without a ground truth, {' and '.join(named)} {verb} in no accuracy, recall or precision."
    )


def _tell_pairs(number: int) -> str:
    return f"{number:,} pair" if number == 1 else f"{number:,} pairs"


def _table_three(report: StudyReport, label_quality: LabelQuality | None) -> Blocks:
    truth, agreement = report.truth, report.agreement
    alphas = {set_agreement.set: set_agreement.agreement[0] for set_agreement in agreement.sets}
    places: dict[str, list[int]] = {}
    for at, pair in enumerate(truth.pairs):
        places.setdefault(pair.set_name, []).append(at)
    everything = [("all", list(range(len(truth.pairs))), agreement.overall.figures[0])]
    sets = [(name, its_own, alphas[name]) for name, its_own in places.items() if name in alphas]
    rows: list[list[Shown]] = []
    for number, (name, some, alpha) in enumerate(everything + sets):
        quality = (
            ()
            if label_quality is None
            else label_quality.overall
            if number == 0
            else label_quality.sets[name]
        )
        rows.append(
            [
                readable_set(name),
                count(len(some)),
                _share_without(truth.majority[some], truth.judged[some]),
                *([_share_without(truth.codes[some], truth.judged[some])] if truth.decided else []),
                shown(alpha),
                *(_of_task(figure, len(some)) for figure in quality),
            ]
        )
    left = ("no truth",) if truth.decided else ()
    metrics = tuple(_UNDEFINED) if label_quality is not None else ()
    caption = (
        "[MTS] Table 3. No majority: share of the judged pairs (the paper's NaN). Accuracy, "
        "recall and precision of the labels that the sets say, by the ground truth"
    )
    titles = ("set", "pairs", "no majority", *left, "alpha", *metrics)
    return make_table(titles, rows, caption, contest=False)


def _share_without(codes: Int64s, judged: Bools) -> Value:
    """Return the share without a code of the pairs that were judged, with its interval."""
    share = ShareFigure.of(int((judged & (codes < 0)).sum()), int(judged.sum()))
    cell = share_value(share, "nobody has judged a pair of it")
    return replace(cell, count=share.n, of=len(codes))


def _draw_curves(encoders: Sequence[LabelQuality]) -> Blocks:
    """Return the ROC curves of those that have a threshold, in one figure; none, if none has."""
    curves = [
        RocCurve(encoder.given.title, encoder.given.area.value, *encoder.given.curve)
        for encoder in encoders
        if encoder.given.curve is not None and encoder.given.area is not None
    ]
    title = "ROC curves of encoders, by the ground truth"
    return make_charts([roc_chart(title, curves)])


def _overview_table(encoders: Sequence[LabelQuality]) -> Blocks:
    pairs = len(encoders[0].given.labels)
    rows: list[list[Shown]] = [
        [
            encoder.given.title,
            _threshold_cell(encoder.given),
            count(encoder.unlabelled),
            *(
                [_of_task(encoder.given.area, pairs, encoder.given.undefined)]
                if encoder.given.area
                else []
            ),
            *(_of_task(figure, pairs) for figure in encoder.overall),
        ]
        for encoder in encoders
    ]
    titles = ("encoder", "threshold", "pairs unknown to it", "AUC", *_UNDEFINED)
    return make_table(titles, rows, "Labels of encoders, by the ground truth", contest=False)


def _quality_table(quality: LabelQuality) -> Blocks:
    pairs = len(quality.given.labels)
    rows: list[list[Shown]] = [["all", *(_of_task(figure, pairs) for figure in quality.overall)]]
    rows += [
        [readable_set(name), *(_of_task(figure, quality.pairs[name]) for figure in row)]
        for name, row in quality.sets.items()
        if name
    ]
    caption = f"Labels of {quality.given.title}, by the ground truth"
    return make_table(("set", *_UNDEFINED), rows, caption, contest=False)


def _beside_table(labels: Sequence[LabelQuality]) -> Blocks:
    rows: list[list[Shown]] = [
        [
            label.given.title,
            METRICS[comparison.raters.metric],
            shown(comparison.raters),
            shown(comparison.labels),
            shown(comparison.difference),
            count(comparison.labels.n),
        ]
        for label in labels
        for comparison in label.beside
    ]
    titles = ("labels of", "figure", "annotators", "labels with annotators", "difference", "pairs")
    caption = (
        "Means over each two annotators, and over the labels with each annotator, on the pairs "
        "that have a label; the same pairs are drawn for both in the intervals"
    )
    return make_table(titles, rows, caption, contest=False)


def _state_verdict(quality: LabelQuality) -> str:
    name = quality.given.title
    difference = quality.beside[0].difference
    if difference.undefined:
        return f"{name}: it cannot be told; {quality.given.undefined or difference.undefined}."
    alpha_text = f"(alpha {_signed_figure(difference)})"
    if difference.low > 0:
        return (
            f"{name}: agreement with the annotators is higher than theirs with each other "
            f"{alpha_text}."
        )
    if difference.high < 0:
        return (
            f"{name}: agreement with the annotators is lower than theirs with each other "
            f"{alpha_text}."
        )
    return (
        f"{name}: no difference to the annotators' agreement with each other is shown {alpha_text}."
    )


def _signed_figure(figure: AgreementFigure) -> str:
    value, low, high = (
        figure_text(bound, "+.3f") for bound in (figure.value, figure.low, figure.high)
    )
    return f"{value}, {low} to {high}"


def _of_task(figure: MetricValue, items: int, undefined: str = "") -> Value:
    """Return a figure as a cell that says of how many of some items it is."""
    why = undefined or _UNDEFINED.get(figure.metric, "")
    value = Value(figure.value, figure.low, figure.high, undefined=why, method=figure.method)
    return replace(value, count=figure.n, of=items)


def _threshold_cell(given: PairLabels) -> Shown:
    if given.threshold is None:
        return Value(nan, undefined=given.undefined)
    return "above all" if isinf(given.threshold) else Value(given.threshold)
