"""What `study agreement` prints of a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from termexplorer.cli.json_words import name_fields
from termexplorer.cli.output import (
    ShownCell,
    count_text,
    figure_cell,
    number_cell,
    print_line,
    print_table,
)
from termexplorer.services.agreement.agreement import METRICS, AgreementReport
from termexplorer.services.agreement.couple_matrix import (
    COUPLE_METRICS,
    CoupleMatrix,
    couple_matrix,
)
from termexplorer.services.agreement.rows import couples_note
from termexplorer.services.pairs.files import queued_note
from termexplorer.texts import number

if TYPE_CHECKING:
    from termexplorer.services.agreement.agreement import (
        AgreementFigure,
        MetricValue,
        RatedRows,
        RepeatedItems,
        SetAgreement,
        ShareFigure,
    )


def describe_doubts(rated: RatedRows, item: str) -> Iterator[str]:
    """Yield what the file may hold by mistake, and how it is taken."""
    for sign, count in rated.missing.items():
        yield (
            f"{count_text(count, 'rating is', 'ratings are')}"
            f" “{sign}”, taken as not rated (--missing)"
        )
    if rated.repeated is not None:
        yield _describe_repeats(rated.repeated, item)
    for spellings in rated.spellings:
        counts = ", ".join(f"“{label}” ({count:,})" for label, count in spellings.items())
        yield f"{counts} differ by case or blanks alone, and count as different labels"


def _describe_repeats(repeated: RepeatedItems, item: str) -> str:
    columns = ", ".join(f"“{title}”" for title in repeated.titles)
    taken = (
        "a rater's first rating of each counts"
        if item
        else f"they count as {repeated.rows:,} items; --item names the column that makes them one"
    )
    return (
        f"{count_text(repeated.items, 'item is', 'items are')} repeated (by {columns}), in "
        f"{repeated.rows:,} lines, {repeated.contradicting:,} of them contradicting, where a rater "
        f"has given different labels or --label has several: {taken}"
    )


def print_agreement(report: AgreementReport) -> None:
    """Prints tables for people."""
    overall = report.overall
    print_line(
        f"{count_text(report.items, 'item', 'items')}, "
        f"{count_text(len(report.raters), 'rater', 'raters')} ({', '.join(report.raters)}), "
        f"{count_text(overall.ratings, 'rating', 'ratings')} on the {report.scale} scale "
        f"{', '.join(report.labels)}"
    )
    unrated = report.items - report.no_majority.n
    unsure = "a vote for none" if report.reckoning.dont_know_votes else "no vote"
    print_line(
        f"Of the cells {_figure_text(overall.missing)} are empty, of the answers "
        f'{_figure_text(overall.dont_know)} "{report.dont_know}"; '
        f"{_figure_text(report.no_majority)} of the {'rated ' if unrated else ''}items "
        f'have no majority ("{report.dont_know}" is {unsure})'
    )
    if unrated:
        print_line(f"{count_text(unrated, 'item was', 'items were')} rated by nobody")
    if report.overlap_told:
        print_line(report.overlap_told)
    _print_figures(overall.figures)
    columns = [figure.metric for figure in overall.figures]
    if len(overall.pairs) == 1:
        print_line("")
        _print_rows("raters", columns, {" – ".join(e.raters): e.figures for e in overall.pairs})
    elif overall.pairs:
        _print_couples(report)
    print_line("")
    shares = [
        (share.rater, share.ratings, _figure_cell(share.missing), _figure_cell(share.dont_know))
        for share in overall.shares
    ]
    print_table(("rater", "ratings", "empty", report.dont_know), shares)
    if report.within:
        print_line("\nEach rater with themselves, on items rated again:")
        _print_rows(
            "rater", columns, {agreement.rater: agreement.figures for agreement in report.within}
        )
    if report.sets:
        print_line(f"\nEach set, with the labels that it came with. {report.truth_told}")
        titles = [figure.metric.replace("_", " ") for figure in report.sets[0].votes]
        sets = [_set_row(set_agreement) for set_agreement in report.sets]
        print_table(("set", "items", *columns[:2], *titles), sets)
        print_line("(n: items that a figure is of, where these are not all of the set)")
        if note := queued_note(set_agreement.set for set_agreement in report.sets):
            print_line(note)
    print_line(
        "\n(in brackets 95 % intervals; --json tells of how many items each figure is, and how its "
        "interval was made)"
    )


def _set_row(of_set: SetAgreement) -> tuple[object, ...]:
    """Return a set's cells; each figure says how many items it is of, where that is not all."""
    figures: list[AgreementFigure | MetricValue] = [*of_set.agreement[:2], *of_set.votes]
    return of_set.set, of_set.items, *(_figure_cell(figure, of_set.items) for figure in figures)


def _print_couples(report: AgreementReport) -> None:
    for metric in COUPLE_METRICS:
        matrix = couple_matrix(report, metric)
        print_line(f"\n{METRICS[metric]} of each two, with its 95 % interval and items:")
        rows = [
            (rater, *(_couple_cell(matrix, rater, other) for other in matrix.raters))
            for rater in matrix.raters
        ]
        print_table(("rater", *matrix.raters), rows)


def _print_rows(
    title: str, columns: Sequence[str], named: Mapping[str, Sequence[AgreementFigure]]
) -> None:
    rows = [(name, *map(_figure_cell, figures), figures[0].n) for name, figures in named.items()]
    print_table((title, *columns, "items"), rows)


def _print_figures(figures: Sequence[AgreementFigure]) -> None:
    rows = [
        (METRICS[row_figure.metric], _figure_cell(row_figure), row_figure.n)
        for row_figure in figures
    ]
    print_table(("figure", "value", "items"), rows)
    for figure in figures:
        if figure.undefined:
            print_line(f"  {METRICS[figure.metric]} is undefined: {figure.undefined}")
        elif note := couples_note(figure):
            print_line(f"  {METRICS[figure.metric]}: {note}")


def _couple_cell(matrix: CoupleMatrix, rater: str, other: str) -> ShownCell:
    figure, text = matrix.figures.get((rater, other)), matrix.text(rater, other)
    if figure is None:
        return number_cell(None, text)
    return figure_cell(figure.value, figure.low, figure.high, text)


def _figure_cell(
    figure: AgreementFigure | MetricValue | ShareFigure, items: int | None = None
) -> ShownCell:
    return figure_cell(figure.value, figure.low, figure.high, _figure_text(figure, items))


def _figure_text(
    figure: AgreementFigure | MetricValue | ShareFigure, items: int | None = None
) -> str:
    """Return a figure and its interval; the items that it is of, where these are not `items`."""
    of = f"n = {figure.n:,}" if items not in (None, figure.n) else ""
    if figure.value != figure.value:
        return f"– ({of})" if of else "–"
    value, low, high = (number(part, ".3f") for part in (figure.value, figure.low, figure.high))
    return f"{value} ({low}–{high}; {of})" if of else f"{value} ({low}–{high})"


def agreement_object(report: AgreementReport) -> dict[str, object]:
    """The report for JSON: overall values by name, and all figures with their intervals."""
    overall = report.overall
    content: dict[str, object] = {
        figure.metric: _finite_or_none(figure.value) for figure in overall.figures
    }
    return content | {
        "scale": report.scale,
        "labels": report.labels,
        "raters": report.raters,
        "items": report.items,
        "ratings": overall.ratings,
        **_share_fields("missing", overall.missing),
        **_share_fields("dont_know", overall.dont_know),
        **_share_fields("no_majority", report.no_majority),
        **_share_fields("unjudged", report.unjudged),
        "dont_know_votes": report.reckoning.dont_know_votes,
        "decided": report.decided,
        "overlapping": report.overlapping,
        "single": report.single,
        "single_without_majority": report.single_open,
        "figures": figure_objects(overall.figures),
        "pairs": [
            {"raters": pair.raters, "figures": figure_objects(pair.figures)}
            for pair in overall.pairs
        ],
        "shares": [
            {
                "rater": share.rater,
                "ratings": share.ratings,
                **_share_fields("missing", share.missing),
                **_share_fields("dont_know", share.dont_know),
            }
            for share in overall.shares
        ],
        "within": [
            {"rater": agreement.rater, "figures": figure_objects(agreement.figures)}
            for agreement in report.within
        ],
        "sets": [
            {
                "set": set_agreement.set,
                "items": set_agreement.items,
                "figures": figure_objects(set_agreement.agreement),
            }
            | {"votes": figure_objects(set_agreement.votes)}
            for set_agreement in report.sets
        ],
    }


def _share_fields(name: str, share: ShareFigure) -> dict[str, object]:
    """Return a share for JSON, with the ends of its exact interval and what it is a share of."""
    ends = {f"{name}_low": _finite_or_none(share.low), f"{name}_high": _finite_or_none(share.high)}
    return {name: _finite_or_none(share.value), **ends, f"{name}_n": share.n}


def figure_objects(figures: Sequence[AgreementFigure | MetricValue]) -> list[dict[str, object]]:
    """Figures for JSON, which knows no NaN."""
    return [
        _known_values(name_fields(figure)) | {"metric": figure.metric.lower()} for figure in figures
    ]


def _known_values(row: dict[str, object]) -> dict[str, object]:
    return {key: _finite_or_none(value) for key, value in row.items() if key != "primary"}


def _finite_or_none(value: object) -> object:
    return value if value == value else None  # JSON knows no NaN
