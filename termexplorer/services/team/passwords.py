"""The password of a team's database: from the environment or the system's keyring, kept nowhere."""

import os
from importlib.util import find_spec

from termexplorer.store.team.server import TeamAddress

VARIABLE = "TERMEXPLORER_TEAM_PASSWORD"
_SERVICE = "termexplorer-team"


def find_password(address: TeamAddress) -> str:
    """Return the password of an address; "" where none is told, as the server may ask for none."""
    from_environment = os.environ.get(VARIABLE, "")
    return from_environment or _read_keyring(address)


def keep_password(address: TeamAddress, password: str) -> bool:
    """Keep a password in the system's keyring; return whether there is one that took it."""
    if find_spec("keyring") is None:
        return False
    import keyring
    from keyring.errors import KeyringError

    try:
        keyring.set_password(_SERVICE, address.shown, password)
    except (KeyringError, OSError, RuntimeError):
        return False
    return True


def forget_password(address: TeamAddress) -> None:
    """Remove a password from the system's keyring, where it is there."""
    if find_spec("keyring") is None:
        return
    import keyring
    from keyring.errors import KeyringError

    try:
        keyring.delete_password(_SERVICE, address.shown)
    except (KeyringError, OSError, RuntimeError):
        return


def _read_keyring(address: TeamAddress) -> str:
    if find_spec("keyring") is None:
        return ""
    import keyring
    from keyring.errors import KeyringError

    try:
        return keyring.get_password(_SERVICE, address.shown) or ""
    except (KeyringError, OSError, RuntimeError):
        return ""  # no keyring runs, as on a server
