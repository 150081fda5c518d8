"""A study of decided mappings, held against curated ones."""
