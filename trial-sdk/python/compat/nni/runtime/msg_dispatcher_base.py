"""``nni.runtime.msg_dispatcher_base``: what an advisor of one's own is derived from."""

from ..recoverable import Recoverable
from . import protocol

__all__ = ['MsgDispatcherBase']


class MsgDispatcherBase(Recoverable):
    """Handles the messages of an experiment itself, in place of a tuner and an assessor.

    All handlers are called by one thread, one after the other. Parameters are sent as
    ``send(CommandType.NewTrialJob, json.dumps({'parameter_id': …, 'parameter_source': 'algorithm', 'parameters': {…}}))``,
    a trial is ended by ``send(CommandType.KillTrialJob, json.dumps(trial_job_id))``.
    """

    def __init__(self, command_channel_url=None):
        self.stopping = False

    def send(self, command, data):
        protocol.send(command, data)

    def handle_initialize(self, data):
        """The search space, before all else."""
        raise NotImplementedError('%s has no handle_initialize' % type(self).__name__)

    def handle_request_trial_jobs(self, data):
        """So many trials are wanted; they may be sent later as well."""
        raise NotImplementedError('%s has no handle_request_trial_jobs' % type(self).__name__)

    def handle_update_search_space(self, data):
        """The search space has changed."""
        raise NotImplementedError('%s has no handle_update_search_space' % type(self).__name__)

    def handle_import_data(self, data):
        """Results of before: a list of ``{"parameter": dict, "value": final result}``."""

    def handle_add_customized_trial(self, data):
        """Records of trials that were suggested before the experiment was continued."""

    def handle_report_metric_data(self, data):
        """A result: parameter_id, trial_job_id, type (PERIODICAL or FINAL), sequence, and value as JSON text."""
        raise NotImplementedError('%s has no handle_report_metric_data' % type(self).__name__)

    def handle_trial_end(self, data):
        """A trial has ended: trial_job_id, event (its status), and hyper_params, its record as JSON text."""
        raise NotImplementedError('%s has no handle_trial_end' % type(self).__name__)
