"""Runs trial code in a child process, the way a platform does."""

import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

COMPAT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'compat')


class TrialTestCase(unittest.TestCase):
    """A test with a folder of its own, in which trial code runs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)

    def write(self, path, text):
        """Writes a file below the test's folder and returns its absolute path."""
        absolute = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(absolute), exist_ok=True)
        with open(absolute, 'w') as file:
            file.write(textwrap.dedent(text))
        return absolute

    def start(self, code, environment=None, path=(COMPAT,)):
        """Starts Python code with ``path`` as PYTHONPATH and no other NNI variables than ``environment``."""
        variables = {name: value for name, value in os.environ.items()
                     if not name.startswith(('NNI_', 'ORRERY_', 'PYTHON')) and name not in ('MULTI_PHASE', 'REUSE_MODE')}
        variables.update(environment or {})
        variables['PYTHONPATH'] = os.pathsep.join(path)
        variables['PYTHONDONTWRITEBYTECODE'] = '1'
        process = subprocess.Popen([sys.executable, '-c', textwrap.dedent(code)], cwd=self.folder, env=variables,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        self.addCleanup(_end, process)
        return process

    def run_code(self, code, environment=None, path=(COMPAT,)):
        """Runs code to its end; returns its stdout, and its stderr. Any other exit code than 0 fails the test."""
        process = self.start(code, environment, path)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        return out, err


def _end(process):
    if process.poll() is None:
        process.kill()
        process.communicate()
