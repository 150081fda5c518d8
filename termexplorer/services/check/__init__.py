"""New terms tested before they go in: files or releases in, findings and reports out."""
