"""A server as keepers see one, in memory, that can be cut off at any moment."""

import json
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

TOKEN = 'abcd1234.trial.1.mac'
_RECORD = json.dumps({'parameter_id': 7, 'parameters': {'lr': 0.5}, 'parameter_index': 0})


class KeeperServer:
    """Keeps what a keeper brings, by its place.

    ``down`` drops every connection without an answer; ``still`` takes calls and does nothing about them.
    """

    def __init__(self, code=None, program=b''):
        self.code = code or {}
        self.program = program
        self.down = False
        self.still = threading.Event()
        self.lose_answers = 0
        self.cancel = threading.Event()
        self.servers = []
        self.beats = 0
        self.connections = 0
        self._sockets = set()
        self.refuse_start = None
        self.record_with_start = True
        self.records_asked = 0
        self.takes_reports_with_end = True
        self.paths = []
        self.started = []
        self.logs = {'stdout': b'', 'stderr': b'', 'trial': b''}
        self.outputs = {}
        self.points = []
        self.seen = set()
        self.duplicates = 0
        self.bad_values = ()
        self.ends = []
        # The records of further parameter sets by their index, and what was reported when each was asked for.
        self.further = {}
        self.asked = []
        self.orders = []
        self.ended = {}
        self.calls = 0
        self._lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'

            def setup(self):
                server.connections += 1
                server._sockets.add(self.request)
                super().setup()

            def finish(self):
                server._sockets.discard(self.request)
                super().finish()

            def do_GET(self):
                self.serve()

            do_POST = do_PUT = do_GET

            def serve(self):
                body = self.rfile.read(int(self.headers.get('Content-Length') or 0))
                server.calls += 1
                still = server.still.is_set()
                while server.still.is_set():
                    time.sleep(0.05)
                if server.down or still:
                    self.close_connection = True
                    return
                if self.headers.get('Authorization') != 'Bearer ' + TOKEN:
                    self.answer(403, b'{"detail": "not a token"}')
                    return
                status, answer = server._take(self.command, urlsplit(self.path), body)
                if server.lose_answers > 0 and self.command != 'GET':
                    server.lose_answers -= 1
                    self.close_connection = True
                    return
                self.answer(status, answer)

            def answer(self, status, body):
                self.send_response(status)
                self.send_header('Content-Length', str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments):
                pass

        self._http = _Quiet(('127.0.0.1', 0), Handler)
        self._http.daemon_threads = True
        self.url = 'http://127.0.0.1:%d' % self._http.server_port
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,))
        self._thread.start()

    def hang_up(self):
        """Closes every connection that there is."""
        for connection in list(self._sockets):
            connection.shutdown(socket.SHUT_RDWR)

    def close(self):
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def _take(self, method, address, body):
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        path = address.path
        if path == '/keeper/beat':
            return self._beat()
        if path == '/keeper/work':
            return self._work(json.loads(body.decode()))
        with self._lock:
            self.paths.append(path)
            if path == '/keeper/program':
                return 200, self.program
            if path == '/keeper/start':
                self.started.append(json.loads(body.decode()))
                if self.refuse_start:
                    return 409, json.dumps({'detail': self.refuse_start}).encode()
                record = self.record_with_start and self.started[-1].get('parameters')
                return 200, json.dumps({'parameters': _RECORD} if record else {}).encode()
            if path == '/keeper/parameters' and 'index' in query:
                return self._further(int(query['index']))
            if path == '/keeper/parameters':
                self.records_asked += 1
                return 200, _RECORD.encode()
            if path.startswith('/keeper/code/'):
                return 200, self.code[path.rsplit('/', 1)[1]][int(query.get('offset', 0)):]
            if path == '/keeper/finish' and self.takes_reports_with_end:
                last = json.loads(body.decode())
                status, answer = self._metrics(last.pop('reports').encode())
                if status == 200:
                    self.ends.append(last)
                return status, answer
            if path == '/keeper/end':
                self.ends.append(json.loads(body.decode()))
                return 200, b'{}'
            if path == '/api/v1/metrics':
                return self._metrics(body)
            if path.startswith('/keeper/logs/'):
                name = path.rsplit('/', 1)[1]
                self.logs[name] = _appended(self.logs[name], int(query['offset']), body)
                return 200, json.dumps({'next': len(self.logs[name])}).encode()
            if path.startswith('/keeper/outputs/'):
                name = unquote(path[len('/keeper/outputs/'):])
                self.outputs[name] = _appended(self.outputs.get(name, b''), int(query['offset']), body)
                return 200, json.dumps({'next': len(self.outputs[name])}).encode()
            return 404, b'{"detail": "nothing here"}'

    def _beat(self):
        self.beats += 1
        return 200, json.dumps({'cancel': self.cancel.wait(0.5 if self.servers else 2.0), 'servers': self.servers}).encode()

    def _work(self, question):
        time.sleep(0.02)
        with self._lock:
            self.ended.update(question['ended'])
            known = set(question['running']) | set(self.ended)
            return 200, json.dumps({'start': [order for order in self.orders if order['key'] not in known]}).encode()

    def _further(self, index):
        if index not in self.further:
            return 429, b'{"detail": "there is none yet"}'
        self.asked.append((index, [point['value'] for point in self.points if point['kind'] == 'final']))
        return 200, json.dumps(self.further[index]).encode()

    def _metrics(self, body):
        lines = [json.loads(line) for line in body.decode().splitlines()]
        if any(line['value'] in self.bad_values for line in lines):
            return 400, b'{"detail": "a bad line"}'
        for line in lines:
            key = (line['source'], line['kind'], line['ordinal'])
            if key in self.seen:
                self.duplicates += 1
            else:
                self.seen.add(key)
                self.points.append(line)
        return 200, b'{}'


class _Quiet(ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        # A keeper that has ended reads no answer.
        pass


def _appended(whole, offset, piece):
    return whole[:offset] + piece + whole[offset + len(piece):] if offset <= len(whole) else whole


def wait_for(what, condition, seconds=30):
    """Waits until a condition holds."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            raise AssertionError('never came: ' + what)
        time.sleep(0.01)
