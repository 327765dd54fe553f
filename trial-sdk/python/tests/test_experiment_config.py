"""The configuration of ``nni.experiment`` as JSON. Running one is tested with a real server, on the Java side."""

from .trial_process import TrialTestCase


class ExperimentConfigTest(TrialTestCase):

    def seen(self, code):
        return self.run_code('import json\nfrom nni.experiment import *\n' + code)[0].strip()

    def test_attributes_become_members_and_what_is_not_set_is_left_out(self):
        self.assertEqual(self.seen('''
config = Experiment('local').config
config.trial_command = 'python3 t.py'
config.search_space = {'lr_rate': {'_type': 'choice', '_value': [1]}}
config.tuner.name = 'TPE'
config.training_service.max_trial_number_per_gpu = 2
print(json.dumps(config.json(), sort_keys=True))
'''), '{"searchSpace": {"lr_rate": {"_type": "choice", "_value": [1]}}, "trainingService": '
            '{"maxTrialNumberPerGpu": 2, "platform": "local"}, "trialCommand": "python3 t.py", "tuner": {"name": "TPE"}}')

    def test_several_platforms_and_machines_are_lists(self):
        self.assertEqual(self.seen('''
config = ExperimentConfig(['local', 'remote'], trial_concurrency=1)
config.training_service[1].machine_list.append(RemoteMachineConfig(host='h', user='u', ssh_key_file='k'))
print(json.dumps(config.json(), sort_keys=True))
'''), '{"trainingService": [{"platform": "local"}, {"machineList": [{"host": "h", "sshKeyFile": "k", "user": "u"}], '
            '"platform": "remote"}], "trialConcurrency": 1}')

    def test_a_slip_is_told_with_what_was_meant(self):
        self.assertEqual(self.seen('''
try:
    Experiment('local').config.max_trial_numbr = 3
except AttributeError as error:
    print(error)
'''), "ExperimentConfig has no field 'max_trial_numbr' (did you mean 'max_trial_number'?)")

    def test_a_metric_is_decoded_twice_and_an_exported_value_once(self):
        self.assertEqual(self.seen('''
job = TrialJob('aB1cD', 'SUCCEEDED', '', 1, 0, hyperParameters=['{"parameter_id": 0, "parameter_source": "algorithm",'
               ' "parameters": {"x": 1}, "parameter_index": 0}'],
               finalMetricData=[dict(timestamp=1, trialJobId='aB1cD', parameterId='0', type='FINAL', sequence=0,
                                     data=json.dumps(json.dumps({'default': 0.5})))])
print(job.hyperParameters[0].parameters, job.finalMetricData[0].data, TrialResult({}, '0.5', 'x').value)
'''), "{'x': 1} {'default': 0.5} 0.5")
