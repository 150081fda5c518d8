"""The papers' own figures, to stand beside ours."""

import tomllib
from typing import Any

from termexplorer.exporters.documents.blocks import Blocks, Section
from termexplorer.replicate.report import Value, make_paragraph, make_section, make_table
from termexplorer.resources import FOLDER

_CAUTION = (
    "Its text and terminologies may not be passed on, so that the gains over the untrained mean "
    "are to be compared, not the figures themselves."
)


def paper_figures(paper: str) -> dict[str, Any]:
    """What `papers.toml` holds of a paper: its `title`, and `tables` of `columns` and `rows`.

    A `caution` is told below them, if not the usual one.
    """
    text = (FOLDER / "papers.toml").read_text("utf-8")
    figures: dict[str, Any] = tomllib.loads(text)[paper]
    return figures


def papers_section(figures: dict[str, Any]) -> Section:
    """The tables of a paper."""
    tables = map(_paper_table, figures["tables"])
    return make_section(
        "The paper's own figures", *tables, make_paragraph(figures.get("caution", _CAUTION))
    )


def _paper_table(figures: dict[str, Any]) -> Blocks:
    rows = [
        [name, *(Value(value, digits=figures.get("digits", 2)) for value in values)]
        for name, values in figures["rows"].items()
    ]
    return make_table(["", *figures["columns"]], rows, figures["caption"])
