"""Rankings and matched terms as rows of a file."""

from PySide6.QtWidgets import QWidget

from termexplorer.errors import UserError
from termexplorer.services.compare.rankings import Rankings
from termexplorer.services.files.exports import Cell, write_table
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.views.widgets.file_dialogs import ask_save_path
from termexplorer.views.widgets.notices import Notices

_HEADER = (
    "query",
    "task",
    "encoder",
    "rank",
    "similarity",
    "name",
    "concept",
    "code",
    "relation",
    "true",
)
_ENDINGS = mark("CSV (*.csv);;Excel (*.xlsx);;Tab-separated (*.tsv);;JSON lines (*.jsonl)")


def ranking_header(rankings: Rankings) -> list[str]:
    """The columns, with the rank by each encoder at the end."""
    file_header = list(_HEADER)
    file_header += [f"rank by {column.title}" for column in rankings.columns if column.encoded]
    return file_header


def ranking_rows(rankings: Rankings) -> list[list[Cell]]:
    """A row for each ranked name of each encoder."""
    request = rankings.request
    return [
        [
            request.query.text,
            request.task.value,
            column.title,
            row.rank,
            row.similarity,
            row.text,
            row.curie,
            row.code,
            row.relation.value,
            "yes" if row.true else "no",
            *(rank for rank in row.ranks if rank),  # an encoder that waits has none
        ]
        for column in rankings.columns
        for row in column.rows
    ]


def ask_and_write(
    parent: QWidget, notices: Notices, name: str, header: list[str], rows: list[list[Cell]]
) -> None:
    """Asks for a file and writes a table into it; the ending tells the format."""
    path = ask_save_path(parent, "tables", tr("Export"), f"{name}.csv", translated(_ENDINGS))
    if path is None:
        return
    try:
        write_table(path, header, rows)
    except UserError as error:
        notices.error(str(error))
    else:
        text = trn(
            "Exported {n:,} row to {path}", "Exported {n:,} rows to {path}", len(rows), path=path
        )
        notices.tell(text)
