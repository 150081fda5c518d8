"""What a run came to on the names it held out: beside TF-IDF and beside what lies beneath."""

from collections.abc import Mapping

from termexplorer.services.encoders.vector_spread import warn_of_spread
from termexplorer.services.evaluate.conclusion_words import conclusion_text, headline_text
from termexplorer.services.evaluate.conclusions import Conclusion, conclude
from termexplorer.services.evaluate.evaluation import Evaluated
from termexplorer.services.figures.metric_kinds import LEAST_SHOWN
from termexplorer.services.train.runs import RunDetails
from termexplorer.texts import interval_text, mark, number, tr, translated

_NO_BETTER = mark(
    "{task}: not shown to be better than {beneath}, which it stands on ({metric} {difference})"
)
_WORSE = mark("{task}: worse than {beneath}, which it stands on ({metric} {difference})")


def run_conclusions(details: RunDetails, labels: Mapping[int, str]) -> list[tuple[str, str]]:
    """Return each task of a run with its conclusion.

    Args:
        details: of the run.
        labels: of encoders, by their ids.
    """
    beneath = {details.run.encoder_id or 0: details.run.input_id}
    return [
        (evaluation.task, conclusion_text(evaluation, labels, beneath=beneath))
        for evaluation in details.evaluations
    ]


def run_warnings(details: RunDetails, labels: Mapping[int, str]) -> list[str]:
    """Return why a run may have learned nothing, a sentence each; nothing where all is well.

    Args:
        details: of the run.
        labels: of encoders, by their ids.
    """
    first = details.evaluations[:1]
    of_task = [_warn_of_task(details, evaluated, labels) for evaluated in first]
    return [warning for warning in (*_warn_of_training(details), *of_task) if warning]


def _warn_of_training(details: RunDetails) -> list[str]:
    """Return what went wrong before anything was measured on names that were held out."""
    card = details.run.card
    warnings = [warn_of_spread(card.get("collapsed", {}))]
    if card.get("best_epoch") == 0:
        warnings.append(
            tr("No epoch does better on the validation names than the base vectors, which are kept")
        )
    return [warning for warning in warnings if warning]


def _warn_of_task(details: RunDetails, evaluated: Evaluated, labels: Mapping[int, str]) -> str:
    """Return that an encoder is not shown to be better on a task than what lies beneath it."""
    encoder_id, beneath = details.run.encoder_id, details.run.input_id
    for difference in evaluated.differences:
        compared = {difference.first_id, difference.second_id}
        if compared != {encoder_id, beneath} or difference.metric != evaluated.metric:
            continue
        sign = 1 if difference.first_id == encoder_id else -1
        low, high = sorted((sign * difference.low, sign * difference.high))
        if low > 0:
            return ""
        text = _WORSE if high < 0 else _NO_BETTER
        return translated(
            text,
            task=translated(evaluated.task),
            beneath=labels.get(beneath, f"#{beneath}"),
            metric=translated(difference.metric),
            difference=interval_text(sign * difference.value, low, high, "+.3f"),
        )
    return ""


def trained_text(details: RunDetails, labels: Mapping[int, str]) -> str:
    """Return that a run is done, its first figure beside those of the others, and the headline.

    Tasks on which others lead than on the first are told as well.
    """
    run = details.run
    values = {"run": run.shown_title, "encoder": str(run.encoder_id)}
    if not details.evaluations:
        return tr("{run} #{encoder} is trained", **values)
    first = details.evaluations[0]
    concluded = conclude(first)
    summary = tr(
        "{run} #{encoder} is trained: {figures}. {headline}",
        figures=_figures_text(first, run.encoder_id or 0, labels),
        headline=headline_text(concluded, labels),
        **values,
    )
    warnings = [f"{warning}." for warning in _warn_of_training(details)]
    contradicting = (
        f"{translated(evaluation.task)}: {headline_text(conclusion, labels)}"
        for evaluation in details.evaluations[1:]
        if _leads_other(concluded, conclusion := conclude(evaluation))
    )
    return " ".join((summary, *contradicting, *warnings))


def _leads_other(first: Conclusion, second: Conclusion) -> bool:
    """Whether another encoder leads on a task than on the first one."""
    first_primary, second_primary = first.primary, second.primary
    if first_primary is None or second_primary is None or second_primary.is_few:
        return False
    return first_primary.is_few or not set(first_primary.best_ids) & set(second_primary.best_ids)


def _figures_text(evaluated: Evaluated, encoder_id: int, labels: Mapping[int, str]) -> str:
    figure_by_encoder = {
        f.encoder_id: f
        for f in evaluated.figures
        if f.metric == evaluated.metric and f.n >= LEAST_SHOWN
    }
    if encoder_id not in figure_by_encoder:
        return tr("too few items")
    others_text = ", ".join(
        f"{labels[id_]} {number(figure.value, '.3f')}"
        for id_, figure in figure_by_encoder.items()
        if id_ != encoder_id
    )
    own_text = (
        f"{translated(evaluated.metric)} {number(figure_by_encoder[encoder_id].value, '.3f')}"
    )
    return (
        tr("{figure} against {others}", figure=own_text, others=others_text)
        if others_text
        else own_text
    )
