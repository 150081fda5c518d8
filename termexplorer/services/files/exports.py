"""Taking along what is shown: the door to the exporters."""

from termexplorer.exporters.tables import (
    ENDINGS,
    Cell,
    check_table_path,
    number_titles,
    write_table,
)

__all__ = ["ENDINGS", "Cell", "check_table_path", "number_titles", "write_table"]
