"""The child that runs a paper's study to its end, or takes tasks of one, and its report."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from termexplorer.errors import UserError
from termexplorer.replicate import few_shot, grounding, levels, name_encoders, term_pairs
from termexplorer.replicate.few_shot_report import report as few_shot_report
from termexplorer.replicate.grounding_report import report as grounding_report
from termexplorer.replicate.identity import identity
from termexplorer.replicate.levels_report import report as levels_report
from termexplorer.replicate.name_encoders_report import report as name_encoders_report
from termexplorer.replicate.report import Report, write_report
from termexplorer.replicate.request import PaperStudyRequest, read_request, write_request
from termexplorer.replicate.runs import Bench, opened_vectors, read_benchmarks
from termexplorer.replicate.study.folder import usable
from termexplorer.replicate.term_pairs_report import report as term_pairs_report
from termexplorer.replicate.work.pieces import (
    Key,
    StoredPieces,
    begin_study,
    check_same_data,
    select_pieces,
    write_pieces,
)
from termexplorer.replicate.work.worker import HEAD, StudyWorker, WorkerRequest, open_tasks
from termexplorer.store.tasks.task_table import (
    FAILED,
    StoredStudy,
    dump_json,
)
from termexplorer.workers.process.child import Channel
from termexplorer.workspace import Workspace

PAPER_STUDY = "paper study"


@dataclass(frozen=True, slots=True)
class PaperProtocol:
    """How a paper's study is run and reported.

    Attributes:
        keys: of all pieces of the study; over some vectors there are fewer.
        tasks: what workers take, in their order; each is one or more pieces.
        run_task: runs the pieces of one that are not there yet.
        report: what all came to.
        more: keys of pieces besides, which there are over some vectors.
    """

    keys: Callable[[PaperStudyRequest], list[Key]]
    tasks: Callable[[PaperStudyRequest], list[Key]]
    run_task: Callable[[Bench, Key], None]
    report: Callable[[Bench], Report]
    more: Callable[[PaperStudyRequest], list[Key]] = lambda _request: []


PROTOCOLS: Mapping[str, PaperProtocol] = {
    "FSL": PaperProtocol(few_shot.keys, few_shot.tasks, few_shot.run_task, few_shot_report),
    "HLS": PaperProtocol(levels.keys, levels.keys, levels.run_task, levels_report),
    "CG": PaperProtocol(grounding.keys, grounding.keys, grounding.run_task, grounding_report),
    "BNE": PaperProtocol(
        name_encoders.keys,
        name_encoders.tasks,
        name_encoders.run_task,
        name_encoders_report,
        name_encoders.more_keys,
    ),
    "MTS": PaperProtocol(term_pairs.keys, term_pairs.tasks, term_pairs.run_task, term_pairs_report),
}


def prepare_study(request: PaperStudyRequest, channel: Channel) -> None:
    """Writes down the tasks of a study, and runs none.

    Raises:
        UserError: something that the study needs is not there or cannot be used.
    """
    with usable(request.out), _opened_bench(request, channel, _head_of(request), begins=True):
        pass


def run_study(request: PaperStudyRequest, channel: Channel) -> Report:
    """Runs what is not there yet, then writes the report and the tables.

    Raises:
        UserError: something that the study needs is not there or cannot be used.
        InterruptedError: it was stopped; what was finished is kept.
    """
    protocol = PROTOCOLS[request.paper]
    with usable(request.out):
        with _opened_bench(request, channel, _head_of(request), begins=True) as bench:
            _work_off(bench)
            table = bench.worker.table
            for reason in table.list_reasons(FAILED).values():  # of another worker
                raise UserError(reason)
            channel.progress(None, "Computing intervals")
            # a wider study may have been run there before
            keys = (*protocol.keys(request), *protocol.more(request))
            report = protocol.report(replace(bench, results=select_pieces(table, keys)))
            write_pieces(table, request.out, keys)
        write_report(request.out, report)
    return report


def take_paper_tasks(values: Mapping[str, Any], wanted: WorkerRequest, channel: Channel) -> None:
    """Takes tasks of a study until none is left.

    Args:
        values: the request, as it is in the table.
        wanted: the worker.
        channel: to report by and be stopped by.

    Raises:
        UserError: a task failed, or data here are not those of the study.
        InterruptedError: it was stopped; what was finished is kept.
    """
    request = replace(read_request(values), out=wanted.folder)
    with _opened_bench(request, channel, wanted, begins=False) as bench:
        _work_off(bench)


def _head_of(request: PaperStudyRequest) -> WorkerRequest:
    return WorkerRequest(request.out, HEAD)


def _work_off(bench: Bench) -> None:
    protocol = PROTOCOLS[bench.request.paper]

    def run_task(key: Key) -> None:
        if key not in bench.results:  # a task of one piece, which was finished before
            protocol.run_task(bench, key)

    bench.worker.work_off(run_task)


@contextmanager
def _opened_bench(
    request: PaperStudyRequest, channel: Channel, wanted: WorkerRequest, *, begins: bool
) -> Iterator[Bench]:
    """What the tasks of a study share; nothing is written before all of it is there."""
    protocol = PROTOCOLS[request.paper]
    channel.progress(None, "Reading vectors and benchmarks")
    with closing(Workspace(request.workspace)) as workspace:
        vectors = opened_vectors(request.vectors, workspace)
        benchmarks = read_benchmarks(request.benchmarks)
        asked = identity(request)
        with closing(open_tasks(request.out, wanted.lease)) as table:
            if begins:
                study = StoredStudy(PAPER_STUDY, asked, write_request(request))
                begin_study(table, request.out, study)
                table.put_tasks(protocol.tasks(request))
            else:
                check_same_data(table, asked)
            finished = table.read_pieces()
            yield Bench(
                request=request,
                workspace=workspace,
                vectors=vectors,
                benchmarks=benchmarks,
                results=StoredPieces(table),
                study=hashlib.sha256(dump_json(asked).encode()).hexdigest(),
                worker=StudyWorker(table, wanted.worker, channel),
                channel=channel,
                steps=sum(key not in finished for key in protocol.keys(request)),
            )
