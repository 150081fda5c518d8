"""The page of `compare --html`: tables, and the rankings of those that disagree most."""

from collections.abc import Iterator
from pathlib import Path

from termexplorer.exporters.documents.blocks import Blocks, ReportDocument
from termexplorer.exporters.documents.html_page import write_html
from termexplorer.replicate.report import (
    make_heading,
    make_paragraph,
    make_rankings,
    make_section,
    make_table,
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
        make_section("Encoders", make_paragraph(summed.text), _overlap_table(summed)),
        make_section(
            "Wins, losses and ties", make_paragraph(summed.conclusion), _tally_table(summed)
        ),
        make_section("Mentions", _mention_table(summed)),
        make_section(
            "Rankings side by side",
            make_paragraph(_explain_page(summed)),
            *_mention_rankings(workspace, summed),
        ),
    )
    task = summed.compared.request.subject.task
    title = f"{task}: {' and '.join(summed.titles.values())}"
    write_html(path, ReportDocument(title, sections))


def _overlap_table(summed: Summary) -> Blocks:
    titles = summed.titles.values()
    rows = [
        [title, *map(number_text, summed.compared.overlap[at].tolist())]
        for at, title in enumerate(titles)
    ]
    caption = "Mean rank-biased overlap of the first 100 names (p = .9): 1 for equal rankings"
    return make_table(("", *titles), rows, caption)


def _tally_table(summed: Summary) -> Blocks:
    rows = [
        [
            tally.label or "all",
            summed.titles[tally.encoder_id],
            *(f"{count:,}" for count in (tally.wins, tally.losses, tally.ties)),
        ]
        for tally in summed.tallies
    ]
    caption = "Mentions whose best right answer ranks above that of "
    caption += f"{_baseline_title(summed)}, below, or as"
    return make_table(("class", "encoder", "wins", "losses", "ties"), rows, f"{caption} high")


def _mention_table(summed: Summary) -> Blocks:
    measures = ("rbo", "mean", "difference", "gain", "loss")
    cells = [
        [row.mention, "; ".join(row.classes), *map(number_text, row.numbers)] for row in summed.rows
    ]
    caption = (
        "Rank of the best right answer by each encoder; the lowest and the mean rank-biased "
        f"overlap of two; how many ranks they are apart, above and below {_baseline_title(summed)}"
    )
    return make_table(("mention", "class", *summed.titles.values(), *measures), cells, caption)


def _explain_page(summed: Summary) -> str:
    return (
        f"The first {_TOP} names by each encoder; ✓ is a right answer. Below a name stand how many "
        f"ranks it is above (+) or below (−) its place by {_baseline_title(summed)}, "
        "its concept, and its "
        "rank by each encoder; – is a rank below the first 100."
    )


def _baseline_title(summed: Summary) -> str:
    return summed.titles[summed.baseline_id]


def _mention_rankings(workspace: Workspace, summed: Summary) -> Iterator[Blocks]:
    for row in summed.rows[:_SIDE_BY_SIDE]:
        shown = side_by_side(
            workspace, summed.compared, row.place, top=_TOP, baseline_id=summed.baseline_id
        )
        classes = "; ".join(shown.classes)
        yield make_heading(
            " · ".join(filter(None, (shown.text, classes, f"rbo {number_text(row.rbo)}")))
        )
        ranked = [
            [(name.text, name.true, _describe_move(name)) for name in column.rows]
            for column in shown.columns
        ]
        yield make_rankings(list(summed.titles.values()), ranked)


def _describe_move(name: ComparedName) -> str:
    places = " / ".join("–" if rank is None else f"{rank}" for rank in name.ranks)
    return f"{name.moved} · {name.concept.label} · {places}"
