"""The child that runs a study to its end, and writes its report."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from termexplorer.replicate import few_shot, grounding, levels, name_encoders, term_pairs
from termexplorer.replicate.few_shot_report import report as few_shot_report
from termexplorer.replicate.grounding_report import report as grounding_report
from termexplorer.replicate.identity import identity
from termexplorer.replicate.levels_report import report as levels_report
from termexplorer.replicate.name_encoders_report import report as name_encoders_report
from termexplorer.replicate.report import Report, write_report
from termexplorer.replicate.request import PaperStudyRequest
from termexplorer.replicate.results import Key, Results
from termexplorer.replicate.runs import Bench, opened_vectors, read_benchmarks
from termexplorer.replicate.study.folder import usable
from termexplorer.replicate.term_pairs_report import report as term_pairs_report
from termexplorer.workers.process.child import Channel
from termexplorer.workspace import Workspace


@dataclass(frozen=True, slots=True)
class PaperProtocol:
    """How a paper's study is run and reported.

    Attributes:
        keys: of all pieces of the study; over some vectors there are fewer.
        run: those that are not there yet.
        report: what all came to.
        more: keys of pieces besides, which there are over some vectors.
    """

    keys: Callable[[PaperStudyRequest], list[Key]]
    run: Callable[[Bench], None]
    report: Callable[[Bench], Report]
    more: Callable[[PaperStudyRequest], list[Key]] = lambda _request: []


PROTOCOLS: Mapping[str, PaperProtocol] = {
    "FSL": PaperProtocol(few_shot.keys, few_shot.run, few_shot_report),
    "HLS": PaperProtocol(levels.keys, levels.run, levels_report),
    "CG": PaperProtocol(grounding.keys, grounding.run, grounding_report),
    "BNE": PaperProtocol(
        name_encoders.keys, name_encoders.run, name_encoders_report, name_encoders.more_keys
    ),
    "MTS": PaperProtocol(term_pairs.keys, term_pairs.run, term_pairs_report),
}


def run_study(request: PaperStudyRequest, channel: Channel) -> Report:
    """Runs what is not there yet, then writes the report and the tables.

    Raises:
        UserError: something that the study needs is not there or cannot be used.
        InterruptedError: it was stopped; what was finished is kept.
    """
    with usable(request.out):
        return _run_study(request, channel)


def _run_study(request: PaperStudyRequest, channel: Channel) -> Report:
    protocol = PROTOCOLS[request.paper]
    channel.progress(None, "Reading vectors and benchmarks")
    workspace = Workspace(request.workspace)
    try:
        vectors = opened_vectors(request.vectors, workspace)
        benchmarks = read_benchmarks(request.benchmarks)
        results = Results(request.out, identity(request))  # nothing is written before all is there
        bench = Bench(
            request=request,
            workspace=workspace,
            vectors=vectors,
            benchmarks=benchmarks,
            results=results,
            channel=channel,
            steps=sum(key not in results for key in protocol.keys(request)),
        )
        protocol.run(bench)
        channel.progress(None, "Computing intervals")
        # a wider study may have been run there before
        pieces = results.only((*protocol.keys(request), *protocol.more(request)))
        report = protocol.report(replace(bench, results=pieces))
    finally:
        workspace.close()
    write_report(request.out, report)
    return report
