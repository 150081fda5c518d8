"""What a command says of an error of the system that nobody foresaw."""


def describe_os_error(error: OSError) -> str:
    """Return what the system refused, where, and what to do."""
    reason = error.strerror or type(error).__name__
    if error.filename is None:
        return f"{reason}; see that files can be read and written, and that the disk has room"
    return f"{error.filename}: {reason}; check the rights of that place, or name another"
