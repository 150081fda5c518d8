"""The page of `compare --html`: tables, and the rankings of those that disagree most."""

from collections.abc import Iterator
from pathlib import Path

from termexplorer.replicate.report import (
    heading,
    paragraph,
    rankings,
    section,
    table,
    write_page,
)
from termexplorer.services.compare.rows import Summary, number_text
from termexplorer.services.compare.side_by_side import ComparedName, side_by_side
from termexplorer.workspace import Workspace

_SIDE_BY_SIDE, _TOP = 10, 10


def write_comparison(path: Path, workspace: Workspace, summed: Summary) -> None:
    """Writes what was compared as one page that stands by itself.

    Raises:
        UserError: it cannot be written there, or the rankings were removed meanwhile.
    """
    sections = (
        section("Encoders", paragraph(summed.text), _overlap_table(summed)),
        section("Wins, losses and ties", paragraph(summed.conclusion), _tally_table(summed)),
        section("Mentions", _mention_table(summed)),
        section(
            "Rankings side by side",
            paragraph(_explain_page(summed)),
            *_mention_rankings(workspace, summed),
        ),
    )
    task = summed.compared.request.subject.task
    write_page(path, f"{task}: {' and '.join(summed.titles.values())}", sections)


def _overlap_table(summed: Summary) -> str:
    titles = summed.titles.values()
    rows = [
        [title, *map(number_text, summed.compared.overlap[at].tolist())]
        for at, title in enumerate(titles)
    ]
    caption = "Mean rank-biased overlap of the first 100 names (p = .9): 1 for equal rankings"
    return table(("", *titles), rows, caption)


def _tally_table(summed: Summary) -> str:
    rows = [
        [
            each.label or "all",
            summed.titles[each.encoder_id],
            *(f"{count:,}" for count in (each.wins, each.losses, each.ties)),
        ]
        for each in summed.tallies
    ]
    caption = "Mentions whose best right answer ranks above that of "
    caption += f"{_baseline_title(summed)}, below, or as"
    return table(("class", "encoder", "wins", "losses", "ties"), rows, f"{caption} high")


def _mention_table(summed: Summary) -> str:
    measures = ("rbo", "mean", "difference", "gain", "loss")
    cells = [
        [row.mention, "; ".join(row.classes), *map(number_text, row.numbers)] for row in summed.rows
    ]
    caption = (
        "Rank of the best right answer by each encoder; the lowest and the mean rank-biased "
        f"overlap of two; how many ranks they are apart, above and below {_baseline_title(summed)}"
    )
    return table(("mention", "class", *summed.titles.values(), *measures), cells, caption)


def _explain_page(summed: Summary) -> str:
    return (
        f"The first {_TOP} names by each encoder; ✓ is a right answer. Below a name stand how many "
        f"ranks it is above (+) or below (−) its place by {_baseline_title(summed)}, "
        "its concept, and its "
        "rank by each encoder; – is a rank below the first 100."
    )


def _baseline_title(summed: Summary) -> str:
    return summed.titles[summed.baseline_id]


def _mention_rankings(workspace: Workspace, summed: Summary) -> Iterator[str]:
    for row in summed.rows[:_SIDE_BY_SIDE]:
        shown = side_by_side(
            workspace, summed.compared, row.place, top=_TOP, baseline_id=summed.baseline_id
        )
        classes = "; ".join(shown.classes)
        yield heading(
            " · ".join(filter(None, (shown.text, classes, f"rbo {number_text(row.rbo)}")))
        )
        ranked = [
            [(name.text, name.true, _describe_move(name)) for name in column.rows]
            for column in shown.columns
        ]
        yield rankings(list(summed.titles.values()), ranked)


def _describe_move(name: ComparedName) -> str:
    places = " / ".join("–" if rank is None else f"{rank}" for rank in name.ranks)
    return f"{name.moved} · {name.concept.label} · {places}"
