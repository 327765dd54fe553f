"""NNI's HTTP command channel, for the command beside this keeper: so that a report waits for no network."""

import json
import os
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from .reports import NoMetric

_POLL = 1.0
_LONGEST = 4 << 20


class Channel:
    """Listens on this machine alone, at an address that cannot be guessed."""

    def __init__(self, reports, parameters):
        """``parameters``: the record, as text."""
        secret = os.urandom(16).hex()
        self._asked = threading.Semaphore(0)
        channel = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'

            def do_PUT(self):
                length = int(self.headers.get('Content-Length') or 0)
                if not self._known() or length > _LONGEST:
                    self.close_connection = True
                    return self._answer(404 if length <= _LONGEST else 413)
                return self._answer(*channel._take(self.rfile.read(length), reports))

            def do_GET(self):
                if not self._known():
                    return self._answer(404)
                if not channel._asked.acquire(timeout=_POLL):
                    return self._answer(408)
                return self._answer(200, json.dumps({'type': 'parameter', 'parameter': parameters}))

            def _known(self):
                return self.path == '/trial/' + secret

            def _answer(self, status, text=''):
                body = text.encode('utf-8')
                self.send_response(status)
                self.send_header('Content-Length', str(len(body)))
                if status == 429:
                    self.send_header('Retry-After', '1')
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *ignored):
                pass

        self._server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self._server.daemon_threads = True
        self.url = 'http://127.0.0.1:%d/trial/%s' % (self._server.server_address[1], secret)
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name='channel', daemon=True)
        self._thread.start()

    def _serve(self):
        # Not serve_forever: that looks twice a second whether it should end, and a trial would wait for the look.
        while not self._closed:
            self._server.handle_request()

    def _take(self, body, reports):
        """Status and text of the answer to a command."""
        try:
            command = json.loads(body.decode('utf-8'))
            kind = command.get('type')
            if kind == 'request_parameter':
                self._asked.release()
                return 200, ''
            if kind != 'metric':
                return 400, '\'type\' is "request_parameter" or "metric"'
            metric = command.get('metric')
            payload = json.loads(metric) if isinstance(metric, str) else metric
            if isinstance(payload, dict) and payload.get('type') == 'REQUEST_PARAMETER':
                self._asked.release()
                return 200, ''
            # The SDK repeats what finds no room.
            return (200 if reports.payload(payload, 'channel', wait=False) else 429), ''
        except NoMetric as error:
            return 400, 'not a metric: %s' % error
        except (ValueError, AttributeError) as error:
            return 400, 'not a command: %s' % error

    def close(self):
        """Takes nothing more."""
        self._closed = True
        try:
            # Wakes it up.
            socket.create_connection(self._server.server_address, 1.0).close()
            self._thread.join(1.0)
        except OSError:
            # It ends with the process.
            pass
        self._server.server_close()
