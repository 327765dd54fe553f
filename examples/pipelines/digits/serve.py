"""Answers with the digit of a drawing: 35 dots, 0 or 1, in the body. Its argument is the address to listen on."""
import http.server
import json
import os
import sys

from perceptron import guess

path = os.environ["KUBEFLOW_MODEL_PATH"]
with open(os.path.join(path, "model.json") if os.path.isdir(path) else path) as file:
    weights = json.load(file)["weights"]


class Reader(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.answer(200, "ready")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode().strip()
        if len(body) == 35 and set(body) <= set("01"):
            self.answer(200, str(guess(weights, [int(dot) for dot in body])))
        else:
            self.answer(400, "send 35 dots, 0 or 1")

    def answer(self, status, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


host = sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1"
http.server.ThreadingHTTPServer((host, int(os.environ["PORT"])), Reader).serve_forever()
