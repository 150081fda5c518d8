"""Jobs of a cluster, by submitit, the extra `cluster`."""
