"""Rows of a table that are comments: they begin with `#` where ids do not."""

from termexplorer.importers.tables.layout import TableLayout
from termexplorer.importers.tables.titles import is_code
from termexplorer.trainer.files.spreadsheet_errors import is_error_text

_SIGN = "#"


class CommentRows:
    """Tells comments by the first rows of a table, whose ids show what an id looks like."""

    def __init__(self, layout: TableLayout) -> None:
        rows, id_index = layout.seen.preview, layout.places["id"]
        ids = [
            cells[id_index] for cells in rows if id_index < len(cells) and cells[id_index].strip()
        ]
        signed = sum(bool(cells) and cells[0].startswith(_SIGN) for cells in rows)
        self._ids_come_first = id_index == 0
        self._ids_are_codes = sum(map(is_code, ids)) * 2 > len(ids)
        self._may_be = signed * 2 <= len(rows)

    def is_comment(self, first_cell: str, identifier: str) -> bool:
        """Return whether a row is a comment.

        Args:
            first_cell: Of the row, whatever its column holds.
            identifier: Its cell in the column of ids.
        """
        text = first_cell.strip()
        if not self._may_be or not text.startswith(_SIGN) or is_error_text(text):
            return False
        if self._ids_come_first or not identifier.strip():
            return True
        return self._ids_are_codes and not is_code(identifier)
