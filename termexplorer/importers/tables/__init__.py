"""Names tables: CSV, TSV and XLSX."""
