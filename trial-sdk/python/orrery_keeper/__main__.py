"""``python3 orrery_keeper.pyz``; everything is said by the environment. With ``agent BASE SOCKET``: the agent of a machine."""

import os
import sys

from .place import say
from .settings import BadSettings, Settings

BAD_ENVIRONMENT = 64


def main():
    if sys.argv[1:2] == ['agent']:
        from .agent.loop import main as serve
        return serve(sys.argv[2:], _keeper)
    return _keeper()


def _keeper():
    # Of one that an agent has forked, its name is all that it has of the agent's arguments.
    del sys.argv[1:]
    try:
        settings = Settings(os.environ)
    except BadSettings as error:
        say(error)
        return BAD_ENVIRONMENT
    # One of them: what is not needed is not read.
    if os.environ.get('ORRERY_KEEPER_MODE') == 'environment':
        from .environment import keep
    else:
        from .life import keep
    return keep(settings)


if __name__ == '__main__':
    sys.exit(main())
