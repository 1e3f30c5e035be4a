# SPDX-License-Identifier: MIT
"""The notebooks, as a reader runs them: in a kernel of their own, which has several threads."""

import os
import pathlib
import resource

import pytest

import impactcheck

nbformat = pytest.importorskip("nbformat", reason="python3-nbclient and python3-ipykernel are not installed")
nbclient = pytest.importorskip("nbclient", reason="python3-nbclient is not installed")
pytest.importorskip("ipykernel", reason="python3-ipykernel is not installed")

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
MOST = 60  # s of processor time; 5 s to 15 s are usual


def used():
    times = resource.getrusage(resource.RUSAGE_CHILDREN)
    return times.ru_utime + times.ru_stime


def execute(notebook, folder):
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(folder)}}).execute()


@pytest.fixture(autouse=True)
def this_package(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(pathlib.Path(impactcheck.__file__).parents[1]))
    if "IMPACTCHECK_BUILD" in os.environ:
        monkeypatch.setenv("IMPACTCHECK_BUILD", os.path.abspath(os.environ["IMPACTCHECK_BUILD"]))


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_a_notebook_runs(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells), f"{path.name} has stored outputs"
    before = used()
    execute(notebook, tmp_path)
    assert used() - before < MOST
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any({"text/html", "image/png"} & set(output.get("data", {})) for output in shown)


def test_there_are_four():
    assert len(NOTEBOOKS) == 4


def test_a_wrong_notebook_fails(tmp_path):
    wrong = nbformat.v4.new_code_cell("import impactcheck\nassert not impactcheck.cases()")
    notebook = nbformat.v4.new_notebook(cells=[wrong])
    with pytest.raises(nbclient.exceptions.CellExecutionError, match="AssertionError"):
        execute(notebook, tmp_path)
