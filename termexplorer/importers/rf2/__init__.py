"""SNOMED CT in release format 2 (RF2): a folder or zip of tab-separated files, read as a stream."""
