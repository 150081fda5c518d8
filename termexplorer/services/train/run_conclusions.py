"""What a run came to on the names it held out: beside TF-IDF and beside what lies beneath."""

from collections.abc import Mapping

from termexplorer.services.evaluate.conclusion_words import conclusion_text, headline_text
from termexplorer.services.evaluate.conclusions import Conclusion, conclude
from termexplorer.services.evaluate.evaluation import Evaluated
from termexplorer.services.figures.metric_kinds import LEAST_SHOWN
from termexplorer.services.train.runs import RunDetails
from termexplorer.texts import number, tr, translated


def run_conclusions(details: RunDetails, labels: Mapping[int, str]) -> list[tuple[str, str]]:
    """Return each task of a run with its conclusion.

    Args:
        details: of the run.
        labels: of encoders, by their ids.
    """
    beneath = {details.run.encoder_id or 0: details.run.input_id}
    return [
        (each.task, conclusion_text(each, labels, beneath=beneath)) for each in details.evaluations
    ]


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
    told = tr(
        "{run} #{encoder} is trained: {figures}. {headline}",
        figures=_figures_text(first, run.encoder_id or 0, labels),
        headline=headline_text(concluded, labels),
        **values,
    )
    contradicting = (
        f"{translated(each.task)}: {headline_text(found, labels)}"
        for each in details.evaluations[1:]
        if _leads_other(concluded, found := conclude(each))
    )
    return " ".join((told, *contradicting))


def _leads_other(first: Conclusion, found: Conclusion) -> bool:
    """Whether another encoder leads on a task than on the first one."""
    one, other = first.primary, found.primary
    if one is None or other is None or other.is_few:
        return False
    return one.is_few or not set(one.best_ids) & set(other.best_ids)


def _figures_text(evaluated: Evaluated, encoder_id: int, labels: Mapping[int, str]) -> str:
    own = {
        f.encoder_id: f
        for f in evaluated.figures
        if f.metric == evaluated.metric and f.n >= LEAST_SHOWN
    }
    if encoder_id not in own:
        return tr("too few items")
    others = ", ".join(
        f"{labels[id_]} {number(figure.value, '.3f')}"
        for id_, figure in own.items()
        if id_ != encoder_id
    )
    told = f"{translated(evaluated.metric)} {number(own[encoder_id].value, '.3f')}"
    return tr("{figure} against {others}", figure=told, others=others) if others else told
