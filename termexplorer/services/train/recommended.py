"""The recommended encoder: a few runs, one over the other, and their encoders joined at the end.

The built-in encoder goes in as it is, words are weighted (SIF), and both are joined with a
transformer, whose own layers are trained before; over all of them one encoder learns the synonyms
of several ontologies, and others the classes of a level, each from its own sample of names. The end
has them side by side: the synonyms, the classes, what lies beneath, and further encoders, such as a
large transformer, which may be learned over too.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from termexplorer.errors import UserError
from termexplorer.services.encoders.encoders import EncoderInfo, find_encoder, list_encoders
from termexplorer.services.encoders.made_encoders import join_encoders, with_vectors
from termexplorer.services.levels.default_level import trainable_level
from termexplorer.services.recipes.run_requests import LevelChoice, RunRequest, SplitRule
from termexplorer.services.train.runs import find_run, status_text
from termexplorer.store.encoders.infos import check_distinct
from termexplorer.texts import tr
from termexplorer.trainer.representations import OF_WORDS
from termexplorer.workspace import Workspace

__all__ = [
    "OF_WORDS",
    "Recommended",
    "check_recommended",
    "few_shot_choice",
    "is_transformer",
    "joined_end",
    "next_request",
    "runs_needed",
]

_TITLE = "recommended"  # as the command is called


@dataclass(frozen=True, slots=True)
class Recommended:
    """What it is made of.

    Attributes:
        ontology_id: the release on whose names its runs are measured.
        vectors_ids: of words, each weighted first.
        built_in_id: of the built-in encoder, which needs no text; 0: without it.
        also: further releases, whose synonyms are learned besides.
        transformer_id: of an encoder that is joined with the word vectors; 0: of none.
        tuned: whether that is a transformer whose own layers are trained first.
        at_end_ids: of encoders that are joined at the end, as they are.
        over_all: whether synonyms and classes are learned over these as well, not over words and
            the transformer alone.
        classes_id: the release whose classes are learned; 0: classes of none.
        level: of the classes; 0: the one that suits their ontology.
        samples: of the names of these classes.
        seed: of everything random; the samples' are this and the next ones.
        device: as of a `RunRequest`.
    """

    ontology_id: int
    vectors_ids: tuple[int, ...] = ()
    built_in_id: int = 0
    also: tuple[int, ...] = ()
    transformer_id: int = 0
    tuned: bool = False
    at_end_ids: tuple[int, ...] = ()
    over_all: bool = False
    classes_id: int = 0
    level: int = 0
    samples: int = 1
    seed: int = 0
    device: str = "auto"

    @property
    def untrained_ids(self) -> tuple[int, ...]:
        """The encoders that synonyms are learned over, as they are before any run."""
        of_words = (self.built_in_id, *self.vectors_ids)
        return tuple(id_ for id_ in (*of_words, self.transformer_id) if id_)


def is_transformer(workspace: Workspace, encoder_id: int) -> bool:
    """Whether an encoder is a transformer itself, whose layers can be trained; 0: it is none."""
    return bool(encoder_id) and find_encoder(workspace, encoder_id).is_transformer


def runs_needed(wanted: Recommended) -> int:
    """How many runs it takes."""
    return len(_list_recipes(wanted))


def few_shot_choice(workspace: Workspace, wanted: Recommended) -> LevelChoice:
    """The classes of which names are sampled."""
    choice = LevelChoice.for_recipe("few-shot")
    return choice.on(wanted.level or trainable_level(workspace, wanted.classes_id, choice))


def check_recommended(workspace: Workspace, wanted: Recommended) -> None:
    """Refuse what cannot be made.

    Raises:
        UserError: there is nothing to learn over, or what is to be joined later has no vectors or
            is named twice.
    """
    if not wanted.untrained_ids:
        raise UserError(
            tr("there is nothing to learn over: name the built-in encoder or word vectors")
        )
    check_distinct(wanted.untrained_ids)
    check_distinct((*wanted.at_end_ids, *_untrained_transformer(wanted)))
    for encoder_id in _joined_later(wanted):
        with_vectors(workspace, encoder_id)


def next_request(
    workspace: Workspace, wanted: Recommended, runs: Sequence[int]
) -> RunRequest | None:
    """Return the request of the run that comes after others; None where all are there.

    Raises:
        UserError: a run before has no encoder.
    """
    recipes, done = _list_recipes(wanted), len(runs)
    if done == len(recipes):
        return None
    contrast = recipes.index("contrastive")
    if done < len(wanted.vectors_ids):
        return _on_synonyms(wanted, "sif", wanted.vectors_ids[done])
    if done < contrast:
        return _on_synonyms(wanted, "tuned", wanted.transformer_id)
    if done == contrast:
        beneath = _joined_beneath(workspace, wanted, runs)
        return _on_synonyms(wanted, "contrastive", beneath)
    beneath = find_run(workspace, runs[contrast]).input_id
    choice = few_shot_choice(workspace, wanted)
    return _on_classes(wanted, choice, beneath, done - contrast - 1)


def joined_end(workspace: Workspace, wanted: Recommended, runs: Sequence[int]) -> EncoderInfo:
    """Joins what the runs came to: contrast, the mean of the samples, and all that lies beneath.

    Without samples it is the contrast alone, and what is joined at the end.

    Raises:
        UserError: a run has no encoder.
    """
    contrast = _list_recipes(wanted).index("contrastive")
    learned, *samples = [_encoder_of(workspace, run_id) for run_id in runs[contrast:]]
    parts = [learned]
    if samples:
        parts.append(samples[0] if len(samples) == 1 else _join_once(workspace, samples).id)
        parts += _inputs_of_contrast(workspace, wanted, runs)
    parts += [encoder_id for encoder_id in wanted.at_end_ids if encoder_id not in parts]
    if len(parts) == 1:
        return find_encoder(workspace, learned)
    return _join_once(workspace, parts, _TITLE)


def _join_once(workspace: Workspace, parts: Sequence[int], title: str = "") -> EncoderInfo:
    """Join encoders, unless they are joined already, as by a worker that was killed after it."""
    for encoder in list_encoders(workspace):
        if encoder.method == "joined" and encoder.part_ids == tuple(parts):
            return encoder
    return join_encoders(workspace, parts, title)


def _list_recipes(wanted: Recommended) -> list[str]:
    """The recipe of each run, in their order."""
    words = ["sif"] * len(wanted.vectors_ids)
    transformer = ["tuned"] if wanted.transformer_id and wanted.tuned else []
    classes = ["few-shot"] * (wanted.samples if wanted.classes_id else 0)
    return [*words, *transformer, "contrastive", *classes]


def _inputs_of_contrast(
    workspace: Workspace, wanted: Recommended, runs: Sequence[int]
) -> list[int]:
    """The encoders that contrast and samples stand on: built-in, words, transformer, or all."""
    contrastive_at = _list_recipes(wanted).index("contrastive")
    input_ids = [wanted.built_in_id] if wanted.built_in_id else []
    input_ids += [_encoder_of(workspace, run_id) for run_id in runs[:contrastive_at]]
    input_ids += _untrained_transformer(wanted)
    return [*input_ids, *wanted.at_end_ids] if wanted.over_all else input_ids


def _untrained_transformer(wanted: Recommended) -> list[int]:
    """The encoder that is joined with the words as it is, if there is one."""
    return [wanted.transformer_id] if wanted.transformer_id and not wanted.tuned else []


def _joined_later(wanted: Recommended) -> tuple[int, ...]:
    """The encoders that no run of its own is over."""
    plain = (wanted.built_in_id, wanted.transformer_id)
    return (*filter(None, plain), *wanted.at_end_ids)


def _joined_beneath(workspace: Workspace, wanted: Recommended, runs: Sequence[int]) -> int:
    parts = _inputs_of_contrast(workspace, wanted, runs)
    return parts[0] if len(parts) == 1 else _join_once(workspace, parts).id


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


def _on_classes(wanted: Recommended, choice: LevelChoice, beneath: int, sample: int) -> RunRequest:
    recipe, seed = "few-shot", wanted.seed + sample
    return RunRequest(
        recipe=recipe,
        preset="quick",
        ontology_id=wanted.classes_id,
        vectors_id=beneath,
        choice=choice,
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
