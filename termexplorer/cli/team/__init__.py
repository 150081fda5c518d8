"""Commands about a team."""
