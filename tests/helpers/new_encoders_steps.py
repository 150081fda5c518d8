"""Steps that tests of new encoders share with others."""

from termexplorer.store.encoders.encoders import add_encoder
from termexplorer.workspace import Workspace


def make_encoder(workspace: Workspace, kind: str, beneath: int | None = None) -> int:
    with workspace.store.writing() as connection:
        return add_encoder(
            connection,
            kind=kind,
            method="few-shot" if kind == "trained" else "fasttext",
            title="few-shot, level 2" if kind == "trained" else "fastText mean",
            dimension=4,
            path="nowhere",
            content_hash=f"{kind}{beneath}",
            parameters={},
            input_id=beneath,
        )
