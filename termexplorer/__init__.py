"""The desktop workbench and its commands."""
