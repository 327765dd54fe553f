"""A user's Tuner that may wait for results while it makes parameters: NNI's ``multiThread``."""

import threading

from .tuner import Tuner

# Of a thousand free slots each would have a thread that may wait for ever.
_MOST_THREADS = 64
# Together less than the server waits before it says that a tuner does not answer; a result is told after that at most.
_FOR_ALL = 0.1
_FOR_ONE = 0.9


class ThreadedTuner(Tuner):
    """Makes each parameter set in a thread of its own. Results are told by the host's thread meanwhile.

    A question is answered with what there is: at once when all that is asked for is there, else after a while.
    """

    def __init__(self, tuner):
        super().__init__(tuner)
        self._changed = threading.Condition()
        self._at_work = 0
        self._error = None

    def suggest(self, count):
        with self._changed:
            for _ in range(min(count - len(self._ready) - self._at_work, _MOST_THREADS - self._at_work)):
                threading.Thread(target=self._think, args=(self._next_id,), daemon=True).start()
                self._next_id += 1
                self._at_work += 1
            self._changed.wait_for(lambda: self._is_settled() or len(self._ready) >= count, _FOR_ALL)
            self._changed.wait_for(lambda: self._is_settled() or self._ready, _FOR_ONE)
            if self._error is not None:
                raise self._error
            return [{'id': number, 'parameters': parameters}
                    for number, parameters in (self._ready.popleft() for _ in range(min(count, len(self._ready))))]

    def thinking(self):
        """Whether something is still to come of what was asked for: parameters, or the error of a thread."""
        with self._changed:
            return bool(self._at_work or self._ready or self._error is not None)

    def _is_settled(self):
        return self._error is not None or not self._at_work

    def _think(self, number):
        made, error = [], None
        try:
            made = list(zip([number], self._generate([number])))
        except BaseException as raised:  # SystemExit as well: the server is to know why
            error = raised
        with self._changed:
            self._ready.extend(made)
            self._error = self._error or error
            self._at_work -= 1
            self._changed.notify_all()

    def _deliver(self, number, parameters):
        with self._changed:
            super()._deliver(number, parameters)
            self._changed.notify_all()
