"""The environment that a process shows of itself in ``/proc``, by which all that comes of an attempt is found again.

It is the one that the process was started with, at an address that the kernel names. A process that is forked and starts no
program writes its own over it. So the agent is started with room for that.
"""

import os

ROOM = 'ORRERY_AGENT_ROOM'
_BYTES = 64 << 10
_START, _END = 47, 48


def has_room():
    """Whether this process was started with room."""
    return len(os.environ.get(ROOM, '')) >= _BYTES


def with_room(variables):
    """The variables and room for others."""
    return dict(variables, **{ROOM: ' ' * _BYTES})


def replace(variables, first):
    """Replaces the variables of this process and of all that it starts. OSError when they cannot be shown.

    ``first``: the names of those that must be shown. Of the others so many are as find room.
    """
    # Before the bytes are overwritten that the names of the old ones are looked for in.
    os.environ.clear()
    os.environ.update(variables)
    start, end = _region()
    room = end - start
    shown = bytearray()
    for name in list(first) + sorted(set(variables) - set(first)):
        entry = os.fsencode('%s=%s' % (name, variables[name])) + b'\0'
        if len(shown) + len(entry) <= room:
            shown += entry
        elif name in first:
            raise OSError('no room to show %s: %d bytes' % (name, len(entry)))
    shown += bytes(room - len(shown))
    with open('/proc/self/mem', 'r+b', buffering=0) as memory:
        memory.seek(start)
        if memory.write(shown) != room:
            raise OSError('the environment could not be written')


def works():
    """Whether this machine shows what a process writes. Forks."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            replace({'ORRERY_RUN': '/a'}, ['ORRERY_RUN'])
            with open('/proc/self/environ', 'rb') as file:
                code = 0 if file.read().split(b'\0')[0] == b'ORRERY_RUN=/a' else 1
        except (OSError, ValueError, IndexError):
            pass
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


def _region():
    """Where the environment lies in the memory of this process: fields 50 and 51 of its ``stat``."""
    with open('/proc/self/stat', 'rb') as file:
        # The name of the program may hold anything, also spaces.
        fields = file.read().rpartition(b')')[2].split()
    start, end = int(fields[_START]), int(fields[_END])
    if not 0 < start < end:
        raise OSError('the kernel does not say where the environment is')
    return start, end
