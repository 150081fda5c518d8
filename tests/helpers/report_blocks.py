"""Blocks of a report as they stand in its page."""

from termexplorer.exporters.documents.blocks import Blocks
from termexplorer.exporters.documents.templates import render_template


def render_blocks(blocks: Blocks) -> str:
    """Return blocks as HTML, by the template that pages are made of."""
    return render_template("blocks.html", blocks=blocks)
