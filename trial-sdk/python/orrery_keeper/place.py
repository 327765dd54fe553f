"""How a keeper, or an environment, takes its place with the server, and the exit codes that are not a command's."""

import sys
import time

from . import VERSION
from .server import Refused, Unreachable

NEVER_REACHED = 69
NO_CODE = 70
NOT_OURS = 75
TOLD_TO_END = 143


class NoPlace(Exception):
    """It has none, and must not do anything. ``exit_code`` says why."""

    def __init__(self, exit_code, why):
        Exception.__init__(self, why)
        self.exit_code = exit_code


def take(delivery, settings, primary, ends, parameters=False):
    """Takes it, and says until when the server is to be waited for now: a function of no arguments. NoPlace.

    ``ends``: whether this process was told to end meanwhile. ``parameters``: has the record come with it.
    """
    give_up = time.monotonic() + settings.start_patience

    def until():
        return 0 if ends() else give_up

    try:
        delivery.start(VERSION, primary, until, parameters)
    except Unreachable as error:
        raise NoPlace(NEVER_REACHED, 'the server %s cannot be reached: %s' % (settings.url, error)) from None
    except Refused as refusal:
        raise NoPlace(NOT_OURS, str(refusal)) from None
    return until


def say(what):
    """Tells the reader of what this process prints."""
    sys.stderr.write('orrery: %s\n' % what)
