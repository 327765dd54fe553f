"""An attempt on this machine: its start, how it is, and its end. What ``wrapper.sh``, ``launch.sh``, ``census.sh`` and
``end.sh`` of the server do by other means, with the same files: each may go on with what the other one has begun.

All of it is for processes of their own, which the agent forks: nothing here is waited for by others.
"""

import os
import shutil
import signal
import sys
import time

from ..process import marked, shows
from . import proc_environ

# All that comes of an attempt has it in its environment.
RUN = 'ORRERY_RUN'

# What must be free on the disk for one more attempt. One that is all but full would take it, and nothing that it does.
_ROOM = 1 << 20

_NO_ROOM = 42
_LEFT = 45

_AFTER_KILL = 5.0
_LOOK = 0.05
_FIRST_LOOK = 0.002
_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Done(Exception):
    """What was asked for has come to an end: as an exit code, and what a script would have printed."""

    def __init__(self, code=0, out='', err=''):
        Exception.__init__(self, err)
        self.code = code
        self.out = out
        self.err = err


# The start.

def start(order, tell, keep):
    """Runs an attempt in this process, which becomes its keeper; a second start does nothing. Done, when it is over.

    ``order``: what the server said. ``tell``: takes a Done, for the server. ``keep``: runs a keeper and gives its exit code.
    """
    run = order['run']
    os.setsid()
    try:
        os.makedirs(run, 0o700, exist_ok=True)
        os.chdir(run)
        if os.path.isdir('claimed'):
            raise Done()
        _try_room('room')
    except OSError as error:
        raise Done(_NO_ROOM, err=str(error)) from None
    variables = dict(os.environ)
    variables.update(order['variables'])
    variables.update({RUN: run, 'PWD': run})
    if order.get('path'):
        variables['PATH'] = order['path'] + os.pathsep + variables.get('PATH', os.defpath)
    # Before it claims its place: who ends it looks for this when the place is taken.
    proc_environ.replace(variables, [name for name in (RUN, 'HOME', 'PATH', 'ORRERY_TRIAL_TOKEN') if name in variables])
    try:
        # Atomic: of two starts one runs, and none after the server has claimed it for an attempt that is over.
        os.mkdir('claimed', 0o700)
    except FileExistsError:
        raise Done() from None
    except OSError as error:
        raise Done(_NO_ROOM, err=str(error)) from None
    try:
        log = os.open('keeper.log', os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        _write('pid', os.getpid())
    except OSError as error:
        raise Done(_NO_ROOM, err=str(error)) from None
    for standard in (1, 2):
        os.dup2(log, standard)
    os.close(log)
    tell(Done())
    code = _keeper(keep)
    # What comes now finds it over.
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    _write(os.path.join(run, 'state'), code & 0xff)
    raise Done()


def _keeper(keep):
    """Runs the keeper; its exit code."""
    try:
        return keep()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    finally:
        sys.stderr.flush()


def killed(run, number):
    """Says of an attempt whose process a signal has ended how it ended, as a shell would. By the agent, while there is one."""
    try:
        _write(os.path.join(run, 'state'), 128 + number)
    except OSError:
        # It has been removed, or the disk is full: then it is one that was lost.
        pass


def _try_room(path):
    try:
        with open(path, 'wb') as file:
            os.posix_fallocate(file.fileno(), 0, _ROOM)
    finally:
        try:
            os.unlink(path)
        except FileNotFoundError:
            pass


def _write(name, number):
    """Writes a file that is there whole, or not at all."""
    with open(name + '.new', 'w') as file:
        file.write('%d\n' % number)
    os.rename(name + '.new', name)


# How it is.

def census(base):
    """How every attempt on this machine is: a line ``experiment/trial.number word`` each."""
    lines = []
    runs = os.path.join(base, 'runs')
    for experiment in _names(runs):
        for attempt in _names(os.path.join(runs, experiment)):
            run = os.path.join(runs, experiment, attempt)
            if os.path.isdir(run):
                lines.append('%s/%s %s\n' % (experiment, attempt, _word(run)))
    return Done(out=''.join(lines))


def _word(run):
    if os.path.isfile(os.path.join(run, 'state')):
        return 'over'
    pid = _number(os.path.join(run, 'pid'))
    if pid is None:
        return 'young' if not os.path.exists(os.path.join(run, 'pid')) else 'dead'
    return 'runs' if _is_of(pid, run) else 'dead'


def _is_of(pid, run):
    return shows(pid, os.fsencode('%s=%s' % (RUN, run)))


def _names(directory):
    try:
        return sorted(os.listdir(directory))
    except OSError:
        return []


# Its end.

def end(run, farewell, grace):
    """Ends an attempt with all that is left of it, and removes its directory. From here on it never starts.

    ``farewell``: seconds that its wrapper has to end by itself. ``grace``: from SIGTERM to SIGKILL.
    """
    lines = []
    try:
        os.mkdir(os.path.join(run, 'claimed'))
        lines.append('started=no')
    except OSError:
        # It has, or is not here at all.
        pass
    _await(lambda: not _wrapper_runs(run), farewell)
    if _marked(run):
        lines += _kill(run, grace)
    state = _number(os.path.join(run, 'state'))
    if state is not None:
        lines.append('state=%d' % state)
    log = _last_line(os.path.join(run, 'keeper.log'))
    if log:
        lines.append('log=' + log)
    # What cannot be removed, because another user owns it, keeps no trial from its end.
    shutil.rmtree(run, ignore_errors=True)
    if os.path.lexists(run):
        lines.append('left=yes')
    return Done(out='\n'.join(lines))


def _wrapper_runs(run):
    if os.path.exists(os.path.join(run, 'state')):
        return False
    pid = _number(os.path.join(run, 'pid'))
    if pid is None:
        return False
    try:
        os.kill(pid, 0)
        return True
    except OSError:
        return False


def _kill(run, grace):
    """Ends all of it; lines that say how. Done, when that cannot be done."""
    _signal(run, signal.SIGTERM)
    _await(lambda: not _marked(run), grace)
    killed = False
    quiet = 0
    give_up = time.monotonic() + _AFTER_KILL
    # Again and again: a process that forks may be ahead of one look, and a program that is being started has no environment yet.
    while quiet < 2 and time.monotonic() < give_up:
        if _signal(run, signal.SIGKILL):
            killed, quiet = True, 0
        else:
            quiet += 1
        time.sleep(_LOOK)
    if _marked(run):
        raise Done(_LEFT, err='a process of it does not end')
    return ['killed=yes'] if killed else []


def _marked(run):
    return marked(RUN, run)


def _signal(run, number):
    """Tells all of it; whether there was anything."""
    found = _marked(run)
    for pid in found:
        try:
            os.kill(pid, number)
        except OSError:
            pass
    return bool(found)


def _await(what, seconds):
    until = time.monotonic() + seconds
    pause = _FIRST_LOOK
    while not what() and time.monotonic() < until:
        time.sleep(min(pause, max(0.0, until - time.monotonic())))
        pause = min(2 * pause, _LOOK)


def _number(path):
    try:
        with open(path, 'rb') as file:
            return int(file.read(32))
    except (OSError, ValueError):
        return None


def _last_line(path):
    try:
        with open(path, 'rb') as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - 4096))
            lines = file.read().decode('utf-8', 'replace').strip().splitlines()
            return lines[-1] if lines else ''
    except OSError:
        return ''
