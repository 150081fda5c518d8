"""The level that is looked at until the user chooses one, and what is wrong with some levels."""

from dataclasses import dataclass

from termexplorer.errors import UserError
from termexplorer.services.levels.lens import (
    LevelChoice,
    LevelLens,
    check_level,
    level_lens,
    open_lens,
)
from termexplorer.taxonomy.default_level import LevelShape
from termexplorer.texts import mark, share_text, tr, translated
from termexplorer.workspace import Workspace

_ONE_CLASS = mark("level {level} has one class, so there is nothing to tell apart")
_LOPSIDED = mark("level {level} is one-sided: {share} of its names are of one class")


@dataclass(frozen=True, slots=True)
class LevelOffer:
    """The levels that can be chosen.

    Attributes:
        warnings: what is wrong with each, the highest first; empty where nothing is.
        usual: the one to begin with; 0 where there are none.
    """

    warnings: tuple[str, ...] = ()
    usual: int = 0

    @property
    def levels(self) -> int:
        """How many there are."""
        return len(self.warnings)

    def warning_of(self, level: int) -> str:
        """Return what is wrong with a level; empty where nothing is, or it is not there."""
        return self.warnings[level - 1] if 1 <= level <= self.levels else ""


def default_level(workspace: Workspace, ontology_id: int, root: str = "") -> int:
    """Return the level to begin with: of those below a root, or of all.

    It is the first one with 10 to 100 classes none of which has more than half of the names, else
    the nearest to it; see `choose_default_level`. It is 1 where there are no levels, and is kept as
    long as the ontology stays.

    Raises:
        UserError: There is no such ontology, or the root is not in it.
    """
    shape = _default_shape(workspace, ontology_id, root)
    return shape.level if shape else 1


def warn_of_level(workspace: Workspace, ontology_id: int, level: int, root: str = "") -> str:
    """Return a sentence on a level whose names are mostly of one class; empty for another level.

    Raises:
        UserError: There is no such ontology, or the root is not in it.
    """
    lens = level_lens(workspace, ontology_id, _plain_choice(root))
    if not 1 <= level <= lens.levels:
        return ""
    shape = _shape_of_level(lens, root, level)
    return _describe_lopsided(shape, _default_shape(workspace, ontology_id, root))


def warn_of_choice(workspace: Workspace, ontology_id: int, choice: LevelChoice) -> str:
    """Return the sentence of `warn_of_level` on the classes and names that are chosen."""
    lens = level_lens(workspace, ontology_id, choice)
    if not 1 <= choice.level <= lens.levels:
        return ""
    shape = LevelShape.of(lens.summary(choice))
    return _describe_lopsided(shape, _default_shape(workspace, ontology_id, choice.root))


def why_not_trainable(workspace: Workspace, ontology_id: int, choice: LevelChoice) -> str:
    """Return why nothing can be trained on a level that is there: it has one class; else empty."""
    lens = level_lens(workspace, ontology_id, choice)
    has_one_class = LevelShape.of(lens.summary(choice)).classes == 1
    return warn_of_choice(workspace, ontology_id, choice) if has_one_class else ""


def offer_levels(workspace: Workspace, ontology_id: int, root: str = "") -> LevelOffer:
    """Return what there is to choose from; no levels where there are none, or no such root."""
    try:
        lens = open_lens(workspace, ontology_id, _plain_choice(root))
    except UserError:
        return LevelOffer()
    warnings = (
        warn_of_level(workspace, ontology_id, level, root) for level in range(1, lens.levels + 1)
    )
    return LevelOffer(tuple(warnings), default_level(workspace, ontology_id, root))


def usable_level(lens: LevelLens, level: int) -> int:
    """Return a level, or the deepest one of a lens whose rules leave fewer."""
    return max(min(level, lens.levels), 1)


def trainable_level(workspace: Workspace, ontology_id: int, choice: LevelChoice) -> int:
    """Return the level to begin with, or the deepest one that the rules of a choice leave.

    Raises:
        UserError: There is no such ontology, or the root is not in it.
    """
    level = default_level(workspace, ontology_id, choice.root)
    return usable_level(level_lens(workspace, ontology_id, choice), level)


def check_trained_level(
    workspace: Workspace, ontology_id: int, choice: LevelChoice, *, alone: bool = True
) -> None:
    """Refuse a level that nothing could be trained on, before a run of it waits.

    Args:
        workspace: Where the ontology is.
        ontology_id: The release.
        choice: The level.
        alone: Whether nothing but its classes is learned, so that it needs two of them.

    Raises:
        UserError: There is no such level, none at all, it has one class alone, or the root is not
            in the ontology.
    """
    check_level(workspace, ontology_id, choice)
    if alone and (why := why_not_trainable(workspace, ontology_id, choice)):
        raise UserError(why)


def _describe_lopsided(shape: LevelShape, better: LevelShape | None) -> str:
    if not (shape.one_sided or shape.classes == 1):
        return ""
    text = _ONE_CLASS if shape.classes == 1 else _LOPSIDED
    warning = translated(text, level=shape.level, share=share_text(shape.share))
    if better is None or better.one_sided or better.level == shape.level:
        return warning
    return tr("{warning}; level {better} suits it better", warning=warning, better=better.level)


def _default_shape(workspace: Workspace, ontology_id: int, root: str) -> LevelShape | None:
    """Return the shape of the level to begin with, which the lens that is kept remembers."""
    return level_lens(workspace, ontology_id, _plain_choice(root)).default_shape


def _shape_of_level(lens: LevelLens, root: str, level: int) -> LevelShape:
    return LevelShape.of(lens.summary(_plain_choice(root).on(level)))


def _plain_choice(root: str) -> LevelChoice:
    """Return every concept and all names below each class: where to look is no training."""
    return LevelChoice(root, dead_ends=False, below_depth=False)
