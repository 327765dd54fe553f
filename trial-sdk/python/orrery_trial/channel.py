"""The HTTP command channel: parameters and results over the URL that the server gave to this trial.

Proxies of the environment are not used: the URL names the server, or a keeper on this machine.
"""

import json
import os
import random
import time
import warnings
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

from .metric import to_record

_FIRST_PAUSE = 0.2
_LONGEST_PAUSE = 30.0
_ANSWER_WITHIN = 60.0

_OK = 200
_NOTHING_YET = 408
_CLOSED = 410
_TOO_MANY = 429


class ChannelError(ConnectionError):
    """The server refused a command, or did not answer for longer than the trial has patience."""


class CommandChannel:
    """PUT sends a command, GET waits for one.

    A command is repeated until the server has answered it, for the server may be restarting. Since an answer can be
    lost, a repeated command may arrive twice: every result therefore carries this process's ``source`` and the
    result's ``ordinal`` in it, by which the server drops the second.
    """

    def __init__(self, url, patience):
        """``patience``: seconds without an answer after which a command fails. ValueError: the URL's port is no number."""
        parts = urlsplit(url)
        self._connection_type = HTTPSConnection if parts.scheme == 'https' else HTTPConnection
        self._host = parts.hostname
        self._port = parts.port
        self._path = parts.path + ('?' + parts.query if parts.query else '') or '/'
        self._patience = patience
        self._closed = False
        self._pid = None

    def next(self):
        """The next parameter record; waits until there is one. None when the server has closed the channel.

        ChannelError: refused, or no answer.
        """
        self._put({'type': 'request_parameter'})
        while not self._closed:
            status, body = self._ask('GET')
            if status == _CLOSED:
                self._closed = True
            elif status == _OK:
                command = json.loads(body)
                if command.get('type') == 'parameter':
                    return json.loads(command['parameter'])
            elif status != _NOTHING_YET:
                raise self._refusal(status, body)
        return None

    def send(self, payload):
        """Delivers one payload; returns when the server has acknowledged it, or has closed the channel.

        ValueError: too large. ChannelError: refused, or no answer.
        """
        if self._pid != os.getpid():
            self._begin_source()
        marked = dict(payload, source=self._source, ordinal=self._ordinal)
        record = to_record(marked)
        self._ordinal += 1
        self._put({'type': 'metric', 'metric': record})

    def _begin_source(self):
        # A forked child is another sender: it would repeat its parent's ordinals.
        self._pid = os.getpid()
        self._source = '%s-%s' % (_base36(self._pid), _base36(time.time_ns()))
        self._ordinal = 0

    def _put(self, command):
        if self._closed:
            return
        status, body = self._ask('PUT', json.dumps(command).encode('ascii'))
        if status == _CLOSED:
            # The server wants nothing more from this trial. That is no reason to break off its work.
            self._closed = True
            warnings.warn('the server has closed the channel of this trial: results from here on are not reported',
                          RuntimeWarning, stacklevel=6)
        elif not 200 <= status < 300:
            raise self._refusal(status, body)

    def _ask(self, method, body=None):
        """Status and text of the server's answer, as soon as it gives one that is more than "not now"."""
        give_up_at = time.monotonic() + self._patience
        pause = _FIRST_PAUSE
        while True:
            try:
                status, retry_after, text = self._exchange(method, body)
            except (OSError, HTTPException) as error:
                obstacle, retry_after = str(error) or type(error).__name__, None
            else:
                if status < 500 and status != _TOO_MANY and not (status == _NOTHING_YET and method == 'PUT'):
                    return status, text
                obstacle = 'status %d' % status
            # Trials that lost their server together shall not all come back together.
            wait = pause * random.uniform(0.5, 1.0) if retry_after is None else retry_after
            if time.monotonic() + wait > give_up_at:
                raise ChannelError('no answer from %s within %g s (%s)' % (self._host, self._patience, obstacle))
            time.sleep(wait)
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _exchange(self, method, body):
        # A connection for each command: nothing is shared with forked children, and none goes stale between epochs.
        connection = self._connection_type(self._host, self._port, timeout=_ANSWER_WITHIN)
        try:
            connection.request(method, self._path, body, {'Content-Type': 'application/json'} if body else {})
            response = connection.getresponse()
            text = response.read().decode('utf-8', 'replace')
            return response.status, _seconds(response.getheader('Retry-After')), text
        finally:
            connection.close()

    def _refusal(self, status, body):
        # The path holds the trial's token, so the message names the host alone.
        return ChannelError('%s refused a command of this trial with status %d: %s' % (self._host, status, body[:500]))


def _seconds(retry_after):
    """Seconds to wait, or None when the header is missing or gives a date."""
    return float(retry_after) if retry_after and retry_after.isdigit() else None


def _base36(number):
    digits = ''
    while number:
        number, digit = divmod(number, 36)
        digits = '0123456789abcdefghijklmnopqrstuvwxyz'[digit] + digits
    return digits or '0'
