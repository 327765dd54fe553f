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
    from . import environment, life
    return (environment if environment.is_wanted(os.environ) else life).keep(settings)


if __name__ == '__main__':
    sys.exit(main())
