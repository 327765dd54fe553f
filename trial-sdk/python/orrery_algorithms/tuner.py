"""A user's Tuner, spoken to as NNI's dispatcher does."""

from collections import deque


class Tuner:
    """Counts parameter ids, and keeps what comes late until it is asked for."""

    def __init__(self, tuner):
        self._tuner = tuner
        self._next_id = 0
        # Filled by st_callback, which may come from a thread of the user's.
        self._ready = deque()

    def begin(self, space, resumed):
        self._tuner.update_search_space(space)
        if resumed:
            self._tuner.load_checkpoint()

    def unfinished(self, records, last_number):
        """Trials of earlier processes that still run, and the last number that any of those gave."""
        self._next_id = last_number + 1

    def import_data(self, data):
        self._tuner.import_data(data)

    def suggest(self, count):
        """At most ``count`` of ``{id, parameters}``; fewer when the tuner has no more for now."""
        missing = count - len(self._ready)
        if missing > 0:
            ids = list(range(self._next_id, self._next_id + missing))
            self._next_id += missing
            self._ready.extend(zip(ids, self._generate(ids)))
        items = []
        while self._ready and len(items) < count:
            number, parameters = self._ready.popleft()
            items.append({'id': number, 'parameters': parameters})
        return items

    def _generate(self, ids):
        import nni
        try:
            return self._tuner.generate_multiple_parameters(ids, st_callback=self._deliver)
        except nni.NoMoreTrialError:
            return []

    def _deliver(self, number, parameters):
        """``st_callback``: parameters that the tuner withheld when it was asked for them."""
        self._ready.append((number, parameters))

    def result(self, id, parameters, trial, value, event):
        """How a trial ended that this process suggested, or that a user added (id None); value None: it has none."""
        if id is None:
            # As in NNI, only tuners that asked for them hear of trials that users added.
            if value is not None and getattr(self._tuner, '_accept_customized', False):
                self._tuner.receive_trial_result(None, parameters, value, customized=True, trial_job_id=trial)
            return
        number = int(id)
        if value is not None:
            self._tuner.receive_trial_result(number, parameters, value, customized=False, trial_job_id=trial)
        self._tuner.trial_end(number, event == 'SUCCEEDED')
