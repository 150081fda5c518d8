"""Taking along what is shown: the door to the exporters."""

from termexplorer.exporters.tables import Cell, write_table

__all__ = ["Cell", "write_table"]
