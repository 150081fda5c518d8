"""What annotators answered, and where they disagree, as sections of a study's report."""

from termexplorer.exporters.documents.blocks import Blocks, Section
from termexplorer.replicate.report import (
    Shown,
    make_heading,
    make_paragraph,
    make_section,
    make_table,
)
from termexplorer.replicate.study.agreement_tables import count
from termexplorer.replicate.study.set_words import readable_set
from termexplorer.services.studies.answer_counts import Confusion
from termexplorer.services.studies.report import StudyReport


def answers_section(report: StudyReport) -> Section:
    """Return how often each annotator gave each answer, and each two gave each two."""
    answers = [answer.answer for answer in report.status.study.head.answers]
    rows: list[list[Shown]] = []
    for distribution in report.answers.distributions:
        total = sum(distribution.counts.values())
        counts = [count(distribution.counts.get(answer, 0)) for answer in answers]
        rows.append([distribution.annotator, *counts, count(total)])
    caption = "How often each annotator gave each answer; each pair once, without practice"
    parts = [make_table(("annotator", *answers, "pairs"), rows, caption, contest=False)]
    if report.answers.confusions:
        parts.append(make_heading("Confusion of each two annotators"))
    parts += [_confusion_table(confusion, answers) for confusion in report.answers.confusions]
    return make_section("Answers", *parts)


def disagreements_section(report: StudyReport) -> Section:
    """Return the pairs on which annotators differ, with all answers and comments."""
    differing = report.answers.differing
    if not differing:
        text = "No two annotators gave different answers to a pair."
        return make_section("Disagreements", make_paragraph(text))
    annotators = [distribution.annotator for distribution in report.answers.distributions]
    decided = report.truth.decided
    has_sets = any(pair.set_name for pair, _ in differing)
    rows: list[list[Shown]] = []
    for pair, judgements in differing:
        answers = {judgement.annotator: judgement.answer for judgement in judgements}
        notes = [
            f"{name}: {judgement.note}" for name, judgement in answers.items() if judgement.note
        ]
        decision = decided.get(pair)
        if decision is not None and decision.note:
            notes.append(f"{decision.adjudicator}: {decision.note}")
        rows.append(
            [
                pair.subject,
                pair.object,
                *([readable_set(pair.set_name)] if has_sets else []),
                *(
                    answers[annotator].answer if annotator in answers else "–"
                    for annotator in annotators
                ),
                *([decision.answer if decision else "–"] if decided else []),
                "; ".join(notes),
            ]
        )
    sets, decisions = ("set",) if has_sets else (), ("decision",) if decided else ()
    titles = ("term", "term", *sets, *annotators, *decisions, "comments")
    caption = (
        f"The {len(differing):,} pairs with different answers; –: not answered, or not decided"
    )
    return make_section("Disagreements", make_table(titles, rows, caption, contest=False))


def _confusion_table(confusion: Confusion, answers: list[str]) -> Blocks:
    rows: list[list[Shown]] = []
    for row_answer in answers:
        row = [confusion.counts.get((row_answer, other), 0) for other in answers]
        rows.append([row_answer, *map(count, row), count(sum(row))])
    sums = [
        sum(confusion.counts.get((first, second), 0) for first in answers) for second in answers
    ]
    rows.append(["all", *map(count, sums), count(sum(sums))])
    caption = (
        f"Pairs by the answers of {confusion.first} (rows) and {confusion.second} (columns), where "
        "both have answered"
    )
    return make_table((confusion.first, *answers, "all"), rows, caption, contest=False)
