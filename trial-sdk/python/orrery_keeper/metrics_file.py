"""The metrics file of NNI's trial protocol: ``ME``, six digits of length, one line of JSON."""

import json
import re

from .plain_file import open_plain

from .reports import NoMetric

_HEADER = re.compile(rb'ME(\d{6})')
_ON_A_NEW_LINE = re.compile(rb'\nME\d{6}')
_LONGEST = 1100000


class MetricsFile:
    """Reads on in a file that a command may append to.

    Its writer may have been killed in the midst of a record, or several may have written into each other. So a
    record begins where ``ME`` and six digits stand and as many bytes as they say follow, which are a JSON object and a
    newline; else the search goes on behind the ``ME``. While a record is not all there the reader waits, but no longer
    than until it sees the next one begin on a new line.
    """

    def __init__(self, path, reports):
        self._path = path
        self._reports = reports
        self._at = 0

    def read(self, at_end=False):
        """Takes all records that are there; ``at_end`` says that nothing will follow. Waits where there is no room."""
        while True:
            try:
                with open_plain(self._path) as file:
                    file.seek(self._at)
                    data = file.read(_LONGEST)
            except OSError:
                return
            used = self._take(data, at_end and len(data) < _LONGEST)
            self._at += used
            if used == 0 or len(data) < _LONGEST:
                return

    def _take(self, data, at_end):
        at = 0
        while True:
            header = _HEADER.search(data, at)
            if not header:
                # The first bytes of a header may stand at the very end.
                return len(data) if at_end else max(at, len(data) - 7)
            start, body = header.start(), header.end()
            end = body + int(header.group(1))
            broken = _ON_A_NEW_LINE.search(data, body, min(end, len(data)))
            if end > len(data) and not broken and not at_end:
                return start
            record = None if broken or end > len(data) else _record(data[body:end])
            if record is None:
                at = start + 2
                continue
            try:
                self._reports.payload(record, 'file', wait=True)
            except NoMetric:
                self._reports.refuse(str(record))
            at = end


def _record(line):
    if not line.endswith(b'\n'):
        return None
    try:
        record = json.loads(line.decode('utf-8'))
    except ValueError:
        return None
    return record if isinstance(record, dict) else None
