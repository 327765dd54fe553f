"""Searches from a script, up to the server: objectives, spaces, the picture."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

COMPAT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'compat')
if COMPAT not in sys.path:
    sys.path.insert(0, COMPAT)

import orrery  # noqa: E402 - found where the tests look
from orrery import objectives, reporting, space, study  # noqa: E402 - the same


class SpaceTest(unittest.TestCase):

    def test_each_parameter_has_the_form_of_the_server(self):
        self.assertEqual(space.as_json({
            'rate': orrery.loguniform(1e-4, 1),
            'layers': orrery.integer(1, 3),
            'kind': ['a', 'b'],
            'step': orrery.quniform(0, 1, 0.25),
            'raw': {'_type': 'normal', '_value': [0, 1]},
        }), {
            'rate': {'_type': 'loguniform', '_value': [1e-4, 1]},
            'layers': {'_type': 'randint', '_value': [1, 4]},
            'kind': {'_type': 'choice', '_value': ['a', 'b']},
            'step': {'_type': 'quniform', '_value': [0, 1, 0.25]},
            'raw': {'_type': 'normal', '_value': [0, 1]},
        })

    def test_what_is_no_parameter_is_named(self):
        for wrong in ({}, [], {'x': 3}, {'x': []}):
            with self.assertRaises(ValueError):
                space.as_json(wrong)
        with self.assertRaisesRegex(ValueError, 'low must be less'):
            orrery.uniform(1, 1)
        with self.assertRaisesRegex(ValueError, 'positive'):
            orrery.loguniform(0, 1)
        with self.assertRaisesRegex(ValueError, 'whole numbers'):
            orrery.integer(0.5, 2)


class Served:
    """An objective that is served by a thread of its own while a test asks it."""

    def __init__(self, objective, processes=True):
        self.host = objectives.ObjectiveHost(objective, processes)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._serve)

    def _serve(self):
        while not self._over.is_set():
            self.host.serve(0.05)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *ignored):
        self._over.set()
        self._thread.join()
        self.host.close()

    def connect(self, parameters):
        link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        link.connect(self.host.path)
        link.sendall((json.dumps({'trial': 't', 'parameters': parameters}) + '\n').encode())
        return link

    def ask(self, parameters):
        with self.connect(parameters) as link, link.makefile('r') as lines:
            return [json.loads(line) for line in lines]


class ObjectiveTest(unittest.TestCase):

    def test_reports_and_result_arrive_in_order(self):
        offset = 3

        def objective(parameters):
            for epoch in range(3):
                orrery.report({'default': epoch, 'loss': 0.5})
            return parameters['x'] + offset

        for processes in (True, False):
            with Served(objective, processes) as served:
                self.assertEqual(served.ask({'x': 1}), [
                    {'report': {'default': 0, 'loss': 0.5}}, {'report': {'default': 1, 'loss': 0.5}},
                    {'report': {'default': 2, 'loss': 0.5}}, {'final': 4}])

    def test_an_exception_is_told_with_its_lines(self):
        def objective(parameters):
            return parameters['missing']

        with Served(objective) as served:
            [said] = served.ask({})
        self.assertIn("KeyError: 'missing'", said['error'])
        self.assertIn('test_search.py', said['error'])

    def test_an_answer_that_is_no_number_is_an_error(self):
        for answer in (None, 'text', True, {'default': None}):
            with Served(lambda parameters, answer=answer: answer) as served:
                [said] = served.ask({})
            self.assertIn('an objective answers with a number', said['error'])

    def test_numbers_of_libraries_are_taken(self):
        class Scalar:
            def item(self):
                return 0.25

        with Served(lambda parameters: {'default': Scalar(), 'size': 3}) as served:
            self.assertEqual(served.ask({}), [{'final': {'default': 0.25, 'size': 3}}])

    def test_several_are_evaluated_at_once(self):
        barrier = os.path.join(tempfile.mkdtemp(), 'fifo')
        os.mkfifo(barrier)

        def objective(parameters):
            # Each opens its end of the pipe: that returns when the other one has opened its own.
            with open(barrier, parameters['mode']):
                return 1

        with Served(objective) as served:
            one, other = served.connect({'mode': 'r'}), served.connect({'mode': 'w'})
            for link in (one, other):
                with link, link.makefile('r') as lines:
                    self.assertEqual([json.loads(line) for line in lines], [{'final': 1}])

    def test_an_objective_ends_with_its_trial(self):
        directory = tempfile.mkdtemp()

        def objective(parameters):
            try:
                with open(os.path.join(directory, 'begun'), 'w') as file:
                    file.write(str(os.getpid()))
                time.sleep(600)
            except reporting.TrialStopped:
                with open(os.path.join(directory, 'stopped'), 'w'):
                    pass
                raise

        with Served(objective) as served:
            link = served.connect({})
            self._await(os.path.join(directory, 'begun'))
            link.shutdown(socket.SHUT_RDWR)  # The fork has a copy, which a close would leave open.
            self._await(os.path.join(directory, 'stopped'))
            link.close()

    def _await(self, path):
        until = time.monotonic() + 30
        while not os.path.exists(path):
            self.assertLess(time.monotonic(), until, path + ' is not there')
            time.sleep(0.01)

    def test_what_cannot_be_called_with_parameters_is_refused(self):
        for wrong in (3, lambda: 1, lambda one, other: 1):
            with self.assertRaises(TypeError):
                objectives.check(wrong)
        objectives.check(lambda parameters, more=1: 1)

    def test_the_socket_is_of_this_user_alone_and_goes_with_the_host(self):
        host = objectives.ObjectiveHost(lambda parameters: 1)
        self.assertEqual(os.stat(host.directory).st_mode & 0o777, 0o700)
        host.close()
        self.assertFalse(os.path.exists(host.directory))


class RelayTest(unittest.TestCase):

    def _relay(self, path):
        environment = dict(os.environ, PYTHONPATH=COMPAT)
        return subprocess.run([sys.executable, objectives.RELAY, path], env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, timeout=60)

    def test_a_trial_whose_objective_fails_fails_with_its_lines(self):
        with Served(lambda parameters: 1 / 0) as served:
            ran = self._relay(served.host.path)
        self.assertEqual(ran.returncode, 1)
        self.assertIn('ZeroDivisionError', ran.stderr)

    def test_a_trial_without_a_search_says_so(self):
        ran = self._relay('/nowhere/s')
        self.assertEqual(ran.returncode, 1)
        self.assertIn('the process that searches does not answer', ran.stderr)


class PictureTest(unittest.TestCase):

    SHAPE = {'id': 'abc', 'name': '<b>', 'status': 'DONE', 'maxTrialNumber': 3,
             'trialCounts': {'SUCCEEDED': 2, 'FAILED': 1}, 'best': {'metric': 2, 'parameters': {'x': '<i>'}}}

    def test_the_line_says_how_many_and_the_best(self):
        self.assertEqual(study.words(self.SHAPE), 'DONE: 3 of 3 trials, 1 failed, best 2')

    def test_the_picture_has_no_markup_of_the_search(self):
        trials = [study.Trial({'sequenceId': i, 'id': str(i), 'status': 'SUCCEEDED', 'metric': metric})
                  for i, metric in enumerate([1, 2, 'NaN', None])]
        picture = study.report_html(self.SHAPE, trials, True, 'http://127.0.0.1:8080/#/experiments/abc')
        self.assertNotIn('<b>', picture)
        self.assertNotIn('<i>', picture)
        self.assertIn('<polyline', picture)
        self.assertNotIn('<script', picture)
        self.assertNotIn('nan', picture.lower().replace('nan"', ''))


if __name__ == '__main__':
    unittest.main()
