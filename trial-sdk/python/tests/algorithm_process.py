"""Runs a user's algorithm the way the server does."""

import json
import os
import subprocess
import sys

from .trial_process import COMPAT, TrialTestCase

SDK = os.path.dirname(COMPAT)


class AlgorithmTestCase(TrialTestCase):
    """A test with a folder of its own, where the user's module lies."""

    def algorithm(self, code, name='Mine', kind='tuner', args=None, space=None, resumed=False,
                  multi_thread=False):
        """Writes ``mine.py`` and opens the class of that name in a process."""
        self.write('code/mine.py', code)
        process = Algorithm(self)
        process.opened = process.ask(
            'open', kind=kind, class_name='mine.' + name, code_directory=os.path.join(self.folder, 'code'),
            class_args=args or {}, space=space or {'x': {'_type': 'uniform', '_value': [0, 1]}}, resumed=resumed,
            multi_thread=multi_thread)
        return process


class Algorithm:
    def __init__(self, test):
        self.printed = os.path.join(test.folder, 'stdout')
        self.complaints = os.path.join(test.folder, 'stderr')
        environment = {'PATH': os.environ['PATH'], 'PYTHONPATH': SDK + os.pathsep + COMPAT, 'PYTHONDONTWRITEBYTECODE': '1',
                       'NNI_CHECKPOINT_DIRECTORY': test.folder, 'LANG': 'C.UTF-8'}
        with open(self.complaints, 'w') as complaints:
            self.process = subprocess.Popen([sys.executable, '-m', 'orrery_algorithms', self.printed], cwd=test.folder,
                                            env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=complaints, universal_newlines=True)
        test.addCleanup(self.close)

    def ask(self, do, **arguments):
        """The answer to a question, ``{'ok': …}`` or ``{'error': …}``; None when the process is gone."""
        self.tell(do, **arguments)
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def tell(self, do, **arguments):
        """Asks without waiting for the answer."""
        arguments['do'] = do
        self.process.stdin.write(json.dumps(arguments) + '\n')
        self.process.stdin.flush()

    def wrote(self, path):
        with open(path) as file:
            return file.read()

    def close(self):
        self.process.stdin.close()
        code = self.process.wait(timeout=30)
        self.process.stdout.close()
        return code
