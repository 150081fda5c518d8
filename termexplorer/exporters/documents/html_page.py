"""Documents as one HTML page that loads nothing from outside."""

from pathlib import Path

from termexplorer.exporters.documents.blocks import ReportDocument
from termexplorer.exporters.documents.templates import (
    DARK_COLOURS,
    LIGHT_COLOURS,
    render_template,
)
from termexplorer.files import atomic_write


def write_html(path: Path, document: ReportDocument) -> None:
    """Write a document as a page.

    Raises:
        UserError: it cannot be written there.
    """
    page = render_template(
        "page.html",
        document=document,
        light=LIGHT_COLOURS,
        dark=DARK_COLOURS,
        variable_names={name: f"var(--{name})" for name in LIGHT_COLOURS},
    )
    with atomic_write(path) as fresh:
        fresh.write_text(page, "utf-8")
