"""A study's page in a real browser that is killed while somebody judges."""
