"""Reports as documents: blocks of text, tables and charts, written as HTML or PDF."""
