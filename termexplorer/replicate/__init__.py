"""Papers' protocols on the user's own data: one file a paper runs it, another reports it."""
