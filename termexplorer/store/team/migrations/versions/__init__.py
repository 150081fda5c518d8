"""The versions of a team's database, one file each."""
