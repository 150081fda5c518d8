"""Pairs of a study on which its annotators do not agree, decided one by one."""
