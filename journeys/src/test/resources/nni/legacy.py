"""The calls of NNI 2.0's Python client, with our own package."""

import json
import os
import sys
import time

from nni.experiment import Experiment, LegacyExperiment
from nni.tools.nnictl.updater import load_search_space

port, folder = int(sys.argv[1]), sys.argv[2]
seen = {'space': load_search_space(os.path.join(folder, 'space.json'))}

started = Experiment()
started.start_experiment(os.path.join(folder, 'config.yml'), port=port)
while started.get_experiment_status()['status'] != 'DONE':
    time.sleep(0.2)

connected = LegacyExperiment()
connected.connect_experiment('http://localhost:%d/' % port)
seen['same'] = connected.id == started.id
seen['status'] = connected.get_experiment_status()['status']
seen['trials'] = len(connected.list_trial_jobs())
try:
    connected.connect_experiment('http://localhost:%d/' % port)
except RuntimeError as error:
    seen['taken'] = str(error)
connected.update_trailnum(3)
seen['most'] = connected.get_experiment_profile()['params']['maxTrialNumber']
connected.stop_experiment()
print(json.dumps(seen))
