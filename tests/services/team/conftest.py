from team_fixtures import cluster, team

__all__ = ["cluster", "team"]
