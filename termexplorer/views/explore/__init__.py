"""Explore: the tree, a concept, its neighbours and hypernyms."""
