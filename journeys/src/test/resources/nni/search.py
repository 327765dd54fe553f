"""Searches with functions of this script; what was seen is one line of JSON."""

import json
import os
import signal
import sys

import orrery

OFFSET = 3


def objective(parameters):
    for epoch in range(3):
        orrery.report(epoch)
    return (parameters['x'] - OFFSET) ** 2 + parameters['k']


def hangs(parameters):
    with open(os.path.join(sys.argv[1], 'begun'), 'a') as file:
        file.write('%d\n' % os.getpid())
    import time
    time.sleep(600)


def main():
    # Tests that were started in the background have it ignored, and so would this script.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    study = orrery.search(objective, {'x': orrery.integer(0, 5), 'k': [0, 1]}, trials=12, direction='minimize',
                          tuner='GridSearch', parallel=2, name='bowl')
    seen = {'id': study.id, 'status': study.status, 'best': study.best.parameters, 'value': study.value,
            'trials': len(study.trials), 'again': repr(orrery.load(study.id).best), 'same': repr(study.best),
            'picture': study._repr_html_()}
    try:
        orrery.search(lambda parameters: 1 / 0, {'x': [1]}, trials=1, show=False)
    except RuntimeError as error:
        seen['failed'] = str(error)
    try:
        orrery.search(objective, {'x': orrery.uniform(0, 1), 'k': [0]}, trials=-1)
    except RuntimeError as error:
        seen['refused'] = str(error)
    seen['here'] = orrery.search(lambda parameters: parameters['x'], {'x': [1, 2, 3]}, trials=3, tuner='GridSearch',
                                 processes=False, show=False).value
    seen['command'] = orrery.search(
        'python3 -c "import nni; nni.report_final_result(2 * nni.get_next_parameter()[\'x\'])"', {'x': [1, 2]}, trials=2,
        tuner='GridSearch', show=False, code=sys.argv[1]).value
    seen['there'] = repr(orrery.search(objective, {'x': orrery.integer(0, 5), 'k': [0]}, trials=6, tuner='GridSearch',
                                       direction='minimize', on_server=True, show=False).best)
    print(json.dumps(seen))
    sys.stdout.flush()
    orrery.search(hangs, {'x': orrery.uniform(0, 1)}, trials=10, parallel=2, name='hangs')


main()
