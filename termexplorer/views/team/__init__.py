"""The team in the window: joined, kept up to date in the background, seen in a panel."""
