"""The compiled loops: every layout, many threads, forked children, no cache, exact refusals."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import isocost as ic
from isocost import kernels

FEW = ic.smooth(ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]]))
MANY = ic.smooth(ic.CostMatrix.ordinal(range(30), power=1.5, under=3))


@pytest.fixture(params=[FEW, MANY], ids=["scan", "search"])
def prop(request: pytest.FixtureRequest) -> ic.SmoothProperty:
    found: ic.SmoothProperty = request.param
    assert (found.values.size <= kernels.SCAN_CELLS) == (found is FEW)
    return found


def sample(prop: ic.SmoothProperty, rows: int) -> np.ndarray:
    return np.random.default_rng(0).dirichlet(np.full(len(prop.outcomes), 0.4), size=rows)


def test_memory_layouts_agree(prop: ic.SmoothProperty) -> None:
    P = sample(prop, 3000)
    expected = prop.value(P)
    frozen = P.copy()
    frozen.setflags(write=False)
    wide = np.zeros((len(P), 2 * P.shape[1]))
    wide[:, ::2] = P
    for same in (np.asfortranarray(P), frozen, wide[:, ::2], P[::-1][::-1], P.tolist()):
        assert (prop.value(same) == expected).all()
    single = P.astype(np.float32)
    assert (prop.value(single) == prop.value(single.astype(np.float64))).all()
    swapped = P.astype(P.dtype.newbyteorder())
    assert (prop.value(swapped) == expected).all()


def test_chunks_and_neighbours_do_not_matter(prop: ic.SmoothProperty) -> None:
    """Each row has one value, bit for bit, whatever stands around it and however many threads run."""
    rows = 3 * kernels.CHUNK_CELLS // len(prop.outcomes) + 17
    P = sample(prop, rows)
    together = prop.value(P)
    for start, stop in ((0, 1), (5, 12), (rows - 300, rows), (1000, 1257)):
        assert (prop.value(P[start:stop]) == together[start:stop]).all()


def test_small_inputs(prop: ic.SmoothProperty) -> None:
    n = len(prop.outcomes)
    assert prop.value(np.empty((0, n))).shape == (0,)
    assert prop.value(np.eye(n)[:1]).shape == (1,)


@pytest.mark.parametrize("bad", [np.nan, -0.25, np.inf, 0.75])
def test_the_first_bad_row_is_named(prop: ic.SmoothProperty, bad: float) -> None:
    P = sample(prop, 2 * kernels.CHUNK_CELLS // len(prop.outcomes))
    first, later = 4321, len(P) - 2
    for row in (later, first):
        P[row] = 0.0
        P[row, 1] = bad
        P[row, 0] = 1.25 if bad < 0 else 0.0
        with pytest.raises(ic.PredictionError, match=f"Row {row} of"):
            prop.value(P)


def test_eight_threads_at_once(prop: ic.SmoothProperty) -> None:
    P = sample(prop, 2000)
    expected = prop.value(P)
    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda _: prop.value(P), range(32)):
            assert (found == expected).all()


def work_in_child(queue: multiprocessing.Queue[float], prop: ic.SmoothProperty, P: np.ndarray) -> None:
    queue.put(float(prop.value(P).sum()))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_computes(prop: ic.SmoothProperty) -> None:
    P = sample(prop, 2 * kernels.CHUNK_CELLS // len(prop.outcomes))
    expected = float(prop.value(P).sum())
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=work_in_child, args=(queue, prop, P))
    child.start()
    assert queue.get(timeout=60) == expected
    child.join(timeout=60)
    assert child.exitcode == 0


def test_without_any_place_for_a_cache() -> None:
    """A cache folder that can be neither made nor written is no error."""
    code = (
        "import isocost as ic, warnings; warnings.simplefilter('error');"
        "print(ic.smooth(ic.CostMatrix([[0, 5], [1, 0]])).value([[0.5, 0.5]]))"
    )
    environment = os.environ | {"NUMBA_CACHE_DIR": "/dev/null/cache", "HOME": "/dev/null"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("[")


def test_a_read_only_install(tmp_path: object) -> None:
    """The package on a path where nothing can be written, as in a container image or a zip."""
    code = (
        "import numba.core.caching as c, isocost as ic\n"
        "for locator in c.CacheImpl._locator_classes: locator.ensure_cache_path = refuse\n"
        "print(ic.smooth(ic.CostMatrix([[0, 5], [1, 0]])).value([[0.5, 0.5]]))"
    ).replace(
        "ensure_cache_path = refuse", "ensure_cache_path = lambda self: (_ for _ in ()).throw(OSError('read-only'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("[")
