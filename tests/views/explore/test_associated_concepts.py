"""What a concept that is in use refers to stands on its page, with links."""

from pathlib import Path

from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication
from toy_workspace import load

from termexplorer.services.explore.browsing import concept_page, search_names
from termexplorer.views.explore.concept_html import concept_html
from termexplorer.views.widgets.theme import Theme
from termexplorer.workspace import Workspace

REFERRED = "<DescriptorReferredTo><DescriptorUI>{}</DescriptorUI></DescriptorReferredTo>"
RECORD = """<DescriptorRecord DescriptorClass="1">
<DescriptorUI>{0}</DescriptorUI><DescriptorName><String>{1}</String></DescriptorName>{2}
<TreeNumberList><TreeNumber>D0{3}</TreeNumber></TreeNumberList>
<ConceptList><Concept PreferredConceptYN="Y"><ConceptUI>M{3}</ConceptUI>
<TermList><Term><String>{1}</String></Term></TermList></Concept></ConceptList></DescriptorRecord>"""


def see_also(*identifiers: str) -> str:
    listed = (
        f"<SeeRelatedDescriptor>{REFERRED.format(identifier)}</SeeRelatedDescriptor>"
        for identifier in identifiers
    )
    return f"<SeeRelatedList>{''.join(listed)}</SeeRelatedList>"


def action(identifier: str) -> str:
    inner = f"<PharmacologicalAction>{REFERRED.format(identifier)}</PharmacologicalAction>"
    return f"<PharmacologicalActionList>{inner}</PharmacologicalActionList>"


def test_associations_of_mesh_lead_to_their_concepts(qapp: QApplication, tmp_path: Path) -> None:
    records = [
        RECORD.format("D000001", "Calcimycin", action("D000002") + see_also("D000003", "D99"), 1),
        RECORD.format("D000002", "Ionophores", "", 2),
        RECORD.format("D000003", "Membranes", "", 3),
    ]
    path = tmp_path / "desc2026.xml"
    inside = "".join(records)
    path.write_text(f"<DescriptorRecordSet>{inside}</DescriptorRecordSet>", encoding="utf-8")
    workspace = Workspace(tmp_path / "workspace")
    load(workspace, path)
    (hit,) = search_names(workspace, "Calcimycin").hits
    (other,) = search_names(workspace, "Membranes").hits
    page = concept_page(workspace, hit.concept_id)
    workspace.close()
    assert page is not None
    html = concept_html(page, Theme(qapp).colours)
    document = QTextDocument()
    document.setHtml(html)
    shown_text = document.toPlainText().split("ASSOCIATED CONCEPTS\n")[1].splitlines()
    assert sorted(shown_text) == [
        "Pharmacological action D000002 Ionophores",
        "See also D000003 Membranes · MESH:D99",
    ]
    assert f"<a href='concept:{other.concept_id}'" in html
