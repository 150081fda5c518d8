"""One file a published method, each read from top to bottom like its paper.

A new method is one new file and its line in ``RECIPES``, with up to two classes:

- A **recipe**, a frozen dataclass over ``base.RecipeDefaults``: hyper-parameters, each a
  ``setting`` with its meaning, and the methods of ``base.Recipe``. ``plan`` samples an epoch;
  ``losses`` turns a batch of it into the parts of the loss; ``validate`` gives the figure by which
  ``stops`` decides. Everything random comes from the ``noise`` that they are given, so that a run
  repeats itself, and one that was stopped goes on as if it had not been. ``common`` holds what
  recipes share.
  A GPU replays the steps of a recipe that says ``recordable`` (``trainer.training.steps``): all
  of its ``losses`` must then be of tensors whose sizes follow from the batch's alone.
- An **encoder**, where no other will do (``trainer.encoders.network`` has one hidden layer,
  ``recurrent`` reads words). Training asks for what ``trainer.encoders.base.Trainable`` says: the
  weights by name, and a ``step`` that encodes and leaves fresh gradients. Loading asks for
  ``kind``, ``encode``, ``save`` and ``load``, and for a line in ``trainer.encoders._KINDS``.

A method in closed form has ``fit`` in the place of epochs (``trainer.training.closed_form``).
State, resumption, divergence and the best epoch are the same for all and need no code.
``tests/helpers/scaled_dimensions.py`` is a whole method in 140 lines, and
``tests/trainer/recipes/test_a_new_recipe.py`` trains, stops, resumes, loads and scores it::

    for report in trainer.train(ScaledDimensions(), data, state_dir="runs/scaled"):
        print(report.validation)
    trainer.evaluate("ranking", trainer.load("runs/scaled"), data)

The program offers it as well, by ``termexplorer train NAME`` and on the page Train, once
``python packaging/recipes.py`` has written its hyper-parameters into ``resources/recipes.toml``,
for which it has the class methods ``quick`` and ``paper``, its values for two cores and as
published (``tests/services/test_a_new_recipe_is_offered.py`` does all of this). What people read of
it has its German in ``resources/translations/de``; ``packaging/translations.py`` says what is
missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from termexplorer.trainer.errors import TrainerError

SHOTS = "A few names of a few classes"
LEVEL = "Classes of a level"
SYNONYMS = "Synonym sets"
JUDGED = "Judged pairs"


@dataclass(frozen=True, slots=True)
class ListedRecipe:
    """A recipe that can be chosen by its name.

    Attributes:
        module: in this package.
        kind: the name of its class.
        title: for people.
        group: what it learns from: ``SHOTS``, ``LEVEL``, ``SYNONYMS`` or ``JUDGED``.
        when: when to use it, in a sentence.
        labelled: whether it learns the classes of names, as its class says too.
    """

    module: str
    kind: str
    title: str
    group: str
    when: str
    labelled: bool = True


RECIPES = {
    "few-shot": ListedRecipe(
        "few_shot",
        "FewShot",
        "Few-shot",
        SHOTS,
        "General relatedness, from 15 names of each of some 20 classes.",
    ),
    "dan": ListedRecipe(
        "dan",
        "DeepAveraging",
        "DAN",
        LEVEL,
        "Classes of one level of the hierarchy, which also helps on neighbouring levels.",
    ),
    "conceptual-grounding": ListedRecipe(
        "grounding",
        "ConceptualGrounding",
        "Conceptual grounding",
        SYNONYMS,
        "Synonyms of known and of new concepts, grounded in the base vectors.",
    ),
    "contrastive": ListedRecipe(
        "contrastive",
        "Contrastive",
        "Contrastive",
        SYNONYMS,
        "Recommended where there are synonyms: each is told from all other names of a step; best "
        "from several ontologies, over joined vectors.",
    ),
    "contrastive-spelled": ListedRecipe(
        "spelled",
        "ContrastiveSpelled",
        "Contrastive, spelled",
        SYNONYMS,
        "As contrastive, and learns words and letters besides, an epoch in about twice the time:"
        " the more names there are to learn from, the more it finds.",
    ),
    "tuned": ListedRecipe(
        "tuned",
        "Tuned",
        "Tuned transformer",
        SYNONYMS,
        "Trains the layers of a transformer by synonyms, definitions and parents; a small one takes"
        " 15 minutes or more on two cores; over the transformer itself.",
    ),
    "cca": ListedRecipe(
        "cca",
        "CanonicalCorrelation",
        "CCA",
        SYNONYMS,
        "A linear projection towards concepts, in seconds and without epochs: the "
        "baseline to beat.",
    ),
    "sif": ListedRecipe(
        "sif",
        "WeightedWords",
        "SIF",
        SYNONYMS,
        "Means of words in which frequent ones count less, without what all words share, in seconds"
        " and without labels: the first step under few-shot or contrastive, over word vectors.",
        labelled=False,
    ),
    "whitening": ListedRecipe(
        "whitening",
        "Whiten",
        "Whitening",
        SYNONYMS,
        "Takes the mean away and evens the directions out, in seconds and without labels: for"
        " vectors of whole names; over word vectors SIF is better.",
        labelled=False,
    ),
    "bne": ListedRecipe(
        "bne",
        "BiomedicalNameEncoder",
        "BNE",
        SYNONYMS,
        "Reads words and their spelling, for misspelt and unknown words; slow without a GPU.",
    ),
    "bne-words": ListedRecipe(
        "bne_words",
        "BiLSTMOverWords",
        "BNE, words only",
        SYNONYMS,
        "Reads words in their order, learned by triplets and grounding, as a comparison.",
    ),
    "paraphrase": ListedRecipe(
        "paraphrase",
        "Paraphrase",
        "Paraphrase",
        SYNONYMS,
        "Reads words and fine-tunes their vectors too: a baseline without grounding.",
    ),
    "judged": ListedRecipe(
        "judged",
        "Judged",
        "Judged pairs",
        JUDGED,
        "Pairs that people judged, over the encoder that is to learn from them: similar terms"
        " before dissimilar ones, and all other names where they were.",
    ),
}


def recipe_class(name: str) -> Any:
    """Import the class of a recipe.

    Raises:
        ValueError: there is none of that name.
    """
    if name not in RECIPES:
        raise TrainerError(
            "there is no recipe {name!r}; there are {recipes}",
            name=name,
            recipes=", ".join(RECIPES),
        )
    listed = RECIPES[name]
    return getattr(import_module(f"{__name__}.{listed.module}"), listed.kind)
