"""Commands that suggest, and that tell what changed."""
