"""The file protocol of several phases as the SDKs of NNI 1.9, 2.10 and 3.0 speak it, without any SDK.

With PRINTED its results are plain lines that name no set; of EVERY=n sets one has a result.
"""
import json
import os
import time

directory = os.environ['NNI_SYS_DIR']
assert os.environ['MULTI_PHASE'] == 'true', 'not a trial of several phases'
assert not os.environ.get('NNI_TRIAL_COMMAND_CHANNEL'), 'an SDK of NNI 3.0 would ask without a number'


def say(**payload):
    line = json.dumps(dict(payload, trial_job_id=os.environ['NNI_TRIAL_JOB_ID'])).encode() + b'\n'
    with open(os.path.join(directory, '.nni', 'metrics'), 'ab') as file:
        file.write(b'ME%06d' % len(line) + line)


def wait_for(path):
    # As the SDKs do: a file that is there and not empty is read at once, whatever is in it.
    while not (os.path.isfile(path) and os.path.getsize(path) > 0):
        pause = os.environ.get('SLOWLY')
        time.sleep(float(pause) if pause else 0.02)
    with open(path) as file:
        return json.load(file)


index = 0
while index < int(os.environ.get('WANTED', '3')):
    path = os.path.join(directory, 'parameter.cfg' if index == 0 else 'parameter_%d.cfg' % index)
    if not os.path.isfile(path):
        say(type='REQUEST_PARAMETER', sequence=0, parameter_index=index)
    record = wait_for(path)
    assert record['parameter_index'] == index, record
    if record['parameters'] is None:
        break
    with open(os.path.join(directory, 'tried'), 'a') as file:
        file.write('%s %s\n' % (record['parameter_id'], record['parameters']['x']))
    time.sleep(float(os.environ.get('WORK', '0')))
    if index % int(os.environ.get('EVERY', '1')) == 0:
        if os.environ.get('PRINTED'):
            print('orrery: final %r' % record['parameters']['x'], flush=True)
        else:
            say(parameter_id=record['parameter_id'], type='FINAL', sequence=0, value=json.dumps(record['parameters']['x']))
    index += 1
