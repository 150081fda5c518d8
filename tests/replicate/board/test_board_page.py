"""The page of the docs that shows the board which is kept, and what it says of it."""

import re
from pathlib import Path

from termexplorer.replicate.board.encoders import ENCODERS
from termexplorer.replicate.board.table import (
    BEGIN,
    BOARD_FILE,
    read_board,
    render_board,
    write_page,
)
from termexplorer.replicate.board.tasks import TASKS

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "resources" / "docs" / "which-encoder.md"
KEPT_BOARD = ROOT / "resources" / "studies" / "board" / BOARD_FILE
FIGURE = re.compile(r"(\.\d{3})(?: \((\.\d{3})–(\.\d{3})\))?")


def test_the_page_shows_what_the_kept_board_has(tmp_path: Path) -> None:
    fresh = tmp_path / PAGE.name
    fresh.write_bytes(PAGE.read_bytes())
    results = read_board(KEPT_BOARD)
    write_page(fresh, results)
    assert fresh.read_text("utf-8") == PAGE.read_text("utf-8")
    assert list(results.tasks) == list(TASKS)
    assert [row.title for row in results.rows] == [entry.title for entry in ENCODERS.values()]


def test_what_the_page_says_of_the_board_is_in_its_tables() -> None:
    table = render_board(read_board(KEPT_BOARD)).replace("**", "").replace("°", "")
    text = PAGE.read_text("utf-8")
    section = text[text.index("### What it shows") : text.index("### How it was measured")]
    rows = " ".join(line for line in text.splitlines() if "(#the-board)" in line)
    claims = [
        *FIGURE.findall(" ".join(section.split())),
        *(claim for claim in FIGURE.findall(rows) if claim[1]),
    ]
    assert len(claims) > 15
    for value, low, high in claims:
        assert (f"{value} ({low}–{high})" if low else f"{value} (") in table, value


def test_markers_are_on_the_page_once() -> None:
    assert PAGE.read_text("utf-8").count(BEGIN) == 1
