"""Tuners that may wait for results while they make parameters."""

import unittest

from .algorithm_process import AlgorithmTestCase

WAITS = '''
    import threading
    import nni
    from nni.tuner import Tuner

    class Mine(Tuner):
        """Knows what comes second only when it has heard how the first one did."""

        def __init__(self, most=1000, fault=''):
            self.heard = threading.Event()
            self.most = most
            self.fault = fault

        def update_search_space(self, search_space):
            pass

        def generate_parameters(self, parameter_id, **kwargs):
            if parameter_id >= self.most:
                raise nni.NoMoreTrialError('that was all')
            if self.fault:
                raise KeyError(self.fault)
            if parameter_id > 0:
                self.heard.wait()
            return {'x': parameter_id}

        def receive_trial_result(self, parameter_id, parameters, value, **kwargs):
            self.heard.set()
'''

FAILS_LATE = '''
    import threading
    from nni.tuner import Tuner

    class Mine(Tuner):
        """Fails at its second set, which it makes when it has heard of the first one."""

        def __init__(self):
            self.heard = threading.Event()
            self.second = None

        def update_search_space(self, search_space):
            pass

        def generate_parameters(self, parameter_id, **kwargs):
            if parameter_id > 0:
                self.second = threading.current_thread()
                self.heard.wait()
                raise KeyError('lr')
            return {'x': parameter_id}

        def receive_trial_result(self, parameter_id, parameters, value, **kwargs):
            self.heard.set()
            self.second.join()
'''


class ThreadedTunerTest(AlgorithmTestCase):

    def open(self, **args):
        return self.algorithm(WAITS, args=args, multi_thread=True)

    def test_what_is_there_is_given_and_the_rest_when_the_result_is_told(self):
        tuner = self.open()
        self.assertEqual(tuner.ask('suggest', count=3), {'ok': [{'id': 0, 'parameters': {'x': 0}}]})
        self.assertEqual(tuner.ask('thinking'), {'ok': True})
        self.assertEqual(tuner.ask('suggest', count=2), {'ok': []})
        tuner.ask('result', id='0', parameters={'x': 0}, trial='abcde', value=0.5, event='SUCCEEDED')
        later = []
        while tuner.ask('thinking')['ok']:
            later += tuner.ask('suggest', count=2 - len(later))['ok']
        self.assertEqual(sorted(item['id'] for item in later), [1, 2])

    def test_it_may_have_no_more(self):
        tuner = self.open(most=1)
        self.assertEqual(tuner.ask('suggest', count=3), {'ok': [{'id': 0, 'parameters': {'x': 0}}]})
        self.assertEqual(tuner.ask('thinking'), {'ok': False})

    def test_what_a_thread_raises_is_the_answer(self):
        tuner = self.open(fault='lr')
        self.assertRegex(tuner.ask('suggest', count=1)['error'],
                         r"^KeyError: 'lr', at File \"mine.py\", line \d+, in generate_parameters: raise")

    def test_what_a_thread_raises_between_two_questions_is_still_to_come(self):
        tuner = self.algorithm(FAILS_LATE, multi_thread=True)
        self.assertEqual(tuner.ask('suggest', count=2)['ok'], [{'id': 0, 'parameters': {'x': 0}}])
        self.assertEqual(tuner.ask('suggest', count=1), {'ok': []})
        tuner.ask('result', id='0', parameters={'x': 0}, trial='abcde', value=0.5, event='SUCCEEDED')
        self.assertEqual(tuner.ask('thinking'), {'ok': True})
        self.assertRegex(tuner.ask('suggest', count=1)['error'], "^KeyError: 'lr'")

    def test_without_it_methods_are_called_one_after_the_other(self):
        tuner = self.algorithm(WAITS)
        self.assertEqual(tuner.ask('suggest', count=1), {'ok': [{'id': 0, 'parameters': {'x': 0}}]})
        tuner.ask('result', id='0', parameters={'x': 0}, trial='abcde', value=0.5, event='SUCCEEDED')
        self.assertEqual(tuner.ask('suggest', count=2)['ok'][1]['id'], 2)


if __name__ == '__main__':
    unittest.main()
