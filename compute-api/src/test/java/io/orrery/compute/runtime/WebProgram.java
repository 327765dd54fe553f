package io.orrery.compute.runtime;

/** A small web server in Python that does what requests tell it. */
final class WebProgram {
  static final String TEXT =
      """
      import http.server, os, signal, sys, time, urllib.parse
      sys.stdout.reconfigure(line_buffering=True)
      # In a process namespace of its own every program has the same number.
      pid = time.time_ns() if os.getpid() < 10 else os.getpid()
      print('started', pid)
      if os.environ.get('TERM_IS_IGNORED'):
          signal.signal(signal.SIGTERM, lambda *_: print('asked to end'))
      time.sleep(float(os.environ.get('START_SECONDS', '0')))
      status = [int(os.environ.get('HEALTH', '200'))]
      held = []
      class Handler(http.server.BaseHTTPRequestHandler):
          def do_GET(self):
              path = urllib.parse.urlsplit(self.path)
              value = urllib.parse.unquote(path.query)
              code, answer = 200, ''
              if path.path == '/health': code = status[0]
              elif path.path == '/pid': answer = str(pid)
              elif path.path == '/env': answer = os.environ.get(value, '-')
              elif path.path == '/set': status[0] = int(value)
              elif path.path == '/print': print(value)
              elif path.path == '/read': answer = open(value).read()
              elif path.path == '/hold': held.append(b'x' * int(value))
              elif path.path == '/burn':
                  end = time.thread_time() + float(value)
                  while time.thread_time() < end: pass
              elif path.path == '/exit':
                  print('leaving'); print('with', value)
                  sys.stdout.flush()
                  os._exit(int(value))
              self.send_response(code)
              self.end_headers()
              self.wfile.write(answer.encode())
          def log_message(self, *_): pass
      class Server(http.server.ThreadingHTTPServer):
          request_queue_size = 50
      host = os.environ.get('LISTEN_HOST', '127.0.0.1')
      if ':' in host:
          import socket
          Server.address_family = socket.AF_INET6
      Server((host, int(os.environ.get('LISTEN') or os.environ['PORT'])), Handler).serve_forever()
      """;

  private WebProgram() {}
}
