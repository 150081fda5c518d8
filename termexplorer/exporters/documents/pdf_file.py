"""Documents as PDF, fit for the appendix of a paper: A4, text that stays text, vector charts."""

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

from termexplorer.exporters.documents.blocks import Block, ChartGroup, ReportDocument, ReportTable
from termexplorer.exporters.documents.charts import CHART_FONT, make_standalone_svg
from termexplorer.exporters.documents.templates import LIGHT_COLOURS, TEMPLATES
from termexplorer.exporters.documents.typesetting import typeset
from termexplorer.files import atomic_write

_LONG_WORD = re.compile(r"\S{24,}")
_PIECE = re.compile(r"\S{12}(?=\S)")
_BREAK = "\u200b"  # a zero width space, at which a line may be broken


def write_pdf(path: Path, document: ReportDocument) -> None:
    """Write a document as PDF.

    Raises:
        UserError: it cannot be written there.
    """
    values = _break_long_words(_list_values(document))
    content = typeset(TEMPLATES / "report.typ", {"document": json.dumps(values)})
    with atomic_write(path) as fresh:
        fresh.write_bytes(content)


def _list_values(document: ReportDocument) -> dict[str, Any]:
    """Return what the template reads."""
    sections = [
        {"heading": section.heading, "blocks": [_list_block(block) for block in section.blocks]}
        for section in document.sections
    ]
    return {
        "title": document.title,
        "sections": sections,
        "font": CHART_FONT,
        "colours": LIGHT_COLOURS,
    }


def _list_block(block: Block) -> dict[str, Any]:
    values: dict[str, Any] = {"kind": block.kind}
    if isinstance(block, ChartGroup):
        charts = [
            {
                "title": chart.full_title,
                "svg": make_standalone_svg(chart),
                "legend": [asdict(entry) for entry in chart.legend],
            }
            for chart in block.charts
        ]
        return {**values, "charts": charts}
    if isinstance(block, ReportTable):
        values["full_caption"] = block.full_caption
    return {**values, **asdict(block)}


def _break_long_words(value: Any) -> Any:
    """Return values with places in long words at which a line may be broken; drawings as given."""
    if isinstance(value, dict):
        return {
            key: part if key == "svg" else _break_long_words(part) for key, part in value.items()
        }
    if isinstance(value, list | tuple):
        return [_break_long_words(part) for part in value]
    if isinstance(value, str):
        return _LONG_WORD.sub(lambda word: _PIECE.sub(rf"\g<0>{_BREAK}", word[0]), value)
    return value
