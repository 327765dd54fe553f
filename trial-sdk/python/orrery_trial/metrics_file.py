"""Results through the file ``.nni/metrics`` of a local trial: the server reads it, whether it runs now or later."""

import os

from .metric import to_record


class MetricsFile:
    """Appends framed records: ``ME``, the byte length of what follows in six digits, the JSON, a newline.

    Each record is one write on a descriptor in append mode. So the processes of a trial never mix their records,
    a record is in the operating system's hands when ``send`` returns, and a kill leaves at most one partial record.
    """

    def __init__(self, sys_dir):
        self._path = os.path.join(sys_dir, '.nni', 'metrics')

    def send(self, payload):
        """Appends one payload. ValueError: too large. OSError: the disk did not take it whole."""
        line = to_record(payload).encode('ascii') + b'\n'
        record = b'ME%06d%s' % (len(line), line)
        descriptor = self._open()
        try:
            written = os.write(descriptor, record)
        finally:
            os.close(descriptor)
        if written != len(record):
            raise OSError('only %d of %d bytes of a result went to %s: is the disk full?'
                          % (written, len(record), self._path))

    def _open(self):
        # Opened for each record: a few microseconds that spare all care for forks and for code that closes descriptors.
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, 'O_BINARY', 0)
        try:
            return os.open(self._path, flags, 0o644)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(self._path), exist_ok=True)
            return os.open(self._path, flags, 0o644)
