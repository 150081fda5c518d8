"""How a study was made and who judged, as sections of its report."""

import platform
from collections.abc import Iterator
from dataclasses import astuple
from importlib import metadata

from termexplorer.exporters.documents.blocks import Blocks, Paragraph, Section
from termexplorer.replicate.report import (
    Shown,
    Value,
    make_heading,
    make_paragraph,
    make_section,
    make_table,
)
from termexplorer.replicate.study.agreement_tables import share_value
from termexplorer.replicate.study.set_words import describe_sources, readable_set
from termexplorer.services.studies.answer_lines import similar_ones
from termexplorer.services.studies.report import StudyReport
from termexplorer.services.studies.status import StudyStatus

_NO_ANSWER = "nothing was answered"


def protocol_section(report: StudyReport) -> Section:
    """What was asked, of which pairs, and how figures are reckoned."""
    head = report.status.study.head
    facts = [[name, fact] for name, fact in _list_facts(report)]
    guidelines = tuple(map(Paragraph, head.guidelines.splitlines()))
    return make_section(
        "Protocol",
        make_table(
            ("what", "how"),
            facts,
            "How the study was made, and how figures are reckoned",
            contest=False,
        ),
        make_heading("Guidelines"),
        guidelines or make_paragraph("None were given."),
        _drawn_table(report),
    )


def annotators_section(report: StudyReport) -> Section:
    """Who judged how much, and how."""
    paces = {pace.annotator: pace for pace in report.paces}
    rows: list[list[Shown]] = []
    for seat in report.status.seats:
        counts = (seat.judged, seat.asked, seat.skipped, seat.practised)
        seconds = paces[seat.annotator].seconds
        rows.append(
            [
                seat.annotator,
                *(Value(count, digits=0) for count in counts),
                Value(seconds, digits=1, undefined="no time was kept"),
            ]
        )
    titles = ("annotator", "judged", "of", "skipped", "practised", "seconds")
    caption = (
        "Questions without practice; a repeated pair is two. Seconds: median active time of an "
        "answer"
    )
    rows.append(["all", *(Value(_sum_column(rows, at), digits=0) for at in range(1, 5)), ""])
    counted = make_table(titles, rows, caption, contest=False)
    return make_section("Annotators", counted, _share_table(report), _checks_table(report))


def _share_table(report: StudyReport) -> Blocks:
    """Return what annotators left out, were unsure of and looked up, as shares."""
    paces = {pace.annotator: pace for pace in report.paces}
    whole = report.agreement.overall
    rows: list[list[Shown]] = [
        [
            share.rater,
            share_value(share.missing),
            share_value(share.dont_know, _NO_ANSWER),
            share_value(paces[share.rater].looked_up, _NO_ANSWER),
        ]
        for share in whole.shares
    ]
    rows.append(["all", share_value(whole.missing), share_value(whole.dont_know, _NO_ANSWER), ""])
    unsure = report.agreement.dont_know
    caption = f"Not rated: share of the study's pairs; {unsure}, looked up: shares of the answers"
    titles = ("annotator", "not rated", unsure, "looked up")
    return make_table(titles, rows, caption, contest=False)


def _checks_table(report: StudyReport) -> Blocks:
    """How annotators did on the pairs whose answer was known; nothing without such pairs."""
    seats = [seat for seat in report.status.seats if seat.checks.asked]
    if not seats:
        return ()
    rows: list[list[Shown]] = [
        [seat.annotator, *(Value(n, digits=0) for n in astuple(seat.checks))] for seat in seats
    ]
    caption = "Pairs with a known answer, mixed in as checks of attention; they count nowhere else"
    return make_table(("annotator", "checks", "answered", "right"), rows, caption, contest=False)


def _sum_column(rows: list[list[Shown]], column: int) -> float:
    return sum(cell.value for row in rows if isinstance(cell := row[column], Value))


def _list_facts(report: StudyReport) -> Iterator[tuple[str, str]]:
    status, reckoning = report.status, report.agreement.reckoning
    unsure = report.agreement.dont_know
    head = status.study.head
    plan = head.plan
    yield "Question", head.question
    yield (
        "Answers",
        "; ".join(
            f"{answer.answer} ({answer.meaning})" if answer.meaning else answer.answer
            for answer in head.answers
        ),
    )
    yield "Scale", f"{head.level}: {', '.join(report.agreement.labels)}"
    similar = similar_ones(head.answers, head.level, plan.get("similar", ""))
    if similar:
        yield "Means similar", f"{', '.join(similar)}, where labels are held against the answers"
    yield "Annotators", f"{len(status.seats)}: {', '.join(seat.annotator for seat in status.seats)}"
    yield (
        "Pairs",
        (
            f"{status.pairs:,}, of which {status.complete:,} have an answer of each who is "
            "asked; the sets are hidden; the order is random for each annotator, and so is which "
            "term is at the left"
        ),
    )
    if "suggestions" not in plan:  # these are of no pair sets
        yield from describe_sources(plan.get("sources", ()))
    if status.left_out_told:
        yield "Left out", f"{status.left_out_told}, of the sets before the draw or of the study"
    if "each" in plan:
        telling_note = "; what was right was told after each" if plan.get("tell_practice") else ""
        practice = max((seat.practice for seat in status.seats), default=0)
        yield "Practice", f"{practice:,} pairs before, which count nowhere{telling_note}"
        yield "Repeated", f"{plan['repeat']:.0%} of an annotator's pairs come twice"
        yield "Judged by", _describe_askers(status)
        yield "Seed", str(plan["seed"])
    yield (
        f"“{unsure[:1].upper()}{unsure[1:]}”",
        (
            "as if not rated in all coefficients; in the majority "
            + ("a vote for none" if reckoning.dont_know_votes else "no vote")
        ),
    )
    yield "Majority", "what more than half of the votes on a pair are for"
    yield (
        "Intervals",
        (
            "95 %; how they were made stands below each table. A bootstrap draws pairs, of which "
            f"{reckoning.resamples:,} samples are taken, with seed {reckoning.seed}"
        ),
    )
    yield "Made", head.made_at
    yield "Key", head.key
    yield (
        "Reckoned by",
        (f"termexplorer {metadata.version('termexplorer')}, Python {platform.python_version()}"),
    )


def _describe_askers(status: StudyStatus) -> str:
    """How many annotators judge each pair."""
    seats = len(status.seats)
    if len(status.askers) == 1:
        return f"{status.askers[0][0]} of {seats} annotators each"
    lines = (f"{pairs:,} pairs by {askers} of {seats}" for askers, pairs in status.askers)
    return f"{'; '.join(lines)}; agreement is of the pairs that two or more have judged"


def _drawn_table(report: StudyReport) -> Blocks:
    sets = report.status.study.head.plan.get("sets", [])
    if "suggestions" in report.status.study.head.plan:
        return make_paragraph(
            "The pairs are the concepts of suggestions, in the order of their list."
        )
    if not sets:
        return make_paragraph("The pairs came in a study pack, which does not tell of sets.")
    kinds = [
        name
        for name in ("similar", "dissimilar", "rated")
        if any(drawn_set[name] for drawn_set in sets)
    ]
    rows: list[list[Shown]] = [
        [
            readable_set(drawn_set["name"]),
            *(Value(drawn_set[name], digits=0) for name in ("asked", *kinds)),
        ]
        for drawn_set in sets
    ]
    sums = [Value(_sum_column(rows, at), digits=0) for at, _ in enumerate(kinds, 2)]
    rows.append(["all", "", *sums])
    caption = "Pairs drawn from each set; asked for is how many of each kind at most"
    if "rated" in kinds:
        caption += "; rated: pairs of sets without labels of similar and dissimilar ones"
    return make_table(("set", "asked for", *kinds), rows, caption, contest=False)
