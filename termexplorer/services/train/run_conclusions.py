"""What a run came to on the names it held out: beside TF-IDF and beside what lies beneath."""

from collections.abc import Mapping

from termexplorer.services.encoders.vector_spread import warn_of_spread
from termexplorer.services.evaluate.conclusion_words import conclusion_text
from termexplorer.services.train.run_gains import gain_text, is_worse
from termexplorer.services.train.runs import RunDetails
from termexplorer.texts import tr


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


def run_warnings(details: RunDetails) -> list[str]:
    """Return what went wrong before anything was measured on names held out, a sentence each."""
    card = details.run.card
    warnings = [warn_of_spread(card.get("collapsed", {}))]
    if card.get("best_epoch") == 0:
        warnings.append(
            tr("No epoch does better on the validation names than the base vectors, which are kept")
        )
    return [warning for warning in warnings if warning]


def trained_text(details: RunDetails, labels: Mapping[int, str]) -> str:
    """Return that a run is done, and whether it is better than others on its first task.

    Tasks on which it is worse than another are told as well.
    """
    run = details.run
    done = tr("{run} #{encoder} is trained", run=run.shown_title, encoder=str(run.encoder_id))
    sentences = [
        gain_text(details, evaluated, labels)
        for row, evaluated in enumerate(details.evaluations)
        if not row or is_worse(details, evaluated)
    ]
    sentences = [done, *sentences, *run_warnings(details)]
    return ". ".join(sentences) + ("." if len(sentences) > 1 else "")
