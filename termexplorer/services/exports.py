"""Taking along what is shown: the door to the exporters."""

from termexplorer.exporters.tables import ENDINGS, Cell, write_table

__all__ = ["ENDINGS", "Cell", "write_table"]
