"""Turns notebooks into pages of Markdown."""

import json
from pathlib import Path
from typing import Any


def make_notebook_page(path: Path) -> str:
    """Return a notebook's cells, with what they printed, as Markdown."""
    notebook = json.loads(path.read_text("utf-8"))
    return "\n\n".join(part for cell in notebook["cells"] for part in describe_cell(cell)) + "\n"


def describe_cell(cell: dict[str, Any]) -> list[str]:
    """Return the blocks of one cell: its text, or its code and what it printed."""
    source = "".join(cell["source"])
    if cell["cell_type"] != "code":
        return [source]
    printed = "".join("".join(output.get("text", ())) for output in cell["outputs"])
    blocks = [f"```python\n{source}\n```"]
    return [*blocks, f"```text\n{printed.rstrip()}\n```"] if printed else blocks
