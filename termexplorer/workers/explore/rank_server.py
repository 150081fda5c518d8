"""The long-lived ranking child and the door to it."""

import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from termexplorer.texts import language, tr
from termexplorer.workers.process.protocol import Limits
from termexplorer.workers.process.starting import start
from termexplorer.workers.process.supervision import Crashed, result_of

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from termexplorer.workers.compare.messages import WholeRanking, WholeRequest  # NumPy
    from termexplorer.workers.explore.ranking import RankingEngine
    from termexplorer.workers.ranking.messages import (  # not before a window shows
        RankingRequest,
        Rankings,
        TermMatch,
        TermsRequest,
    )


class Ranker:
    """Asks the ranking child, which is started by the first question and when it has died.

    Questions may come from any thread; they are answered one after the other.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None
        self._connection: Connection[Any, Any] | None = None

    def start(self) -> None:
        """Starts the child ahead of the first question."""
        with self._lock:
            self._connected()

    def rank(self, request: "RankingRequest") -> "Rankings":
        """Answers a question; the first takes seconds, as the child has to load its libraries.

        Raises:
            UserError: the encoders or their files are not there.
            Crashed: the child died; the next question starts a new one.
        """
        return cast("Rankings", self._ask(request))

    def match_terms(self, request: "TermsRequest") -> "tuple[TermMatch, ...]":
        """The best concepts for each of many terms; raises as `rank` does."""
        return cast("tuple[TermMatch, ...]", self._ask(request))

    def rank_whole(self, request: "WholeRequest") -> "WholeRanking":
        """All that an encoder ranks for one mention of a comparison; raises as `rank` does."""
        return cast("WholeRanking", self._ask(request))

    def close(self) -> None:
        """Ends the child, at once: it only reads. A question under way fails with `Crashed`."""
        if self._process is not None:
            self._process.kill()
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            if self._process is not None:
                self._process.join()
            self._connection = self._process = None

    def _ask(self, request: object) -> object:
        with self._lock:
            connection = self._connected()
            try:
                connection.send(request)
                answer = connection.recv()
            except (EOFError, OSError) as error:
                self._connection = None
                raise Crashed(tr("the ranking process ended; ask again")) from error
        return result_of(answer)

    def _connected(self) -> "Connection[Any, Any]":
        if self._connection is None:
            import multiprocessing  # a window shows before it is needed

            context = multiprocessing.get_context("spawn")
            self._connection, theirs = context.Pipe()
            self._process = context.Process(
                target=_serve_requests, args=(theirs, self._folder, language())
            )
            start(self._process)
            theirs.close()
        return self._connection


def _serve_requests(connection: "Connection[Any, Any]", folder: Path, name: str) -> None:
    from termexplorer import spoken
    from termexplorer.workers.process.child import outcome, restrict

    restrict(Limits(), behind=False)  # somebody waits for the answer
    spoken.speak(name)
    from termexplorer.workers.explore.ranking import RankingEngine
    from termexplorer.workspace import Workspace

    workspace = Workspace(folder)
    engine = RankingEngine(folder, workspace.store)
    while True:
        try:
            connection.send(outcome(partial(_answer_request, engine, connection.recv())))
        except (EOFError, OSError):
            break  # nobody asks, or nobody waits for the answer any more
    workspace.close()


def _answer_request(
    engine: "RankingEngine", request: "RankingRequest | TermsRequest | WholeRequest"
) -> object:
    from termexplorer.workers.ranking.messages import RankingRequest, TermsRequest

    if isinstance(request, RankingRequest):
        return engine.rank(request)
    if isinstance(request, TermsRequest):
        return engine.match_terms(request)
    return engine.rank_whole(request)
