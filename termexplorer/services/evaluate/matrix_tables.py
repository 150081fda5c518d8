"""The matrix of evaluations as files: CSV, TSV, XLSX, JSONL, LaTeX and HTML."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count
from pathlib import Path

from termexplorer.exporters.marked_tables import (
    MarkedCell,
    MarkedTable,
    write_html_table,
    write_latex_table,
)
from termexplorer.files import check_output_file
from termexplorer.services.evaluate.matrix import (
    CellStanding,
    EvaluationMatrix,
    MatrixCell,
    MatrixColumn,
)
from termexplorer.services.figures.metric_kinds import LEAST_ITEMS
from termexplorer.services.files.exports import ENDINGS, Cell, write_table
from termexplorer.store.encoders.evaluations import describe_data
from termexplorer.texts import number, share_text, tr, translated, trn

MATRIX_ENDINGS = (*ENDINGS, ".tex", ".html")
SIGNS = {
    CellStanding.BEST: "",
    CellStanding.LEVEL: "≈",
    CellStanding.WORSE: "▼",
    CellStanding.UNTESTED: "?",
    CellStanding.UNDECIDED: "?",
    CellStanding.CHANCE: "≤",
    CellStanding.FEW: "",
    CellStanding.ALONE: "",
}
MISSING = "–"
_MARKED = {".tex": write_latex_table, ".html": write_html_table}


def check_matrix_path(path: Path) -> None:
    """Refuse a file that the matrix cannot be written to, before it is gathered.

    Raises:
        UserError: another ending, or no such folder.
    """
    check_output_file(path, MATRIX_ENDINGS)


def write_matrix(path: Path, matrix: EvaluationMatrix, labels: Mapping[int, str]) -> None:
    """Write the matrix; the ending tells the format.

    Raises:
        UserError: another ending, or a place that cannot be written to.
    """
    check_matrix_path(path)
    write = _MARKED.get(path.suffix.lower())
    if write is not None:
        write(path, marked_table(matrix, labels))
    else:
        write_table(path, matrix_header(matrix), matrix_rows(matrix, labels))


def column_title(column: MatrixColumn) -> str:
    """Return what a column is of, in the language in use: the data alone."""
    return column.name or describe_data(column.title, column.level)


def matrix_header(matrix: EvaluationMatrix) -> list[str]:
    """Return the titles of a file's columns, of each set its figure and what belongs to it."""
    tests = f" over {matrix.family} test{'' if matrix.family == 1 else 's'}"
    corrected = f"p, Holm{tests if matrix.family else ''}"
    header = ["encoder"]
    names = _tell_apart([f"{column.task}, {column.data}" for column in matrix.columns])
    for name, column in zip(names, matrix.columns, strict=True):
        header += [f"{name}: {column.metric}"]
        parts = ("low", "high", "n", "of", "standing", corrected, "p, uncorrected")
        header += [f"{name}: {part}" for part in parts]
    return [*header, "mean", "mean rank", "columns in means"]


def _tell_apart(names: Sequence[str]) -> list[str]:
    """Return names of which none is twice: further ones are numbered from 2."""
    titles: list[str] = []
    for name in names:
        further = (f"{name} ({number})" for number in count(2))
        titles.append(
            next(candidate for candidate in chain([name], further) if candidate not in titles)
        )
    return titles


def matrix_rows(matrix: EvaluationMatrix, labels: Mapping[int, str]) -> list[list[Cell]]:
    """Return a row an encoder, under `matrix_header`."""
    return [
        [
            labels[row.encoder_id],
            *(value for cell in row.cells for value in _cell_values(cell)),
            row.mean,
            row.mean_rank,
            matrix.counted,
        ]
        for row in matrix.rows
    ]


def marked_table(matrix: EvaluationMatrix, labels: Mapping[int, str]) -> MarkedTable:
    """Return the matrix as it is shown: figures with signs, the best bold."""
    header = [
        tr("Encoder"),
        *(
            f"{c.task}, {column_title(c)}, {translated(c.metric)} (n = {number(c.n)})"
            for c in matrix.columns
        ),
        tr("Mean"),
        tr("Mean rank"),
    ]
    rows = [
        [
            MarkedCell(labels[row.encoder_id]),
            *(_mark_cell(cell) for cell in row.cells),
            MarkedCell(MISSING if row.mean is None else number(row.mean, ".3f")),
            MarkedCell(MISSING if row.mean_rank is None else number(row.mean_rank, ".2f")),
        ]
        for row in matrix.rows
    ]
    return MarkedTable(tr("Encoders by sets and tasks"), header, rows, matrix_notes(matrix))


def matrix_notes(matrix: EvaluationMatrix, best: str = "") -> list[str]:
    """Return what the signs say, what p was corrected for, and what is missing.

    Args:
        matrix: what is shown.
        best: how the best is marked; bold where empty.
    """
    notes = [] if all(column.is_alone for column in matrix.columns) else [_sign_note(best)]
    if matrix.family:
        notes.append(
            tr("p is {after}, all those between encoders on show.", after=matrix.correction)
        )
    if matrix.missing:
        notes.append(
            trn(
                "{n:,} of {cells:,} cells is not evaluated.",
                "{n:,} of {cells:,} cells are not evaluated.",
                matrix.missing,
                cells=len(matrix.rows) * len(matrix.columns),
            )
        )
    if matrix.few:
        notes.append(
            trn(
                "{n:,} column of fewer than {least} items has no best, and counts in no mean.",
                "{n:,} columns of fewer than {least} items have no best, and count in no mean.",
                matrix.few,
                least=LEAST_ITEMS,
            )
        )
    if matrix.alone:
        notes.append(
            trn(
                "{n:,} column in which only one encoder has a figure has no best.",
                "{n:,} columns in which only one encoder has a figure have no best.",
                matrix.alone,
            )
        )
    if matrix.left_out:
        notes.append(
            trn(
                "{n:,} other evaluation of the same sets is not shown: each stands once, by the "
                "newest with most of these encoders.",
                "{n:,} other evaluations of the same sets are not shown: each stands once, by the "
                "newest with most of these encoders.",
                matrix.left_out,
            )
        )
    return [*notes, *_mean_notes(matrix)]


def _sign_note(best: str) -> str:
    """Say what the signs of cells are."""
    return tr(
        "{best}: best of its column. {level}: not shown to be worse. {worse}: worse by more "
        "than chance (p < .05). {untested}: not tested with the best, or by too few items to "
        "tell. {chance}: highest, where none is shown to be better than chance. {missing}: not "
        "evaluated.",
        best=best or tr("Bold"),
        level=SIGNS[CellStanding.LEVEL],
        worse=SIGNS[CellStanding.WORSE],
        untested=SIGNS[CellStanding.UNTESTED],
        chance=SIGNS[CellStanding.CHANCE],
        missing=MISSING,
    )


def _mean_notes(matrix: EvaluationMatrix) -> Iterator[str]:
    """Say over which columns, and among which encoders, means and mean ranks are."""
    if matrix.few == len(matrix.columns):
        yield tr("There is no mean rank: no column has at least {least} items.", least=LEAST_ITEMS)
        return
    if matrix.ranked:
        yield trn(
            "A mean rank is over the {n:,} column of at least {least} items, among the "
            "{encoders:,} encoders with a figure in it; equal figures share the mean of their "
            "ranks.",
            "A mean rank is over the {n:,} columns of at least {least} items, among the "
            "{encoders:,} encoders with a figure in all of them; equal figures share the mean of "
            "their ranks.",
            matrix.counted,
            least=LEAST_ITEMS,
            encoders=matrix.ranked,
        )
    else:
        yield tr("There is no mean rank: no two encoders have figures in all columns.")
    if matrix.counted and not matrix.has_one_metric:
        yield tr("There is no mean over several metrics.")
    elif matrix.ranked:
        yield tr("A mean is over the same columns.")
    elif any(row.mean is not None for row in matrix.rows):
        yield tr("A mean is over the columns of at least {least} items.", least=LEAST_ITEMS)


def cell_text(cell: MatrixCell | None) -> str:
    """Return a figure with its sign."""
    if cell is None:
        return MISSING
    return f"{SIGNS[cell.standing]} {number(cell.figure.value, '.3f')}".strip()


def cell_tip(cell: MatrixCell | None) -> str:
    """Return a figure's interval, items, coverage, and what it is behind the best by."""
    if cell is None:
        return tr("Not evaluated")
    figure = cell.figure
    lines = [
        tr(
            "95 % interval {low:.3f} to {high:.3f}, n = {n:,}",
            low=figure.low,
            high=figure.high,
            n=figure.n,
        )
    ]
    if cell.known is not None:
        counted, total = cell.known
        share = share_text(counted / total if total else 0.0)
        lines.append(tr("Coverage {share} of {total:,}", share=share, total=total))
    if cell.behind is not None:
        lines.append(
            tr(
                "{value:+.3f} beside the best, p = {p:.3g} {by} ({raw:.3g} uncorrected)",
                value=-cell.behind.value,
                p=cell.behind.p,
                by=cell.behind.by,
                raw=cell.behind.raw_p,
            )
        )
        if cell.standing is CellStanding.UNDECIDED:
            lines.append(tr("Too few items to show any difference among so many tests"))
    elif cell.standing is CellStanding.FEW:
        lines.append(tr("Fewer than {least} items: not tested, and in no mean", least=LEAST_ITEMS))
    elif cell.standing is CellStanding.ALONE:
        lines.append(tr("No other encoder has a figure here: nothing is compared"))
    elif cell.standing is CellStanding.CHANCE:
        lines.append(
            tr("The highest of its column, in which none is shown to be better than chance")
        )
    elif cell.standing is CellStanding.UNTESTED:
        lines.append(tr("Not tested with the best: evaluate both together"))
    return "\n".join(lines)


def _cell_values(cell: MatrixCell | None) -> tuple[Cell, ...]:
    if cell is None:
        return (None, None, None, None, None, "not evaluated", None, None)
    figure = cell.figure
    return (
        figure.value,
        figure.low,
        figure.high,
        figure.n,
        cell.known[1] if cell.known else None,
        cell.standing.value.replace("_", " "),
        cell.behind.p if cell.behind else None,
        cell.behind.raw_p if cell.behind else None,
    )


def _mark_cell(cell: MatrixCell | None) -> MarkedCell:
    is_best = cell is not None and cell.standing is CellStanding.BEST
    return MarkedCell(cell_text(cell), is_bold=is_best, tip=cell_tip(cell))
