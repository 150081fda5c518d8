"""The report of a study that has a section for each ontology, or for each root."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from termexplorer.exporters.documents.blocks import Blocks, Section
from termexplorer.replicate.paper import paper_figures, papers_section
from termexplorer.replicate.report import Report, make_section
from termexplorer.replicate.runs import Bench
from termexplorer.replicate.setting import setting_section
from termexplorer.replicate.work.pieces import Record

Pieces: TypeAlias = Iterable[tuple[Blocks, list[Record]]]  # each with the figures that it shows


def page(bench: Bench, column: str, places: Mapping[str, Pieces], *notes: Section) -> Report:
    """How the study was made, what it came to, and what the paper has.

    Args:
        bench: the finished study.
        column: of the figures, what the places are.
        places: what is shown of each.
        notes: sections before that of the first place.
    """
    paper = paper_figures(bench.request.paper)
    sections, rows = [setting_section(bench, paper["title"]), *notes], []
    for label, pieces in places.items():
        shown = list(pieces)
        sections.append(make_section(label, *(blocks for blocks, _ in shown)))
        rows += [{column: label, **row} for _, section_rows in shown for row in section_rows]
    sections.append(papers_section(paper))
    labels = ", ".join(release.label for release in bench.request.releases)
    return Report.of_rows(f"[{bench.request.paper}] on {labels}", sections, rows)
