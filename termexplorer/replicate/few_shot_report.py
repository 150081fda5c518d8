"""[FSL]: Table 3, Figure 1 and Table 4 of our own."""

from collections.abc import Iterator
from typing import Any, TypeAlias

from termexplorer.exporters.documents.blocks import Blocks, Paragraph, Section
from termexplorer.replicate.charts import Line, Point, line_chart
from termexplorer.replicate.example_words import choice_text, count_right, right_text
from termexplorer.replicate.few_shot import UNTRAINED, finished, trained_on
from termexplorer.replicate.few_shot_classes import classes_section, fewer
from termexplorer.replicate.item_tables import UNTRAINED as _UNTRAINED
from termexplorer.replicate.item_tables import ItemCell, conclude_cells, finite
from termexplorer.replicate.pair_figures import (
    COUNTED,
    Mean,
    correlation,
    mean_spearman,
)
from termexplorer.replicate.paper import paper_figures, papers_section
from termexplorer.replicate.report import (
    Report,
    Shown,
    make_charts,
    make_heading,
    make_paragraph,
    make_rankings,
    make_section,
    make_table,
)
from termexplorer.replicate.runs import Bench, numbers
from termexplorer.replicate.setting import setting_section
from termexplorer.replicate.signs import correction_text, sign_of
from termexplorer.replicate.table_conclusions import TableConclusion, make_conclusion
from termexplorer.trainer.metrics import SPEARMAN

_GAINS = (
    "Means, ± and intervals as above; * better, † worse than the untrained mean, over pairs that "
    "all samples and the untrained mean know: p < .05 by a bootstrap that draws the same pairs for "
    "both, {correction} (gain_p_corrected in figures.csv)"
)
_RANKED = "All training names are ranked for each validation mention."
_CURVES = "Points are means over samples, bars their 95 % intervals over pairs."

# encoder, names a class, set of pairs -> its correlation, and the gain over the untrained mean
Means: TypeAlias = dict[tuple[str, int, str], tuple[Mean, Mean | None]]


def report(bench: Bench) -> Report:
    """The tables and curves of all samples that are there."""
    request = bench.request
    means = _mean_gains(bench)
    sets = [pairs.name for pairs in bench.benchmarks]
    labels, most = trained_on(request), max(request.shots)
    concluded = _conclude_gains(means, most)
    paper = paper_figures("FSL")
    title = f"[FSL] on {', '.join(release.label for release in request.releases)}"
    rows = [(_UNTRAINED, 0)] + [(label, most) for label in labels]
    sections = (
        setting_section(bench, paper["title"]),
        make_section(
            f"Spearman's correlation, {most} names a class",
            make_table(
                ["trained on", *sets],
                [
                    [label, *(means[label, k, name][0].shown() for name in sets)]
                    for label, k in rows
                ],
                f"Mean of {request.seeds} samples, ± their standard deviation; below it the 95 % "
                f"interval over pairs; {COUNTED}",
            ),
            make_table(
                ["gain over the untrained mean", *sets],
                _gain_rows(means, concluded, labels, most),
                _GAINS.format(correction=correction_text(concluded.family)),
            ),
            make_conclusion(concluded),
            *fewer(bench, [most]),
        ),
        papers_section(paper),
        make_section(
            "By names a class",
            make_paragraph(_CURVES),
            _draw_curves(means, sets, request.shots, labels),
            *fewer(bench, request.shots),
        ),
        _ranking_section(bench, labels, most),
        classes_section(bench, most),
    )
    report_rows = _figure_rows(means, concluded, most)
    return Report(title, sections, _make_tables(bench, report_rows), report_rows)


def _mean_gains(bench: Bench) -> Means:
    gains: Means = {}
    untrained = bench.results[UNTRAINED]["similarities"]
    labels = trained_on(bench.request)
    for pairs in bench.benchmarks:
        before = numbers(untrained[pairs.name])
        gains[_UNTRAINED, 0, pairs.name] = mean_spearman(pairs, [before], None, bench.tick), None
        for label in labels:
            for k in bench.request.shots:
                bench.channel.progress(None, f"Computing intervals on {pairs.name}: {label}, {k}")
                records = finished(bench.results, label, k)[: bench.request.seeds]
                samples = [numbers(record["similarities"][pairs.name]) for record in records]
                gains[label, k, pairs.name] = (
                    mean_spearman(pairs, samples, None, bench.tick),
                    mean_spearman(pairs, samples, before, bench.tick),
                )
    return gains


def _conclude_gains(means: Means, shots: int) -> TableConclusion:
    """What the tables of one number of names come to; p is corrected over their gains."""
    cells = {
        (label, name): ItemCell(mean.shown(), None if gain is None else gain.difference())
        for (label, k, name), (mean, gain) in means.items()
        if k in (0, shots)
    }
    return conclude_cells(cells, SPEARMAN)


def _gain_rows(
    means: Means, concluded: TableConclusion, labels: list[str], shots: int
) -> list[list[Shown]]:
    rows: dict[str, list[Shown]] = {label: [label] for label in labels}
    for (label, k, name), (_, gain) in means.items():
        if gain is not None and k == shots:
            tested = concluded.differences.get((name, SPEARMAN, label, _UNTRAINED))
            rows[label].append(gain.shown(sign_of(tested)))
    return list(rows.values())


def _draw_curves(
    means: Means, sets: list[str], shots: tuple[int, ...], labels: list[str]
) -> Blocks:
    """Return figure 1 of the paper, for each set of pairs that has a figure."""
    ticks = [0, *sorted(shots)]
    charts, undrawn = [], []
    for name in sets:
        start = _curve_point(0, means[_UNTRAINED, 0, name][0])
        lines = [
            Line(
                label, (start, *(_curve_point(k, means[label, k, name][0]) for k in sorted(shots)))
            )
            for label in labels
        ]
        title = f"Spearman's correlation with {name}{_describe_known(means, name)}"
        x_label = "names a class; 0 is the untrained mean"
        chart = line_chart(title, x_label, lines, ticks)
        if chart is None:
            undrawn.append(Paragraph(f"{title}: no figure is defined, so that there is no chart."))
        charts.append(chart)
    return make_charts(charts) + tuple(undrawn)


def _describe_known(means: Means, name: str) -> str:
    """How many pairs the points are of, where some are not of all."""
    of = [mean for (_, _, pairs), (mean, _) in means.items() if pairs == name]
    fewest, most, total = min(x.pairs for x in of), max(x.pairs for x in of), of[0].of
    if fewest == total:
        return ""
    known_text = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
    return f", {known_text} of {total:,} pairs"


def _curve_point(k: int, mean: Mean) -> Point:
    return Point(k, mean.value, mean.low, mean.high)


def _ranking_section(bench: Bench, labels: list[str], shots: int) -> Section:
    """Table 4 of the paper, for each encoder's first sample."""
    parts = [make_paragraph(_RANKED)]
    for label in labels:
        records = finished(bench.results, label, shots)[: bench.request.seeds]
        if not records or not records[0]["example"]:
            continue
        before, after = (
            sum(record["precision"][at] for record in records) / len(records) for at in (0, 1)
        )
        example = records[0]["example"]
        rights = [count_right(example[at]) for at in ("before", "after")]
        choice = choice_text(rights[0], rights[1], "validation mention", "sample")
        parts.append(
            make_heading(label)
            + make_paragraph(
                f"Of the first ten, {before:.1%} are of the mention's class before training and "
                f"{after:.1%} after, over all mentions: {_describe_change(before, after)}. Below: "
                f"{choice} {right_text(example['before'], example['after'])} Mention: "
                f"“{example['mention']}”, class: {example['class']}; {example['candidates']} names "
                "are ranked."
            )
            + make_rankings(("before", "after"), (example["before"], example["after"]))
        )
    return make_section("Rankings before and after", *parts)


def _describe_change(before: float, after: float) -> str:
    """Whether training helped, by the figures that stand beside it."""
    if after == before:
        return "no more and no fewer, and not tested"
    return f"{'more' if after > before else 'fewer'} after, and not tested"


def _figure_rows(means: Means, concluded: TableConclusion, shots: int) -> list[dict[str, Any]]:
    p = {
        (label, shots, name): difference.p
        for (name, _, label, _), difference in concluded.differences.items()
    }
    return [
        {"encoder": label, "shots": k, "task": "relatedness", "data": name, "metric": SPEARMAN,
         "value": finite(mean.value), "low": finite(mean.low), "high": finite(mean.high),
         "spread": finite(mean.spread), "n": mean.pairs, "samples": mean.samples,
         **({} if gain is None else {"gain": finite(gain.value), "gain_low": finite(gain.low),
            "gain_high": finite(gain.high), "gain_p": finite(gain.p),
            "gain_p_corrected": finite(p.get((label, k, name), float("nan")))})}
        for (label, k, name), (mean, gain) in means.items()
    ]  # fmt: skip


def _make_tables(bench: Bench, rows: list[dict[str, Any]]) -> dict[str, Any]:
    header = list(rows[-1])  # of a trained encoder: it has all columns
    return {
        "figures.csv": (header, [[row.get(name) for name in header] for row in rows]),
        "samples.csv": (_SAMPLES, list(_sample_rows(bench))),
    }


_SAMPLES = ("encoder", "shots", "sample", "data", "spearman", "epochs", "best epoch", "seconds")


def _sample_rows(bench: Bench) -> Iterator[list[Any]]:
    """Each sample by itself."""
    for record in bench.results:
        if record["key"] == list(UNTRAINED):
            continue
        facts = record["facts"]
        for pairs in bench.benchmarks:
            similarities = numbers(record["similarities"][pairs.name])
            value = correlation(pairs.scores, similarities)
            yield [*record["key"], pairs.name, finite(value),
                   *(facts.get(name) for name in ("epochs", "best_epoch", "seconds"))]  # fmt: skip
