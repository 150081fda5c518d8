"""The child that trains vectors on the names of a release, and on text."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.errors import UserError
from termexplorer.store.releases.corpus import definitions
from termexplorer.texts import tr
from termexplorer.trainer.representations.methods import METHODS
from termexplorer.workers.data.concept_data import concept_names, further_ids
from termexplorer.workers.encoders.vectors import MadeVectors, made_in, spread_facts
from termexplorer.workers.process.child import Channel, trainer_errors
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.trainer.representations.fasttext_fit import TrainingProgress
    from termexplorer.trainer.representations.methods import TextMethod


@dataclass(frozen=True, slots=True)
class TrainVectorsRequest:
    """Training of vectors on the names and definitions of a release, and more text.

    Attributes:
        workspace: the workspace folder.
        release_id: whose names and definitions are read, and whose names are found in the rest.
        texts: further text files, plain or `.gz`.
        method: one of `trainer.representations.methods.METHODS`.
        pubtator: files of annotated documents.
        dimension: width of the vectors; None, here and below: as is usual for the method, and for
            fastText by the length of the text.
        epochs: times that the text, or what was counted of it, is gone through.
        min_count: rarer words have no vector of their own.
        seed: of everything random; methods that have none do without it.
    """

    workspace: Path
    release_id: int
    texts: tuple[Path, ...] = ()
    method: str = "fasttext"
    pubtator: tuple[Path, ...] = ()
    dimension: int | None = None
    epochs: int | None = None
    min_count: int | None = None
    seed: int | None = None

    def sizes(self) -> dict[str, int]:
        """The sizes that were asked for."""
        asked = {name: getattr(self, name) for name in ("dimension", "epochs", "min_count")}
        return {name: value for name, value in asked.items() if value is not None}

    def trained(self) -> "TextMethod":
        """The method with the sizes that were asked for.

        Raises:
            UserError: there is no such method.
        """
        if self.method not in METHODS:
            raise UserError(
                tr(
                    "there is no method {method!r}; choose {known}",
                    method=self.method,
                    known=", ".join(METHODS),
                )
            )
        usual = METHODS[self.method].usual
        has_seed = "seed" in usual.__dataclass_fields__ and self.seed is not None
        return replace(usual, **self.sizes(), **({"seed": self.seed} if has_seed else {}))


def train_on_text(asked: tuple[Path, TrainVectorsRequest], channel: Channel) -> MadeVectors:
    """Trains; the window's process is not the place for it: fastText holds ten threads.

    Args:
        asked: the folder of the vectors, and what they are trained on.
        channel: to report by.

    Raises:
        UserError: too little text, or a file that cannot be read.
    """
    from termexplorer.trainer.representations.methods import learn
    from termexplorer.trainer.representations.text import TrainingText

    folder, request = asked
    workspace = Workspace(request.workspace)
    channel.progress(None, tr("Reading names and text"))
    names, _ = concept_names(workspace.store, request.release_id)
    alternative_ids = further_ids(workspace.store, request.release_id, names)
    with workspace.store.reading() as connection:
        sentences = list(definitions(connection, request.release_id).values())
    workspace.close()
    title = METHODS[request.method].title

    def report(progress: "TrainingProgress") -> None:
        channel.progress(
            progress.fraction,
            tr("Training {title}, loss {loss:.3f}", title=title, loss=progress.loss),
        )

    text = TrainingText(names, sentences, request.texts, request.pubtator, alternative_ids)
    with trainer_errors():
        open_sizes = {"epochs", "min_count"} - request.sizes().keys()
        facts = learn(request.trained(), text, folder, progress=report, open_sizes=open_sizes)
    spread = spread_facts(folder, names.names)
    return replace(made_in(request.workspace, folder), facts={**facts, **spread})
