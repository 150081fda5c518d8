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
    answers = [each.answer for each in report.status.study.head.answers]
    rows: list[list[Shown]] = []
    for each in report.answers.distributions:
        total = sum(each.counts.values())
        counts = [count(each.counts.get(answer, 0)) for answer in answers]
        rows.append([each.annotator, *counts, count(total)])
    caption = "How often each annotator gave each answer; each pair once, without practice"
    parts = [make_table(("annotator", *answers, "pairs"), rows, caption, contest=False)]
    if report.answers.confusions:
        parts.append(make_heading("Confusion of each two annotators"))
    parts += [_confusion_table(each, answers) for each in report.answers.confusions]
    return make_section("Answers", *parts)


def disagreements_section(report: StudyReport) -> Section:
    """Return the pairs on which annotators differ, with all answers and comments."""
    differing = report.answers.differing
    if not differing:
        told = "No two annotators gave different answers to a pair."
        return make_section("Disagreements", make_paragraph(told))
    annotators = [each.annotator for each in report.answers.distributions]
    decided = report.truth.decided
    has_sets = any(pair.set_name for pair, _ in differing)
    rows: list[list[Shown]] = []
    for pair, said in differing:
        answers = {each.annotator: each.answer for each in said}
        notes = [f"{name}: {each.note}" for name, each in answers.items() if each.note]
        decision = decided.get(pair)
        if decision is not None and decision.note:
            notes.append(f"{decision.adjudicator}: {decision.note}")
        rows.append(
            [
                pair.subject,
                pair.object,
                *([readable_set(pair.set_name)] if has_sets else []),
                *(answers[each].answer if each in answers else "–" for each in annotators),
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
    for own in answers:
        row = [confusion.counts.get((own, other), 0) for other in answers]
        rows.append([own, *map(count, row), count(sum(row))])
    sums = [sum(confusion.counts.get((own, each), 0) for own in answers) for each in answers]
    rows.append(["all", *map(count, sums), count(sum(sums))])
    caption = (
        f"Pairs by the answers of {confusion.first} (rows) and {confusion.second} (columns), where "
        "both have answered"
    )
    return make_table((confusion.first, *answers, "all"), rows, caption, contest=False)
