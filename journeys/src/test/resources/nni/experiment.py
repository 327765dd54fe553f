"""Does with an experiment what users of NNI's Python API do; prints what it saw as one JSON document."""

import json
import sys
import time

from nni.experiment import Experiment



def wait_for(condition):
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


port, code = int(sys.argv[1]), sys.argv[2]
seen = {}

experiment = Experiment('local')
experiment.config.experiment_name = 'from Python'
experiment.config.trial_command = 'python3 trial.py'
experiment.config.trial_code_directory = code
experiment.config.search_space = {'x': {'_type': 'uniform', '_value': [0, 1]}}
experiment.config.tuner.name = 'TPE'
experiment.config.tuner.class_args['optimize_mode'] = 'maximize'
experiment.config.max_trial_number = 3
experiment.config.trial_concurrency = 1
experiment.config.training_service.use_active_gpu = True
seen['done'] = experiment.run(port)
seen['status'] = experiment.get_status()
trials = experiment.list_trial_jobs()
seen['trials'] = [trial.status for trial in trials]
seen['parameters'] = [sorted(trial.hyperParameters[0].parameters) for trial in trials]
seen['final'] = [trial.finalMetricData[0].data for trial in trials]
seen['one'] = experiment.get_trial_job(trials[0].trialJobId) == trials[0]
seen['missing'] = experiment.get_trial_job('zzzzz')
metrics = experiment.get_job_metrics()
seen['metrics'] = [[metric.data for metric in metrics[trial.trialJobId]] for trial in trials]
seen['export'] = [result.value for result in experiment.export_data()]
seen['statistics'] = experiment.get_job_statistics()

# As with NNI, the port is closed when run() has stopped the experiment; the server goes on.
other = Experiment.connect(int(experiment._server.url.rsplit(':', 1)[1]))
seen['same'] = other.id == experiment.id
other.update_trial_concurrency(2)
other.update_max_experiment_duration('2h')
other.update_search_space({'x': {'_type': 'choice', '_value': [0.5]}})
other.update_max_trial_number(4)
seen['params'] = other.get_experiment_profile()['params']
resumed = other._wait(port)
seen['resumed'] = [resumed, len(other.list_trial_jobs())]

try:
    experiment.config.trial_comand = 'x'
except AttributeError as error:
    seen['slip'] = str(error)
broken = Experiment('local')
broken.config.trial_command = 'true'
broken.config.trial_concurrency = 0
try:
    broken.start(port)
except RuntimeError as error:
    seen['refused'] = str(error)

named = Experiment(experiment.config, id='mine_1')
named.config.trial_command = 'sleep 1000'
seen['known'] = [named.has_checkpoint()]
named.start(port)
seen['named'] = named.id
seen['known'].append(named.has_checkpoint())
named.stop()
wait_for(lambda: named.get_status() == 'STOPPED')
again = Experiment('local', id='mine_1').run_or_resume(port, wait_completion=False)
wait_for(lambda: any(trial.status == 'RUNNING' for trial in again.list_trial_jobs()))
running = next(trial.trialJobId for trial in again.list_trial_jobs() if trial.status == 'RUNNING')
again.kill_trial_job(running)
wait_for(lambda: again.get_trial_job(running).status == 'USER_CANCELED')
again.stop()
seen['nothing'] = again.get_job_metrics('zzzzz')
viewed = Experiment.view(experiment.id, port, non_blocking=True)
seen['viewed'] = [len(viewed.list_trials()), len(viewed.get_job_metrics(trials[0].trialJobId))]
seen['metadata'] = [viewed.get_experiment_metadata('mine_1')['id'], viewed.get_experiment_metadata('zzzzz'),
                    sorted(entry['id'] for entry in viewed.get_all_experiments_metadata())]
seen['ended'] = Experiment.resume(experiment.id, port)
print(json.dumps(seen))
