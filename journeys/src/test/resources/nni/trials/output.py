"""Leaves files where NNI says."""
import logging
import os

import nni

params = nni.get_next_parameter()
logging.getLogger('mine').warning('trial %s of %s', nni.get_trial_id(), nni.get_experiment_id())
folder = os.path.join(os.environ['NNI_OUTPUT_DIR'], 'checkpoints')
os.makedirs(folder, exist_ok=True)
with open(os.path.join(folder, 'model.txt'), 'w') as file:
    file.write('weights %d' % nni.get_sequence_id())
nni.report_final_result(float(os.path.exists(os.path.join(folder, 'model.txt'))))
