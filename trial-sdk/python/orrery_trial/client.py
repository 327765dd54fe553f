"""One trial, seen from inside: its parameters come in, its results go out.

Importing this module costs next to nothing. What a transport needs (json, an HTTP client) is imported when the trial
first asks or reports, and only for the transport that it has.
"""

import os
# The lock without the rest of threading, which takes longer to import than everything else here together.
from _thread import allocate_lock

from .env import TrialEnvironment


def open_trial(variables=None):
    """The trial that this process belongs to, by its environment (``os.environ`` unless given); touches nothing yet."""
    return Trial(TrialEnvironment(os.environ if variables is None else variables))


class Trial:
    """Parameters and results of one trial. Every method may be called from any thread, and after a fork.

    A report returns when the result is out of this process's hands: in the operating system's, or acknowledged by the
    server. Reports of one process keep their order.
    """

    def __init__(self, environment):
        self.environment = environment
        self._record = None
        self._reported = 0
        self._transport = None
        self._renew_locks()
        if hasattr(os, 'register_at_fork'):
            # Another thread of the parent may hold a lock; that thread does not exist in the child.
            os.register_at_fork(after_in_child=self._renew_locks)

    def next_parameter(self):
        """The next parameter set, a dict; waits until there is one. None when there will be none any more.

        Outside an experiment it is ``{}``, with a RuntimeWarning. A trial has one set, unless its platform gives more.
        """
        with self._asking:
            with self._reporting:
                source = self._open_transport()[0]
            # Waits without holding up reports, for the next set may depend on them.
            record = source.next()
            if record is None or record['parameters'] is None:
                return None
            # A loop that asks until None may go on to report for the last set it was given.
            self._record = record
            return record['parameters']

    def current_parameter(self, tag=None):
        """The parameter set given last, or its entry ``tag`` (KeyError when there is none such); None before the first."""
        if self._record is None:
            return None
        parameters = self._record['parameters']
        return parameters if tag is None else parameters[tag]

    def report_intermediate(self, metric):
        """Reports one point of the learning curve: a number, or a dict whose ``default`` is one.

        A dict without ``default`` is drawn, with a RuntimeWarning. TypeError: not JSON. ValueError: too large.
        """
        self._report('PERIODICAL', metric, 'report_intermediate_result')

    def report_final(self, metric):
        """Reports the result of the trial: a number, or a dict whose ``default`` is one; the last report counts.

        A dict without ``default`` counts by its other names, for objectives that have them; a RuntimeWarning says so.
        ValueError: neither a number nor a dict, a ``default`` that is no number, or too large. TypeError: not JSON.
        """
        self._report('FINAL', metric, 'report_final_result')

    def _report(self, kind, metric, caller):
        if self._record is None and self.environment.platform is not None:
            raise AssertionError('nni.get_next_parameter() needs to be called before ' + caller)
        from . import metric as metrics
        value = metrics.encode(metric, is_final=kind == 'FINAL')
        with self._reporting:
            sequence = 0
            if kind == 'PERIODICAL':
                # Counted before it is sent: after a failure it is unknown whether it arrived, and a
                # number that stands for two results would lose one of them.
                sequence = self._reported
                self._reported += 1
            self._open_transport()[1].send({
                'parameter_id': None if self._record is None else self._record.get('parameter_id'),
                'trial_job_id': self.environment.trial_id,
                'type': kind,
                'sequence': sequence,
                'value': value,
            })

    def _open_transport(self):
        if self._transport is None:
            self._transport = _transport_for(self.environment)
        return self._transport

    def _renew_locks(self):
        self._asking = allocate_lock()
        self._reporting = allocate_lock()


def _transport_for(environment):
    """Where parameters come from and where results go to, as a pair: something to ask ``next()``, something to ``send()``."""
    if environment.standalone:
        from .standalone import Standalone
        alone = Standalone()
        return alone, alone
    if environment.platform == 'local' and environment.sys_dir and not environment.reused:
        # Before the channel, because a file outlives the server.
        from .metrics_file import MetricsFile
        sink = MetricsFile(environment.sys_dir)
    elif environment.channel_url:
        from .channel import CommandChannel
        channel = CommandChannel(environment.channel_url, environment.patience)
        return channel, channel
    else:
        from .stdout_lines import StdoutLines
        sink = StdoutLines()
    from .parameter_files import ParameterFiles
    return ParameterFiles(environment, sink), sink
