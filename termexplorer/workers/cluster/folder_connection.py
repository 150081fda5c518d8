"""What a job of a cluster and its supervisor say to each other, by files that both see."""

import pickle
import struct
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.files import atomic_write
from termexplorer.store.database.process_lock import LockHeldError, ProcessLock

SILENCE = 180.0  # seconds after which the other side counts as gone
_LOOK = 0.3  # seconds between looks
_FROM_JOB, _TO_JOB, _ALIVE, _LOCK = "from_job", "to_job", "alive", "lock"
_FREE = 2  # looks at which nobody has the lock, after which the supervisor is gone
_LENGTH = struct.Struct("<Q")


class FolderConnection:
    """One end of a connection through a folder that was made for it, and that no one else writes.

    A job that is queued again goes on with what the one before it wrote, and hears all commands
    from the first on.

    Args:
        folder: of the connection.
        is_job: whether this is the end of the job.
    """

    def __init__(self, folder: Path, *, is_job: bool) -> None:
        names = (_FROM_JOB, _TO_JOB) if is_job else (_TO_JOB, _FROM_JOB)
        self._folder = folder
        self._out, self._in = (folder / name for name in names)
        self._offset = 0
        self._beats = 0
        self._alive, self._heard = "", time.monotonic()
        self._lock = ProcessLock(folder / _LOCK)
        self._was_held, self._free = False, 0
        if is_job:
            self._cut_unfinished()
        else:
            self._lock.take()

    def close(self) -> None:
        """Let the job know that its supervisor is gone."""
        self._lock.let_go()

    def send(self, message: object) -> None:
        """Write a message."""
        content = pickle.dumps(message)
        with self._out.open("ab") as stream:
            stream.write(_LENGTH.pack(len(content)) + content)

    def receive(self) -> Any:
        """Return the next message; None where there is none yet."""
        try:
            with self._in.open("rb") as stream:
                stream.seek(self._offset)
                head = stream.read(_LENGTH.size)
                size = _LENGTH.unpack(head)[0] if len(head) == _LENGTH.size else 0
                content = stream.read(size)
        except FileNotFoundError:
            return None
        if not size or len(content) < size:  # it is just being written
            return None
        self._offset += _LENGTH.size + size
        return pickle.loads(content)  # noqa: S301 - from the other end, in a folder made for it

    def recv(self) -> Any:
        """Return the next message once it is there, as a connection of processes does.

        Raises:
            EOFError: the other end has been silent for too long.
        """
        while True:
            message = self.receive()
            if message is not None:
                return message
            if self._is_silent():
                raise EOFError
            time.sleep(_LOOK)

    def beat(self) -> None:
        """Show the job that its supervisor is alive."""
        self._beats += 1
        with atomic_write(self._folder / _ALIVE) as fresh:
            fresh.write_text(str(self._beats), "utf-8")

    def _is_silent(self) -> bool:
        if not self._folder.is_dir():  # another job took the place of this one
            return True
        try:
            alive = (self._folder / _ALIVE).read_text("utf-8")
        except OSError:
            alive = self._alive
        if alive != self._alive:
            self._alive, self._heard = alive, time.monotonic()
        return self._is_supervisor_gone() or time.monotonic() - self._heard > SILENCE

    def _is_supervisor_gone(self) -> bool:
        """Return whether its lock is free, which was held before; not all disks show that."""
        try:
            with self._lock:
                self._free += 1
        except LockHeldError:
            self._was_held, self._free = True, 0
        except UserError:
            self._free = 0
        return self._was_held and self._free >= _FREE

    def _cut_unfinished(self) -> None:
        """Remove the message that a job before this one was ended at."""
        with suppress(FileNotFoundError), self._out.open("r+b") as stream:
            size, end = self._out.stat().st_size, 0
            while len(head := stream.read(_LENGTH.size)) == _LENGTH.size:
                after = stream.tell() + _LENGTH.unpack(head)[0]
                if after > size:
                    break
                end = stream.seek(after)
            stream.truncate(end)
