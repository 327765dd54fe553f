"""A keeper asks again when the server that it asked to start is killed before it answers."""

import socket
import threading
import time
import types
import unittest

from orrery_keeper import delivery
from orrery_keeper.server import Server


class StartTest(unittest.TestCase):
    def setUp(self):
        self._listener = socket.socket()
        self._listener.bind(('127.0.0.1', 0))
        self._listener.listen()
        self._answered, delivery._START_ANSWER = delivery._START_ANSWER, 0.3

    def tearDown(self):
        delivery._START_ANSWER = self._answered
        self._listener.close()

    def test_an_answer_that_never_comes_is_not_waited_for(self):
        questions = []

        def serve():
            silent, _ = self._listener.accept()
            questions.append(silent.recv(65536))
            answering, _ = self._listener.accept()
            questions.append(answering.recv(65536))
            answering.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
            answering.close()
            silent.close()

        threading.Thread(target=serve, daemon=True).start()
        server = Server('http://127.0.0.1:%d' % self._listener.getsockname()[1], 'token')
        settings = types.SimpleNamespace(keeper='main')

        delivery.Delivery(server, settings, 'instance').start('1', True, lambda: time.monotonic() + 60)

        self.assertEqual(2, len(questions))
        self.assertTrue(all(question.startswith(b'POST /keeper/start ') for question in questions))


if __name__ == '__main__':
    unittest.main()
