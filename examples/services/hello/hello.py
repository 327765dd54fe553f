"""Answers each request with a greeting; listens on $PORT of $ORRERY_LISTEN."""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

GREETING = os.environ.get('GREETING', 'Hello')


class Hello(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_GET(self):
        text = 'ok\n' if self.path == '/healthz' else f'{GREETING} from {os.environ.get("ORRERY_REPLICA", "here")}\n'
        body = text.encode()
        self.send_response(200)
        self.send_header('Content-Type', 'text/plain; charset=utf-8')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *args):
        if self.path != '/healthz':
            print(self.address_string(), format % args, flush=True)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


if __name__ == '__main__':
    Server((os.environ.get('ORRERY_LISTEN', '127.0.0.1'), int(os.environ['PORT'])), Hello).serve_forever()
