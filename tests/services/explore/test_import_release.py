import gzip
import json
import threading
from pathlib import Path

import pytest
from release_files import rows, told, write
from toy_ontology import HEADER, stanza, toy_obo, write_toy
from toy_workspace import load

from termexplorer.errors import UserError
from termexplorer.services.explore.bookmarks import bookmarks, toggle_bookmark
from termexplorer.services.explore.browsing import concept_page, search_names, tree_page
from termexplorer.services.explore.ontologies import import_report, list_ontologies
from termexplorer.services.importing.releases import ImportRequest, import_release, sweep
from termexplorer.services.levels.lens import LevelChoice, open_lens
from termexplorer.store.releases.loading import begin_release
from termexplorer.store.removing import unfinished_releases
from termexplorer.workers.process.protocol import JobProgress
from termexplorer.workers.process.supervision import Cancelled, JobControl
from termexplorer.workspace import Workspace

DAMAGED = {
    "empty.obo": b"",
    "binary.obo": bytes(range(256)) * 8,
    "no_concept.obo": HEADER.encode(),
    "cut.obo.gz": gzip.compress(toy_obo().encode())[:-400],
    "cut.json": b'{"graphs": [{"id": "http://x/y.owl", "nodes": [{"id": "http://x/A_1", "lbl"',
    "no_graph.json": b'{"a": 1}',
    "one_column.csv": b"id\nA:1\nA:2\n",
}


@pytest.mark.parametrize("name", [*DAMAGED, "missing.obo"])
def test_a_bad_file_is_refused_in_one_line_and_leaves_no_trace(
    empty: Workspace, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    if name in DAMAGED:
        path.write_bytes(DAMAGED[name])
    before = rows(empty)
    with pytest.raises(UserError) as caught:
        load(empty, path)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)
    assert rows(empty) == before


def test_a_file_that_is_cut_inside_a_line_is_refused(empty: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "cut.obo"
    stanzas = [stanza("T:1", "child", "T:2"), stanza("T:3", "other", "T:1"), stanza("T:2", "top")]
    whole = HEADER + "\n" + "\n".join(stanzas)
    path.write_text(whole[: whole.index("[Term]\nid: T:2")] + "[Term]\nid: T:4\nname: hal")
    with pytest.raises(UserError, match=r"the last line has no line end.*, and 1 is-a links"):
        load(empty, path)
    assert rows(empty)["release"] == 0


def test_a_file_that_is_cut_after_an_id_is_refused_where_links_lead_out_of_it(
    empty: Workspace, tmp_path: Path
) -> None:
    cut = "\n[Term]\nid: T:4\n"
    path = write(tmp_path / "cut.obo", stanza("T:1", "child", "T:9"), cut)
    with pytest.raises(UserError, match=r"cut\.obo: the last line, 12, is the id .* truncated"):
        load(empty, path)
    assert rows(empty)["release"] == 0
    whole = load(empty, write(tmp_path / "whole.obo", stanza("T:1", "only"), cut))
    assert "is the id of a term without a name" in told(empty, whole)


def test_the_same_content_twice_is_said(empty: Workspace, tmp_path: Path) -> None:
    path = write_toy(tmp_path)
    first, second = load(empty, path), load(empty, path)
    assert "same content" not in told(empty, first)
    message = f"same content as ontology {first.id} (toy 2026-01-01), imported on "
    assert message + first.imported_at[:10] in told(empty, second)
    path.write_text(toy_obo().replace("lung disease", "disease of lungs"), encoding="utf-8")
    assert "same content" not in told(empty, load(empty, path))


def test_a_second_release_stands_beside_the_first(workspace: Workspace, tmp_path: Path) -> None:
    (first,) = list_ontologies(workspace)
    (hit,) = search_names(workspace, "TOY:1", first.id, limit=1).hits
    toggle_bookmark(workspace, hit.concept_id)
    newer = tmp_path / "newer.obo"
    newer.write_text(toy_obo().replace("2026-01-01", "2027-01-01"), encoding="utf-8")
    second = load(workspace, newer)
    assert [o.terminology for o in list_ontologies(workspace)] == ["toy", "toy"]
    assert second.version == "2027-01-01"
    assert concept_page(workspace, hit.concept_id) is not None
    assert [ref.release_id for ref in bookmarks(workspace)] == [second.id]


def test_odd_links_are_counted_not_refused(empty: Workspace, tmp_path: Path) -> None:
    path = write(
        tmp_path / "odd.obo",
        stanza("T:1", "root"),
        stanza("T:2", "self", "T:2"),
        stanza("T:3", "one", "T:4"),
        stanza("T:4", "two", "T:3"),
        stanza("T:5", "lost", "T:99"),
        stanza("T:1", "root again", "", "first"),
    )
    ontology = load(empty, path)
    assert (ontology.concepts, ontology.names, ontology.is_a) == (5, 7, 2)
    texts = [remark.text for remark in import_report(empty, ontology.id)]
    assert any("T:99 is not in this release" in text for text in texts)
    assert any(text.startswith("1 self-loop left out, at T:2") for text in texts)
    assert any(text.startswith("2 is-a links on cycles") for text in texts)
    assert "3 roots: concepts without a parent" in texts  # T:1, T:2 and T:5
    assert any(text.startswith("2 concepts on cycles stand at the top") for text in texts)
    assert any("T:1 stands again; merged" in text for text in texts)
    (skipped,) = [r for r in import_report(empty, ontology.id) if r.skipped]
    assert path.read_text().splitlines()[skipped.line - 1] == "[Term]"
    assert len(tree_page(empty, ontology.id, None, 99, 0)) == 5  # the cycle is cut


def test_a_row_whose_parent_is_itself_is_counted_as_one_of_an_unknown_parent(
    empty: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "loops.csv"
    rows = "".join(f"{line}\n" for line in ("id;name;parent", "A;One;", "B;Two;A"))
    path.write_text(f"{rows}J;Asthma;J\nK;Other;X\nL;Third;L|Y\n", encoding="utf-8")
    ontology = load(empty, path)
    assert ontology.skipped == 3


def test_what_lost_its_parents_is_no_root_without_any(empty: Workspace, tmp_path: Path) -> None:
    gone = stanza("T:2", "gone", "T:1") + "is_obsolete: true\n"
    path = write(
        tmp_path / "gone.obo", stanza("T:1", "root"), gone, stanza("T:3", "left", "T:2"),
        stanza("T:4", "other", "T:1"),
    )  # fmt: skip
    ontology = load(empty, path)
    texts = [remark.text for remark in import_report(empty, ontology.id)]
    assert not any("roots" in text for text in texts)
    assert any(text.startswith("1 concept stands at the top") for text in texts)
    assert len(tree_page(empty, ontology.id, None, 99, 0)) == 2


def test_a_chain_of_20_000_is_imported_and_looked_at(empty: Workspace, tmp_path: Path) -> None:
    links = (stanza(f"C:{n}", f"link {n}", f"C:{n - 1}" if n else "") for n in range(20_000))
    ontology = load(empty, write(tmp_path / "chain.obo", *links))
    assert ontology.is_a == 19_999
    (hit,) = search_names(empty, "link 19999", ontology.id, limit=1).hits
    page = concept_page(empty, hit.concept_id)
    assert page is not None
    assert not page.all_paths
    assert open_lens(empty, ontology.id, LevelChoice()).levels == 19_999


def test_no_links_means_no_levels(empty: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    path.write_text("A:1||flu|influenza\nA:2|A:3||cold|common cold\n", encoding="utf-8")
    ontology = load(empty, path)
    assert (ontology.concepts, ontology.names, ontology.is_a) == (2, 4, 0)
    with pytest.raises(UserError, match="no is-a links"):
        open_lens(empty, ontology.id, LevelChoice())
    assert search_names(empty, "A:3", ontology.id).hits[0].curie == "A:2"


def test_names_are_found_however_their_accents_are_typed(empty: Workspace, tmp_path: Path) -> None:
    composed, apart = "M\u00e9ni\u00e8re \u00b2", "Me\u0301nie\u0300re \u00b2"
    path = write(tmp_path / "apart.obo", stanza("T:1", apart), stanza("T:2", composed))
    ontology = load(empty, path)
    assert {concept.label for concept in tree_page(empty, ontology.id, None, 9, 0)} == {composed}
    for query in (composed, apart, "Meniere"):
        hits = search_names(empty, query, ontology.id).hits
        assert {hit.curie for hit in hits} == {"T:1", "T:2"}


def test_what_is_said_of_too_few_levels_can_be_done(empty: Workspace, tmp_path: Path) -> None:
    flat, chain = tmp_path / "flat.csv", tmp_path / "chain.csv"
    flat.write_text("id,name,parents\n1,disease,\n2,infection,1\n3,injury,1\n", encoding="utf-8")
    chain.write_text("id,name,parents\n1,disease,\n2,infection,1\n3,sepsis,2\n", encoding="utf-8")
    first, second = load(empty, flat).id, load(empty, chain).id
    for depth in (1, 4):
        with pytest.raises(
            UserError, match="nothing is below level 1, the only one, so its classe"
        ):
            open_lens(empty, first, LevelChoice(depth=depth))
    assert open_lens(empty, first, LevelChoice(dead_ends=False)).levels == 1  # to be looked at
    with pytest.raises(
        UserError, match=r"nothing is below level 4, .*; choose a depth of 1 or less$"
    ):
        open_lens(empty, second, LevelChoice(depth=4))
    assert open_lens(empty, second, LevelChoice(depth=1)).levels == 2


def test_a_cancelled_import_stops_within_a_second_and_is_swept(
    empty: Workspace, tmp_path: Path
) -> None:
    many = (stanza(f"M:{n}", f"some long enough name {n}") for n in range(60_000))
    path = write(tmp_path / "many.obo", *many)
    control = JobControl()
    begun = threading.Event()

    def on_message(message: object) -> None:
        if isinstance(message, JobProgress) and message.fraction:
            begun.set()
            control.cancel()

    with pytest.raises(Cancelled):
        import_release(empty, ImportRequest(empty.folder, str(path)), control, on_message)
    assert begun.is_set()
    assert list_ontologies(empty) == []
    assert rows(empty)["release"] == 1
    sweep(empty, JobControl())
    assert rows(empty) == dict.fromkeys(rows(empty), 0)


def test_verdicts_are_not_locked_out_while_importing(empty: Workspace, tmp_path: Path) -> None:
    first = load(empty, write_toy(tmp_path))
    (hit,) = search_names(empty, "TOY:1", first.id, limit=1).hits
    many = (stanza(f"M:{n}", f"some long enough name {n}") for n in range(20_000))
    path = write(tmp_path / "many.obo", *many)
    marked = []

    def on_message(message: object) -> None:
        if isinstance(message, JobProgress):
            marked.append(toggle_bookmark(empty, hit.concept_id))

    request = ImportRequest(empty.folder, str(path), terminology="many")
    import_release(empty, request, JobControl(), on_message)
    assert len(marked) > 5


def test_an_import_beside_another_is_refused(empty: Workspace, tmp_path: Path) -> None:
    path = write_toy(tmp_path)
    with empty.loading(), pytest.raises(UserError, match="being imported or removed"):
        load(empty, path)


def test_a_table_is_read_by_its_columns(empty: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("code,x,term,up\nA:1,0,root,\nA:2,0,leaf,A:1\n", encoding="utf-8")
    columns = {"id": "code", "name": "3", "parents": "up"}
    ontology = load(empty, path, format="table", columns=columns)
    assert (ontology.concepts, ontology.is_a) == (2, 1)
    with pytest.raises(UserError, match=r"table\.csv"):
        load(empty, path, format="table", columns={"id": "nothing", "name": "3"})


def test_columns_or_a_delimiter_mean_a_table(empty: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "bars.txt"
    path.write_text("A:1||one\nA:2||two\n", encoding="utf-8")
    assert load(empty, path).format == "dictionary"
    assert load(empty, path, columns={"id": "1", "name": "3"}, delimiter="|").format == "table"


def test_obo_and_obo_graphs_of_one_terminology_meet(empty: Workspace, tmp_path: Path) -> None:
    obo = load(empty, write_toy(tmp_path))
    graphs = {
        "graphs": [
            {
                "id": "http://purl.obolibrary.org/obo/toy.owl",
                "nodes": [
                    {"id": "http://purl.obolibrary.org/obo/TOY_1", "lbl": "x", "type": "CLASS"}
                ],
                "edges": [],
            }
        ]
    }
    path = tmp_path / "toy.json"
    path.write_text(json.dumps(graphs), encoding="utf-8")
    assert load(empty, path).terminology == obo.terminology


def test_progress_has_an_end(empty: Workspace, tmp_path: Path) -> None:
    seen: list[JobProgress] = []
    request = ImportRequest(empty.folder, str(write_toy(tmp_path)))
    import_release(empty, request, JobControl(), lambda m: seen.append(m))  # type: ignore[arg-type]
    fractions = [p.fraction for p in seen if p.fraction is not None]
    assert fractions == sorted(fractions)


def test_what_is_being_imported_is_not_swept_by_a_command_beside_it(
    empty: Workspace, tmp_path: Path
) -> None:
    begin_release(empty.store, "obo", str(write_toy(tmp_path)))
    with empty.loading():  # as an import holds it
        sweep(empty, JobControl())
        assert unfinished_releases(empty.store)
    sweep(empty, JobControl())
    assert not unfinished_releases(empty.store)
