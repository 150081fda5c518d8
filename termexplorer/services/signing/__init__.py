"""Who wrote a file: keys that packs and answers are signed with."""
