"""How smooth the constructions are, K over its limit, and what each costs in room next to the boundaries."""

from __future__ import annotations

import numpy as np

import isocost as ic
from benchmarks.tools import print_table, random_strong

NORMS = (1, 2, float("inf"))
COUNT = 100
OPTIONS: list[tuple[str, dict[str, float]]] = [
    ("embedding", {}),
    ("normals", {}),
    *[("smoothest", {"slack": slack}) for slack in (0.2, 0.05, 0.01, 0.001)],
]


def near_a_cut(prop: ic.SmoothProperty, P: np.ndarray) -> float:
    """Share of scores between two cuts that lie within 5 % of their gap of one."""
    u = prop.value(P)
    inner = u[(u > prop.cuts[0]) & (u < prop.cuts[-1])]
    if not len(inner):
        return float("nan")
    cell = np.searchsorted(prop.cuts, inner)
    gap = prop.cuts[cell] - prop.cuts[cell - 1]
    return float((np.minimum(inner - prop.cuts[cell - 1], prop.cuts[cell] - inner) < 0.05 * gap).mean())


def main() -> None:
    random = np.random.default_rng(0)
    shapes = [(int(random.integers(3, 9)), int(random.integers(3, 11))) for _ in range(COUNT)]
    orders = [random_strong(k, n, seed).ordering() for seed, (k, n) in enumerate(shapes)]
    rows = []
    for norm in NORMS:
        for method, options in OPTIONS:
            given = options | ({"norm": norm} if method == "smoothest" else {})
            found, room = [], []
            for order in orders:
                prop = ic.smooth(order, method, **given)  # type: ignore[arg-type]
                found.append(prop.smoothness(norm))
                room.append(near_a_cut(prop, random.dirichlet(np.ones(len(prop.outcomes)), size=4000)))
            name = method + "".join(f" {value:g}" for value in options.values())
            rows.append(
                [str(norm), name, f"{np.median(found):.3f}", f"{max(found):.3f}", f"{100 * np.nanmedian(room):.1f} %"]
            )
    print_table(
        f"K over its limit on {COUNT} random properties (k ≤ 8, n ≤ 10)",
        ["norm", "construction", "median", "maximum", "within 5 % of a gap of a cut"],
        rows,
    )


if __name__ == "__main__":
    main()
