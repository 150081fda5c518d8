"""The OMOP standardised vocabularies as Athena gives them out, read as a stream."""
