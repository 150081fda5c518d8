"""The notebooks of the docs run as they stand, and print what they show."""

import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "resources/docs/notebooks").glob("*.ipynb"))
NUMBER = re.compile(r"\d+(\.\d+)?")


@pytest.fixture(scope="module")
def tool() -> dict[str, Any]:
    """The functions of `packaging/notebooks.py`."""
    return runpy.run_path(str(ROOT / "packaging/notebooks.py"))


@pytest.mark.filterwarnings("ignore:(read_text|open_text) is deprecated:DeprecationWarning")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_prints_what_it_shows(
    path: Path, tool: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    notebook = json.loads(path.read_text("utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    shown = ["".join(part for out in cell["outputs"] for part in out["text"]) for cell in code]
    printed = tool["run_cells"](notebook)
    assert any(shown)
    # figures differ in their last digits from one processor to another, and with them what is near
    assert [text.count("\n") for text in printed] == [text.count("\n") for text in shown]
    first = [NUMBER.sub("0", text.partition("\n")[0]) for text in (printed[0], shown[0])]
    assert first[0] == first[1]
