"""The programs of the package's README and the workspace's run unchanged; those of `docs` print what is there."""

from __future__ import annotations

import importlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from bitcade._games import GAMES

PACKAGE = Path(__file__).parent.parent
PAGES = [(folder / "README.md").read_text(encoding="utf-8") for folder in (PACKAGE, PACKAGE.parent.parent)]
PROGRAMS = [re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL) for page in PAGES]


@pytest.mark.parametrize("program", sum(PROGRAMS, []))
def test_program(program):
    if "gymnasium" in program:
        pytest.importorskip("gymnasium")
    exec(compile(program, "README.md", "exec"), {"__name__": "readme"})


def test_the_programs_are_found():
    assert [len(programs) for programs in PROGRAMS] == [6, 1]


DOCS = {page.stem: page.read_text(encoding="utf-8") for page in (PACKAGE / "docs").glob("*.md") if page.stem in GAMES}
#: Each program with the text that it prints.
PRINTED = [
    pytest.param(*found, id=f"{name}-{number}")
    for name, page in DOCS.items()
    for number, found in enumerate(re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```", page, re.MULTILINE | re.DOTALL))
]


@pytest.mark.parametrize(("program", "printed"), PRINTED)
def test_the_pages_show_what_their_programs_print(program, printed, capsys):
    exec(compile(program, "docs", "exec"), {"__name__": "docs"})
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == printed.splitlines()


CLUSTERS = (PACKAGE / "docs" / "clusters.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """Return the blocks of one language in the page on clusters."""
    return re.findall(rf"^```{language}\n(.*?)^```", CLUSTERS, re.MULTILINE | re.DOTALL)


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash isn't installed")
@pytest.mark.parametrize("script", blocks("sh"))
def test_the_scripts_of_the_page_on_clusters_can_be_parsed(script):
    done = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_job_for_kubernetes_can_be_parsed():
    yaml = pytest.importorskip("yaml", reason="PyYAML isn't installed")
    (job,) = map(yaml.safe_load, blocks("yaml"))
    assert (job["apiVersion"], job["kind"]) == ("ray.io/v1", "RayJob")
    assert set(job["spec"]) == {"entrypoint", "shutdownAfterJobFinishes", "rayClusterSpec"}
    cluster = job["spec"]["rayClusterSpec"]
    assert set(cluster) == {"headGroupSpec", "workerGroupSpecs"}
    for group in (cluster["headGroupSpec"], *cluster["workerGroupSpecs"]):
        # KubeRay takes strings only.
        assert all(isinstance(value, str) for value in group["rayStartParams"].values())
        pod = group["template"]["spec"]
        mounts = {mount["name"] for container in pod["containers"] for mount in container["volumeMounts"]}
        assert mounts == {volume["name"] for volume in pod["volumes"]}


def test_every_game_has_a_page_with_the_definitions_of_its_module():
    assert set(DOCS) == {name.partition("-")[0] for name in GAMES}
    assert len(PRINTED) == sum(page.count("```python") for page in DOCS.values()) >= 8
    for name, game in GAMES.items():
        page = DOCS[name.partition("-")[0]]
        module = importlib.import_module(game.batch.__module__)
        definitions = module.__doc__.partition("`Batch`:\n\n")[2].strip()
        shown = re.search(rf"<!-- from help\({module.__name__}\) -->\n\n(.*?)\n\n<!-- end -->", page, re.DOTALL)
        assert definitions and shown and shown[1] == definitions, name
        for env in game.envs:
            assert f"`bitcade/{env}-v0`" in page
