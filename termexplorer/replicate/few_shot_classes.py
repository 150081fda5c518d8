"""[FSL]: which classes a study has learned, and those of few names, in its report."""

from collections.abc import Iterator, Sequence

from termexplorer.exporters.documents.blocks import Blocks, Section
from termexplorer.replicate.few_shot import CLASSES, LEVELS, finished, level_choice
from termexplorer.replicate.report import make_heading, make_paragraph, make_section
from termexplorer.replicate.request import hierarchies
from termexplorer.replicate.runs import Bench
from termexplorer.replicate.work.pieces import Record


def classes_section(bench: Bench, shots: int) -> Section:
    """What was learned, and on which level that is."""
    parts = [make_paragraph(_describe_levels(bench))]
    for label, record in _first_records(bench, shots):
        learned = record["classes"]  # none without a name to learn, see `largest`
        parts.append(make_heading(label) + make_paragraph(f"{len(learned)}: {'; '.join(learned)}."))
    return make_section("Classes", *parts)


def _describe_levels(bench: Bench) -> str:
    """Which level each hierarchy's classes are on; found anew, for studies that do not hold it."""
    level_texts = "; ".join(
        f"{hierarchy.label}: level {level_choice(bench, hierarchy).level}"
        for hierarchy in hierarchies(bench.request)
    )
    return (
        f"{level_texts}. Learned are the {CLASSES} largest classes of the highest level with as "
        "many; "
        f"where none of the first {LEVELS} has, those of the one with most. Level 1 is what lies "
        "right below the root; of several roots, these themselves."
    )


def fewer(bench: Bench, shots: Sequence[int]) -> Iterator[Blocks]:
    """Which hierarchies have classes of fewer names than were asked for; as many in all samples."""
    for k in sorted(shots):
        for label, record in _first_records(bench, k):
            shortages = [
                f"{few} of {len(counts)} classes have fewer {part_name} names (fewest "
                f"{min(counts)})"
                for part_name, counts in record["names"].items()
                if (few := sum(count < k for count in counts))
            ]
            if shortages:
                yield make_paragraph(f"{label}, {k} names a class: {', '.join(shortages)}.")


def _first_records(bench: Bench, shots: int) -> Iterator[tuple[str, Record]]:
    """The first sample of each hierarchy alone."""
    for hierarchy in hierarchies(bench.request):
        for record in finished(bench.results, hierarchy.label, shots)[:1]:
            yield hierarchy.label, record
