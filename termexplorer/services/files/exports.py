"""Taking along what is shown: the door to the exporters."""

from termexplorer.exporters.tables import (
    ENDINGS,
    Cell,
    check_table_path,
    write_table,
)

__all__ = ["ENDINGS", "Cell", "check_table_path", "write_table"]
