"""Runs the notebooks of the docs and keeps what they print in them: `notebooks.py [FILE …]`."""

import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "resources/docs/notebooks"


def run_cells(notebook: dict[str, Any]) -> list[str]:
    """Run the code of a notebook, cell by cell, and return what each cell printed.

    What the code writes goes to the current folder.
    """
    variables: dict[str, Any] = {"__name__": "__main__"}
    printed = []
    for number, cell in enumerate(notebook["cells"], 1):
        if cell["cell_type"] != "code":
            continue
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            code = compile("".join(cell["source"]), f"cell {number}", "exec")
            exec(code, variables)  # noqa: S102 - it is ours
        printed.append(output.getvalue())
    return printed


def write_outputs(path: Path) -> None:
    """Run a notebook in a folder of its own, and keep what it printed in its file."""
    notebook = json.loads(path.read_text("utf-8"))
    home = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            printed = run_cells(notebook)
        finally:
            os.chdir(home)
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, (cell, text) in enumerate(zip(cells, printed, strict=True), 1):
        stream = {"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}
        cell["outputs"] = [stream] if text else []
        cell["execution_count"] = number
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    for file in map(Path, sys.argv[1:] or sorted(FOLDER.glob("*.ipynb"))):
        write_outputs(file.resolve())
