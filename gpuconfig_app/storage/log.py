"""One rotating log file; a windowed program may have no stderr, so everything that goes wrong lands here."""

from __future__ import annotations

import faulthandler
import logging
import logging.handlers
import os
import sys
from pathlib import Path
from types import TracebackType

from gpuconfig_app.storage.places import Places

logger = logging.getLogger(__name__)
LOG_BYTES = 2 * 1024**2
LOG_FILES = 3
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def start_log(places: Places, *, is_verbose: bool = False) -> Path | None:
    """Send logging, crashes of native code and uncaught exceptions to the log file.

    Returns:
        The log file, None when it can't be opened (the program goes on without).
    """
    path = places.logs / "gpuconfig.log"
    root = logging.getLogger()
    root.setLevel(logging.DEBUG if is_verbose else logging.INFO)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = logging.handlers.RotatingFileHandler(
            path, maxBytes=LOG_BYTES, backupCount=LOG_FILES, encoding="utf-8", errors="backslashreplace", delay=True
        )
        handler.setFormatter(logging.Formatter(_FORMAT))
        root.addHandler(handler)
        # A bare descriptor: it lives as long as the process, and native code writes to it while Python can't
        crash_file = os.open(path.parent / "crash.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        faulthandler.enable(crash_file)
    except OSError as error:
        root.addHandler(logging.NullHandler())  # else logging itself complains on stderr
        logger.warning("no log file: %s", error)
        return None
    sys.excepthook = _log_uncaught
    return path


def _log_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    logger.critical("uncaught error", exc_info=(kind, error, trace))
