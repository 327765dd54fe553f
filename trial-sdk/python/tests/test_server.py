"""The server as a keeper sees it: its connections."""

import threading
import unittest

from orrery_keeper.server import Server, Unreachable

from .keeper_server import TOKEN, KeeperServer, wait_for


class ServerTest(unittest.TestCase):
    def setUp(self):
        self.there = KeeperServer()
        self.addCleanup(self.there.close)
        self.server = Server(self.there.url, TOKEN)
        self.addCleanup(self.server._hang_up)

    def ask(self):
        """Asks on a thread of its own."""
        thread = threading.Thread(target=self.server.call, args=('GET', '/keeper/parameters'))
        thread.start()
        thread.join()

    def test_an_idle_connection_serves_the_next_call(self):
        for _ in range(3):
            self.ask()
        self.assertEqual(self.there.connections, 1)

    def test_an_answer_that_is_held_back_delays_no_other(self):
        held = threading.Thread(target=self.server.ask, args=('POST', '/keeper/beat', {}, 90.0))
        held.start()
        wait_for('the call that is held', lambda: self.there.beats)
        self.ask()
        self.assertEqual(self.there.connections, 2)
        self.there.cancel.set()
        held.join()
        self.ask()
        self.assertEqual(self.there.connections, 2)

    def test_a_connection_that_was_idle_and_is_silent_now_is_waited_for_once(self):
        other = KeeperServer()
        self.addCleanup(other.close)
        server = Server(self.there.url, TOKEN, [other.url])
        self.addCleanup(server._hang_up)
        server.call('GET', '/keeper/parameters')
        self.there.still.set()
        self.addCleanup(self.there.still.clear)
        calls = self.there.calls
        with self.assertRaises(Unreachable):
            server.call('GET', '/keeper/parameters', within=0.3)
        self.assertEqual(self.there.calls, calls + 1)
        server.call('GET', '/keeper/parameters')
        self.assertEqual(other.calls, 1)

    def test_a_connection_that_was_closed_while_it_was_idle_is_no_sign_of_anything(self):
        self.server.call('GET', '/keeper/parameters')
        self.there.hang_up()
        self.ask()
        self.assertEqual(self.there.connections, 2)


if __name__ == '__main__':
    unittest.main()
