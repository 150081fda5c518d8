"""Tasks of a study and what they came to, as rows that any number of workers share."""
