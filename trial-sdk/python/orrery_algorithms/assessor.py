"""A user's Assessor, spoken to as NNI's dispatcher does."""


class Assessor:
    def __init__(self, assessor):
        self._assessor = assessor

    def begin(self, space, resumed):
        if resumed:
            self._assessor.load_checkpoint()

    def assess(self, id, trial, history):
        """Whether the trial should be ended; ``history`` holds all its intermediate results, 1 or more."""
        return not _is_good(self._assessor.assess_trial(trial, history))

    def ended(self, trial, history, succeeded):
        if history:
            self._assessor.trial_end(trial, succeeded)

    def past(self, trial, history, succeeded):
        """A trial of before: shown whole, and what the assessor says of it counts for nothing any more."""
        if history:
            self._assessor.assess_trial(trial, history)
            self._assessor.trial_end(trial, succeeded)


def _is_good(verdict):
    """AssessResult.Good, or True."""
    if isinstance(verdict, bool):
        return verdict
    name = getattr(verdict, 'name', None)
    if name not in ('Good', 'Bad'):
        raise TypeError('assess_trial must return AssessResult.Good, AssessResult.Bad or a bool, not %r' % (verdict,))
    return name == 'Good'
