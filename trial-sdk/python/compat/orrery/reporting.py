"""What an objective tells while it runs."""

_listener = None


class TrialStopped(BaseException):
    """The trial is over: it was stopped early, or with its search. It passes through ``except Exception``."""


def report(value):
    """Reports an intermediate result, such as the loss after an epoch. Raises ``TrialStopped`` when it is to end.

    In a trial script that a server runs it is ``nni.report_intermediate_result``.
    """
    if _listener is not None:
        _listener(value)
        return
    import nni
    nni.report_intermediate_result(value)


def listening():
    """Whether this process evaluates an objective."""
    return _listener is not None


def listen(listener):
    """Has a function called with each report; None ends that."""
    global _listener
    _listener = listener
