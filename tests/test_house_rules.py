"""The rules of the house, checked by reading the source: who imports whom, names, sizes, light imports."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import isocost

ROOT = Path(isocost.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

# What each room may import at module level, from the bottom of the house to its top.
INPUT = {"exceptions", "exact", "labels", "probabilities", "tables", "weights"}
COSTS = INPUT | {"costs"}
ORDER = COSTS | {"exact_game", "pruning", "boundaries", "witness", "simplex", "distances", "margin", "ordering"}
PROPERTY = ORDER | {"scores", "pieces", "interior", "property", "lipschitz", "kernels"}
EVERY_COST = PROPERTY | {"exact_linear", "linear_property", "interface", "smoothing", "choose"}
ALLOWED: dict[str, set[str]] = {
    "exceptions": set(),
    "exact": set(),
    "labels": {"exceptions"},
    "probabilities": INPUT,
    "tables": INPUT,
    "weights": {"exceptions"},
    "simplex": set(),
    "kernels": set(),
    "costs": INPUT,
    "io": COSTS,
    "exact_game": set(),
    "pruning": COSTS | {"exact_game"},
    "boundaries": COSTS,
    "witness": COSTS | {"boundaries", "pruning"},
    "distances": {"simplex"},
    "margin": ORDER,
    "ordering": ORDER - {"distances", "margin", "simplex"},
    "scores": {"exceptions"},
    "pieces": set(),
    "interior": set(),
    "property": INPUT | {"simplex", "scores", "pieces", "interior"},
    "lipschitz": ORDER | {"property", "interior"},
    "smoothing": PROPERTY - {"kernels"} | {"smoothing"},
    "exact_linear": set(),
    "linear_property": ORDER | {"scores", "exact_linear", "lipschitz"},
    "interface": INPUT | {"lipschitz"},
    "choose": ORDER | {"interface", "linear_property", "smoothing"},
    "kernels_pav": {"kernels"},
    "pav": {"exceptions", "property", "linear_property", "kernels_pav"},
    "fingerprint": set(),
    "plain": set(),
    "recalibrate": EVERY_COST - {"kernels"} | {"pav", "fingerprint", "recalibrate"},
    "comparisons": EVERY_COST - {"kernels"},
    "score_map": EVERY_COST - {"kernels"} | {"comparisons", "recalibrate"},
    "score_pieces": EVERY_COST - {"kernels"} | {"comparisons", "score_map"},
    "rule_check": EVERY_COST - {"kernels"},
    "rule_content": EVERY_COST - {"kernels"} | {"recalibrate"},
    "rule_file": EVERY_COST - {"kernels"} | {"io", "recalibrate", "rule_check", "rule_content"},
    "rule_parts": EVERY_COST - {"kernels"} | {"recalibrate"},
    "rule": EVERY_COST - {"kernels"} | {"comparisons", "recalibrate", "rule_parts", "score_map"},
    "auditing": EVERY_COST | {"pav", "kernels_pav", "fingerprint", "plain", "auditing"},
    "export": EVERY_COST - {"kernels"} | {"io", "recalibrate", "comparisons", "score_map", "score_pieces", "export"},
    "frames": EVERY_COST - {"kernels"}
    | {"auditing", "comparisons", "export", "frames", "recalibrate", "rule_parts", "score_map"},
    "datasets": {"datasets"},
    "learn": EVERY_COST | {"recalibrate", "learn"},
    "plot": EVERY_COST - {"kernels", "choose"} | {"auditing", "plot"},
    "report": INPUT | {"io", "linear_property", "ordering", "property", "auditing", "plot", "report"},
    "paper": PROPERTY - {"kernels"} | {"isocost", "io", "smoothing", "auditing", "plot", "paper"},
    "cli": EVERY_COST - {"kernels"}
    | {
        "isocost",
        "io",
        "plain",
        "auditing",
        "paper",
        "plot",
        "report",
        "rule",
        "recalibrate",
        "frames",
        "datasets",
        "cli",
    },
    "__main__": {"cli"},
    "": COSTS
    | {"auditing", "choose", "interface", "linear_property", "ordering", "property", "recalibrate", "smoothing"}
    | {"frames", "rule", "witness"},
}
# Convenience methods that reach a later room: one function-level import each, and no others.
REACHES = {
    ("costs", "io"),
    ("costs", "ordering"),
    ("costs", "learn"),
    ("ordering", "distances"),
    ("ordering", "margin"),
    ("margin", "ordering"),
    ("property", "kernels"),
    ("property", "lipschitz"),
    ("auditing", "plot"),
    ("auditing", "report"),
    ("report", "isocost"),  # its version
    ("rule", "isocost"),  # its version
    ("rule", "rule_file"),
    ("rule", "frames"),
    ("io", "frames"),
    ("frames", "rule"),  # what a fit returns
    ("rule", "export"),
}
THEORY = EVERY_COST | {"io", "kernels_pav", "pav", "fingerprint", "recalibrate"}
THEORY |= {"comparisons", "score_map", "score_pieces", "rule", "rule_check", "rule_content", "rule_file", "rule_parts"}
LIBRARIES = {"numpy", "scipy"}
# Base classes cannot be imported inside a function: the one file of each library that defines subclasses.
BASES = {("learn/base.py", "sklearn"), ("learn/torch.py", "torch")}
COMMAND_LINE = {"click"}  # decorators need it; cli/__init__.py, which tells where it is missing, has none
ENGINES = {"pandas", "polars", "pyarrow", "narwhals", "duckdb", "pyspark", "dask", "ibis"}

ENGINE_ROOMS = {"frames": {"narwhals", "duckdb"}}


def room_of(path: Path) -> str:
    first = path.relative_to(ROOT).parts[0]
    return "" if first == "__init__.py" else first.removesuffix(".py")


def imports_of(path: Path) -> list[tuple[str, bool]]:
    """Modules that a file imports, each with whether it does so at module level; not those for type checkers."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tree.body = [
        node for node in tree.body if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    ]
    nested = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for node in ast.walk(function)
    }
    found: list[tuple[str, bool]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(alias.name, id(node) not in nested) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names = [node.module or ""]
            if node.module == "isocost":
                names = [f"isocost.{alias.name}" for alias in node.names]
            found += [(name, id(node) not in nested) for name in names]
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_rooms_import_only_what_they_may(path: Path) -> None:
    room = room_of(path)
    assert room in ALLOWED, f"a new room: say in {Path(__file__).name} whom {room!r} may import"
    for name, top in imports_of(path):
        if name.split(".")[0] != "isocost":
            continue
        other = name.split(".")[1] if "." in name else "isocost"
        if top:
            assert other in ALLOWED[room], f"{path.name} imports {name}"
        else:
            assert (room, other) in REACHES or other in ALLOWED[room], f"{path.name} reaches {name}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_theory_imports_numpy_scipy_and_the_kernels_only(path: Path) -> None:
    for name, top in imports_of(path):
        library = name.split(".")[0]
        if library in sys.stdlib_module_names or library == "isocost":
            continue
        if library in ENGINES:
            assert library in ENGINE_ROOMS.get(room_of(path), ()), f"{path.name}: dataframe engines belong to frames"
        if room_of(path) == "kernels":
            assert library in LIBRARIES | {"numba"}
        elif room_of(path) in THEORY:
            assert library in LIBRARIES
        if room_of(path) == "cli" and path.name != "__init__.py" and library in COMMAND_LINE:
            continue
        if library not in {"numpy", "numba"} and (path.relative_to(ROOT).as_posix(), library) not in BASES:
            assert not top, f"{path.name}: {name} is slow or optional; import it where it is used"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_stay_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


def submodules() -> list[ModuleType]:
    names = [m.name for m in pkgutil.walk_packages([str(ROOT)], "isocost.") if not m.name.endswith("__main__")]
    return [importlib.import_module(name) for name in names]


def test_no_public_name_is_a_module() -> None:
    """After every submodule is imported each public name is still what it was."""
    modules = submodules()
    for name in isocost.__all__:
        assert not isinstance(getattr(isocost, name), ModuleType), name
    for module in modules:
        for name in getattr(module, "__all__", ()):
            assert not isinstance(getattr(module, name), ModuleType), f"{module.__name__}.{name}"
    cost = isocost.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]])
    assert callable(isocost.smooth)
    assert isocost.smooth(cost).decide(0.0) is not None


def test_all_lists_what_exists() -> None:
    for module in [isocost, *submodules()]:
        names = getattr(module, "__all__", ())
        for name in names:
            assert hasattr(module, name), f"{module.__name__}.{name}"


def test_importing_isocost_is_light() -> None:
    """No compiler, solver or drawing library before it is needed; benchmarks/imports.py has the time."""
    heavy = ("numba", "scipy", "matplotlib", "sklearn")
    code = f"import isocost, sys; print(*(m for m in {heavy} if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
