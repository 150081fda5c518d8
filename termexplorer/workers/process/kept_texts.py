"""Texts that are kept in a workspace: there in English, for commands and for any window.

Workers and services fill them in by `str.format`; a window tells them again in its language.
"""

import re
from functools import cache
from itertools import chain
from typing import NamedTuple

from termexplorer.store.kept_titles import tell_title
from termexplorer.texts import ENGLISH, language, mark, separated, tr, translated


class CountTemplate(NamedTuple):
    """A kept text that depends on its `count`: the one for 1, and for all other numbers."""

    one: str
    many: str

    def format(self, *, count: int, **values: object) -> str:
        """Fill in the text for a count, as `str.format` does."""
        return (self.one if count == 1 else self.many).format(count=count, **values)


# remarks on an import
SAME_CONTENT = mark(
    "same content as ontology {id} ({label}), imported on {day}: every concept, name and is-a link"
)
ROOTS = mark("{count:,} roots: concepts without a parent")
CYCLE_TOPS = CountTemplate(
    mark(
        "{count:,} concept on a cycle stands at the top of the tree: all its parents are on it too"
    ),
    mark(
        "{count:,} concepts on cycles stand at the top of the tree: all their parents are on them "
        "too"
    ),
)
OBSOLETE_TOPS = CountTemplate(
    mark("{count:,} concept stands at the top of the tree, as all its parents are obsolete"),
    mark("{count:,} concepts stand at the top of the tree, as all their parents are obsolete"),
)
FLAT = CountTemplate(
    mark("{count:,} concept and no is-a link: there are no levels"),
    mark("{count:,} concepts and no is-a link: there are no levels"),
)
NO_END = mark("is-a link of {child} to {parent} left out: {missing} is not in this release")
NO_END_BEFORE = mark(  # as earlier versions have kept it
    "is-a link left out: {missing} is not in this release"
)
LOOPS = CountTemplate(
    mark("{count:,} self-loop left out, at {places}"),
    mark("{count:,} self-loops left out, at {places}"),
)
CYCLES = CountTemplate(
    mark("{count:,} is-a link on a cycle: not used in levels"),
    mark("{count:,} is-a links on cycles: not used in levels"),
)
AGAIN = mark("{curie} stands again; merged")
AGAIN_LOST = mark("{curie} stands again; merged; its other definition is left out")
AGAIN_BOTH = mark(
    "{curie} stands again; merged, which adds {new}; its other definition is left out"
)
AGAIN_MORE = mark("{curie} stands again; merged, which adds {new}")
ADDED = {  # of one, and of several
    "names": (mark("{n:d} name"), mark("{n:d} names")),
    "parents": (mark("{n:d} parent"), mark("{n:d} parents")),
    "definitions": (mark("{n:d} definition"), mark("{n:d} definitions")),
    "ids": (mark("{n:d} other id"), mark("{n:d} other ids")),
    "references": (mark("{n:d} cross-reference"), mark("{n:d} cross-references")),
    "replacements": (mark("{n:d} replacement"), mark("{n:d} replacements")),
    "associations": (mark("{n:d} association"), mark("{n:d} associations")),
    "obsolete": (mark("that it is obsolete"),) * 2,
}
MERGED = CountTemplate(
    mark("{count:,} row of a concept that was there before, merged with it"),
    mark("{count:,} rows of a concept that was there before, merged with it"),
)
MERGED_AT = mark(
    "{count:,} rows of a concept that was there before, merged with it: lines {lines} and "
    "{more:,} more"
)
LOST = CountTemplate(
    mark("{count:,} definition of theirs left out: the concept had another"),
    mark("{count:,} definitions of theirs left out: the concept had another"),
)
# what an evaluation is of
BY_BM25 = mark("{title}, those of 20 concepts by BM25")
OF_MENTIONS = CountTemplate(
    mark("{corpus}: {count:,} mention among {names:,} names, {how}"),
    mark("{corpus}: {count:,} mentions among {names:,} names, {how}"),
)
ABBREVIATIONS = mark("abbreviations as they stand")
COMPOSITES = mark("composite mentions whole")
MATCHED = mark("training mentions known")
OF_CATEGORIES = mark(
    "{names:,} names in {classes:,} classes of level 2; close ones share their class of level 1"
)
OF_ONTOLOGY = mark("{ontology} · {data}")
OF_LEVEL = CountTemplate(  # a level of one class is not measured
    mark("{classes:,} classes, {count:,} test name, {names:,} training names, split {split}"),
    mark("{classes:,} classes, {count:,} test names, {names:,} training names, split {split}"),
)
OF_CLASS = CountTemplate(
    mark("{classes:,} class, {count:,} test name, {names:,} training names, split {split}"),
    mark("{classes:,} class, {count:,} test names, {names:,} training names, split {split}"),
)
LEVELS_MEASURED = mark("measured: level {levels}; split {split} was made down to level {deepest}")
LEVELS_OF_ONE = mark("not measured: level {levels}, where one class is alone and all is right")
LEVELS_UNTESTED = mark("not measured: level {levels}, where no name is held out for test")
OF_LISTS = CountTemplate(
    mark("{titles}: {count:,} test name among all {names:,} training names, split {split}"),
    mark("{titles}: {count:,} test names among all {names:,} training names, split {split}"),
)
OF_SYNONYMS = CountTemplate(
    mark("{split}: {count:,} name among {names:,}"),
    mark("{split}: {count:,} names among {names:,}"),
)
OF_COVERAGE = mark("{names:,} names of {split}, each among the others")
OF_SPLIT_SETS = mark("split {id} ({sets})")
OF_SPLIT = mark("split {id}")
OF_PAIRS = CountTemplate(
    mark("{name}, {count:,} pair"),
    mark("{name}, {count:,} pairs"),
)
# notes on an evaluation
CATEGORIES = mark("at most {most:,} names are drawn, only such as are in one class of both levels")
NO_CONCEPT = mark("mentions without a concept in the ontology, which count as errors: {count:,}")
SPARSE_WEIGHT = CountTemplate(
    mark(
        "{label}: its cosine and {weight:.1f} × TF-IDF, a weight fitted on {count:,} validation "
        "synonym"
    ),
    mark(
        "{label}: its cosine and {weight:.1f} × TF-IDF, a weight fitted on {count:,} validation "
        "synonyms"
    ),
)
NO_VECTOR = mark(
    "{label} knows nothing of {count:,} of the {texts:,} texts that are looked up: all names are "
    "as similar to them"
)
NO_VECTOR_BEFORE = mark(  # as earlier versions have kept it
    "{label} knows nothing of {count:,} of the {texts:,} texts that are looked up: they rank by "
    "chance"
)
NOT_COUNTED = mark(
    "not counted: {count:,} of the {mentions:,}, for which nothing that is ranked is right"
)
RANKED_LEARNED = mark("{label} was trained on {count:,} of the {names:,} names that are ranked")
AS_IT_IS = mark("{label} is as it is alone: TF-IDF is added to vectors only")
FITTED_ON_PAIRS = mark("{label}: its weights are of the terms of this set, those left out included")
NO_NEIGHBOUR = mark(
    "not counted: {count:,} of the {mentions:,}, whose class has no close one or no distant one"
)
NO_WEIGHT = mark("{label} is alone: no synonym of the ontology is left to fit a weight on")
KNOWN = mark("{known:,} of {pairs:,} pairs are known to all encoders")
SOME_KNOWN = mark("{known:,} of {pairs:,} pairs are known to all encoders; the others are left out")
REPEATED_PAIRS = mark(
    "rows of a pair that stands above already are counted each time: {repeats:,} with the same "
    "score, {contradictions:,} with another one"
)
KNOWN_TO = mark("{label} knows {known:,} of {pairs:,} pairs")
OWN_MEASURE = mark("{label} has a similarity of its own, whatever the measure")
AT_THRESHOLD = mark(
    "accuracy is at the threshold that is best on these same pairs; AUC has its interval by {test}"
)
# why the trainer gives no figure of an encoder, in its words
FEW_PAIRS = mark("{label}: too few pairs count for a correlation: {pairs}")
SAME_SCORES = mark("{label}: all {pairs} scores are equal, so that no correlation is defined")
SAME_SIMILARITIES = mark(
    "{label}: all {pairs} similarities are equal, so that no correlation is defined"
)
NONE_SIMILAR = mark("{label}: none of the {pairs} covered pairs is a similar one")
NONE_DISSIMILAR = mark("{label}: none of the {pairs} covered pairs is a dissimilar one")
WITHOUT_P = mark(  # as the migration to raw_p_0014 has written it
    "differences were tested by an earlier version, which kept no p of each alone: evaluate again"
)
NAMES_LEFT_OUT = mark("names left out: {count:,}, {why}")
# why names were left out of synonym sets
UNKNOWN_WORDS = mark("unknown words")
METATAGS = mark("metatags")
TOKENS = mark("tokens")
SEVERAL_CLASSES = mark("several classes")
NO_CODE = mark("no {groups} code")
MANY_TOKENS = mark("of more than six tokens")
METATAG_ALONE = mark("that differ by a metatag alone")
OF_SEVERAL = mark("of several concepts")
# what the trainer says of a map while it makes it
ITERATION = mark("t-SNE, iteration {gone:,} of {iterations:,}")
NEAREST = mark("Finding the nearest names")
COMPONENTS = mark("Finding principal components")
# what a run's card says of memory
GOES_ON = mark("Goes on with the batch of {batch:,} that fitted")
SMALLER = mark("{device} is out of memory: the batch is now {batch:,}")
ON_CPU = mark("{device} is out of memory whatever the batch: trained on the CPU")
READ_ON_CPU = mark("{device} is out of memory: names are read on the CPU")
# what a list of suggestions says of itself
BY_REFERENCES = mark(
    "By cross-references that were held out, {encoder}: {metric} {value:.3f} "
    "({low:.3f} to {high:.3f}, n = {n:,})"
)
NOTHING_LIKE = CountTemplate(
    mark("{count:,} concept is left out: {encoder} finds nothing like it"),
    mark("{count:,} concepts are left out: {encoder} finds nothing like them"),
)
MOST_LIKELY = CountTemplate(
    mark("The {most:,} most likely suggestions; {count:,} more is left out"),
    mark("The {most:,} most likely suggestions; {count:,} more are left out"),
)
BELOW_CLASSES = CountTemplate(
    mark("{count:,} concept below {classes:,} classes on level {level}"),
    mark("{count:,} concepts below {classes:,} classes on level {level}"),
)
BESIDE_LABELS_OF_ONE = mark("{count:,} names besides labels, of {concepts:,} concept")
BESIDE_LABELS = CountTemplate(
    mark("{count:,} name besides labels, of {concepts:,} concept"),
    mark("{count:,} names besides labels, of {concepts:,} concepts"),
)
CONCEPTS = CountTemplate(
    mark("{count:,} concept"),
    mark("{count:,} concepts"),
)
MOVED = mark("Checked on copies with {count:,} of them moved at random: {found}")
SPLIT = mark(
    "Checked on copies with {count:,} of them split in two: one half is among the k nearest of "
    "the other in {recall}"
)
RECALL = mark("{value:.3f} ({low:.3f} to {high:.3f}; n = {n:,}; k = {k:d})")
RECALL_BEFORE = mark("{value:.3f} (k = {k:d})")  # as earlier versions have kept it
PAIRS_THERE = mark("Of the pairs there: {found}")
FOUND = mark(
    "precision {precision}, by chance {chance:.3f} ({low:.3f} to {high:.3f}; n = {n:,}); "
    "calibration error of likelihoods {error:.4f}"
)
FOUND_BEFORE = mark(  # as earlier versions have kept it
    "precision {precision} (chance {chance:.3f}); calibration error of likelihoods {error:.4f}"
)
PRECISION = mark("{value:.3f} ({low:.3f} to {high:.3f}; n = {n:,}) at {k:d}")
PRECISION_BEFORE = mark("{value:.3f} at {k:d}")  # as earlier versions have kept it
# why a run ended
LEFT = mark("termexplorer was closed while it was trained")
INTERRUPTED = mark("termexplorer ended while it was trained")

_LISTED = ", "
_NAMED = {name: text for name, text in globals().items() if name.isupper() and name[0] != "_"}
KEPT = (
    *(text for text in _NAMED.values() if isinstance(text, str)),
    *chain.from_iterable(ADDED.values()),
    *chain.from_iterable(text for text in _NAMED.values() if isinstance(text, CountTemplate)),
)
_PLACE = re.compile(r"\{(\w+)(:[^}]*)?\}")
_NUMBER, _ANYTHING = r"[-\d.,]+", ".+"


def retranslate(text: str) -> str:
    """A text as it was kept, in the language in use; any other text as it is."""
    if language() == ENGLISH or not text:
        return text
    return next(
        (
            translation
            for template in KEPT
            if (translation := _translate_from_template(template, text))
        ),
        text,
    )


def told_data(title: str, level: int | None) -> str:
    """What was evaluated on, as `retranslate`, with the level."""
    translation = retranslate(title)
    return (
        translation
        if level is None
        else tr("level {level}: {title}", level=level, title=translation)
    )


def _translate_from_template(template: str, text: str) -> str:
    """The text in the language in use; empty if it does not come of the template."""
    match = _pattern_of_template(template).fullmatch(text)
    if match is None:
        return ""
    numbers = {slot[1] for slot in _PLACE.finditer(template) if slot[2]}
    values = {
        name: separated(value) if name in numbers else _values_retold(value)
        for name, value in match.groupdict().items()
    }
    return _PLACE.sub(lambda slot: values[slot[1]], translated(template))


def _values_retold(text: str) -> str:
    """A value that may come of a template itself, be a list of such, or name an encoder."""
    translation = retranslate(text)
    if translation != text:
        return translation
    parts = _LISTED.join(map(retranslate, text.split(_LISTED)))
    return parts if parts != text else tell_title(text)


@cache
def _pattern_of_template(template: str) -> re.Pattern[str]:
    """What matches the texts that come of a template."""
    parts = _PLACE.split(template)
    places = zip(parts[1::3], parts[2::3], parts[3::3], strict=True)
    named = (
        f"(?P<{name}>{_NUMBER if spec else _ANYTHING}){re.escape(rest)}"
        for name, spec, rest in places
    )
    return re.compile(re.escape(parts[0]) + "".join(named))
