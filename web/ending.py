"""Hears of the end of the process that answers before the server begins to wait for what is still being answered."""

import os
import signal
import threading
from collections.abc import Callable

_ENDS = {signal.SIGINT, signal.SIGTERM}


def when_told_to_stop(call: Callable[[], None]) -> None:
    """
    Have ``call`` made, in a thread of its own, once this process is told to stop.

    Whoever handles the signals goes on doing so: Python writes each that it gets into a pipe as well. To be called in
    the main thread.
    """
    reader, writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    os.set_blocking(reader, True)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)

    def wait() -> None:
        while not _ENDS & set(os.read(reader, 64)):
            pass
        call()

    threading.Thread(target=wait, name="ending", daemon=True).start()
