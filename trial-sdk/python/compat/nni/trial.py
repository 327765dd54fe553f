"""The functions that a trial calls; ``import nni`` offers the same ones."""

import os
import sys
from importlib.machinery import PathFinder

__all__ = [
    'get_next_parameter',
    'get_next_parameters',
    'get_current_parameter',
    'get_experiment_id',
    'get_trial_id',
    'get_sequence_id',
    'report_intermediate_result',
    'report_final_result',
]


class _BesideCompat:
    """Finds orrery_trial, which lies beside the folder on the path.

    With that folder's parent on sys.path instead, everything else in it would be importable in the user's program too.
    """

    _folder = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return PathFinder.find_spec(name, [cls._folder]) if name == 'orrery_trial' else None


sys.meta_path.append(_BesideCompat)

from orrery_trial.client import open_trial  # noqa: E402 - found by the line before

_trial = open_trial()


def get_next_parameter():
    """The parameter set of this trial, a dict; waits until there is one.

    None when there is none any more: a trial has one set, unless its platform hands out further ones. Outside an
    experiment: ``{}``, with a RuntimeWarning.
    """
    return _trial.next_parameter()


def get_next_parameters():
    """The same as get_next_parameter."""
    return _trial.next_parameter()


def get_current_parameter(tag=None):
    """What get_next_parameter returned last, or its entry ``tag``; None before the first call."""
    return _trial.current_parameter(tag)


def get_experiment_id():
    """The id of the experiment; ``STANDALONE`` outside one."""
    return _trial.environment.experiment_id


def get_trial_id():
    """The id of this trial; ``STANDALONE`` outside an experiment."""
    return _trial.environment.trial_id


def get_sequence_id():
    """The number of this trial in its experiment, from 0; 0 outside an experiment, -1 where it is not known."""
    return _trial.environment.sequence_id


def report_intermediate_result(metric):
    """Reports one point of the learning curve: a number, or a dict whose ``default`` is a number.

    AssertionError: get_next_parameter was not called. TypeError: not JSON. ValueError: 1,000,000 bytes or more.
    """
    _trial.report_intermediate(metric)


def report_final_result(metric):
    """Reports the result of this trial: a number, or a dict whose ``default``, if it has one, is a number.

    Without ``default`` it counts where objectives of the experiment have the names of its keys.
    AssertionError: get_next_parameter was not called. TypeError: not JSON. ValueError: no number, or 1,000,000 bytes or more.
    """
    _trial.report_final(metric)
