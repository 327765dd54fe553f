"""Pipelines of functions and tracked runs, up to the server."""

import json
import os
import pickle
import subprocess
import sys
import tempfile
import unittest

COMPAT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'compat')
if COMPAT not in sys.path:
    sys.path.insert(0, COMPAT)

import orrery  # noqa: E402 - found where the tests look
from orrery import reporting, tracking  # noqa: E402 - the same


@orrery.task
def numbers(count, text='{{run.id}}'):
    return list(range(count))


@orrery.task(retry=2, cache='1d', env={'LEVEL': '3'})
def mean(values, scale=1.0, exact=False):
    from fractions import Fraction
    if exact:
        return Fraction(sum(values), len(values))
    return scale * sum(values) / len(values)


@orrery.pipeline(project='vision', parallelism=2)
def means(scale=2.0, count=4):
    mean(numbers(count), scale)
    mean(numbers(3), scale)


@orrery.pipeline
def listed(scale=2.0):
    first, second = numbers(1), numbers(2)
    mean([first, second]).after(first)


class DocumentTest(unittest.TestCase):

    def test_calls_are_steps_with_edges(self):
        document = means.document()
        self.assertEqual([each['name'] for each in document['tasks']], ['numbers', 'mean', 'numbers-2', 'mean-2'])
        self.assertEqual(document['parameters'], {
            'scale': {'type': 'float', 'default': 2.0}, 'count': {'type': 'int', 'default': 4}})
        self.assertEqual((document['kind'], document['project'], document['parallelism']), ('Pipeline', 'vision', 2))
        second = document['tasks'][1]
        self.assertEqual(second['inputs'], {'values': '{{tasks.numbers.outputs.result}}'})
        self.assertEqual((second['retry'], second['cache']), ({'attempts': 2}, {'for': '1d'}))
        self.assertEqual(json.loads(second['env']['TASK_ARGUMENTS']), {
            'values': ['input', 'values'], 'scale': ['parameter', ['scale', 'float']], 'exact': ['value', False]})
        self.assertEqual(second['env']['LEVEL'], '3')

    def test_a_list_of_results_is_an_input_for_each(self):
        third = listed.document()['tasks'][2]
        self.assertEqual(third['inputs'], {
            'values_0': '{{tasks.numbers.outputs.result}}', 'values_1': '{{tasks.numbers-2.outputs.result}}'})
        self.assertEqual(third['after'], ['numbers'])

    def test_what_looks_like_a_lookup_is_none(self):
        first = means.document()['tasks'][0]
        self.assertIn('{{{{run.id}}', first['env']['TASK_ARGUMENTS'])
        self.assertIn("'{{{{run.id}}'", first['command'][2])

    def test_without_a_pipeline_a_task_is_its_function(self):
        self.assertEqual(mean(numbers(5)), 2.0)
        self.assertIsNone(means(scale=1.0))

    def test_mistakes_are_named(self):
        outer = 3
        with self.assertRaisesRegex(ValueError, 'uses outer from around it'):
            orrery.task(lambda x: x + outer)
        with self.assertRaisesRegex(ValueError, 'calls no task'):
            orrery.pipeline(lambda: None, name='none').document()
        with self.assertRaisesRegex(TypeError, 'needs a default'):
            orrery.pipeline(lambda x: numbers(1), name='x').document()
        with self.assertRaisesRegex(TypeError, 'argument count is <object'):
            orrery.pipeline(lambda: numbers(object()), name='x').document()
        with self.assertRaisesRegex(TypeError, 'mixes results'):
            orrery.pipeline(lambda: mean([numbers(1), 3]), name='x').document()
        with self.assertRaisesRegex(TypeError, 'is not there while the pipeline is put together'):
            orrery.pipeline(lambda: [each for each in numbers(1)], name='x').document()


class ProgramTest(unittest.TestCase):

    def _result(self, task, arguments, inputs=None, **variables):
        with tempfile.TemporaryDirectory() as directory:
            for name, data in (inputs or {}).items():
                with open(os.path.join(directory, name), 'wb') as file:
                    file.write(data)
            environment = dict(os.environ, ORRERY_INPUTS=directory, ORRERY_OUTPUTS=directory,
                               TASK_ARGUMENTS=json.dumps(arguments), **variables)
            subprocess.run([sys.executable, '-c', task.program()], check=True, env=environment)
            with open(os.path.join(directory, 'result'), 'rb') as file:
                return file.read()

    def test_json_where_it_gives_the_same_again(self):
        self.assertEqual(self._result(numbers, {'count': ['value', 3], 'text': ['value', '']}), b'j[0, 1, 2]')

    def test_pickled_otherwise(self):
        from fractions import Fraction
        data = self._result(mean, {'values': ['input', 'v'], 'exact': ['parameter', ['exact', 'bool']]}, {'v': b'j[1, 2]'},
                            ORRERY_PARAM_EXACT='true')
        self.assertEqual(data[:1], b'p')
        self.assertEqual(pickle.loads(data[1:]), Fraction(3, 2))

    def test_parameters_have_their_types(self):
        data = self._result(mean, {'values': ['inputs', ['a', 'b']], 'scale': ['parameter', ['scale', 'float']]},
                            {'a': b'j1', 'b': b'p' + pickle.dumps(3)}, ORRERY_PARAM_SCALE='2.5')
        self.assertEqual(data, b'j5.0')


class FakeServer:
    """Notes what it is asked, and fails while it is away."""

    url = 'http://127.0.0.1:1'

    def __init__(self):
        self.asked = []
        self.away = False

    def call(self, method, path, body=None, content_type='application/json', **query):
        if self.away:
            raise ConnectionError('away')
        self.asked.append((path.rsplit('mlflow', 1)[-1], body))
        if path.endswith('get-by-name'):
            return {'experiment': {'experiment_id': '0'}}
        if path.endswith('runs/create'):
            return {'run': {'info': {'run_id': 'r', 'artifact_uri': 'mlflow-artifacts:/0/r/artifacts'}}}
        return {}

    def points(self):
        return [(each['key'], each['value'], each['step']) for path, body in self.asked if path == '/runs/log-batch'
                for each in body.get('metrics', [])]


class TrackingTest(unittest.TestCase):

    def test_points_are_sent_together_and_steps_count_for_each_name(self):
        server = FakeServer()
        with tracking.Run(server, 'a') as run:
            run.log({'loss': 0.5, 'bad': float('nan')})
            run.log({'loss': 0.25})
            run.log({'loss': 0.125}, step=10)
            run.log({'loss': 0.1})
            self.assertEqual(server.points(), [])
        self.assertEqual(server.points(), [
            ('loss', 0.5, 0), ('bad', 'NaN', 0), ('loss', 0.25, 1), ('loss', 0.125, 10), ('loss', 0.1, 11)])
        self.assertEqual(server.asked[-1][1]['status'], 'FINISHED')

    def test_a_server_that_is_away_loses_nothing(self):
        server = FakeServer()
        run = tracking.Run(server, 'a')
        server.away = True
        for _ in range(tracking._BATCH):
            run.log({'loss': 1})
        server.away = False
        run.end('KILLED')
        self.assertEqual(len(server.points()), tracking._BATCH)

    def test_a_name_that_the_server_would_refuse_is_refused_at_once(self):
        server = FakeServer()
        with tracking.Run(server, 'a') as run:
            for name in ('mAP@0.5', '', '/x', 'x/', 'a/../b', 'x' * 251):
                with self.assertRaises(ValueError):
                    run.log({'loss': 1, name: 2})
            run.log({'val/loss': 0.5})
        self.assertEqual(server.points(), [('val/loss', 0.5, 0)])

    def test_in_an_objective_it_is_a_report(self):
        seen = []
        reporting.listen(seen.append)
        try:
            orrery.log({'loss': 0.5, 'accuracy': 1})
            orrery.log({'loss': 0.5, 'default': 2})
        finally:
            reporting.listen(None)
        self.assertEqual(seen, [{'loss': 0.5, 'accuracy': 1, 'default': 0.5}, {'loss': 0.5, 'default': 2}])

    def test_what_is_no_number_is_named(self):
        for wrong in ({}, 3, {'x': 'y'}, {'x': True}):
            with self.assertRaises(TypeError):
                orrery.log(wrong)


if __name__ == '__main__':
    unittest.main()
