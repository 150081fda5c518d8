"""A proxy before the server that cuts connections in the middle of commits."""

import asyncio
import multiprocessing
import random
from contextlib import suppress
from multiprocessing.sharedctypes import Synchronized
from socket import AF_INET, SOCK_STREAM, socket

_COMMIT = b"COMMIT"
_SHARE = 0.1  # of the commits in whose middle it cuts
_BEFORE = 0.5  # of these, before the server has it


class CuttingProxy:
    """A process that passes bytes on, and cuts a connection before or after a commit goes through.

    Args:
        target: the port of the server.
        seed: of the instants.

    Attributes:
        port: that it listens on.
    """

    def __init__(self, target: int, seed: int) -> None:
        context = multiprocessing.get_context("fork")
        self._cuts: Synchronized[int] = context.Value("i", 0)
        self._listener = socket(AF_INET, SOCK_STREAM)
        self._listener.bind(("127.0.0.1", 0))
        self._listener.listen(100)
        self.port = int(self._listener.getsockname()[1])
        self._process = context.Process(
            target=_run_proxy, args=(self._listener, target, seed, self._cuts), daemon=True
        )
        self._process.start()

    @property
    def cuts(self) -> int:
        """How many connections it cut in the middle of a commit."""
        return int(self._cuts.value)

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.join()
        self._listener.close()


def _run_proxy(listener: socket, target: int, seed: int, cuts: "Synchronized[int]") -> None:
    cutter = _CommitCutter(seed, cuts)

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            from_server, to_server = await asyncio.open_connection("127.0.0.1", target)
        except OSError:
            writer.close()
            return
        ways = [
            asyncio.create_task(cutter.pass_on(reader, to_server)),
            asyncio.create_task(_pass_back(from_server, writer)),
        ]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        for side in (writer, to_server):
            with suppress(OSError):
                side.close()

    async def serve() -> None:
        server = await asyncio.start_server(connect, sock=listener)
        await server.serve_forever()

    asyncio.run(serve())


class _CommitCutter:
    """Passes on what clients send, and stops at some commits."""

    def __init__(self, seed: int, cuts: "Synchronized[int]") -> None:
        self._draw = random.Random(seed)  # noqa: S311 - instants, no secrets
        self._cuts = cuts

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass bytes on until a commit is cut, before it goes through or before that is told."""
        with suppress(OSError):
            while data := await reader.read(65536):
                cuts_here = _COMMIT in data and self._draw.random() < _SHARE
                self._cuts.value += cuts_here
                if cuts_here and self._draw.random() < _BEFORE:
                    return
                writer.write(data)
                await writer.drain()
                if cuts_here:
                    return  # the server commits, and the client is never told


async def _pass_back(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
