"""Handling of Ctrl-C, SIGTERM and SIGHUP by exceptions in the main thread, but never while a compiled library loads.

An exception while a C++ library loads may end the whole process (`terminate called`), or make the library seem not
installed. A signal that comes meanwhile waits: it is sent to this process again and again until the library is loaded,
or for at most PATIENCE seconds.
"""

from __future__ import annotations

import _thread
from _frozen_importlib_external import ExtensionFileLoader  # `importlib.machinery` would load more
from time import perf_counter, sleep
from types import FrameType

from unpuzzle.base.outcomes import TerminatedError
from unpuzzle.base.type_hints import TYPE_CHECKING

if TYPE_CHECKING:
    import signal
else:
    import _signal as signal  # the same functions with plain numbers; `signal` takes long to make enumerations of them


HEARD = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
PATIENCE = 20.0
"""The seconds for which a library may delay a signal."""
PAUSE = 0.02
LOADING = ("create_module", "exec_module")
"""The methods by which Python loads a library."""


class Listener:
    """A signal handler that raises KeyboardInterrupt or TerminatedError, but waits while a compiled library loads."""

    def __init__(self) -> None:
        self.waiting: int | None = None  # the number of a signal that waits
        self.since: float = 0.0  # when it came, by `perf_counter()`
        self.resent: bool = False  # whether the next call is about the same signal again

    def __call__(self, number: int, frame: FrameType | None) -> None:
        resent, self.resent = self.resent, False
        if resent and self.waiting is None:
            return  # it has been settled meanwhile
        now = perf_counter()
        self.since = self.since if resent else now
        self.waiting = number
        if loads_library(frame) and now - self.since < PATIENCE:
            _thread.start_new_thread(self.send_again, (number,))
        else:
            self.settle()

    def send_again(self, number: int) -> None:
        """Send a delayed signal to this process again after a pause; this method runs in a separate thread."""
        sleep(PAUSE)
        if self.waiting is not None:
            self.resent = True
            _thread.interrupt_main(number)  # type: ignore[arg-type]  # a plain number does, too

    def settle(self) -> None:
        """Raise the exception for the delayed signal, if there is one."""
        if self.waiting is not None:
            number, self.waiting = self.waiting, None
            raise KeyboardInterrupt if number == signal.SIGINT else TerminatedError


def loads_library(frame: FrameType | None) -> bool:
    """Return whether a stack frame, or one of its callers, is loading a compiled library."""
    while frame is not None:
        if frame.f_code.co_name in LOADING and isinstance(frame.f_locals.get("self"), ExtensionFileLoader):
            return True
        frame = frame.f_back
    return False


def settle() -> None:
    """Raise the exception for a delayed signal, if any; must be called before the answer is written."""
    listener = signal.getsignal(signal.SIGTERM)
    if isinstance(listener, Listener):
        listener.settle()


def listen() -> None:
    """Let signals raise exceptions; a signal that this process ignores, as after `nohup`, stays ignored."""
    if hasattr(signal, "SIGCHLD"):  # if our parent ignores it, the system would forget how programs ended
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    listener = Listener()
    for number in HEARD:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, listener)


def stop_listening() -> None:
    """Let signals end the process at once from now on, because nothing is left to report."""
    for number in HEARD:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
