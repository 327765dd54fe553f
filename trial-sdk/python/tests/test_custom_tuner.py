"""Tuners of one's own, written for NNI."""

import unittest

from .algorithm_process import AlgorithmTestCase

STEPS = '''
    import nni
    from nni.tuner import Tuner
    from nni.utils import OptimizeMode, extract_scalar_reward

    class Mine(Tuner):
        """Suggests 0, 0.1, 0.2 … and writes down what it is told."""

        def __init__(self, optimize_mode='maximize', most=1000):
            self.mode = OptimizeMode(optimize_mode)
            self.most = most
            self.told = []

        def update_search_space(self, search_space):
            self.names = sorted(search_space)

        def generate_parameters(self, parameter_id, **kwargs):
            if parameter_id >= self.most:
                raise nni.NoMoreTrialError('that was all')
            return {name: parameter_id / 10 for name in self.names}

        def receive_trial_result(self, parameter_id, parameters, value, **kwargs):
            print(parameter_id, parameters, extract_scalar_reward(value), kwargs['customized'], kwargs['trial_job_id'])

        def trial_end(self, parameter_id, success, **kwargs):
            print('end of', parameter_id, success)

        def import_data(self, data):
            print('import', data)

        def load_checkpoint(self):
            print('checkpoint', self.get_checkpoint_path() is not None)
'''


class TunerTest(AlgorithmTestCase):

    def test_it_suggests_and_is_told(self):
        tuner = self.algorithm(STEPS, args={'optimize_mode': 'minimize'})
        self.assertEqual(tuner.opened, {'ok': None})
        self.assertEqual(tuner.ask('suggest', count=2),
                         {'ok': [{'id': 0, 'parameters': {'x': 0.0}}, {'id': 1, 'parameters': {'x': 0.1}}]})
        tuner.ask('result', id='1', parameters={'x': 0.1}, trial='abcde', value={'default': 0.5, 'loss': 2}, event='SUCCEEDED')
        tuner.ask('result', id='0', parameters={'x': 0.0}, trial='fghij', value=None, event='FAILED')
        self.assertEqual(tuner.wrote(tuner.printed),
                         "1 {'x': 0.1} 0.5 False abcde\nend of 1 True\nend of 0 False\n")

    def test_it_may_have_no_more(self):
        tuner = self.algorithm(STEPS, args={'most': 1})
        self.assertEqual(len(tuner.ask('suggest', count=3)['ok']), 1)
        self.assertEqual(tuner.ask('suggest', count=3), {'ok': []})

    def test_after_a_restart_it_gets_results_as_data_and_numbers_go_on(self):
        tuner = self.algorithm(STEPS, resumed=True)
        tuner.ask('unfinished', last_number=4,
                  records=[{'parameter_id': '2', 'parameter_source': 'resumed', 'parameters': {'x': 0.2}}])
        tuner.ask('import_data', data=[{'parameter': {'x': 0.3}, 'value': 0.9}])
        self.assertEqual(tuner.ask('suggest', count=1)['ok'][0]['id'], 5)
        self.assertEqual(tuner.wrote(tuner.printed), "checkpoint True\nimport [{'parameter': {'x': 0.3}, 'value': 0.9}]\n")

    def test_results_of_trials_that_users_added_only_when_it_wants_them(self):
        tuner = self.algorithm(STEPS + '''
    class Curious(Mine):
        def __init__(self):
            super().__init__()
            self._accept_customized_trials()
''', name='Curious')
        tuner.ask('result', id=None, parameters={'x': 9}, trial='abcde', value=1.0, event='SUCCEEDED')
        self.assertEqual(tuner.wrote(tuner.printed), "None {'x': 9} 1.0 True abcde\n")
        deaf = self.algorithm(STEPS)
        deaf.ask('result', id=None, parameters={'x': 9}, trial='abcde', value=1.0, event='SUCCEEDED')
        self.assertEqual(tuner.wrote(tuner.printed), "None {'x': 9} 1.0 True abcde\n")

    def test_what_it_withholds_comes_when_it_delivers_it(self):
        tuner = self.algorithm('''
            from nni.tuner import Tuner

            class Mine(Tuner):
                def update_search_space(self, space):
                    self.owed = []

                def generate_multiple_parameters(self, parameter_id_list, **kwargs):
                    self.deliver = kwargs['st_callback']
                    self.owed = parameter_id_list[1:]
                    return [{'x': 1}]

                def receive_trial_result(self, parameter_id, parameters, value, **kwargs):
                    self.deliver(self.owed.pop(0), {'x': 2})
        ''')
        self.assertEqual(tuner.ask('suggest', count=3)['ok'], [{'id': 0, 'parameters': {'x': 1}}])
        tuner.ask('result', id='0', parameters={'x': 1}, trial='abcde', value=1, event='SUCCEEDED')
        self.assertEqual(tuner.ask('suggest', count=1)['ok'], [{'id': 1, 'parameters': {'x': 2}}])

    def test_what_it_prints_does_not_disturb_the_conversation(self):
        tuner = self.algorithm('''
            import os, subprocess, sys
            from nni.tuner import Tuner
            print('{"ok": "from the module"}', flush=True)

            class Mine(Tuner):
                def update_search_space(self, space):
                    os.write(1, b'direct\\n')
                    subprocess.call(['echo', 'of a child'])
                    print(sys.stdin.read() == '')

                def generate_parameters(self, parameter_id, **kwargs):
                    return {'x': 0.5}
        ''')
        self.assertEqual(tuner.opened, {'ok': None})
        self.assertEqual(tuner.ask('suggest', count=1)['ok'], [{'id': 0, 'parameters': {'x': 0.5}}])
        self.assertEqual(tuner.wrote(tuner.printed), '{"ok": "from the module"}\ndirect\nof a child\nTrue\n')

    def test_numbers_of_numpy_are_numbers(self):
        tuner = self.algorithm('''
            from nni.tuner import Tuner

            class Scalar:
                def tolist(self):
                    return 7

            class Mine(Tuner):
                def update_search_space(self, space):
                    pass

                def generate_parameters(self, parameter_id, **kwargs):
                    return {'x': Scalar()}
        ''')
        self.assertEqual(tuner.ask('suggest', count=1)['ok'], [{'id': 0, 'parameters': {'x': 7}}])


class FailureTest(AlgorithmTestCase):

    def test_what_it_raises_is_said_with_its_place(self):
        tuner = self.algorithm('''
            from nni.tuner import Tuner

            class Mine(Tuner):
                def update_search_space(self, space):
                    pass

                def generate_parameters(self, parameter_id, **kwargs):
                    return self.divided(0)

                def divided(self, by):
                    return {'x': 1 / by}
        ''')
        self.assertEqual(tuner.ask('suggest', count=1), {
            'error': 'ZeroDivisionError: division by zero, at File "mine.py", line 12, in divided: return {\'x\': 1 / by}'})
        self.assertIn('in generate_parameters', tuner.wrote(tuner.complaints))

    def test_of_a_message_of_several_lines_type_and_first_line_stay(self):  # B6
        tuner = self.algorithm('''
            from nni.tuner import Tuner

            class Mine(Tuner):
                def update_search_space(self, space):
                    pass

                def generate_parameters(self, parameter_id, **kwargs):
                    raise ValueError("bad\\nsecond line")
        ''')
        self.assertTrue(tuner.ask('suggest', count=1)['error'].startswith('ValueError: bad, at File "mine.py", line 9'))

    def test_what_is_wrong_with_its_code_is_said(self):
        cases = [
            ('class Mine:\n    pass\n', 'Mine', 'tuner', 'TypeError: Mine is not a tuner: it has no generate_parameters'),
            ('', 'Mine', 'tuner', "AttributeError: module 'mine' has no attribute 'Mine'"),
            ('def f(:\n', 'Mine', 'tuner', 'SyntaxError'),
            ('import nothing_of_that_name\n', 'Mine', 'tuner', 'No module named \'nothing_of_that_name\''),
            ('class Mine:\n    def generate_parameters(self): pass\n', 'Mine', 'assessor', 'it has no assess_trial'),
            ('class Mine:\n    def handle_request_trial_jobs(self, n): pass\n', 'Mine', 'tuner', 'under the key advisor'),
            ('import sys\nsys.exit(3)\n', 'Mine', 'tuner', 'SystemExit: 3'),
        ]
        for code, name, kind, words in cases:
            with self.subTest(code=code):
                self.assertIn(words, self.algorithm(code, name, kind).opened['error'])

    def test_arguments_that_it_does_not_take(self):
        self.assertIn("unexpected keyword argument 'speed'", self.algorithm(STEPS, args={'speed': 1}).opened['error'])

    def test_parameters_that_are_not_json(self):
        tuner = self.algorithm('''
            from nni.tuner import Tuner

            class Mine(Tuner):
                def update_search_space(self, space):
                    pass

                def generate_parameters(self, parameter_id, **kwargs):
                    return {'x': object()}
        ''')
        self.assertIn('is not JSON', tuner.ask('suggest', count=1)['error'])


if __name__ == '__main__':
    unittest.main()
