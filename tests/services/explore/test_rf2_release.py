"""A release in RF2 in the store: whole or not at all, obsolete concepts with what they became."""

from pathlib import Path

import pytest
from release_files import rows, told
from toy_workspace import load

from termexplorer.bench.releases.rf2_release import Rf2Size, write_release, zip_release
from termexplorer.errors import UserError
from termexplorer.services.explore.browsing import ConceptPage, concept_page, search_names
from termexplorer.store.releases.content import release_content
from termexplorer.workspace import Workspace

SIZE = Rf2Size(120, 500, 700, definitions=6)


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return write_release(tmp_path / "release", SIZE)


def page_of(workspace: Workspace, key: str) -> ConceptPage:
    """An obsolete concept with an association of a kind."""
    with workspace.store.reading() as connection:
        concepts = release_content(connection, 1).concepts
    old = (concept.id for concept in concepts.values() if concept.obsolete)
    pages = [page for page in (concept_page(workspace, concept_id) for concept_id in old) if page]
    return next(page for page in pages if getattr(page.concept, key))


def test_folder_and_zip_are_the_same_release(empty: Workspace, release: Path) -> None:
    first = load(empty, release)
    assert (first.terminology, first.version, first.format) == ("snomedct", "2025-01-01", "rf2")
    assert first.concepts + first.obsolete == SIZE.concepts
    assert "needs a licence" in first.licence
    second = load(empty, zip_release(release, release.with_suffix(".zip")))
    assert "same content as ontology 1" in told(empty, second)
    assert "en-US" in told(empty, first)


@pytest.mark.parametrize("key", ["replaced_by", "same_as", "consider"])
def test_an_obsolete_concept_leads_to_what_it_became(
    empty: Workspace, release: Path, key: str
) -> None:
    load(empty, release)
    page = page_of(empty, key)
    assert page.concept.kind
    assert list(page.became) == list(getattr(page.concept, key))
    assert all(ref.curie == curie for curie, ref in page.became.items())
    with empty.store.reading() as connection:
        stored = release_content(connection, 1).concepts[page.concept.curie]
    assert stored.replaced_by == getattr(page.concept, key)
    hits = search_names(empty, page.concept.code, 1).hits
    assert [hit.obsolete for hit in hits if hit.code == page.concept.code] == [True]


def test_another_association_changes_the_content(empty: Workspace, release: Path) -> None:
    load(empty, release)
    path = next(release.glob("Snapshot/**/*Association*"))
    path.write_bytes(path.read_bytes().replace(b"900000000000527005", b"900000000000528000"))
    assert "same content" not in told(empty, load(empty, release))
    assert page_of(empty, "same_as")


def test_a_broken_release_leaves_no_trace(empty: Workspace, release: Path) -> None:
    before = rows(empty)
    path = next(release.glob("Snapshot/**/*Relationship*"))
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(UserError, match=f"{path.name}, line 701: has no line end"):
        load(empty, release)
    assert rows(empty) == before
