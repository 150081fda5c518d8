"""Texts that would be markup, turn the direction of writing, or calculate, are shown as text."""

from __future__ import annotations

import csv
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path

from termexplorer.bench.reliability.fault import Attempt, BreakingFault
from termexplorer.errors import UserError
from termexplorer.exporters.marked_tables import MarkedCell, MarkedTable, write_html_table
from termexplorer.plain_text import plain_html, plain_tip, show_line, show_signs
from termexplorer.services.studies.verdict_files import write_verdicts
from termexplorer.services.studies.verdict_import import import_verdicts
from termexplorer.services.verdicts.log import (
    Answer,
    Judge,
    VerdictSubject,
    give_verdict,
    judged,
    now,
)
from termexplorer.workspace import Workspace

_MARKUP = (
    '<img src="file:///etc/hostname">', "<b>bold</b>", "&lt;i&gt;", "<script>alert(1)</script>",
    "<a href='http://localhost/'>", "<!-- ", "</p></td>", "<!DOCTYPE a [<!ENTITY a 'b'>]>&a;",
)  # fmt: skip
_TURNING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
_CONTROL = "\x00\x07\x08\x1b\x7f\x85\x9f"
_FORMULAS = ("=1+1", "+1", "-1", "@a", "＝1+1", "＋1", "－1", "＠a", "|a", "\t=1", "'=1", " =1")
_SIGNS = frozenset("=+-@＝＋－＠|\t\r")


def _draw_text(attempt: Attempt, parts: tuple[str, ...] | str) -> str:
    words = [attempt.draw.choice(parts) for _ in range(attempt.draw.randint(1, 4))]
    return " abc ".join(words) + attempt.draw.choice(("", " gpj.exe", "\nsecond line"))


class _ShownText(HTMLParser):
    """The text that a page shows, and the tags that it has."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text = ""
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, _attributes: object) -> None:
        """Keep a tag."""
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        """Keep a text."""
        self.text += data


def _parse_page(page: str) -> _ShownText:
    parser = _ShownText()
    parser.feed(page)
    parser.close()
    return parser


def _show_markup(attempt: Attempt) -> list[str]:
    text = _draw_text(attempt, _MARKUP)
    page = attempt.folder / "page.html"
    write_html_table(page, MarkedTable(text, ("a", text), [[MarkedCell(text, tip=text)] * 2]))
    plain = attempt.folder / "plain.html"
    write_html_table(plain, MarkedTable("a", ("a", "a"), [[MarkedCell("a", tip="a")] * 2]))
    shown, expected = (_parse_page(path.read_text("utf-8")) for path in (page, plain))
    fell = [] if shown.tags == expected.tags else [f"a page has the tags of {text!r}"]
    for show in (plain_html, plain_tip):
        parsed = _parse_page(show(text))
        if {*parsed.tags} - {"p"} or parsed.text != text:
            fell.append(f"{show.__name__} shows {parsed.text!r} of {text!r}")
    return fell


def _show_turned(attempt: Attempt) -> list[str]:
    text = _draw_text(attempt, _TURNING + _CONTROL)
    fell = []
    for show in (show_signs, show_line, plain_html, plain_tip):
        hidden = {*show(text)} & {*_TURNING, *_CONTROL}
        if hidden:
            fell.append(f"{show.__name__} leaves {sorted(hidden)!r}")
    return fell


def _keep_formulas(attempt: Attempt) -> list[str]:
    """Write notes that would calculate to a table, and read them into another workspace."""
    notes = [_draw_text(attempt, _FORMULAS).replace("\n", " ") for _ in range(3)]
    ending = attempt.draw.choice((".tsv", ".csv", ".xlsx", ".jsonl"))
    table = attempt.folder / f"notes{ending}"
    with closing(Workspace(attempt.folder / "one")) as workspace:
        for number, note in enumerate(notes):
            about = VerdictSubject("T:1", "skos:exactMatch", f"T:{number}")
            give_verdict(workspace, Judge("Anna"), about, Answer("correct", note, now(), now()))
        write_verdicts(workspace, table)
    try:
        with closing(Workspace(attempt.folder / "other")) as other:
            import_verdicts(other, table)
            back = [row.answer.note for row in judged(other)]
    except UserError as error:
        return [f"{ending}: {error}"]
    fell = [] if back == notes else [f"{ending}: {notes} came back as {back}"]
    return fell + [f"{ending}: {cell!r} calculates" for cell in _read_notes(table, ending)]


def _read_notes(table: Path, ending: str) -> list[str]:
    """Return the cells of a table that a spreadsheet would calculate."""
    if ending not in (".tsv", ".csv"):
        return []
    with table.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t" if ending == ".tsv" else ","))
    return [cell for row in rows[1:] for cell in row if cell[:1] in _SIGNS]


HOSTILE_TEXTS = (
    BreakingFault("markup in names", 1.0, _show_markup),
    BreakingFault("right-to-left and control characters in names", 1.0, _show_turned),
    BreakingFault("formulas in notes, to a table and back", 0.05, _keep_formulas),
)
