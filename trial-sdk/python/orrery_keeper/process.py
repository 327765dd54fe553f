"""The user's command: one process and all that come of it, from the start to the last of them."""

import errno
import os
import signal
import subprocess
import time

_MARK = 'ORRERY_KEEPER_MARK'
_LOOK = 0.05
_AFTER_KILL = 10.0


class Command:
    """A command in a session of its own. What leaves the session is known by a mark in its environment (Linux)."""

    def __init__(self, command, environment, directory, stdout, stderr, mark):
        """Starts it. OSError when that is not possible."""
        self._mark = ('%s=%s' % (_MARK, mark)).encode('ascii')
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
            # Again and again: whoever forks may be ahead of one look.
            self._signal(signal.SIGKILL)
            if self._gone_within(_LOOK):
                break
        return True

    def is_left(self):
        """Whether anything of it still runs."""
        self.reap()
        if self.exit_code is None:
            return True
        return bool(self._marked()) or self._group_lives()

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
        for pid in self._marked():
            try:
                os.kill(pid, number)
            except OSError:
                pass

    def _group_lives(self):
        if os.path.isdir('/proc/self'):
            # There the mark says more: a zombie that nobody reaps keeps a group alive.
            return False
        try:
            os.killpg(self._process.pid, 0)
            return True
        except OSError as error:
            return error.errno == errno.EPERM

    def _marked(self):
        found = []
        for name in os.listdir('/proc') if os.path.isdir('/proc/self') else ():
            if not name.isdigit():
                continue
            try:
                with open('/proc/%s/environ' % name, 'rb') as file:
                    if self._mark in file.read().split(b'\0'):
                        found.append(int(name))
            except OSError:
                pass
        return found
