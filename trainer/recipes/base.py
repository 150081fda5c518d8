"""What ``trainer.training.run`` asks of a recipe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, fields
from typing import Any, ClassVar, Protocol, TypeVar

from torch import Tensor

from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders.base import Trainable
from termexplorer.trainer.recipes.ranges import NOT_NEGATIVE
from termexplorer.trainer.tensors.random_state import RandomState

Plan = dict[str, Tensor]
Forward = Callable[[Tensor], Tensor]
Tick = Callable[[], None]
Kind = TypeVar("Kind", bound=Trainable)


def setting(
    default: Any, meaning: str, choices: Sequence[str] = (), within: str = NOT_NEGATIVE
) -> Any:
    """A hyper-parameter with its default, what it means for people, and what it may be.

    Args:
        default: its usual value.
        meaning: a sentence.
        choices: its values, if few.
        within: one of ``trainer.recipes.ranges.RANGES``, for a number.
    """
    metadata = {"help": meaning, "choices": tuple(choices), "within": within}
    return field(default=default, metadata=metadata)


class RecipeDefaults:
    """What a recipe needs and allows unless its class says otherwise; see `Recipe`."""

    reads: ClassVar[str] = ""
    labelled: ClassVar[bool] = True
    recordable: ClassVar[bool] = False

    @property
    def batch(self) -> int | None:
        """Return None: the method has no steps."""
        return None

    @property
    def evened(self) -> bool:
        """Return False: vectors are learned from as they are, even where all are alike."""
        return False

    @property
    def definitions(self) -> bool:
        """Return False: definitions are not learned from."""
        return False

    @property
    def parents(self) -> bool:
        """Return False: the parents of concepts are not learned from."""
        return False

    @property
    def grounded(self) -> bool:
        """Return True: names that are learned besides are encoded, too."""
        return True


class Recipe(Protocol[Kind]):
    """Hyper-parameters of a method, and the method itself.

    Attributes:
        reads: what it reads names by: "" for the vectors of whole names, ``words`` for those of
            their words, ``pieces`` for a transformer's.
        labelled: whether it learns the classes of names.
        recordable: whether its steps are the same kernels each time, so that a GPU may replay them.
    """

    name: ClassVar[str]
    metric: ClassVar[str]
    higher_is_better: ClassVar[bool]
    reads: ClassVar[str]
    labelled: ClassVar[bool]
    recordable: ClassVar[bool]

    @property
    def batch(self) -> int | None:
        """Items in a step; 0 for all at once, None for a method without steps."""
        ...

    @property
    def evened(self) -> bool:
        """Whether collapsed vectors are evened out before; its encoder has ``data.projection``."""
        ...

    @property
    def definitions(self) -> bool:
        """Whether definitions are learned from as names of their concepts."""
        ...

    @property
    def parents(self) -> bool:
        """Whether the parents of concepts are learned from."""
        ...

    @property
    def grounded(self) -> bool:
        """Whether a loss needs the vectors of names that are learned besides those of the run."""
        ...

    @property
    def learning_rate(self) -> float:
        """Of Adam."""
        ...

    @property
    def hidden(self) -> int:
        """Hidden units."""
        ...

    @property
    def dropout(self) -> float:
        """Share of hidden units left out."""
        ...

    @property
    def maximum_epochs(self) -> int:
        """No run is longer."""
        ...

    @property
    def precision(self) -> str:
        """``float32``, ``bfloat16`` or ``auto``."""
        ...

    def prepared(self, data: TrainingData) -> TrainingData:
        """Return the data as the network sees them; most recipes change nothing."""
        ...

    def encoder(self, data: TrainingData, noise: RandomState) -> Kind:
        """Return the encoder of prepared data before training."""
        ...

    def plan(self, data: TrainingData, encoder: Kind, noise: RandomState, tick: Tick) -> Plan:
        """Sample an epoch: tensors of one length, an item of the epoch each."""
        ...

    def batch_size(self, plan: Plan) -> int:
        """Items in a step."""
        ...

    def losses(
        self, data: TrainingData, batch: Plan, forward: Any, noise: RandomState
    ) -> dict[str, Tensor]:
        """Return the parts of a step's loss, weighted, to be summed; those of weight 0 left out.

        ``forward`` is the encoder's ``TrainingStep``; it is called once.
        """
        ...

    def validate(self, data: TrainingData, encoder: Kind, noise: RandomState, tick: Tick) -> float:
        """Return the validation figure."""
        ...

    def stops(self, history: Sequence[float]) -> bool:
        """Say whether to stop after these validation figures, one an epoch."""
        ...

    def epochs_left(self, history: Sequence[float]) -> int | None:
        """Return the fewest epochs that are still to come, None where nothing can be said."""
        ...


def settings(recipe: Any) -> dict[str, Any]:
    """Return the hyper-parameters of a recipe by name, the recipe's own name among them."""
    return {
        "recipe": recipe.name,
        **{field.name: getattr(recipe, field.name) for field in fields(recipe)},
    }


def agrees(recipe: Any, stored_settings: Mapping[str, Any]) -> bool:
    """Say whether a recipe has the settings that were kept of a run.

    A setting that there was not then must be at its default, which changes nothing.
    """
    defaults = {field.name: field.default for field in fields(recipe)}
    return settings(recipe) == {**defaults, **stored_settings}


def meanings(recipe: Any) -> dict[str, str]:
    """Return the meaning of each hyper-parameter of a recipe, by its name."""
    return {field.name: str(field.metadata["help"]) for field in fields(recipe)}


def choices(recipe: Any) -> dict[str, tuple[str, ...]]:
    """Return the values of each hyper-parameter that has but a few, by its name."""
    listed = {field.name: tuple(field.metadata["choices"]) for field in fields(recipe)}
    return {name: values for name, values in listed.items() if values}


def ranges(recipe: Any) -> dict[str, str]:
    """Return what each hyper-parameter that is a number lies within, by its name."""
    return {
        field.name: field.metadata["within"]
        for field in fields(recipe)
        if isinstance(field.default, int | float) and not isinstance(field.default, bool)
    }


def best_epoch(history: Sequence[float], *, higher_is_better: bool) -> int:
    """Return the number of the best epoch, from 1; the first of equal ones."""
    best = max(history) if higher_is_better else min(history)
    return list(history).index(best) + 1


def kept_epoch(
    history: Sequence[float], input_figure: float | None, *, higher_is_better: bool
) -> int:
    """Return the best epoch, or 0 where the input as it is has a better figure than all of them.

    Args:
        history: the figure of each epoch.
        input_figure: that of the input; None where the encoder cannot leave it as it is.
        higher_is_better: whether a higher figure is the better one.
    """
    best = best_epoch(history, higher_is_better=higher_is_better)
    if input_figure is None:
        return best
    ahead = input_figure - history[best - 1]
    return 0 if (ahead > 0 if higher_is_better else ahead < 0) else best
