"""Parameters that arrive as files: ``parameter.cfg``, and ``parameter_<n>.cfg`` for the further sets of a trial."""

import json
import os
import time

_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 3.0
# A further set is waited for by a trial that holds its place meanwhile, and it lies on a disk of this machine.
_LONGEST_PAUSE_BETWEEN_SETS = 0.5
# Writing a small file takes no minute, not even on a network share; what is broken after it stays broken.
_TIME_TO_COMPLETE = 60.0


class ParameterFiles:
    """Reads one parameter record after the other from the trial's folder."""

    def __init__(self, environment, sink):
        """``sink`` takes the request for a further set. RuntimeError when the environment names no folder."""
        if environment.sys_dir is None:
            raise RuntimeError('NNI_SYS_DIR is not set, so there is nowhere to read parameters from; '
                               'the platform %s must set it, or NNI_TRIAL_COMMAND_CHANNEL' % environment.platform)
        self._environment = environment
        self._sink = sink
        self._index = 0

    def next(self):
        """The next record; waits until its file is there and complete. None after the first, unless multi-phase.

        ValueError when a file is there but has been no parameter record for a minute.
        """
        if self._index > 0 and not self._environment.multi_phase:
            return None
        name = 'parameter.cfg' if self._index == 0 else 'parameter_%d.cfg' % self._index
        path = os.path.join(self._environment.sys_dir, name)
        if self._environment.multi_phase and not os.path.isfile(path):
            self._sink.send({
                'trial_job_id': self._environment.trial_id,
                'type': 'REQUEST_PARAMETER',
                'sequence': 0,
                'parameter_index': self._index,
            })
        record = _wait_for_record(path, _LONGEST_PAUSE if self._index == 0 else _LONGEST_PAUSE_BETWEEN_SETS)
        self._index += 1
        return record


def _wait_for_record(path, longest):
    pause = _FIRST_PAUSE
    seen_at = None
    while True:
        try:
            with open(path, 'rb') as file:
                text = file.read()
        except FileNotFoundError:
            text = b''
        if text:
            record = _record_in(text)
            if record is not None:
                return record
            if seen_at is None:
                seen_at = time.monotonic()
            elif time.monotonic() - seen_at > _TIME_TO_COMPLETE:
                raise ValueError('%s holds no parameter record: it must be a JSON object with "parameters"' % path)
        time.sleep(pause)
        pause = min(pause * 1.5, longest)


def _record_in(text):
    """The record, or None when the text is not a whole one (yet)."""
    try:
        record = json.loads(text.decode('utf-8'))
    except ValueError:
        return None
    return record if isinstance(record, dict) and 'parameters' in record else None
