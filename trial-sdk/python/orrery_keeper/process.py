"""The user's command: one process and all that come of it, from the start to the last of them."""

import errno
import os
import signal
import subprocess
import time

_MARK = 'ORRERY_KEEPER_MARK'
_LOOK = 0.05
_AFTER_KILL = 10.0


def marked(name, value):
    """The processes whose environment has this variable; none where the system does not show it (Linux does)."""
    mark = os.fsencode('%s=%s' % (name, value))
    return [int(process) for process in (os.listdir('/proc') if os.path.isdir('/proc/self') else ())
            if process.isdigit() and shows(process, mark)]


def shows(process, mark):
    """Whether the environment of this process has ``name=value``, as bytes; not, when it has ended or is another user's."""
    try:
        with open('/proc/%s/environ' % process, 'rb') as file:
            environment = file.read()
    except OSError:
        return False
    # Not by its parts: of an agent there are as many as its room has bytes.
    return mark in environment and b'\0%s\0' % mark in b'\0%s\0' % environment


def end_marked(name, value, grace):
    """Ends them: SIGTERM, and SIGKILL after ``grace`` seconds."""
    kill_at = time.monotonic() + grace
    give_up = kill_at + _AFTER_KILL
    told = set()
    was_empty = False
    while time.monotonic() < give_up:
        left = marked(name, value)
        # A program that is just being started shows no environment: after a signal one look is not enough.
        if not left and (was_empty or not told):
            return
        was_empty = not left
        killed = time.monotonic() >= kill_at
        for pid in left:
            if killed or pid not in told:
                _tell(pid, signal.SIGKILL if killed else signal.SIGTERM)
                told.add(pid)
        time.sleep(_LOOK)


def _tell(pid, number):
    try:
        os.kill(pid, number)
    except OSError:
        pass


class Command:
    """A command in a session of its own. What leaves the session is known by a mark in its environment (Linux)."""

    def __init__(self, command, environment, directory, stdout, stderr, mark):
        """Starts it. OSError when that is not possible."""
        self._mark = mark
        shell = '/bin/bash' if os.access('/bin/bash', os.X_OK) else '/bin/sh'
        self._process = subprocess.Popen(
            [shell, '-c', command], cwd=directory, env=dict(environment, **{_MARK: mark}),
            stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, start_new_session=True)
        self.exit_code = None

    def reap(self):
        """Takes leave of all children that have ended, orphans too: this may be the first process of a container."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self._process.pid:
                self.exit_code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
                # Else the module would look for it once more.
                self._process.returncode = self.exit_code

    def end(self, grace):
        """Ends all that is left: SIGTERM, and SIGKILL after ``grace`` seconds. Whether anything had to be killed."""
        self._signal(signal.SIGTERM)
        if self._gone_within(grace):
            return False
        give_up = time.monotonic() + _AFTER_KILL
        while time.monotonic() < give_up:
            # Again and again: a process that forks may be ahead of one look.
            self._signal(signal.SIGKILL)
            if self._gone_within(_LOOK):
                break
        return True

    def is_left(self):
        """Whether anything of it still runs."""
        self.reap()
        if self.exit_code is None:
            return True
        return bool(marked(_MARK, self._mark)) or self._group_lives()

    def _gone_within(self, seconds):
        until = time.monotonic() + seconds
        while self.is_left():
            if time.monotonic() >= until:
                return False
            time.sleep(_LOOK)
        return True

    def _signal(self, number):
        try:
            os.killpg(self._process.pid, number)
        except OSError:
            pass
        for pid in marked(_MARK, self._mark):
            _tell(pid, number)

    def _group_lives(self):
        if os.path.isdir('/proc/self'):
            # There the mark says more: a zombie that is not reaped keeps a group alive.
            return False
        try:
            os.killpg(self._process.pid, 0)
            return True
        except OSError as error:
            return error.errno == errno.EPERM
