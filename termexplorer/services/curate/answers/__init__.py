"""Who answers a list of suggestions, what they said, and what came of it."""
