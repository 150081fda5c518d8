"""Charts of documents as files: SVG that stands by itself, PDF, and PNG at 300 dpi."""

from pathlib import Path

from termexplorer.exporters.documents.blocks import Chart, ReportDocument
from termexplorer.exporters.documents.templates import LIGHT_COLOURS, TEMPLATES, render_template
from termexplorer.exporters.documents.typesetting import typeset
from termexplorer.files import atomic_write

CHART_FONT = "Libertinus Serif"  # embedded in Typst
_SVG_TAG = "<svg"


def make_standalone_svg(chart: Chart) -> str:
    """Return a chart as SVG that has its name space, size and style in itself."""
    style = render_template("charts.css", colours=LIGHT_COLOURS)
    opening, content = chart.svg.split(">", 1)
    attributes = opening.removeprefix(_SVG_TAG)
    size = f'width="{chart.width}" height="{chart.height}"'
    font = f'text {{ font-family: "{CHART_FONT}", Inter, sans-serif; }}'
    return (
        f'{_SVG_TAG} xmlns="http://www.w3.org/2000/svg" {size}{attributes}>'
        f"<style>{style}{font}</style>{content}"
    )


def write_charts(folder: Path, document: ReportDocument) -> list[Path]:
    """Write each chart of a document to three files, and return their paths.

    Args:
        folder: where they go; it exists.
        document: with its charts.

    Raises:
        UserError: the folder cannot be written to.
    """
    written = []
    for number, chart in enumerate(document.charts, 1):
        svg = make_standalone_svg(chart)
        values = {"svg": svg, "title": f"{document.title} · {number}"}
        files = {
            "svg": svg.encode(),
            "pdf": typeset(TEMPLATES / "chart.typ", values),
            "png": typeset(TEMPLATES / "chart.typ", values, "png"),
        }
        for ending, content in files.items():
            path = folder / f"figure-{number}.{ending}"
            with atomic_write(path) as fresh:
                fresh.write_bytes(content)
            written.append(path)
    return written
