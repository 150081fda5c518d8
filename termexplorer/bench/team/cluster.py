"""A PostgreSQL server of one's own, in a temporary folder, as the bench and the tests start it."""

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

_DEBIAN = Path("/usr/lib/postgresql")
_SYSTEM_USER = "postgres"  # under whom it runs where we are root, whom PostgreSQL refuses
OWNER = "lead"
_UNSYNCED = (
    "fsync=off", "synchronous_commit=off", "full_page_writes=off",
    "wal_level=minimal", "max_wal_senders=0", "min_wal_size=32MB", "max_wal_size=64MB",
)  # fmt: skip


def find_postgres() -> Path | None:
    """Return the folder of the server's programs; None where PostgreSQL is not installed."""
    folders = sorted(_DEBIAN.glob("*/bin"), key=lambda path: -float(path.parent.name))
    program = shutil.which("pg_ctl")
    folders += [Path(program).resolve().parent] if program else []
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


class Cluster:
    """A server that listens on this machine alone, and is removed in the end.

    Args:
        synced: whether commits wait for the disk, as they do at work; else it also writes little,
            since a gigabyte of its log alone may be more than a test's machine has.

    Attributes:
        port: that it listens on.
        password: of all its logins.

    Raises:
        FileNotFoundError: PostgreSQL is not installed.
    """

    def __init__(self, *, synced: bool = True) -> None:
        programs = find_postgres()
        if programs is None:
            raise FileNotFoundError("PostgreSQL is not installed (Debian: apt install postgresql)")
        self._programs = programs
        self._folder = Path(tempfile.mkdtemp(prefix="termexplorer-postgres-"))
        self._data = self._folder / "data"
        self.port = _find_free_port()
        self.password = secrets.token_hex(8)
        secret = self._folder / "password"
        secret.write_text(self.password)
        if os.geteuid() == 0:
            shutil.chown(self._folder, _SYSTEM_USER)
            shutil.chown(secret, _SYSTEM_USER)
        options = ["-U", OWNER, "--auth=scram-sha-256", f"--pwfile={secret}", "--no-sync"]
        self._run("initdb", "-D", str(self._data), "-E", "UTF8", "--locale=C.UTF-8", *options)
        settings = [
            "listen_addresses='127.0.0.1'", f"unix_socket_directories='{self._folder}'",
            f"port={self.port}", "max_connections=120", "shared_buffers=32MB",
            *(() if synced else _UNSYNCED),
        ]  # fmt: skip
        with (self._data / "postgresql.conf").open("a") as file:
            file.writelines(f"{setting}\n" for setting in settings)
        self.start()

    def start(self) -> None:
        """Start the server, and wait until it lets clients in."""
        self._control("start", "-w", "-l", str(self._folder / "log"))

    def restart_at_once(self) -> None:
        """Restart the server as if it had crashed: what was not committed is gone."""
        self._control("restart", "-w", "-m", "immediate", "-l", str(self._folder / "log"))

    def close(self) -> None:
        """Stop the server and remove its files."""
        with suppress(subprocess.CalledProcessError):
            self._control("stop", "-w", "-m", "immediate")
        shutil.rmtree(self._folder, ignore_errors=True)

    def address(self, login: str, database: str, port: int | None = None) -> str:
        """Return the address of a database.

        Args:
            login: to log in with.
            database: its name.
            port: of what stands before the server; its own by default.
        """
        return f"postgresql://{login}@127.0.0.1:{port or self.port}/{database}"

    def run_sql(self, statement: str, login: str = OWNER, database: str = "postgres") -> str:
        """Run SQL as somebody, by the server's own client; return what it prints.

        Raises:
            subprocess.CalledProcessError: it was refused; `stderr` says why.
        """
        environment = {**os.environ, "PGPASSWORD": self.password}
        where = ["-h", "127.0.0.1", "-p", str(self.port), "-U", login, "-d", database]
        command = [str(self._programs / "psql"), *where, "-X", "-A", "-t", "-q", "-v"]
        command += ["ON_ERROR_STOP=1", "-c", statement]
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603 - PostgreSQL's own program
        return ran.stdout.strip()

    def add_logins(self, *logins: str) -> None:
        """Let people log in; who can already stays."""
        known = self.run_sql("SELECT rolname FROM pg_roles").splitlines()
        new = [login for login in logins if login not in known]
        if new:
            self.run_sql(
                "; ".join(f"CREATE ROLE {login} LOGIN PASSWORD '{self.password}'" for login in new)
            )

    def _control(self, *words: str) -> None:
        self._run("pg_ctl", "-D", str(self._data), *words)

    def _run(self, program: str, *words: str) -> None:
        command = [str(self._programs / program), *words]
        if os.geteuid() == 0:
            command = ["runuser", "-u", _SYSTEM_USER, "--", *command]
        # a server that stays holds whatever pipe it is given
        subprocess.run(  # noqa: S603 - PostgreSQL's own programs
            command, cwd=self._folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, check=True,
        )  # fmt: skip


def _find_free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
