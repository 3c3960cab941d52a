"""Frames: predictions where they live, in pandas, polars, pyarrow, DuckDB, PySpark, Dask or Ibis.

The only room that knows dataframe engines. It writes Γ, its cells and their sums as expressions
(expressions.py, summing.py), lets the engine work, and hands the table of sums to the audit.
"""
