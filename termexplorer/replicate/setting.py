"""How a study was made, at the head of its report."""

import platform
from importlib import metadata

from termexplorer.exporters.documents.blocks import Section
from termexplorer.replicate.report import make_paragraph, make_section, make_table
from termexplorer.replicate.request import PaperStudyRequest, StudyRelease
from termexplorer.replicate.runs import Bench

_LIBRARIES = ("termexplorer", "torch", "numpy")


def setting_section(bench: Bench, title: str) -> Section:
    """Data, vectors, sizes and versions."""
    request = bench.request
    facts = [result["facts"] for result in bench.results if "facts" in result]
    seconds = sum(fact.get("seconds", 0.0) for fact in facts)
    devices = "; ".join(sorted({f"{fact['device']}, {fact['precision']}" for fact in facts}))
    sets = "; ".join(
        f"{benchmark.name} ({len(benchmark):,} pairs)" for benchmark in bench.benchmarks
    )
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in _LIBRARIES)
    on = f"{devices}; {seconds / 60:.0f} minutes in all"
    rows = [
        ["protocol", title],
        ["ontologies", "; ".join(_describe_release(release) for release in request.releases)],
        ["vectors", request.vectors.label],
        ["benchmarks", sets or "none"],
        *([["corpora", _describe_corpora(request)]] if request.corpora else []),
        ["size", f"{request.preset}; {_describe_seeds(request.seeds)}"],
        ["hyper-parameters", ", ".join(f"{k} {v}" for k, v in request.hyperparameters.items())],
        *([["trained on", on]] if facts else []),
        ["versions", f"{versions}, Python {platform.python_version()}"],
    ]
    stopped = (
        "Runs are stopped by their validation figure or their last epoch, never by a benchmark."
    )
    return make_section(
        "What was run", make_table(["", ""], rows), make_paragraph(stopped) if facts else ()
    )


def _describe_seeds(count: int) -> str:
    return "seed 0" if count == 1 else f"seeds 0 to {count - 1}"


def _describe_corpora(request: PaperStudyRequest) -> str:
    corpora_text = ", ".join(path.name for path in request.corpora)
    if request.kinds:
        corpora_text += f"; {' and '.join(request.kinds)} apart"
    if request.training:
        names = ", ".join(path.name for path in request.training)
        corpora_text += f"; exact matches (XM) with mentions in {names}"
    return corpora_text


def _describe_release(release: StudyRelease) -> str:
    roots = ", ".join(name for _, name in release.roots)
    below = f" below {roots}" if roots else ""
    groups = f", also grouped by {', '.join(release.groups)}" if release.groups else ""
    return release.label + below + groups
