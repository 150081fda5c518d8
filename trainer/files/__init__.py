"""Files: pairs, tensors, folders of arrays."""
