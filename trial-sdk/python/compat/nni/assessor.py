"""``nni.assessor``: what an assessor of one's own is derived from."""

from enum import Enum

from .recoverable import Recoverable

__all__ = ['AssessResult', 'Assessor']


class AssessResult(Enum):
    """Whether a trial is worth its time."""

    Good = True
    Bad = False


class Assessor(Recoverable):
    """Judges running trials by their intermediate results. To be overridden: assess_trial."""

    def assess_trial(self, trial_job_id, trial_history):
        """AssessResult.Good or Bad, by all intermediate results so far, in their order."""
        raise NotImplementedError('%s has no assess_trial' % type(self).__name__)

    def trial_end(self, trial_job_id, success):
        """A trial that has reported something has ended, well or not."""

    def _on_exit(self):
        pass

    def _on_error(self):
        pass
