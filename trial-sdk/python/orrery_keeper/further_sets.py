"""The parameter sets that a command asks for after its first one."""

import json
import os
import threading
import time

from .delivery import Gone
from .place import say
from .server import Refused, Unreachable

_DELIVERED = 0.05
_PAUSE = 1.0


class FurtherSets:
    """Brings a command the sets that it asks for, one after the other, as ``parameter_<n>.cfg``.

    To ask for a set is to have done with the one before. So the question goes to the server when all that was reported
    until then has arrived there, and what is printed without the name of a set is of the last one that was written.
    """

    def __init__(self, directory, first, delivery, spool, reports, output):
        """``first``: the record that the command begins with. ``spool``: where reports wait for the server. ``output``:
        what the command prints."""
        self._directory = directory
        self._delivery = delivery
        self._spool = spool
        self._reports = reports
        self._output = output
        self._asked = 0
        self._news = threading.Condition()
        reports.on_request = self.look
        self._present(first)

    def start(self):
        threading.Thread(target=self._run, name='sets', daemon=True).start()

    def look(self, payload):
        """Takes note of it when a payload asks for the next set. Each process of a command may ask for all of them."""
        with self._news:
            if payload.get('type') == 'REQUEST_PARAMETER' and payload.get('parameter_index') == self._asked + 1:
                self._asked += 1
                self._news.notify_all()

    def _run(self):
        try:
            index = 1
            while True:
                with self._news:
                    while self._asked < index:
                        self._news.wait()
                printed = self._output.printed()
                while not self._output.has_read(printed) or len(self._spool) > 0:
                    time.sleep(_DELIVERED)
                record = self._delivery.further_parameters(index)
                while not self._written(index, record):
                    time.sleep(_PAUSE)
                index += 1
        except (Gone, Refused, Unreachable) as error:
            say('no further parameter sets: %s' % error)

    def _written(self, index, record):
        """Whether the command has it; a full disk may have room again."""
        try:
            self._present(record)
            self._write(index, record)
            return True
        except OSError as error:
            say('parameter set %d is not written yet: %s' % (index, error))
            return False

    def _present(self, record):
        record = json.loads(record)
        # A record without parameters says that there are no more: the command still has the set before.
        if record.get('parameters') is not None:
            self._reports.present = record.get('parameter_id')

    def _write(self, index, record):
        # Who waits for it reads it as soon as it is there, so it must be there whole.
        draft = os.path.join(self._directory, '.nni', 'parameter.new')
        with open(draft, 'w', encoding='utf-8') as file:
            file.write(record)
        os.replace(draft, os.path.join(self._directory, 'parameter_%d.cfg' % index))
