"""Files of predictions larger than memory: audited, fitted on and decided by DuckDB, in one pass each.

Parquet, csv, tsv and json, one file or many; columns are matched by name, and labels by their text.
"""

from isocost.frames.files.tasks import apply_files, audit_files, columns_of, fit_files

__all__ = ["apply_files", "audit_files", "columns_of", "fit_files"]
