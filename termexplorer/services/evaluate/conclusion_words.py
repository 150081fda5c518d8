"""A conclusion in words, for the window and for commands alike."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from termexplorer.services.evaluate.conclusions import (
    Against,
    Beneath,
    BesideChance,
    Conclusion,
    Contradiction,
    Lead,
    MetricConclusion,
    conclude,
)
from termexplorer.services.figures.coverage_words import coverage_text
from termexplorer.services.figures.metric_kinds import LEAST_ITEMS, find_chance, goodness
from termexplorer.store.encoders.evaluations import Difference, Evaluated
from termexplorer.texts import number, share_text, tr, translated, trn

Labels = Mapping[int, str]

_MOST_NAMED = 3  # encoders in a sentence
_SEEN = 0.01  # the share of names trained on from which it is told
_SMALL = 0.0005  # a difference that three digits do not show
_SMALLEST_P = 0.001  # that is told; smaller ones are told to be smaller


def conclusion_text(
    evaluated: Evaluated,
    labels: Labels,
    *,
    beneath: Beneath | None = None,
    exposure: bool = True,
) -> str:
    """Return the whole conclusion: `headline_text` and `details_text` of it.

    Args:
        evaluated: figures and differences.
        labels: of encoders, by their ids.
        beneath: what lies beneath each encoder.
        exposure: whether it is said how many of the names the best was trained on.
    """
    concluded = conclude(evaluated, beneath)
    parts = (headline_text(concluded, labels), details_text(concluded, labels, exposure=exposure))
    return " ".join(filter(None, parts))


def headline_text(concluded: Conclusion, labels: Labels) -> str:
    """Return which encoder is best by which metric, or why none is named, and of how many items."""
    primary = concluded.primary
    if primary is None:
        return tr("No figure is defined on these data.")
    of_items = coverage_text(primary.n, concluded.items)
    return " ".join(filter(None, (_word_headline(concluded, primary, labels), of_items)))


def _word_headline(concluded: Conclusion, primary: MetricConclusion, labels: Labels) -> str:
    if len(concluded.encoder_ids) == 1:
        return tr("Only {best} was measured.", best=labels[primary.best_id])
    if primary.is_few:
        return tr(
            "Too few items to name a best encoder: {n:,}, of at least {least}.",
            n=primary.n,
            least=LEAST_ITEMS,
        )
    if primary.chance is BesideChance.BELOW:
        return tr(
            "No encoder is better than chance: {metric} is {chance} by chance, and at most {value} "
            "here.",
            metric=translated(primary.metric),
            chance=number(find_chance(primary.metric) or 0.0, "g"),
            value=number(primary.value, ".3f"),
        )
    return " ".join((*_word_contradiction(concluded), *_by_metrics(concluded.headlined, labels)))


def details_text(
    concluded: Conclusion,
    labels: Labels,
    *,
    exposure: bool = True,
    between: str = " ",
    short: bool = False,
) -> str:
    """Return what stands behind the headline: how far, against what, and what limits it.

    Args:
        concluded: the conclusion.
        labels: of encoders, by their ids.
        exposure: whether it is said how many of the names the best was trained on.
        between: what stands between two sentences.
        short: say how the best stands to chance and to baselines alone, as in a column of many.
    """
    primary = concluded.primary
    if primary is None:
        return ""
    sentences = [*_chance_limits(concluded)]
    if len(concluded.encoder_ids) > 1 and not primary.is_few:
        if short:
            sentences += [
                against_text(primary, baseline, labels) for baseline in concluded.baselines
            ]
        else:
            sentences += _word_nearest(primary, labels)
            sentences += _word_untested(primary, labels)
            sentences += _word_baselines(concluded, labels)
            sentences += _word_compared(concluded)
    share = concluded.seen.get(primary.best_id, 0.0)
    if exposure and share >= _SEEN:
        best = labels[primary.best_id]
        sentences.append(
            tr("{best} was trained on {share} of the names.", best=best, share=share_text(share))
        )
    return between.join(sentences)


def _word_contradiction(concluded: Conclusion) -> Iterator[str]:
    if concluded.contradiction is Contradiction.SHOWN:
        yield tr("The metrics contradict each other.")
    elif concluded.contradiction is Contradiction.SEEN:
        yield tr("The metrics favour different encoders.")


def _by_metrics(metrics: Sequence[MetricConclusion], labels: Labels) -> Iterator[str]:
    """Say the same of several metrics once."""
    conclusions_by_claim: dict[tuple[object, ...], list[MetricConclusion]] = {}
    for conclusion in metrics:
        conclusions_by_claim.setdefault(_claim_of(conclusion), []).append(conclusion)
    for alike in conclusions_by_claim.values():
        first = alike[0]
        named = listed(translated(entry.metric) for entry in alike)
        best = listed(labels[encoder_id] for encoder_id in first.best_ids)
        if len(first.best_ids) > 1:
            yield tr("Equal in {metrics}: {encoders}.", metrics=named, encoders=best)
        elif first.shown:
            yield tr("Best in {metrics}: {best}.", metrics=named, best=best)
        elif first.level_ids and first.undecided:
            yield tr(
                "Leading in {metrics}: {best}, with too few items to tell it from {others}.",
                metrics=named,
                best=best,
                others=_few_of(first.level_ids, labels),
            )
        elif first.level_ids:
            yield tr(
                "Leading in {metrics}: {best}, not shown to be ahead of {others}.",
                metrics=named,
                best=best,
                others=_few_of(first.level_ids, labels),
            )
        elif first.untested_ids:
            yield tr(
                "Leading in {metrics}: {best}, not tested against {others}.",
                metrics=named,
                best=best,
                others=_few_of(first.untested_ids, labels),
            )
        else:
            yield tr("In {metrics} only {best} was measured.", metrics=named, best=best)


def _claim_of(conclusion: MetricConclusion) -> tuple[object, ...]:
    if len(conclusion.best_ids) > 1:
        return ("equal", conclusion.best_ids)
    if conclusion.shown:
        return ("best", conclusion.best_id)
    apart = conclusion.level_ids or conclusion.untested_ids
    return (
        "highest",
        conclusion.best_id,
        bool(conclusion.level_ids),
        frozenset(apart),
        conclusion.undecided,
    )


def _chance_limits(concluded: Conclusion) -> Iterator[str]:
    primary = concluded.primary
    if primary is None or primary.chance is None:
        return
    values = {
        "metric": translated(primary.metric),
        "chance": number(find_chance(primary.metric) or 0.0, "g"),
        "value": number(primary.value, ".3f"),
    }
    if primary.chance is BesideChance.NOT_SHOWN:
        yield tr(
            "Not shown to be better than chance: {metric} is {value}, and {chance} by chance, "
            "which its interval holds.",
            **values,
        )
    elif primary.chance is BesideChance.BELOW and len(concluded.encoder_ids) == 1:
        yield tr("It is not better than chance: {metric} is {value}, {chance} by chance.", **values)


def _word_nearest(primary: MetricConclusion, labels: Labels) -> Iterator[str]:
    difference = primary.nearest
    if difference is None or len(primary.best_ids) > 1:
        return
    best, second = labels[difference.first_id], labels[difference.second_id]
    by = difference_text(difference)
    if primary.undecided:
        yield tr(
            "Whether {best} and {second} differ cannot be decided with {n:,} items among {tests:,} "
            "tests: {by}.",
            best=best,
            second=second,
            n=difference.n,
            tests=difference.family,
            by=by,
        )
    elif primary.level_ids:
        yield tr(
            "No difference shown between {best} and {second}: {by}.",
            best=best,
            second=second,
            by=by,
        )
    else:
        yield tr("{best} is ahead of {second} by {by}.", best=best, second=second, by=by)


def _word_untested(primary: MetricConclusion, labels: Labels) -> Iterator[str]:
    if primary.untested_ids:
        yield tr(
            "Evaluate {best} together with {others} to compare them.",
            best=labels[primary.best_id],
            others=_few_of(primary.untested_ids, labels),
        )


def _word_baselines(concluded: Conclusion, labels: Labels) -> Iterator[str]:
    primary = concluded.primary
    if primary is None:
        return
    for against in concluded.baselines:
        is_beneath = against is concluded.beneath
        yield against_text(primary, against, labels, beneath=is_beneath)
    if not concluded.has_lexical:
        yield without_lexical_text()


def without_lexical_text() -> str:
    """Return that TF-IDF was not measured."""
    return tr("TF-IDF was not measured on these data.")


def _word_compared(concluded: Conclusion) -> Iterator[str]:
    """Say by which metrics encoders were tested, where some are shown without a test, and why."""
    if concluded.uncompared:
        yield tr(
            "Tested by {metrics}; without a test, as evaluated by an earlier version: {others}. "
            "Evaluate again to test by these.",
            metrics=listed(map(translated, concluded.compared)),
            others=listed(map(translated, concluded.uncompared)),
        )


def against_text(
    primary: MetricConclusion, against: Against, labels: Labels, *, beneath: bool = False
) -> str:
    """Return how the best stands to TF-IDF or to what lies beneath it."""
    values = {
        "best": labels[primary.best_id],
        "other": labels[against.encoder_id],
        "leads": ", ".join(_lead_text(lead) for lead in against.leads),
    }
    if beneath:
        return tr("{best} against its base vectors, {other}: {leads}.", **values)
    return tr("{best} against {other}: {leads}.", **values)


def _lead_text(lead: Lead) -> str:
    raw = goodness(lead.metric, lead.value)  # as the table has it: fewer ranks are a minus
    values = {"metric": translated(lead.metric), "value": number(raw, _difference_format(raw))}
    if lead.difference is None:
        return tr("{metric} {value} (not tested)", **values)
    if lead.difference.significant:
        return tr("{metric} {value} (shown)", **values)
    if lead.difference.undecided:
        return tr("{metric} {value} (too few items to tell)", **values)
    return tr("{metric} {value} (not shown)", **values)


def difference_text(difference: Difference) -> str:
    """Return a difference with its interval, items and p."""
    spec = _difference_format(difference.value)
    return tr(
        "{metric} {value} ({low} to {high}, n = {n:,}, p {p} {how})",
        metric=translated(difference.metric),
        value=number(difference.value, spec),
        low=number(difference.low, spec),
        high=number(difference.high, spec),
        n=difference.n,
        p=chance_text(difference.p),
        how=difference.by,
    )


def chance_text(p: float) -> str:
    """Return a p with its sign: `= 0.010`, `< 0.001`."""
    return f"= {number(p, '.3f')}" if p >= _SMALLEST_P else f"< {number(_SMALLEST_P, 'g')}"


def listed(texts: Iterable[str]) -> str:
    """Return texts with commas between them, and "and" before the last."""
    *before, last = texts
    return tr("{first} and {last}", first=", ".join(before), last=last) if before else last


def _few_of(encoder_ids: Sequence[int], labels: Labels) -> str:
    more = len(encoder_ids) - _MOST_NAMED
    if more <= 0:
        return listed(labels[encoder_id] for encoder_id in encoder_ids)
    named = ", ".join(labels[encoder_id] for encoder_id in encoder_ids[:_MOST_NAMED])
    return trn("{named} and {n} more", "{named} and {n} more", more, named=named)


def _difference_format(value: float) -> str:
    return "+.5f" if 0 < abs(value) < _SMALL else "+.3f"
