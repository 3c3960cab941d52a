"""Public docstrings are complete numpydoc, and each public function shows a runnable example."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from types import ModuleType

import pytest
from numpydoc.validate import validate

import isocost
import isocost.learn.boosting
import isocost.learn.torch

ROOT = Path(__file__).parent.parent
CHECKS = {
    "GL01",
    "GL02",
    "GL03",
    "GL05",
    "GL06",
    "GL07",
    "GL08",
    "SS01",
    "SS02",
    "SS04",
    "PR01",
    "PR02",
    "PR03",
    "PR05",
}
# The arguments of the constructor are told in the class docstring; short methods tell theirs in a sentence.
SENTENCE = {"PR01"}


MODULES = [isocost, isocost.learn, isocost.learn.boosting, isocost.learn.torch]


def public_names() -> list[str]:
    names = []
    for module in MODULES:
        for name in module.__all__:
            item = getattr(module, name)
            names.append(f"{module.__name__}.{name}")
            if inspect.isclass(item) and not issubclass(item, Exception):
                names += [f"{module.__name__}.{name}.{member}" for member in vars(item) if not member.startswith("_")]
    return names


@pytest.mark.parametrize("name", public_names())
def test_docstring(name: str) -> None:
    target: object = isocost
    for part in name.split(".")[1:]:
        # The names of isocost.learn are loaded when they are asked for.
        target = getattr(target, part) if isinstance(target, ModuleType) else inspect.getattr_static(target, part)
    if not (callable(target) or isinstance(target, (classmethod, property)) or hasattr(target, "func")):
        return  # a field, told in the class docstring
    found = {code: text for code, text in validate(name)["errors"] if code in CHECKS - SENTENCE}
    found = {code: text for code, text in found.items() if not (code == "PR02" and "cost" in text)}
    assert not found


@pytest.mark.parametrize("name", ["CostMatrix", "Ordering", "SmoothProperty", "smooth"])
def test_examples(name: str) -> None:
    assert ">>> " in (getattr(isocost, name).__doc__ or "")


def test_links_in_the_pages_lead_somewhere() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    assert len(pages) >= 5
    for page in pages:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_version_is_in_the_changelog() -> None:
    assert f"## {isocost.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_no_package_host_or_machine_path_is_named() -> None:
    for path in [*ROOT.glob("*.*"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("src/**/*.py"), ROOT / ".ci" / "run"]:
        if path.is_file() and path.name != ".git":  # a file of git in a worktree
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"pypi\.org|pythonhosted|/root/|/work/", text), path
