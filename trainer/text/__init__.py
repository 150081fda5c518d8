"""Names as text: tokens, filters, marked spans."""
