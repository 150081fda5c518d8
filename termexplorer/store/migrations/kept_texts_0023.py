"""Templates of what workspaces kept as English text until version 0022.

They stay as they are, whatever becomes of those that are written today.
"""

from termexplorer.texts import mark

REMARKS = (  # of imports
    mark(
        "same content as ontology {id} ({label}), imported on {day}: every concept, name and is-a "
        "link"
    ),
    mark("{count:,} roots: concepts without a parent"),
    mark("is-a link of {child} to {parent} left out: {missing} is not in this release"),
    mark("is-a link left out: {missing} is not in this release"),
    mark("{curie} stands again; merged"),
    mark("{curie} stands again; merged; its other definition is left out"),
    mark("{curie} stands again; merged, which adds {new}; its other definition is left out"),
    mark("{curie} stands again; merged, which adds {new}"),
    mark(
        "{count:,} rows of a concept that was there before, merged with it: lines {lines} and "
        "{more:,} more"
    ),
    mark("{n:d} name"),
    mark("{n:d} names"),
    mark("{n:d} parent"),
    mark("{n:d} parents"),
    mark("{n:d} definition"),
    mark("{n:d} definitions"),
    mark("{n:d} other id"),
    mark("{n:d} other ids"),
    mark("{n:d} cross-reference"),
    mark("{n:d} cross-references"),
    mark("{n:d} replacement"),
    mark("{n:d} replacements"),
    mark("{n:d} association"),
    mark("{n:d} associations"),
    mark("that it is obsolete"),
    mark(
        "{count:,} concept on a cycle stands at the top of the tree: all its parents are on it too"
    ),
    mark(
        "{count:,} concepts on cycles stand at the top of the tree: all their parents are on them "
        "too"
    ),
    mark("{count:,} concept stands at the top of the tree, as all its parents are obsolete"),
    mark("{count:,} concepts stand at the top of the tree, as all their parents are obsolete"),
    mark("{count:,} concept and no is-a link: there are no levels"),
    mark("{count:,} concepts and no is-a link: there are no levels"),
    mark("{count:,} self-loop left out, at {places}"),
    mark("{count:,} self-loops left out, at {places}"),
    mark("{count:,} is-a link on a cycle: not used in levels"),
    mark("{count:,} is-a links on cycles: not used in levels"),
    mark("{count:,} row of a concept that was there before, merged with it"),
    mark("{count:,} rows of a concept that was there before, merged with it"),
    mark("{count:,} definition of theirs left out: the concept had another"),
    mark("{count:,} definitions of theirs left out: the concept had another"),
)
EVALUATIONS = (  # titles of evaluations and notes on them
    mark("{title}, those of 20 concepts by BM25"),
    mark("abbreviations as they stand"),
    mark("composite mentions whole"),
    mark("training mentions known"),
    mark(
        "{names:,} names in {classes:,} classes of level 2; close ones share their class of level 1"
    ),
    mark("{ontology} · {data}"),
    mark("measured: level {levels}; split {split} was made down to level {deepest}"),
    mark("not measured: level {levels}, where one class is alone and all is right"),
    mark("not measured: level {levels}, where no name is held out for test"),
    mark("{names:,} names of {split}, each among the others"),
    mark("split {id} ({sets})"),
    mark("split {id}"),
    mark("at most {most:,} names are drawn, only such as are in one class of both levels"),
    mark("mentions without a concept in the ontology, which count as errors: {count:,}"),
    mark(
        "{label} knows nothing of {count:,} of the {texts:,} texts that are looked up: all names "
        "are as similar to them"
    ),
    mark(
        "{label} knows nothing of {count:,} of the {texts:,} texts that are looked up: they rank "
        "by chance"
    ),
    mark("not counted: {count:,} of the {mentions:,}, for which nothing that is ranked is right"),
    mark("{label} was trained on {count:,} of the {names:,} names that are ranked"),
    mark("{label} is as it is alone: TF-IDF is added to vectors only"),
    mark("{label}: its weights are of the terms of this set, those left out included"),
    mark(
        "not counted: {count:,} of the {mentions:,}, whose class has no close one or no distant one"
    ),
    mark("{label} is alone: no synonym of the ontology is left to fit a weight on"),
    mark("{known:,} of {pairs:,} pairs are known to all encoders"),
    mark("{known:,} of {pairs:,} pairs are known to all encoders; the others are left out"),
    mark(
        "rows of a pair that stands above already are counted each time: {repeats:,} with the same "
        "score, {contradictions:,} with another one"
    ),
    mark("{label} knows {known:,} of {pairs:,} pairs"),
    mark("{label} has a similarity of its own, whatever the measure"),
    mark(
        "accuracy is at the threshold that is best on these same pairs; AUC has its interval by "
        "{test}"
    ),
    mark("{label}: too few pairs count for a correlation: {pairs}"),
    mark("{label}: all {pairs} scores are equal, so that no correlation is defined"),
    mark("{label}: all {pairs} similarities are equal, so that no correlation is defined"),
    mark("{label}: none of the {pairs} covered pairs is a similar one"),
    mark("{label}: none of the {pairs} covered pairs is a dissimilar one"),
    mark(
        "differences were tested by an earlier version, which kept no p of each alone: evaluate "
        "again"
    ),
    mark("names left out: {count:,}, {why}"),
    mark("unknown words"),
    mark("metatags"),
    mark("tokens"),
    mark("several classes"),
    mark("no {groups} code"),
    mark("of more than six tokens"),
    mark("that differ by a metatag alone"),
    mark("of several concepts"),
    mark("{corpus}: {count:,} mention among {names:,} names, {how}"),
    mark("{corpus}: {count:,} mentions among {names:,} names, {how}"),
    mark("{classes:,} classes, {count:,} test name, {names:,} training names, split {split}"),
    mark("{classes:,} classes, {count:,} test names, {names:,} training names, split {split}"),
    mark("{classes:,} class, {count:,} test name, {names:,} training names, split {split}"),
    mark("{classes:,} class, {count:,} test names, {names:,} training names, split {split}"),
    mark("{titles}: {count:,} test name among all {names:,} training names, split {split}"),
    mark("{titles}: {count:,} test names among all {names:,} training names, split {split}"),
    mark("{split}: {count:,} name among {names:,}"),
    mark("{split}: {count:,} names among {names:,}"),
    mark("{name}, {count:,} pair"),
    mark("{name}, {count:,} pairs"),
    mark(
        "{label}: its cosine and {weight:.1f} × TF-IDF, a weight fitted on {count:,} validation "
        "synonym"
    ),
    mark(
        "{label}: its cosine and {weight:.1f} × TF-IDF, a weight fitted on {count:,} validation "
        "synonyms"
    ),
)
RUNS = (  # of runs: why they ended, and what their cards say of memory
    mark("Goes on with the batch of {batch:,} that fitted"),
    mark("{device} is out of memory: the batch is now {batch:,}"),
    mark("{device} is out of memory whatever the batch: trained on the CPU"),
    mark("{device} is out of memory: names are read on the CPU"),
    mark("termexplorer was closed while it was trained"),
    mark("termexplorer ended while it was trained"),
)
FACTS = (  # what lists of suggestions say of themselves
    mark(
        "By cross-references that were held out, {encoder}: {metric} {value:.3f} ({low:.3f} to "
        "{high:.3f}, n = {n:,})"
    ),
    mark("{count:,} names besides labels, of {concepts:,} concept"),
    mark("Checked on copies with {count:,} of them moved at random: {found}"),
    mark(
        "Checked on copies with {count:,} of them split in two: one half is among the k nearest of "
        "the other in {recall}"
    ),
    mark("{value:.3f} ({low:.3f} to {high:.3f}; n = {n:,}; k = {k:d})"),
    mark("{value:.3f} (k = {k:d})"),
    mark("Of the pairs there: {found}"),
    mark(
        "precision {precision}, by chance {chance:.3f} ({low:.3f} to {high:.3f}; n = {n:,}); "
        "calibration error of likelihoods {error:.4f}"
    ),
    mark(
        "precision {precision} (chance {chance:.3f}); calibration error of likelihoods {error:.4f}"
    ),
    mark("{value:.3f} ({low:.3f} to {high:.3f}; n = {n:,}) at {k:d}"),
    mark("{value:.3f} at {k:d}"),
    mark("{count:,} concept is left out: {encoder} finds nothing like it"),
    mark("{count:,} concepts are left out: {encoder} finds nothing like them"),
    mark("The {most:,} most likely suggestions; {count:,} more is left out"),
    mark("The {most:,} most likely suggestions; {count:,} more are left out"),
    mark("{count:,} concept below {classes:,} classes on level {level}"),
    mark("{count:,} concepts below {classes:,} classes on level {level}"),
    mark("{count:,} name besides labels, of {concepts:,} concept"),
    mark("{count:,} names besides labels, of {concepts:,} concepts"),
    mark("{count:,} concept"),
    mark("{count:,} concepts"),
)
