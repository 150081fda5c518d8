"""`train RECIPE`: a command for each recipe."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from termexplorer.cli.level_option import LevelOption, choose_trained_level
from termexplorer.cli.opening import opened
from termexplorer.cli.options import (
    AlsoOption,
    DepthOption,
    DeviceOption,
    DontKnowVotesOption,
    JsonOption,
    OntologyOption,
    RootOption,
    SeedOption,
    WorkspaceOption,
    options_from_dataclass,
)
from termexplorer.cli.output import print_json, print_table, progress_bar
from termexplorer.cli.train.runs import as_json, follow, print_end
from termexplorer.cli.train.series import resumable_series
from termexplorer.cli.work.options import PrepareOption, print_prepared
from termexplorer.replicate.search.hidden import SearchRequest, begin_search, work_on_search
from termexplorer.services.encoders.encoders import list_encoders
from termexplorer.services.explore.ontologies import (
    find_concept,
    find_ontology,
    list_ontologies,
)
from termexplorer.services.levels.concept_lists import class_of_list
from termexplorer.services.recipes.presets import (
    JUDGED,
    LEVEL,
    RECIPES,
    SHOTS,
    SYNONYMS,
    ListedRecipe,
    read_change,
)
from termexplorer.services.recipes.run_requests import (
    EVERY_CONCEPT,
    LevelChoice,
    ListClass,
    RunRequest,
    SplitRule,
    SynonymChoice,
    add_run,
)
from termexplorer.services.studies.judged_pairs import JudgedChoice, judged_in_file, judged_in_study
from termexplorer.services.train.expected_time import expect_recipes, expected_text
from termexplorer.services.train.hidden_search import LARGEST, best_run, tried
from termexplorer.services.train.runs import list_runs, run_details
from termexplorer.services.train.training import check_device
from termexplorer.workspace import Workspace

app = typer.Typer(help="Train an encoder on the classes of a level, or on synonym sets.")

_WORTH_TELLING = 60  # seconds
Classes: TypeAlias = Annotated[int, typer.Option(min=0, help="Keep the n largest; 0: all.")]
GroupsOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--groups",
        metavar="PREFIX",
        help="Fuse the synonym sets of concepts that refer to the same code of another system,"
        " such as ICD10CM.",
    ),
]
ClassListOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--class-list",
        metavar="TITLE",
        help="A kept list of concepts or names that is a class besides those of the level;"
        " repeatable.",
    ),
]
Changes: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A hyper-parameter; may be given again."),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainOptions:
    """What every recipe is asked."""

    ontology: OntologyOption
    vectors: Annotated[int, typer.Option(metavar="ID", help="The encoder that it builds on.")]
    preset: Annotated[str, typer.Option(help="quick (right for two cores) or paper.")] = "quick"
    set: Changes = None
    seed: SeedOption = 0
    device: DeviceOption = "auto"
    devices: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            help="Processors or GPUs that train together, from the first on; of a cluster, on each"
            " node.",
        ),
    ] = 1
    nodes: Annotated[
        int, typer.Option(metavar="N", min=1, help="Of the cluster that --device names.")
    ] = 1
    search_hidden: Annotated[
        bool,
        typer.Option(
            "--search-hidden",
            help="One run after the other, each with twice the hidden units, until validation"
            " declines.",
        ),
    ] = False
    largest_hidden: Annotated[
        int, typer.Option(metavar="N", help="Where the search ends at the latest.")
    ] = LARGEST
    trials: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="Have Optuna propose n sizes instead, from what the ones before came to (the "
            "extra `cluster`).",
        ),
    ] = 0
    prepare: PrepareOption = False
    workspace: WorkspaceOption = None
    json: JsonOption = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SynonymOptions(TrainOptions):
    """What recipes that learn from synonym sets are asked."""

    also: AlsoOption = None
    root: RootOption = ""
    groups: GroupsOption = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelOptions(TrainOptions):
    """What recipes that learn classes of a level are asked."""

    level: LevelOption = None
    root: RootOption = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeepLevelOptions(LevelOptions):
    """What those of them are asked that hold out names of the level below all others."""

    depth: DepthOption = 4
    classes: Classes = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FewShotOptions(LevelOptions):
    """What few-shot is asked."""

    classes: Classes = 21
    shots: Annotated[int, typer.Option(min=2, help="Names of each class.")] = 15
    class_list: ClassListOption = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedOptions(TrainOptions):
    """What recipes that learn from judged pairs are asked."""

    study: Annotated[
        int | None, typer.Option(metavar="ID", help="The study whose verdicts are learned.")
    ] = None
    pairs: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Or a file of pairs with labels, 1 similar and 0 not."),
    ] = None
    votes: DontKnowVotesOption = True


def _add_command(recipe: str, listed: ListedRecipe) -> None:
    """Adds the command of a recipe; each group is asked what it learns from."""

    def few_shot(asked: FewShotOptions) -> None:
        rule = SplitRule(recipe, shots=asked.shots, seed=asked.seed)
        _train_on_level(asked, rule, {"largest": asked.classes}, asked.class_list or ())

    def on_level(asked: DeepLevelOptions) -> None:
        sizes = {"largest": asked.classes, "depth": asked.depth}
        _train_on_level(asked, SplitRule(recipe, seed=asked.seed), sizes)

    def on_synonyms(asked: SynonymOptions) -> None:
        with opened(asked.workspace) as workspace:
            also = tuple(
                find_ontology(workspace, ontology_name).id for ontology_name in asked.also or ()
            )
            sets = SynonymChoice(asked.root, asked.groups)
            _train_run(workspace, asked, None, SplitRule(recipe, seed=asked.seed), also, sets)

    def on_judged(asked: JudgedOptions) -> None:
        with opened(asked.workspace) as workspace:
            rule = SplitRule(recipe, seed=asked.seed)
            _train_run(workspace, asked, None, rule, judged=_judged_choice(workspace, asked))

    commands: dict[str, Callable[[Any], None]] = {
        SHOTS: few_shot,
        LEVEL: on_level,
        SYNONYMS: on_synonyms,
        JUDGED: on_judged,
    }
    add = app.command(recipe, help=listed.when, rich_help_panel=listed.group)
    add(options_from_dataclass(commands[listed.group]))


def _judged_choice(workspace: Workspace, asked: JudgedOptions) -> JudgedChoice:
    if asked.pairs is not None and asked.study is None:
        return judged_in_file(asked.pairs)
    if asked.study is None or asked.pairs is not None:
        raise typer.BadParameter("name a study with --study, or a file with --pairs")
    return judged_in_study(workspace, asked.study, dont_know_votes=asked.votes)


def _train_on_level(
    asked: LevelOptions, rule: SplitRule, sizes: Mapping[str, int], titles: Sequence[str] = ()
) -> None:
    with opened(asked.workspace) as workspace:
        ontology = find_ontology(workspace, asked.ontology)
        choice = LevelChoice.for_recipe(
            rule.recipe,
            root=find_concept(workspace, ontology, asked.root).curie if asked.root else "",
            **sizes,
        )
        choice = choose_trained_level(workspace, ontology.id, asked.level, choice, alone=not titles)
        lists = tuple(class_of_list(workspace, title, ontology.id) for title in titles)
        _train_run(workspace, asked, choice, rule, class_lists=lists)


def _train_run(
    workspace: Workspace,
    asked: TrainOptions,
    choice: LevelChoice | None,
    rule: SplitRule,
    also: tuple[int, ...] = (),
    synonyms: SynonymChoice = EVERY_CONCEPT,
    class_lists: tuple[ListClass, ...] = (),
    judged: JudgedChoice | None = None,
) -> None:
    if (asked.trials or asked.prepare) and not asked.search_hidden:
        raise typer.BadParameter("--trials and --prepare are of a search; add --search-hidden")
    check_device(workspace, asked.device)
    if asked.nodes > 1 and not asked.device.startswith("@"):
        raise typer.BadParameter("--nodes are of a cluster; name it, such as --device @slurm")
    request = RunRequest(
        recipe=rule.recipe,
        preset=asked.preset,
        ontology_id=find_ontology(workspace, asked.ontology).id,
        vectors_id=asked.vectors,
        choice=choice,
        rule=rule,
        hyperparameters=dict(read_change(rule.recipe, change) for change in asked.set or ()),
        seed=rule.seed,
        device=asked.device,
        devices=asked.devices,
        nodes=asked.nodes,
        also=also,
        synonyms=synonyms,
        class_lists=class_lists,
        judged=judged,
    )
    _print_expected(workspace, request)
    if asked.search_hidden:
        wanted = SearchRequest(request, asked.largest_hidden, asked.trials)
        _search_hidden_sizes(workspace, wanted, prepare=asked.prepare, json=asked.json)
    else:
        follow(workspace, add_run(workspace, request), asked.json, resume=False)


def _print_expected(workspace: Workspace, request: RunRequest) -> None:
    """Say on standard error how long a run is likely to take, where that is known and long."""
    ontologies = list_ontologies(workspace)
    ontology = find_ontology(workspace, str(request.ontology_id))
    known = request.preset == "quick" and not (request.hyperparameters or request.also)
    seconds = expect_recipes(ontology, list_runs(workspace), ontologies)[request.recipe]
    if known and seconds is not None and seconds >= _WORTH_TELLING:
        typer.echo(f"It takes {expected_text(seconds)} here.", err=True)


for _recipe, _listed in RECIPES.items():
    _add_command(_recipe, _listed)


def _search_hidden_sizes(
    workspace: Workspace, wanted: SearchRequest, *, prepare: bool, json: bool
) -> None:
    """Trains a run of each size, and tells of the best one."""
    folder = begin_search(workspace, wanted)
    if prepare:
        print_prepared(folder, json=json)
        return
    with resumable_series(folder), progress_bar() as show:
        runs = work_on_search(workspace, folder, show)
    done = tried(workspace, runs)
    details = run_details(workspace, best_run(done).run)
    if json:
        search = [{"run": e.run, "hidden": e.hidden, "validation": e.figure} for e in done]
        print_json({"search": search} | as_json(details))
        return
    columns = ("run", "hidden units", details.run.card["validation_metric"])
    print_table(columns, [(trial.run, trial.hidden, trial.figure) for trial in done])
    print_end(details, {encoder.id: encoder.label for encoder in list_encoders(workspace)})
