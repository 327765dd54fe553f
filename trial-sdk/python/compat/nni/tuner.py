"""``nni.tuner``: what a tuner of one's own is derived from."""

from .recoverable import Recoverable

__all__ = ['NoMoreTrialError', 'Tuner']


class NoMoreTrialError(Exception):
    """A tuner has nothing to suggest, for now or for good. As ``nni.NoMoreTrialError`` too."""


class Tuner(Recoverable):
    """Suggests parameters. To be overridden: generate_parameters (or generate_multiple_parameters),
    receive_trial_result and update_search_space; the rest as needed.
    """

    def generate_parameters(self, parameter_id, **kwargs):
        """One set of parameters, a dict. NoMoreTrialError: there is none, for now or for good."""
        raise NotImplementedError('%s has no generate_parameters' % type(self).__name__)

    def generate_multiple_parameters(self, parameter_id_list, **kwargs):
        """A set of parameters for each id; fewer when there are no more for now."""
        sets = []
        for parameter_id in parameter_id_list:
            try:
                sets.append(self.generate_parameters(parameter_id, **kwargs))
            except NoMoreTrialError:
                break
        return sets

    def receive_trial_result(self, parameter_id, parameters, value, **kwargs):
        """The final result of a trial: what it reported, a number or a dict with ``default``."""
        raise NotImplementedError('%s has no receive_trial_result' % type(self).__name__)

    def _accept_customized_trials(self, accept=True):
        """Whether results of trials that users added are wanted, too."""
        self._accept_customized = accept

    def trial_end(self, parameter_id, success, **kwargs):
        """A trial has ended, well or not; after its result, if it had one."""

    def update_search_space(self, search_space):
        """The search space, in NNI's form: called once before all else, and when it changes."""
        raise NotImplementedError('%s has no update_search_space' % type(self).__name__)

    def load_checkpoint(self):
        """Called before the first suggestion when the experiment is continued."""

    def save_checkpoint(self):
        """Kept for classes that call it."""

    def import_data(self, data):
        """Results of before: a list of ``{"parameter": dict, "value": final result}``."""

    def _on_exit(self):
        pass

    def _on_error(self):
        pass
