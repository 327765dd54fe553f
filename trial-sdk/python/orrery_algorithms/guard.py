"""The parent of the process that runs the user's code: when the server is gone, so is everything else.

A thread of the same process could not promise that: code that holds the interpreter's lock for ever (a library in C)
would hold it up, too. The guard runs no code of the user's. It waits until the pipe from the server has no other end any
more, is asked to go (SIGTERM), or its child has ended; then it kills what is left of the child's session.
"""

import os
import select
import signal

_SET_PARENT_DEATH_SIGNAL = 1


def fork():
    """Returns in the child. The parent guards it, and ends as it ends."""
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, _nothing)
    signal.signal(signal.SIGTERM, _nothing)
    before = signal.set_wakeup_fd(wake)
    guard = os.getpid()
    child = os.fork()
    if child == 0:
        signal.set_wakeup_fd(before)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.close(woken)
        os.close(wake)
        os.setsid()
        _die_with(guard)
        return
    # Ctrl-C on the server's terminal is the server's business.
    for ignored in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(ignored, signal.SIG_IGN)
    # The server is to see the end of what the child writes.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    _watch(child, woken)


def _nothing(_signal, _frame):
    pass


def _watch(child, woken):
    poll = select.poll()
    poll.register(0, 0)  # tells of nothing but the end
    poll.register(woken, select.POLLIN)
    while True:
        ready = dict(poll.poll())
        signals = os.read(woken, 64) if woken in ready else b''
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended or 0 in ready or signal.SIGTERM in signals:
            break
    _kill_session(child)
    if not ended:
        _, status = os.waitpid(child, 0)
    os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))


def _kill_session(child):
    try:
        os.killpg(child, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        # It has no process left, or has not come to setsid yet.
        try:
            os.kill(child, signal.SIGKILL)
        except ProcessLookupError:
            pass


def _die_with(guard):
    """Linux kills this process when the guard is killed; elsewhere that is the end of stdin's business alone."""
    try:
        import ctypes
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    except (ImportError, OSError, AttributeError):
        pass
    if os.getppid() != guard:
        os._exit(1)
