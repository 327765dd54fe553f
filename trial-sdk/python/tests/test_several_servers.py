"""The keeper where several servers share their work: whom it calls when one does not answer."""

import os
import socket
import threading
from urllib.parse import urlsplit

from orrery_keeper.server import Pause, Server

from .keeper_server import TOKEN, KeeperServer, wait_for
from .test_keeper import KeeperTestCase


class SeveralServersTest(KeeperTestCase):
    def test_another_server_takes_what_one_that_is_gone_does_not(self):
        other = KeeperServer()
        self.addCleanup(other.close)
        process = self.start('''
            echo "orrery: intermediate 1"; touch up
            until [ -e go ]; do sleep 0.05; done; echo "orrery: final 2"; exit 3''', ORRERY_KEEPER_OTHER_URLS=other.url)
        wait_for('the first report', lambda: self.server.points)
        self.server.down = True
        open(os.path.join(self.folder, 'go'), 'w').close()
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, err)
        self.assertEqual(self.values(), [('intermediate', 0, 1)])
        self.assertEqual([(point['kind'], point['value']) for point in other.points], [('final', 2)])
        self.assertEqual([end['exitCode'] for end in self.server.ends + other.ends], [3])

    def test_a_server_that_came_later_takes_what_one_that_is_gone_does_not(self):
        later = KeeperServer()
        self.addCleanup(later.close)
        self.server.servers = [self.server.url, later.url]
        process = self.start('until [ -e go ]; do sleep 0.05; done; exit 3', ORRERY_KEEPER_OTHER_URLS='')
        wait_for('the second sign of life', lambda: self.server.beats > 1)
        self.server.down = True
        open(os.path.join(self.folder, 'go'), 'w').close()
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, err)
        self.assertEqual([end['exitCode'] for end in later.ends], [3])

    def note(self, server, port):
        """A server notes its port, as it does on a machine that it logs in to; the directory."""
        ports = os.path.join(self.folder, 'ports')
        os.makedirs(ports, exist_ok=True)
        with open(os.path.join(ports, server + '.new'), 'w', encoding='ascii') as file:
            file.write('%d %s\n' % (os.getpid(), port))
        os.rename(os.path.join(ports, server + '.new'), os.path.join(ports, server))
        return ports

    def test_a_server_that_notes_its_port_takes_what_one_that_is_gone_does_not(self):
        heir = KeeperServer()
        self.addCleanup(heir.close)
        closed = socket.socket()
        closed.bind(('127.0.0.1', 0))
        self.addCleanup(closed.close)
        self.note('gone-long-ago', closed.getsockname()[1])
        self.note('is-coming', '')
        ports = self.note('owner', urlsplit(self.server.url).port)
        process = self.start('''
            echo "orrery: intermediate 1"; touch up
            until [ -e go ]; do sleep 0.05; done; echo "orrery: final 2"; exit 3''',
                             ORRERY_KEEPER_PORTS=ports, ORRERY_KEEPER_OTHER_URLS='')
        wait_for('the first report', lambda: self.server.points)
        self.server.down = True
        calls = self.server.calls
        open(os.path.join(self.folder, 'go'), 'w').close()
        wait_for('no server takes its result', lambda: self.server.calls > calls + 3)
        self.note('heir', urlsplit(heir.url).port)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, err)
        self.assertEqual(self.values(), [('intermediate', 0, 1)])
        self.assertEqual([(point['kind'], point['value']) for point in heir.points], [('final', 2)])
        self.assertEqual([end['exitCode'] for end in self.server.ends + heir.ends], [3])

    def test_a_server_that_stands_still_is_left_when_another_one_notes_its_port(self):
        heir = KeeperServer()
        self.addCleanup(heir.close)
        ports = self.note('owner', urlsplit(self.server.url).port)
        process = self.start('''
            echo "orrery: intermediate 1"; touch up
            until [ -e go ]; do sleep 0.05; done; echo "orrery: final 2"; exit 3''',
                             ORRERY_KEEPER_PORTS=ports)
        wait_for('the first report', lambda: self.server.points)
        self.server.still.set()
        self.addCleanup(self.server.still.clear)
        calls = self.server.calls
        open(os.path.join(self.folder, 'go'), 'w').close()
        wait_for('its result is not taken', lambda: self.server.calls > calls)
        self.note('heir', urlsplit(heir.url).port)
        # One that knows of no other would be waited for longer.
        _, err = process.communicate(timeout=50)
        self.assertEqual(process.returncode, 3, err)
        self.assertEqual([(point['kind'], point['value']) for point in heir.points], [('final', 2)])
        self.assertEqual([end['exitCode'] for end in self.server.ends + heir.ends], [3])

    def test_where_servers_note_their_ports_there_is_no_other_way(self):
        elsewhere = KeeperServer()
        self.addCleanup(elsewhere.close)
        self.server.servers = [elsewhere.url]
        ports = self.note('owner', urlsplit(self.server.url).port)
        process = self.start('until [ -e go ]; do sleep 0.05; done; exit 3',
                             ORRERY_KEEPER_PORTS=ports, ORRERY_KEEPER_OTHER_URLS='')
        wait_for('it is told of another server', lambda: self.server.beats > 1)
        self.server.down = True
        calls = self.server.calls
        open(os.path.join(self.folder, 'go'), 'w').close()
        wait_for('it asks the one again', lambda: self.server.calls > calls + 3)
        self.server.down = False
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, err)
        self.assertEqual([end['exitCode'] for end in self.server.ends], [3])
        self.assertEqual(elsewhere.calls, 0)

    def test_no_call_waits_longer_when_a_server_has_noted_its_port(self):
        ports = self.note('owner', 1)
        server = Server('http://127.0.0.1:1', TOKEN, None, ports)
        server.look()
        pause = Pause(longest=1e6)
        for _ in range(20):
            pause.take(server, until=lambda: 0)
        waiting = threading.Thread(target=pause.take, args=(server,), daemon=True)
        waiting.start()
        for port in range(2, 300):
            # Again: it may not have begun to wait.
            self.note('heir', port)
            waiting.join(0.1)
            if not waiting.is_alive():
                break
        self.assertFalse(waiting.is_alive())
