"""Links of an import, resolved as a plain reading of them is."""

from hypothesis import given
from hypothesis import strategies as st

from termexplorer.workers.importing.links import LinkCollector, parts

curies = st.sampled_from([f"T:{n}" for n in range(8)])


@given(
    st.lists(st.tuples(curies, curies), max_size=40),
    st.permutations([f"T:{n}" for n in range(6)]),
    st.integers(0, 40),
)
def test_links_are_resolved_whenever_their_concepts_come(
    pairs: list[tuple[str, str]], order: list[str], known: int
) -> None:
    ids: dict[str, int] = {}
    links = LinkCollector(ids)
    coming = iter(order)
    for line, (child, parent) in enumerate(pairs, start=1):
        if line > known:  # concepts come between the links
            ids.update({curie: len(ids) + 7 for curie in [next(coming, "")] if curie})
        links.add(ids.get(child, child), parent, line)
    ids.update({curie: len(ids) + 7 + n for n, curie in enumerate(coming)})
    resolved = links.resolved()
    naive, lost = dict[tuple[int, int], None](), []
    for line, (child, parent) in enumerate(pairs, start=1):
        missing = parent if parent not in ids else child
        if missing not in ids:
            lost.append((line, missing))
        elif child != parent:
            naive[ids[child], ids[parent]] = None
    assert [pair for some in parts(resolved.pairs, 3) for pair in some] == list(naive)
    assert [(link.line, link.missing) for link in resolved.dangling] == lost
    looped = [child for child, parent in pairs if child == parent and child in ids]
    assert list(resolved.loop_lines) == [
        line for line, (child, parent) in enumerate(pairs, 1) if child == parent and child in ids
    ]
    assert dict(resolved.loops) == {curie: looped.count(curie) for curie in looped}
