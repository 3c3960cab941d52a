"""Ctrl-C ends the program wherever it falls."""

from __future__ import annotations

import _thread
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["interruption_insists"]

MOMENT = 0.05  # seconds


@contextmanager
def interruption_insists() -> Iterator[None]:
    """Raise a KeyboardInterrupt again, a moment later, that fell where Python ignores exceptions.

    That is in finalisers and in callbacks of compiled code; the command would go on as if nothing had been typed.
    """
    usual = sys.unraisablehook

    def told(what: sys.UnraisableHookArgs) -> None:
        if issubclass(what.exc_type, KeyboardInterrupt):
            threading.Timer(MOMENT, _thread.interrupt_main).start()
        else:
            usual(what)

    sys.unraisablehook = told
    try:
        yield
    finally:
        sys.unraisablehook = usual
