"""A DuckDB of one's own for one task: limits, progress, interruption, errors in our words."""

from __future__ import annotations

import errno
import re
import shutil
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from isocost.exceptions import IsocostError, PredictionError

if TYPE_CHECKING:
    import duckdb

__all__ = ["Database", "Progress"]

T = TypeVar("T")
Progress = Callable[[float], object]

TICK = 0.1  # seconds between two looks at the progress


class Database:
    """A connection in memory, closed at the end with all that it put aside on disk.

    Parameters
    ----------
    memory_limit : str, optional
        Such as "2GB"; what does not fit goes to a temporary folder. DuckDB's own default is 80 % of the memory.
    threads : int, optional
        All processors by default.
    progress : callable, optional
        Is called with the share that is done, from 0 to 1.
    """

    def __init__(
        self, memory_limit: str | None = None, threads: int | None = None, progress: Progress | None = None
    ) -> None:
        try:
            import duckdb
        except ImportError:
            raise ImportError("files need DuckDB: pip install 'isocost[files]'") from None
        self._progress, self._done, self._told = progress, 0.0, 0.0
        self._folder = Path(tempfile.mkdtemp(prefix="isocost-"))
        # Nothing reaches the network: extensions are neither fetched nor looked for.
        config: dict[str, Any] = {
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "temp_directory": str(self._folder),
        }
        if memory_limit is not None:
            if not (
                isinstance(memory_limit, str) and re.fullmatch(r"\s*\d+(\.\d+)?\s*[KMGT]i?B\s*", memory_limit, re.I)
            ):
                shutil.rmtree(self._folder)
                raise IsocostError(f'memory_limit must be a size, such as "2GB" or "500MB"; got {memory_limit!r}')
            config["memory_limit"] = memory_limit.strip()
        if threads is not None:
            if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
                shutil.rmtree(self._folder)
                raise IsocostError(f"threads must be a whole number, at least 1; got {threads!r}")
            config["threads"] = threads
        self.connection: duckdb.DuckDBPyConnection = duckdb.connect(config=config)
        for setting in ("enable_progress_bar = true", "enable_progress_bar_print = false", "progress_bar_time = 0"):
            self.connection.execute(f"SET {setting}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.connection.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def run(self, work: Callable[[], T], share: float = 0.0) -> T:
        """Result of some work of the database, on a thread, so that an interrupt ends it at once.

        Parameters
        ----------
        work : callable
        share : float
            Of all that is to be done; the shares of a task sum to 1.
        """
        results: list[T] = []
        errors: list[BaseException] = []

        def target() -> None:
            try:
                results.append(work())
            except BaseException as error:
                errors.append(error)
            finally:
                done.set()

        # Not thread.join(): before Python 3.13 an interrupt in it makes a thread look dead that is not.
        done = threading.Event()
        thread = threading.Thread(target=target, daemon=True)
        thread.start()
        try:
            while not done.wait(TICK):
                if self._progress is not None:
                    percent = min(max(self.connection.query_progress(), 0.0), 100.0)
                    self._told = max(self._told, self._done + share * percent / 100)
                    self._progress(self._told)
        except BaseException:  # KeyboardInterrupt, or an error of the progress bar
            while not done.wait(TICK):
                self.connection.interrupt()
            thread.join()
            raise
        if errors:
            raise in_our_words(errors[0])
        self._done = min(self._done + share, 1.0)
        if self._progress is not None:
            self._progress(self._done)
        return results[0]


def in_our_words(error: BaseException) -> BaseException:
    """An error of DuckDB as one of ours; any other as it is."""
    import duckdb

    if not isinstance(error, duckdb.Error):
        return error
    text = str(error)
    if isinstance(error, duckdb.OutOfMemoryException):
        return IsocostError(f"the memory limit is too small for this task: {_first_lines(text)}. Raise memory_limit")
    if "No space left" in text or ("space" in text and "disk" in text.lower()):
        return OSError(errno.ENOSPC, f"no space left on the disk: {_first_lines(text)}")
    line = re.search(r"CSV Error on Line: (\d+)", text)
    if line:
        file = re.search(r"^\s*file = (.*)$", text, re.MULTILINE)
        where = f"{file[1].strip() if file else 'a csv file'}, line {line[1]}"
        value = re.search(r"Error when converting column \"(.*)\"\. Could not convert string \"(.*)\" to '(.*)'", text)
        if value:
            return PredictionError(f"{where}: the column {value[1]!r} must be numbers; got {value[2]!r}")
        if "not utf-8" in text:
            return PredictionError(f"{where}: files must be UTF-8, and this line is not. Save it as UTF-8")
        reason = text.split("Original Line:", 1)[-1].split("\n", 1)[-1].split("Possible", 1)[0]
        return PredictionError(f"{where}: {' '.join(reason.split())}")
    if isinstance(error, duckdb.IOException) and not re.search(r"parquet|magic|corrupt|decompress", text, re.I):
        return OSError(_first_lines(text))
    return PredictionError(f"the files cannot be read: {_first_lines(text)}")


def _first_lines(text: str) -> str:
    """The message without its class, up to the first blank line."""
    return " ".join(text.split("\n\n", 1)[0].partition("Error: ")[2].split()).rstrip(".")
