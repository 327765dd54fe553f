"""A dispatcher with one tuner in it, which tries whole numbers from ``start`` on. What it is told it prints.

Arguments of the tuner that make it misbehave: ``crash_at`` ends the process when it is asked for that number, ``hang_at``
makes it sleep then, ``most`` lets it run out.
"""

import argparse
import base64
import json
import os
import sys
import time

from . import lines

TUNERS = ('DNGO', 'TPE', 'TPE_legacy', 'PPO')


class Dispatcher:
    def __init__(self, line, arguments):
        self.line = line
        self.arguments = arguments
        self.next_id = 0
        self.trials = {}
        self.ready = False

    def run(self):
        while True:
            try:
                kind, content = self.line.receive()
            except lines.Closed as closed:
                print('closed', closed)
                return
            if kind == 'TE':
                assert content == '', content
                print('terminate')
                self.line.bye()
                return
            getattr(self, kind)(json.loads(content))
            sys.stdout.flush()

    def IN(self, space):
        assert not self.ready and isinstance(space, dict)
        print('initialize', json.dumps(space))
        self.ready = True
        self.line.send('ID', '')

    def SS(self, space):
        assert self.ready and isinstance(space, dict)
        print('space', json.dumps(space))

    def GE(self, count):
        assert self.ready and isinstance(count, int) and count > 0
        for n in range(count):
            number = self.next_id
            if number == self.arguments.get('most'):
                self.line.send('NO', json.dumps({'parameter_id': number, 'parameter_source': 'algorithm', 'parameters': ''}))
                return
            if number == self.arguments.get('crash_at') and os.environ['NNI_MODE'] == 'start':
                raise ValueError('cannot think of %d' % number)
            if number == self.arguments.get('hang_at') and os.environ['NNI_MODE'] == 'start':
                time.sleep(600)
            self.next_id += 1
            self.trials[number] = {'x': self.arguments.get('start', 0) + number}
            self.line.send('TR', json.dumps({
                'parameter_id': number, 'parameter_source': 'algorithm', 'parameters': self.trials[number],
                'parameter_index': 0, 'version_info': {'python': '3'}}))

    def ME(self, metric):
        assert isinstance(metric['value'], str), metric
        value = json.loads(metric['value'])
        if metric['type'] == 'FINAL':
            assert metric['sequence'] == 0
            assert metric['parameter_id'] is None or metric['parameter_id'] in self.trials, metric
            print('result', metric['parameter_id'], value)
        else:
            assert metric['type'] == 'PERIODICAL', metric
            print('report', metric['parameter_id'], metric['sequence'], value)
            if value == self.arguments.get('kill_at'):
                self.line.send('KI', json.dumps(metric['trial_job_id']))

    def EN(self, end):
        record = json.loads(end['hyper_params'])
        assert len(end['trial_job_id']) == 5
        print('end', record['parameter_id'], end['event'])

    def FD(self, data):
        print('import', [(entry['parameter']['x'], entry['value']) for entry in data])

    def AD(self, records):
        known = [record['parameter_id'] for record in records]
        print('unfinished', known)
        self.next_id = max(known) + 1


def release():
    place = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    name = next(name for name in os.listdir(place) if name.startswith('nni-') and name.endswith('.dist-info'))
    return tuple(int(number) for number in name[len('nni-'):-len('.dist-info')].split('.'))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--exp_params', required=True)
    parameters = json.loads(base64.b64decode(parser.parse_args().exp_params))
    own = parameters.get('advisor') or parameters['tuner']
    if 'className' in own:
        # Since 2.10 an advisor is a tuner like any other.
        assert ('advisor' in parameters) == (release() < (2, 10)), parameters
        assert own['className'] == 'mine.Advisor', parameters
        assert os.path.isdir(own['codeDirectory'])
        arguments = own['classArgs']
    else:
        tuner = parameters['tuner']
        name = tuner.get('name', tuner.get('builtinTunerName'))
        if name not in TUNERS:
            raise RuntimeError('%s is not a tuner' % name)
        arguments = tuner.get('classArgs', {})
        assert arguments.pop('optimize_mode') in ('maximize', 'minimize')
    assert os.environ['SDK_PROCESS'] == 'dispatcher'
    assert os.environ['NNI_MODE'] in ('start', 'resume')
    assert os.path.isdir(os.environ['NNI_CHECKPOINT_DIRECTORY'])
    print('mode', os.environ['NNI_MODE'])
    channel = os.environ.get('NNI_TUNER_COMMAND_CHANNEL')
    line = lines.WebSocket(channel) if channel else lines.Pipes()
    Dispatcher(line, arguments).run()


if __name__ == '__main__':
    main()
