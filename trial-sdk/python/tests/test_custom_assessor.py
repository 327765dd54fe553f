"""Assessors and advisors of one's own, written for NNI."""

import unittest

from .algorithm_process import AlgorithmTestCase

PATIENT = '''
    from nni.assessor import Assessor, AssessResult

    class Mine(Assessor):
        def __init__(self, least=0.5):
            self.least = least

        def assess_trial(self, trial_job_id, trial_history):
            print('assess', trial_job_id, trial_history)
            return AssessResult.Good if trial_history[-1] >= self.least else AssessResult.Bad

        def trial_end(self, trial_job_id, success):
            print('end of', trial_job_id, success)
'''

ADVISOR = '''
    import json
    from nni.runtime.msg_dispatcher_base import MsgDispatcherBase
    from nni.runtime.protocol import CommandType, send
    from nni.utils import MetricType, extract_scalar_reward

    class Mine(MsgDispatcherBase):
        """One trial at a time; ends what reports less than a half, and suggests the next when one has ended."""

        def __init__(self):
            super().__init__()
            self.count = 0
            self.running = False
            self.credit = 0

        def handle_initialize(self, data):
            self.handle_update_search_space(data)
            self.send(CommandType.Initialized, '')

        def handle_update_search_space(self, data):
            self.space = data

        def handle_request_trial_jobs(self, data):
            print('asked for', data)
            self.credit += data
            self.next()

        def next(self):
            if self.credit and not self.running:
                self.running = True
                self.credit -= 1
                record = {'parameter_id': 'a_%d' % self.count, 'parameter_source': 'algorithm',
                          'parameters': {'x': self.count}}
                self.count += 1
                send(CommandType.NewTrialJob, json.dumps(record))

        def handle_report_metric_data(self, data):
            value = extract_scalar_reward(json.loads(data['value']))
            print(data['type'], data['parameter_id'], data['sequence'], value)
            if data['type'] == MetricType.PERIODICAL and value < 0.5:
                self.send(CommandType.KillTrialJob, json.dumps(data['trial_job_id']))

        def handle_trial_end(self, data):
            print('end of', json.loads(data['hyper_params'])['parameter_id'], data['event'])
            self.running = False
            self.next()

        def handle_import_data(self, data):
            print('import', data)

        def handle_add_customized_trial(self, data):
            print('unfinished', [record['parameter_id'] for record in data])
'''


class AssessorTest(AlgorithmTestCase):

    def test_it_judges_by_the_whole_history(self):
        assessor = self.algorithm(PATIENT, kind='assessor', args={'least': 0.3})
        self.assertEqual(assessor.opened, {'ok': None})
        self.assertEqual(assessor.ask('assess', id='0', trial='abcde', history=[0.4]), {'ok': False})
        self.assertEqual(assessor.ask('assess', id='0', trial='abcde', history=[0.4, 0.2]), {'ok': True})
        assessor.ask('ended', trial='abcde', history=[0.4, 0.2], succeeded=False)
        assessor.ask('ended', trial='silent', history=[], succeeded=True)
        self.assertEqual(assessor.wrote(assessor.printed),
                         'assess abcde [0.4]\nassess abcde [0.4, 0.2]\nend of abcde False\n')

    def test_the_past_is_shown_to_it_trial_by_trial(self):
        assessor = self.algorithm(PATIENT, kind='assessor', resumed=True)
        assessor.ask('past', trial='abcde', history=[0.1, 0.9], succeeded=True)
        assessor.ask('past', trial='silent', history=[], succeeded=True)
        self.assertEqual(assessor.wrote(assessor.printed), 'assess abcde [0.1, 0.9]\nend of abcde True\n')

    def test_a_verdict_that_is_none_is_refused(self):
        assessor = self.algorithm('''
            from nni.assessor import Assessor

            class Mine(Assessor):
                def assess_trial(self, trial_job_id, trial_history):
                    return None
        ''', kind='assessor')
        self.assertIn('must return AssessResult.Good', assessor.ask('assess', id='0', trial='a', history=[1])['error'])


class AdvisorTest(AlgorithmTestCase):

    def test_it_handles_the_messages_of_an_experiment(self):
        advisor = self.algorithm(ADVISOR, kind='advisor')
        self.assertEqual(advisor.opened, {'ok': None})
        self.assertEqual(advisor.ask('suggest', count=2)['ok'], [{'id': 'a_0', 'parameters': {'x': 0}}])
        self.assertEqual(advisor.ask('assess', id='a_0', trial='abcde', history=[0.9]), {'ok': False})
        self.assertEqual(advisor.ask('assess', id='a_0', trial='abcde', history=[0.9, {'default': 0.1}]), {'ok': True})
        advisor.ask('result', id='a_0', parameters={'x': 0}, trial='abcde', value=0.1, event='EARLY_STOPPED')
        # What it still owed it has sent meanwhile, and is not asked for again.
        self.assertEqual(advisor.ask('suggest', count=2)['ok'], [{'id': 'a_1', 'parameters': {'x': 1}}])
        self.assertEqual(advisor.wrote(advisor.printed).splitlines(), [
            'asked for 2', 'PERIODICAL a_0 0 0.9', 'PERIODICAL a_0 1 0.1', 'FINAL a_0 0 0.1', 'end of a_0 EARLY_STOPPED'])

    def test_what_was_before_comes_as_data(self):
        advisor = self.algorithm(ADVISOR, kind='advisor', resumed=True)
        advisor.ask('unfinished', last_number=3,
                    records=[{'parameter_id': '3', 'parameters': {}}, {'parameter_id': 'a_3', 'parameters': {}}])
        advisor.ask('import_data', data=[{'parameter': {'x': 1}, 'value': 0.5}])
        advisor.ask('result', id='a_3', parameters={'x': 3}, trial='abcde', value=0.5, event='SUCCEEDED')
        self.assertEqual(advisor.wrote(advisor.printed),
                         "unfinished [3, 'a_3']\nimport [{'parameter': {'x': 1}, 'value': 0.5}]\n")

    def test_a_tuner_is_no_advisor(self):
        advisor = self.algorithm('class Mine:\n    pass\n', kind='advisor')
        self.assertIn('it has no handle_request_trial_jobs', advisor.opened['error'])


if __name__ == '__main__':
    unittest.main()
