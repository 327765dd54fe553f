"""The server that is asked when a port of an experiment may close."""

import json
import os
import sys
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from unittest import mock

COMPAT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'compat')
if COMPAT not in sys.path:
    sys.path.insert(0, COMPAT)

from nni.experiment import server as servers  # noqa: E402 - found where the tests look

PATH = '/experiments/abcde/check-status'


class Answering(BaseHTTPRequestHandler):
    """Is ready, and answers anything else with what its server has been given."""

    def do_GET(self):
        if self.path == '/health/ready':
            self._answer(200, b'{}', 2)
        else:
            self._answer(*self.server.given)

    def _answer(self, status, body, length):
        self.send_response(status)
        self.send_header('Content-Length', str(length))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *ignored):
        pass


class LastingServerTest(unittest.TestCase):

    def lasting(self, status, body, length=None):
        """Whether the server of the home is taken, when it answers so."""
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        there = HTTPServer(('127.0.0.1', 0), Answering)
        there.given = status, body, len(body) if length is None else length
        self.addCleanup(there.server_close)
        self.addCleanup(there.shutdown)
        threading.Thread(target=there.serve_forever, daemon=True).start()
        url = 'http://127.0.0.1:%d' % there.server_port
        with open(os.path.join(home.name, 'server.json'), 'w') as file:
            json.dump({'url': url}, file)
        known = servers.Server('http://127.0.0.1:1')
        with mock.patch.dict(os.environ, {'ORRERY_HOME': home.name}):
            chosen = servers.lasting(known, PATH)
        self.assertIn(chosen.url, (url, known.url))
        return chosen.url == url

    def test_the_server_of_the_home_is_taken_when_it_has_the_same(self):
        self.assertTrue(self.lasting(200, b'{"status": "RUNNING"}'))

    def test_the_one_that_is_known_is_kept_when_the_other_has_it_not(self):
        self.assertFalse(self.lasting(404, b'{"detail": "there is no such experiment"}'))

    def test_the_one_that_is_known_is_kept_when_the_other_speaks_no_json(self):
        self.assertFalse(self.lasting(200, b'<html>'))
        self.assertFalse(self.lasting(200, b'\xff\xfe'))

    def test_the_one_that_is_known_is_kept_when_the_other_breaks_off(self):
        self.assertFalse(self.lasting(200, b'{"status":', 100))


if __name__ == '__main__':
    unittest.main()
