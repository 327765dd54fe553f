"""``python3 orrery_keeper.pyz``; everything is said by the environment."""

import os
import sys

from .place import say
from .settings import BadSettings, Settings

BAD_ENVIRONMENT = 64


def main():
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
