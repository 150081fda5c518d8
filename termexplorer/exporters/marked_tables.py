"""Small tables with bold cells, for a paper (LaTeX) or a page (HTML)."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from termexplorer.files import atomic_write
from termexplorer.texts import language

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}",
    "≈": r"$\approx$", "▼": r"$\downarrow$", "–": "--", "·": r"$\cdot$", "−": r"$-$",
    "×": r"$\times$",
}  # fmt: skip
_STYLE = """
body { font: 14px/1.4 Inter, system-ui, sans-serif; margin: 24px; color-scheme: light dark; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 12px; text-align: right; border-bottom: 1px solid #8884; }
th { vertical-align: bottom; font-weight: 600; max-width: 14em; }
th:first-child, td:first-child { text-align: left; }
td.best { font-weight: 700; }
p { color: GrayText; }
"""


@dataclass(frozen=True, slots=True)
class MarkedCell:
    """A cell; its tip is shown where the pointer rests, as far as the format has that."""

    text: str
    is_bold: bool = False
    tip: str = ""


@dataclass(frozen=True, slots=True)
class MarkedTable:
    """A table; figures stand in all columns but the first."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[MarkedCell]]
    notes: Sequence[str] = ()


def write_latex_table(path: Path, table: MarkedTable) -> None:
    """Write a `table` of LaTeX, which needs the package booktabs.

    Raises:
        UserError: the place cannot be written to.
    """
    caption = " ".join((f"{table.title}.", *table.notes))
    columns = "l" + "r" * (len(table.header) - 1)
    lines = [
        "% \\usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escape_latex(caption)}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _latex_row([escape_latex(title) for title in table.header]),
        r"\midrule",
        *(_latex_row([_latex_cell(cell) for cell in row]) for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    _write_text(path, "\n".join(lines) + "\n")


def write_html_table(path: Path, table: MarkedTable) -> None:
    """Write a page that stands by itself.

    Raises:
        UserError: the place cannot be written to.
    """
    head = "".join(f"<th scope='col'>{escape(title)}</th>" for title in table.header)
    body = "\n".join(f"<tr>{''.join(map(_html_cell, row))}</tr>" for row in table.rows)
    notes = "\n".join(f"<p>{escape(note)}</p>" for note in table.notes)
    _write_text(
        path,
        f"<!doctype html>\n<html lang='{language()}'><head><meta charset='utf-8'>"
        f"<title>{escape(table.title)}</title><style>{_STYLE}</style></head>\n"
        f"<body><h1>{escape(table.title)}</h1>\n<table><thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody></table>\n{notes}\n</body></html>\n",
    )


def escape_latex(text: str) -> str:
    """Return a text as LaTeX shows it."""
    return "".join(_LATEX.get(sign, sign) for sign in text)


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _latex_cell(cell: MarkedCell) -> str:
    text = escape_latex(cell.text)
    return rf"\textbf{{{text}}}" if cell.is_bold else text


def _html_cell(cell: MarkedCell) -> str:
    tip = f" title='{escape(cell.tip, quote=True)}'" if cell.tip else ""
    best = " class='best'" if cell.is_bold else ""
    return f"<td{best}{tip}>{escape(cell.text)}</td>"


def _write_text(path: Path, text: str) -> None:
    with atomic_write(path) as fresh:
        fresh.write_text(text, encoding="utf-8")
