"""The recommended encoder: a few runs, one over the other, and their encoders joined at the end.

Words are weighted (SIF) and joined with a transformer; over both one encoder learns the synonyms
of several ontologies, and others the classes of a level, each from its own sample of names. The end
has all three side by side: the synonyms, the classes, and the weighted words.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from termexplorer.errors import UserError
from termexplorer.services.encoders import EncoderInfo, find_encoder
from termexplorer.services.made_encoders import join_encoders
from termexplorer.services.run_requests import LevelChoice, RunRequest, SplitRule, add_run
from termexplorer.services.runs import find_run, status_text
from termexplorer.texts import tr
from termexplorer.workspace import Workspace
from trainer.representations import OF_WORDS

__all__ = ["OF_WORDS", "Recommended", "add_next_run", "joined_end", "runs_needed"]

_TITLE = "recommended"  # as the command is called
_BEFORE_SAMPLES = 2  # runs: weighted words, and contrast


@dataclass(frozen=True, slots=True)
class Recommended:
    """What it is made of.

    Attributes:
        ontology_id: the release on whose names its runs are measured.
        vectors_id: of words.
        also: further releases, whose synonyms are learned besides.
        transformer_id: of an encoder that is joined with the word vectors; 0: of none.
        classes_id: the release whose classes are learned; 0: classes of none.
        level: of the classes.
        samples: of the names of these classes.
        seed: of everything random; the samples' are this and the next ones.
        device: auto, cpu, cuda or cuda:N.
    """

    ontology_id: int
    vectors_id: int
    also: tuple[int, ...] = ()
    transformer_id: int = 0
    classes_id: int = 0
    level: int = 1
    samples: int = 1
    seed: int = 0
    device: str = "auto"


def runs_needed(wanted: Recommended) -> int:
    """How many runs it takes."""
    return _BEFORE_SAMPLES + (wanted.samples if wanted.classes_id else 0)


def add_next_run(workspace: Workspace, wanted: Recommended, runs: Sequence[int]) -> int | None:
    """Adds the run that comes after others, to be trained.

    Args:
        workspace: where it goes.
        wanted: what they are for.
        runs: those before, trained, in their order.

    Returns:
        its id; None where all are there.

    Raises:
        UserError: as `add_run`, or a run before has no encoder.
    """
    if len(runs) == runs_needed(wanted):
        return None
    if not runs:
        return add_run(workspace, _on_synonyms(wanted, "sif", wanted.vectors_id))
    if len(runs) == 1:
        beneath = _encoder_of(workspace, runs[0])
        if wanted.transformer_id:
            beneath = join_encoders(workspace, [beneath, wanted.transformer_id]).id
        return add_run(workspace, _on_synonyms(wanted, "contrastive", beneath))
    beneath = find_run(workspace, runs[1]).input_id
    return add_run(workspace, _on_classes(wanted, beneath, len(runs) - _BEFORE_SAMPLES))


def joined_end(workspace: Workspace, runs: Sequence[int]) -> EncoderInfo:
    """Joins what the runs came to: contrast, the mean of the samples, weighted words; or the first.

    Raises:
        UserError: a run has no encoder.
    """
    words, contrast, *samples = [_encoder_of(workspace, run_id) for run_id in runs]
    if not samples:
        return find_encoder(workspace, contrast)
    learned = samples[0] if len(samples) == 1 else join_encoders(workspace, samples).id
    return join_encoders(workspace, [contrast, learned, words], _TITLE)


def _on_synonyms(wanted: Recommended, recipe: str, beneath: int) -> RunRequest:
    return RunRequest(
        recipe=recipe,
        preset="quick",
        ontology_id=wanted.ontology_id,
        vectors_id=beneath,
        choice=None,
        rule=SplitRule(recipe, seed=wanted.seed),
        hyperparameters={},
        seed=wanted.seed,
        device=wanted.device,
        also=wanted.also,
    )


def _on_classes(wanted: Recommended, beneath: int, sample: int) -> RunRequest:
    recipe, seed = "few-shot", wanted.seed + sample
    return RunRequest(
        recipe=recipe,
        preset="quick",
        ontology_id=wanted.classes_id,
        vectors_id=beneath,
        choice=LevelChoice.for_recipe(recipe, level=wanted.level),
        rule=SplitRule(recipe, seed=seed),
        hyperparameters={},
        seed=seed,
        device=wanted.device,
    )


def _encoder_of(workspace: Workspace, run_id: int) -> int:
    run = find_run(workspace, run_id)
    if run.encoder_id is None:
        raise UserError(
            tr(
                "run {run}, {title}, has no encoder; it is {status}",
                run=run_id,
                title=run.title,
                status=status_text(run.status),
            )
        )
    return run.encoder_id
