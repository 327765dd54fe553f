"""The code of an experiment on this machine: what ``code.sh`` of the server does by other means, in the same places.

For a process of its own, which the agent forks.
"""

import errno
import os
import shutil
import time

from .. import code
from ..server import Refused, Server
from .attempts import Done

_NO_ROOM = 42
_NOT_BROUGHT = 43

# What lies in the code itself is no fault of this machine, and does not pass.
_AT_FAULT = 45
_FAULTS = (errno.ENAMETOOLONG, errno.EILSEQ, errno.ELOOP, errno.ENOTDIR)

_PATIENCE = 300
_GOING = 30.0
_LOOK = 0.1


def bring(base, order):
    """Has the code of ``digest`` here for ``experiment``, fetched unless it is there; Done. Doing this twice brings it once."""
    target = os.path.join(base, 'code', order['digest'])
    try:
        _use(target, order['experiment'])
        _await_going(target)
        if os.path.isdir(target):
            return Done()
        fresh = os.path.join(base, 'code', 'new-%d' % os.getpid())
        shutil.rmtree(fresh, ignore_errors=True)
        os.mkdir(fresh)
    except OSError as error:
        return Done(_NO_ROOM, err=str(error))
    try:
        return _fetched(order, os.path.join(fresh, 'code'), target)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _fetched(order, fresh, target):
    end = time.monotonic() + _PATIENCE
    try:
        code.fetch(Server(order['url'], order['token']), order['digest'], fresh, lambda: end)
    except (code.BadCode, UnicodeError) as error:
        return Done(_AT_FAULT, err=str(error))
    except Refused as error:
        return Done(_NOT_BROUGHT, err=str(error))
    except OSError as error:
        return Done(_AT_FAULT if error.errno in _FAULTS else _NOT_BROUGHT, err=str(error))
    try:
        os.rename(fresh, target)
    except OSError as error:
        # Of two that bring it at the same time one gives it its name.
        if not os.path.isdir(target):
            return Done(_NOT_BROUGHT, err=str(error))
    return Done()


def _use(target, experiment):
    """Notes a user. The folder of users goes with the last one, perhaps while the next one comes."""
    for last in (False, True):
        try:
            os.makedirs(target + '.users', exist_ok=True)
            with open(os.path.join(target + '.users', experiment), 'wb'):
                return
        except OSError:
            if last:
                raise


def _await_going(target):
    """Waits for those that remove it, as ``clean.sh`` does: each has said so by a folder that is named for its process."""
    directory, name = os.path.split(target)
    for going in [each for each in os.listdir(directory) if each.startswith(name + '.going-')]:
        path = os.path.join(directory, going)
        until = time.monotonic() + _GOING
        while os.path.isdir(path) and time.monotonic() < until and _lives(going.rpartition('-')[2]):
            time.sleep(_LOOK)
        shutil.rmtree(path, ignore_errors=True)


def _lives(process):
    try:
        os.kill(int(process), 0)
        return True
    except (OSError, ValueError):
        return False
