"""Settings of the whole suite: one fixed hypothesis profile, engines, and one line on missing programs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.engines import ENGINES, Engine, dask_cluster_of_two, frames_of, postgres_server, spark_session

settings.register_profile(
    "fixed",
    derandomize=True,
    deadline=None,
    max_examples=60,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("ISOCOST_HYPOTHESIS", "fixed"))


def require_program(name: str) -> str:
    """Path of a program; a missing one skips the test, or fails it where ISOCOST_REQUIRE=all."""
    debian = ":".join(map(str, Path("/usr/lib/postgresql").glob("*/bin")))
    path = shutil.which(name) or shutil.which(name, path=debian)
    if path is not None:
        return path
    if os.environ.get("ISOCOST_REQUIRE") == "all":
        pytest.fail(f"the program {name} is missing; packages.txt lists what .ci/run installs")
    pytest.skip(f"the program {name} is missing")


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One real Spark session for the whole run."""
    require_program("java")
    yield from spark_session(tmp_path_factory.mktemp("spark"))


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Connection string of one real PostgreSQL server for the whole run."""
    initdb = Path(require_program("initdb")).resolve()
    yield from postgres_server(initdb.parent)


@pytest.fixture(scope="session")
def dask_cluster() -> Iterator[Any]:
    """One real Dask cluster for the whole run."""
    yield from dask_cluster_of_two()


@pytest.fixture(params=[pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in ENGINES])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Engine:
    """Each engine of dataframes in turn."""
    if request.param == "dask":
        request.getfixturevalue("dask_cluster")
    session = request.getfixturevalue("spark") if request.param == "pyspark" else None
    return frames_of(request.param, tmp_path, session)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one engine share a worker, and with it the engine (with --dist loadgroup)."""
    for item in items:
        for fixture, name in (("spark", "pyspark"), ("dask_cluster", "dask"), ("postgres", "postgres")):
            if fixture in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.xdist_group(name))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if "the program" in str(report.longrepr)]
    if skipped:
        names = sorted({str(report.longrepr).partition("the program ")[2].partition(" is")[0] for report in skipped})
        terminalreporter.write_line(f"isocost: {len(skipped)} tests skipped for want of {', '.join(names)}")
