"""Serves the network that examples/digits trains, in plain Python.

The directory of the model comes in ``KUBEFLOW_MODEL_PATH``, the port in ``PORT``. ``POST /v1/models/digits:predict`` with
``{"images": [[64 pixels from 0 to 16], …]}`` answers ``{"digits": […]}``.
"""

import http.server
import json
import math
import os
import signal
import sys
import threading

MOST_BYTES = 4 * 1024 * 1024
PIXELS = 64
NAME = os.environ.get('KUBEFLOW_MODEL_NAME', 'digits')
VERSION = os.environ.get('KUBEFLOW_MODEL_VERSION', '')


class Network:
    def __init__(self, path):
        with open(path) as file:
            saved = json.load(file)
        self._first, self._second = saved['first'], saved['second']
        self._activate = math.tanh if saved['activation'] == 'tanh' else lambda x: max(x, 0.0)

    def classify(self, pixels):
        inputs = [pixel / 16.0 for pixel in pixels] + [1.0]
        hidden = [self._activate(_dot(row, inputs)) for row in self._first] + [1.0]
        scores = [_dot(row, hidden) for row in self._second]
        return scores.index(max(scores))


def _dot(a, b):
    return sum(x * y for x, y in zip(a, b))


class Counts:
    """Requests by status, for Prometheus."""

    def __init__(self):
        self._lock = threading.Lock()
        self._by_status = {}
        self._busy = 0

    def begin(self):
        with self._lock:
            self._busy += 1

    def end(self, status):
        with self._lock:
            self._busy -= 1
            self._by_status[status] = self._by_status.get(status, 0) + 1

    def text(self):
        with self._lock:
            lines = ['# TYPE digits_requests_total counter']
            lines += ['digits_requests_total{status="%d"} %d' % pair for pair in sorted(self._by_status.items())]
            return '\n'.join(lines + ['# TYPE digits_busy gauge', 'digits_busy %d' % self._busy, ''])


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_GET(self):
        if self.path == '/v1/models/' + NAME:
            self._answer(200, json.dumps({'name': NAME, 'version': VERSION}))
        elif self.path == '/metrics':
            self._answer(200, COUNTS.text(), 'text/plain; version=0.0.4')
        else:
            self._answer(404, json.dumps({'error': 'there is /v1/models/%s and /metrics' % NAME}))

    def do_POST(self):
        COUNTS.begin()
        status = 500
        try:
            status, body = self._predict()
            self._answer(status, json.dumps(body))
        finally:
            COUNTS.end(status)

    def _predict(self):
        length = int(self.headers.get('Content-Length', '0'))
        if length > MOST_BYTES:
            self.close_connection = True
            return 413, {'error': 'a request has at most %d bytes' % MOST_BYTES}
        text = self.rfile.read(length)
        if self.path != '/v1/models/%s:predict' % NAME:
            return 404, {'error': 'POST to /v1/models/%s:predict' % NAME}
        try:
            images = json.loads(text)['images']
            right = all(len(image) == PIXELS and all(isinstance(p, (int, float)) for p in image) for image in images)
        except (ValueError, KeyError, TypeError):
            right = False
        if not right:
            return 400, {'error': 'send {"images": [[64 pixels from 0 to 16], …]}'}
        return 200, {'digits': [NETWORK.classify(image) for image in images], 'version': VERSION}

    def _answer(self, status, text, kind='application/json'):
        body = text.encode()
        self.send_response(status)
        self.send_header('Content-Type', kind)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Server(http.server.ThreadingHTTPServer):
    # Connections that wait for a thread, where Python's own are five.
    request_queue_size = 128


if __name__ == '__main__':
    NETWORK = Network(os.path.join(os.environ['KUBEFLOW_MODEL_PATH'], 'network.json'))
    COUNTS = Counts()
    # Containers are reached from outside; processes of a machine by loopback alone.
    SERVER = Server((os.environ.get('ORRERY_LISTEN', '127.0.0.1'), int(os.environ['PORT'])), Handler)
    # Requests under way are answered before the program ends.
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=SERVER.shutdown).start())
    print('serves %s %s' % (NAME, VERSION), flush=True)
    SERVER.serve_forever()
    sys.exit(0)
