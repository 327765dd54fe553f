"""``nni.runtime.protocol``: the commands between an advisor and its experiment, and how it sends them."""

from enum import Enum

__all__ = ['CommandType', 'send']


class CommandType(Enum):
    """The commands, with the letters that stand for them on NNI's wire."""

    # to the algorithm
    Initialize = 'IN'
    RequestTrialJobs = 'GE'
    ReportMetricData = 'ME'
    UpdateSearchSpace = 'SS'
    ImportData = 'FD'
    AddCustomizedTrialJob = 'AD'
    TrialEnd = 'EN'
    Terminate = 'TE'
    Ping = 'PI'

    # from the algorithm
    Initialized = 'ID'
    NewTrialJob = 'TR'
    SendTrialJobParameter = 'SP'
    NoMoreTrialJobs = 'NO'
    KillTrialJob = 'KI'
    Error = 'ER'


_receiver = None


def deliver_to(receiver):
    """What is sent goes there: ``receiver(command, content)``. For the host of the algorithm."""
    global _receiver
    _receiver = receiver


def send(command, data):
    """Sends a command with its content, JSON text."""
    if _receiver is None:
        raise RuntimeError('no experiment runs this advisor: it belongs under the key advisor of an experiment')
    _receiver(CommandType(command), data)
