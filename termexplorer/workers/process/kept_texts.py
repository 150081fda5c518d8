"""Templates of the messages that a workspace keeps: see `store.kept_messages`."""

from typing import NamedTuple

from termexplorer.texts import mark
from termexplorer.trainer.errors import Message


class CountTemplate(NamedTuple):
    """A template that depends on its `count`: the one for 1, and for all other numbers."""

    one: str
    many: str

    def fill(self, *, count: int, **values: object) -> Message:
        """Return the message of a count."""
        return Message(self.one if count == 1 else self.many, count=count, **values)


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
EIGHT_BIT = mark("{label}: names were compared by their vectors in 8 bits")
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
UNDEFINED = "{label}: {why}"  # why the trainer gives no figure of an encoder, in its words
NAMES_LEFT_OUT = mark("names left out: {count:,}, {why}")
# why names were left out of synonym sets
UNKNOWN_WORDS = mark("unknown words")
NO_CODE = mark("no {groups} code")
MANY_TOKENS = mark("of more than six tokens")
METATAG_ALONE = mark("that differ by a metatag alone")
OF_SEVERAL = mark("of several concepts")
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
LEARNED_MAPPING = CountTemplate(
    mark(
        "Learned from {count:,} concept whose match is known by its name; on pairs made from "
        "others: macro-F1 {f1:.3f} over exact, broad, narrow and none, "
        "calibration error {error:.3f}"
    ),
    mark(
        "Learned from {count:,} concepts whose match is known by their names; on pairs made from "
        "others: macro-F1 {f1:.3f} over exact, broad, narrow and none, "
        "calibration error {error:.3f}"
    ),
)
REPAIRED_MAPPING = CountTemplate(
    mark("{count:,} exact match was taken back, as both hierarchies contradict it"),
    mark("{count:,} exact matches were taken back, as both hierarchies contradict them"),
)
CARRIED = CountTemplate(
    mark("{count:,} mapping carried over to {newer}: {holds:,} hold, {stale:,} need a person"),
    mark("{count:,} mappings carried over to {newer}: {holds:,} hold, {stale:,} need a person"),
)
NOT_MAPPED = CountTemplate(
    mark("{count:,} row has no code or no name, and is not mapped"),
    mark("{count:,} rows have no code or no name, and are not mapped"),
)
SEVERAL_NAMES = CountTemplate(
    mark("{count:,} code has several names, which were decided as one: {codes}"),
    mark("{count:,} codes have several names, which were decided as one: {codes}"),
)
NUMBERED_ROWS = mark("The list has no codes; the numbers of its rows stand for them")
NO_FREQUENCY = CountTemplate(
    mark("{count:,} frequency is no number and counts as none: {text} in line {line}"),
    mark("{count:,} frequencies are no numbers and count as none, such as {text} in line {line}"),
)
KNOWN_CODES = CountTemplate(
    mark(
        "Of {count:,} code whose concept is known, {share:.3f} [{low:.3f}, {high:.3f}] is mapped "
        "exactly to it"
    ),
    mark(
        "Of {count:,} codes whose concept is known, {share:.3f} [{low:.3f}, {high:.3f}] are mapped "
        "exactly to it"
    ),
)
KNOWN_TOO_SURE = CountTemplate(
    mark(
        "Of {count:,} exact mapping among them, {share:.3f} [{low:.3f}, {high:.3f}] is right; its "
        "probability, {probability:.3f}, is too high"
    ),
    mark(
        "Of {count:,} exact mappings among them, {share:.3f} [{low:.3f}, {high:.3f}] are right; "
        "their probabilities, {probability:.3f} on average, are too high"
    ),
)
KNOWN_TOO_UNSURE = CountTemplate(
    mark(
        "Of {count:,} exact mapping among them, {share:.3f} [{low:.3f}, {high:.3f}] is right; its "
        "probability, {probability:.3f}, is too low"
    ),
    mark(
        "Of {count:,} exact mappings among them, {share:.3f} [{low:.3f}, {high:.3f}] are right; "
        "their probabilities, {probability:.3f} on average, are too low"
    ),
)
KNOWN_AS_SURE = CountTemplate(
    mark(
        "Of {count:,} exact mapping among them, {share:.3f} [{low:.3f}, {high:.3f}] is right, with "
        "a probability of {probability:.3f}"
    ),
    mark(
        "Of {count:,} exact mappings among them, {share:.3f} [{low:.3f}, {high:.3f}] are right, "
        "with probabilities of {probability:.3f} on average"
    ),
)
KNOWN_MISSING = CountTemplate(
    mark("{count:,} code that is said to be known is none of this ontology: {first}"),
    mark("{count:,} codes that are said to be known are none of this ontology, such as {first}"),
)
MOST_LIKELY = CountTemplate(
    mark("The {most:,} most likely suggestions; {count:,} more is left out"),
    mark("The {most:,} most likely suggestions; {count:,} more are left out"),
)
BELOW_CLASSES = CountTemplate(
    mark("{count:,} concept below {classes:,} classes on level {level}"),
    mark("{count:,} concepts below {classes:,} classes on level {level}"),
)
WITH_DEEPER = CountTemplate(
    mark("{count:,} concept that could stand deeper"),
    mark("{count:,} concepts that could stand deeper"),
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
LIFTED = CountTemplate(
    mark("Checked on copies with {count:,} concept lifted to a parent’s parent: {found}"),
    mark("Checked on copies with {count:,} concepts lifted to a parent’s parent: {found}"),
)
SPLIT = mark(
    "Checked on copies with {count:,} of them split in two: one half is among the k nearest of "
    "the other in {recall}"
)
RECALL = mark("{value:.3f} ({low:.3f} to {high:.3f}; n = {n:,}; k = {k:d})")
PAIRS_THERE = mark("Of the pairs there: {found}")
FOUND = mark(
    "precision {precision}, by chance {chance:.3f} ({low:.3f} to {high:.3f}; n = {n:,}); "
    "calibration error of likelihoods {error:.4f}"
)
PRECISION = mark("{value:.3f} ({low:.3f} to {high:.3f}; n = {n:,}) at {k:d}")
# why a run ended
LEFT = mark("termexplorer was closed while it was trained")
INTERRUPTED = mark("termexplorer ended while it was trained")
