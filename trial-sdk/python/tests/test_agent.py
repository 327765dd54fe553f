"""The agent of a machine as a process, and the server's end of it: attempts that go on without it, and what hostile ends say."""

import json
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.error
import urllib.request

from orrery_keeper.agent import frames
from orrery_keeper.agent.frames import Broken, Frames, frame, packed, unpacked
from orrery_keeper.process import marked
from orrery_keeper.server import Server, Unreachable

from .keeper_server import TOKEN, KeeperServer, wait_for
from .test_keeper import packed as packed_code

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class FramesTest(unittest.TestCase):
    def test_frames_come_whole_in_whichever_pieces_they_come(self):
        sent = [(frames.DO, 7, b'abc'), (frames.ANSWER, 0xffffffff, b''), (frames.DO, 0, bytes(1000))]
        data = b''.join(frame(kind, number, payload) for kind, number, payload in sent)
        for length in (1, 2, 8, 9, 10, 500, len(data)):
            reader, found = Frames((frames.DO, frames.ANSWER)), []
            for at in range(0, len(data), length):
                found += reader.feed(data[at:at + length])
            self.assertEqual(found, sent)

    def test_what_is_no_frame_is_refused_before_it_is_all_there(self):
        for data in (frame(99, 0), struct.pack('>IBI', frames.MOST + 1, frames.DO, 0), b'GET / HTTP/1.1\r\n'):
            with self.assertRaises(Broken):
                Frames((frames.DO,)).feed(data)

    def test_a_payload_has_a_head_and_a_body(self):
        self.assertEqual(unpacked(packed({'a': 1}, b'body')), ({'a': 1}, b'body'))
        for payload in (b'', b'\0\0', b'\0\0\0\x09{}', b'\0\0\0\2[]', b'\0\0\0\2{x', b'\xff\xff\xff\xff{}'):
            with self.assertRaises(Broken):
                unpacked(payload)


class AgentEnd:
    """The server's end of an agent: asks it, and answers what it carries."""

    def __init__(self, base, path, server, program=None):
        self._server = server
        self.process = subprocess.Popen(
            [sys.executable, '-B', program or os.path.join(HERE, 'orrery_keeper.py'), 'agent', base, path],
            env={'PATH': os.environ['PATH'], 'HOME': base, 'PYTHONDONTWRITEBYTECODE': '1'},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._number = 0
        self._news = threading.Condition()
        self._sending = threading.Lock()
        self.hello = None
        self.done = {}
        self.calls = []
        self.left = []
        self.answers = lambda head, body: self._pass_on(head, body)
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def send(self, data):
        with self._sending:
            self.process.stdin.write(data)
            self.process.stdin.flush()

    def ask(self, order):
        self._number += 1
        number = self._number
        self.send(frame(frames.DO, number, packed(order)))
        with self._news:
            self._news.wait_for(lambda: number in self.done, 30)
            return self.done[number]

    def greeted(self):
        with self._news:
            self._news.wait_for(lambda: self.hello is not None, 30)
        return self.hello

    def _listen(self):
        out = self.process.stdout
        seen = b''
        while not seen.endswith(frames.MARK):
            piece = os.read(out.fileno(), 1)
            if not piece:
                return
            seen += piece
        reader = Frames((frames.HELLO, frames.DONE, frames.CALL, frames.LEFT))
        while True:
            data = os.read(out.fileno(), 65536)
            if not data:
                return
            for kind, number, payload in reader.feed(data):
                with self._news:
                    if kind == frames.HELLO:
                        self.hello = unpacked(payload)[0]
                    elif kind == frames.DONE:
                        self.done[number] = json.loads(payload.decode())
                    elif kind == frames.LEFT:
                        self.left.append(number)
                    else:
                        head, body = unpacked(payload)
                        self.calls.append(head)
                        threading.Thread(target=self._answer, args=(number, head, body), daemon=True).start()
                    self._news.notify_all()

    def _answer(self, number, head, body):
        status, text = self.answers(head, body)
        try:
            self.send(frame(frames.ANSWER, number, packed({'status': status}, text)))
        except (OSError, ValueError):
            # It has been killed.
            pass

    def _pass_on(self, head, body):
        request = urllib.request.Request(self._server.url + head['path'], body or None, method=head['method'],
                                         headers={'Authorization': 'Bearer ' + head.get('token', '')})
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()
        except OSError:
            return 503, b''

    def close(self):
        try:
            self.process.stdin.close()
        except OSError:
            pass
        self.process.wait(30)
        self._thread.join()
        self.process.stdout.close()
        self.process.stderr.close()


@unittest.skipUnless(os.path.isdir('/proc/self/fd'), 'agents need Linux')
class AgentTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.base = os.path.realpath(folder.name)
        self.socket = os.path.join(self.base, 'agents', 'here', 'server')
        self.server = KeeperServer()
        self.addCleanup(self.server.close)
        self.agent = self.begin()

    def begin(self):
        agent = AgentEnd(self.base, self.socket, self.server)
        self.addCleanup(agent.close)
        self.assertEqual(agent.greeted(), {'socket': self.socket})
        return agent

    def run_of(self, name):
        run = os.path.join(self.base, 'runs', 'abcd1234', name)
        self.addCleanup(self.end_all, run)
        return run

    def end_all(self, run):
        for pid in marked('ORRERY_RUN', run):
            os.kill(pid, signal.SIGKILL)

    def order(self, run, command, **more):
        variables = {
            'ORRERY_URL': 'http://127.0.0.1:1', 'ORRERY_TRIAL_TOKEN': TOKEN, 'ORRERY_COMMAND': command,
            'ORRERY_KEEPER_AGENT': self.socket, 'ORRERY_KEEPER_OTHER_URLS': '', 'NNI_PLATFORM': 'remote',
            'NNI_EXP_ID': 'abcd1234', 'NNI_TRIAL_JOB_ID': 'trial', 'ORRERY_KEEPER_GRACE': '1',
            'ORRERY_KEEPER_HOME': run + '/home', 'ORRERY_KEEPER_DIRECTORY': run + '/trial'}
        variables.update(more)
        return {'do': 'start', 'run': run, 'path': '', 'variables': variables}

    def start(self, run, command, **more):
        self.assertEqual(self.agent.ask(self.order(run, command, **more)), {'code': 0, 'out': '', 'err': ''})

    def end(self, run, farewell=30.0):
        return self.agent.ask({'do': 'end', 'run': run, 'farewell': farewell, 'grace': 1.0})

    def word(self, run):
        told = dict(line.rsplit(' ', 1) for line in self.agent.ask({'do': 'census'})['out'].splitlines())
        return told.get('abcd1234/' + os.path.basename(run))

    def read(self, *path):
        with open(os.path.join(*path)) as file:
            return file.read()

    def test_an_attempt_comes_to_its_end_and_its_keeper_calls_by_the_agent(self):
        run = self.run_of('t.1')
        self.start(run, 'echo out; echo "orrery: final 0.5"; umask >"$NNI_OUTPUT_DIR/umask"; exit 3')
        wait_for('its end', lambda: os.path.exists(run + '/state'))
        self.assertEqual(self.read(run, 'state'), '3\n')
        self.assertEqual(self.word(run), 'over')
        self.assertEqual([(end['exitCode'], end['reason']) for end in self.server.ends], [(3, None)])
        self.assertEqual([point['value'] for point in self.server.points], [0.5])
        self.assertTrue(self.server.logs['stdout'].startswith(b'out\n'))
        self.assertEqual(self.server.outputs['umask'].strip().lstrip(b'0'), b'77')
        self.assertEqual(self.read(run, 'keeper.log').splitlines()[0], 'out')
        self.assertEqual(self.end(run), {'code': 0, 'out': 'state=3\nlog=orrery: final 0.5', 'err': ''})
        self.assertFalse(os.path.exists(run))

    def test_an_attempt_goes_on_without_its_agent_and_another_one_ends_it(self):
        run = self.run_of('t.1')
        go = os.path.join(self.base, 'go')
        self.start(run, 'touch %s.up; until [ -e %s ]; do sleep 0.05; done; echo "orrery: final 1"' % (go, go))
        wait_for('its command', lambda: os.path.exists(go + '.up'))
        self.agent.process.kill()
        self.agent.process.wait()
        self.assertTrue(os.path.exists(self.socket), 'what was killed removes nothing')
        open(go, 'w').close()
        self.agent = self.begin()
        self.assertIn(self.word(run), ('runs', 'over'))
        wait_for('its end', lambda: self.server.ends)
        self.assertEqual([point['value'] for point in self.server.points], [1])
        self.assertIn('state=0', self.end(run)['out'])
        self.assertFalse(os.path.exists(run))

    def test_an_agent_whose_server_hangs_up_leaves_nothing_but_its_attempts(self):
        run = self.run_of('t.1')
        self.start(run, 'sleep 300')
        wait_for('its command', lambda: len(marked('ORRERY_RUN', run)) > 1)
        self.agent.close()
        self.assertEqual(self.agent.process.returncode, 0)
        self.assertFalse(os.path.exists(self.socket))
        self.assertGreater(len(marked('ORRERY_RUN', run)), 1)
        self.agent = self.begin()
        self.assertEqual(self.word(run), 'runs')
        said = self.end(run, farewell=0.0)
        self.assertEqual(said['code'], 0)
        self.assertEqual(marked('ORRERY_RUN', run), [])
        self.assertFalse(os.path.exists(run))

    def test_a_process_is_known_by_a_whole_variable_alone(self):
        run = self.run_of('t.1')
        self.start(run, 'sleep 300')
        wait_for('its command', lambda: len(marked('ORRERY_RUN', run)) > 1)
        for name, value in (('ORRERY_RUN', run[:-1]), ('RRERY_RUN', run), ('ORRERY_RUN', run + ' ')):
            self.assertEqual(marked(name, value), [])
        self.assertEqual(self.end(run, 0.0)['code'], 0)

    def test_a_second_start_does_nothing_and_one_that_was_ended_before_never_starts(self):
        run = self.run_of('t.1')
        self.start(run, 'echo x >>%s/ran' % self.base)
        self.start(run, 'echo x >>%s/ran' % self.base)
        wait_for('its end', lambda: os.path.exists(run + '/state'))
        self.assertEqual(self.read(self.base, 'ran'), 'x\n')
        late = self.run_of('t.2')
        os.makedirs(late)
        self.assertEqual(self.end(late)['out'], 'started=no')
        os.makedirs(os.path.join(late, 'claimed'))
        self.start(late, 'echo x >>%s/ran' % self.base)
        self.assertEqual(marked('ORRERY_RUN', late), [])
        self.assertFalse(os.path.exists(late + '/pid'))

    def test_a_keeper_that_is_killed_is_told_by_its_agent_and_without_one_it_is_lost(self):
        one, other = self.run_of('t.1'), self.run_of('t.2')
        for run in (one, other):
            self.start(run, 'sleep 300')
            wait_for('its command', lambda: len(marked('ORRERY_RUN', run)) > 1)
        os.kill(int(self.read(one, 'pid')), signal.SIGKILL)
        wait_for('its end', lambda: os.path.exists(one + '/state'))
        self.assertEqual(self.read(one, 'state'), '137\n')
        self.agent.close()
        os.kill(int(self.read(other, 'pid')), signal.SIGKILL)
        self.agent = self.begin()
        wait_for('it is gone', lambda: self.word(other) == 'dead')
        for run in (one, other):
            self.assertEqual(self.end(run, 0.0)['code'], 0)
            self.assertEqual(marked('ORRERY_RUN', run), [])

    def test_an_attempt_is_one_process_beside_its_command(self):
        run = self.run_of('t.1')
        self.start(run, 'sleep 300')
        wait_for('its command', lambda: len(marked('ORRERY_RUN', run)) > 1)
        self.assertEqual(len(marked('ORRERY_RUN', run)), 2)
        self.assertEqual(self.end(run, 0.0)['code'], 0)

    def test_what_ignores_the_first_signal_is_killed(self):
        run = self.run_of('t.1')
        self.start(run, 'trap "" TERM; touch %s/up; while :; do sleep 0.1; done' % self.base)
        wait_for('its command', lambda: os.path.exists(self.base + '/up'))
        self.assertEqual(self.end(run, 0.0)['code'], 0)
        self.assertEqual(marked('ORRERY_RUN', run), [])

    def test_a_place_that_cannot_be_written_is_said(self):
        with open(os.path.join(self.base, 'runs'), 'w'):
            pass
        said = self.agent.ask(self.order(self.base + '/runs/abcd1234/t.1', 'true'))
        self.assertEqual(said['code'], 42)
        self.assertIn('runs', said['err'])

    def test_a_keeper_calls_by_the_port_when_no_server_listens_at_the_socket(self):
        self.agent.process.kill()
        self.agent.process.wait()
        server = Server(self.server.url, TOKEN, agent=self.socket)
        self.assertEqual(json.loads(server.call('GET', '/keeper/parameters').decode())['parameter_id'], 7)
        self.assertEqual(self.agent.calls, [])

    def test_a_keeper_calls_by_the_port_what_is_too_long_for_an_agent(self):
        server = Server(self.server.url, TOKEN, agent=self.socket)
        self.agent.answers = lambda head, body: (421, b'')
        self.assertEqual(json.loads(server.call('GET', '/keeper/parameters').decode())['parameter_id'], 7)
        self.assertEqual(len(self.agent.calls), 1)
        server.call('PUT', '/keeper/logs/stdout?offset=0', bytes(3 << 20), 'application/octet-stream')
        self.assertEqual(len(self.server.logs['stdout']), 3 << 20)
        self.assertEqual(len(self.agent.calls), 1)

    def test_many_calls_are_under_way_at_once_and_who_goes_is_told(self):
        held = threading.Event()
        self.addCleanup(held.set)
        self.agent.answers = lambda head, body: (held.wait(30), (200, head['path'].encode()))[1]
        answers = {}

        def call(number):
            server = Server('http://127.0.0.1:1', TOKEN, agent=self.socket)
            answers[number] = server.call('GET', '/keeper/%d' % number)

        callers = [threading.Thread(target=call, args=(number,)) for number in range(50)]
        for caller in callers:
            caller.start()
        wait_for('all are there', lambda: len(self.agent.calls) == 50)
        gone = socket.socket(socket.AF_UNIX)
        gone.connect(self.socket)
        gone.sendall(b'GET /keeper/gone HTTP/1.1\r\n\r\n')
        wait_for('it is there', lambda: len(self.agent.calls) == 51)
        gone.close()
        wait_for('it is missed', lambda: self.agent.left)
        held.set()
        for caller in callers:
            caller.join(30)
        self.assertEqual(answers, {number: b'/keeper/%d' % number for number in range(50)})

    def test_what_is_no_call_is_refused_and_others_are_served(self):
        for said, status in ((b'GET http://other/ HTTP/1.1\r\n\r\n', b'400'), (b'\0' * 20000, b'431'),
                             (b'DELETE /keeper/start HTTP/1.1\r\n\r\n', b'400'),
                             (b'GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', b'400'),
                             (b'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', b'400'),
                             (b'POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n', b'421'),
                             (b'GET /\r\nX: y HTTP/1.1\r\n\r\n', b'400')):
            visitor = socket.socket(socket.AF_UNIX)
            self.addCleanup(visitor.close)
            visitor.settimeout(30)
            visitor.connect(self.socket)
            visitor.sendall(said)
            self.assertTrue(visitor.recv(1000).startswith(b'HTTP/1.1 ' + status), said[:60])
        self.assertEqual(self.agent.calls, [])
        server = Server('http://127.0.0.1:1', TOKEN, agent=self.socket)
        self.assertTrue(server.call('GET', '/keeper/parameters'))

    def test_a_server_that_sends_what_is_no_frame_is_left(self):
        self.agent.send(b'\xff' * 9)
        self.assertEqual(self.agent.process.wait(30), 0)
        with self.assertRaises(Unreachable):
            Server('http://127.0.0.1:1', TOKEN, agent=self.socket).call('GET', '/keeper/parameters')

    def code(self, digest, experiment, token=TOKEN):
        return self.agent.ask({'do': 'code', 'url': self.server.url, 'token': token, 'digest': digest,
                               'experiment': experiment})['code']

    def test_code_is_brought_once_for_all_experiments(self):
        digest, archive = packed_code({'train.py': b'pass'})
        self.server.code = {digest: archive, 'other': archive}
        self.assertEqual([self.code(digest, 'e1'), self.code(digest, 'e2')], [0, 0])
        self.assertEqual(self.server.paths, ['/keeper/code/' + digest])
        place = os.path.join(self.base, 'code')
        self.assertEqual(self.read(place, digest, 'train.py'), 'pass')
        self.assertEqual(sorted(os.listdir(os.path.join(place, digest + '.users'))), ['e1', 'e2'])
        # For good, and for now.
        self.assertEqual([self.code('other', 'e1'), self.code('third', 'e1', token='none')], [45, 43])
        self.assertEqual(sorted(os.listdir(place)), sorted([digest, digest + '.users', 'other.users', 'third.users']))

    def test_an_order_that_is_not_known_is_for_others(self):
        for order in ({'do': 'dance'}, {}, {'do': 'end'}, {'do': 'start'}, {'do': 'start', 'run': 7}):
            self.assertEqual(self.agent.ask(order)['code'], 70, order)
        self.assertEqual(self.word(self.run_of('t.1')), None)

    def test_the_socket_is_its_owners_alone_at_a_path_of_any_length(self):
        self.assertEqual(os.stat(os.path.dirname(self.socket)).st_mode & 0o777, 0o700)
        self.assertEqual(os.stat(self.socket).st_mode & 0o777, 0o600)
        self.socket = os.path.join(self.base, 'd' * 100, 'agents', 'here', 'server')
        self.begin()
        server = Server('http://127.0.0.1:1', TOKEN, agent=self.socket)
        self.assertTrue(server.call('GET', '/keeper/parameters'))


if __name__ == '__main__':
    unittest.main()
