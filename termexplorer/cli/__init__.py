"""Every job without a window, one file a group of commands."""
