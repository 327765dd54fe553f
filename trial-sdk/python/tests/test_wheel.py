"""The wheel: made alike twice, installed without a network, and used from there."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_PACK = os.path.join(_HERE, 'pack_wheel.py')
_TRIAL = 'import nni; nni.report_final_result(0.5); from nni.experiment import Experiment; print(nni.__file__)'


def _can_make_environments():
    try:
        import ensurepip  # noqa: F401 - asked for whether it is there
        import venv  # noqa: F401 - the same
        return True
    except ImportError:
        return False


class WheelTest(unittest.TestCase):

    def setUp(self):
        self._directory = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self._directory)

    def _packed(self, name):
        target = os.path.join(self._directory, name)
        subprocess.run([sys.executable, '-B', _PACK, target, '9.8.7'], check=True)
        return os.path.join(target, 'orrery-9.8.7-py3-none-any.whl')

    def test_the_same_sources_give_the_same_bytes(self):
        with open(self._packed('a'), 'rb') as one, open(self._packed('b'), 'rb') as other:
            self.assertEqual(one.read(), other.read())

    @unittest.skipUnless(_can_make_environments(), 'this Python cannot make virtual environments')
    def test_pip_installs_it_without_a_network_and_it_works(self):
        wheel = self._packed('wheel')
        home = os.path.join(self._directory, 'an environment')
        subprocess.run([sys.executable, '-m', 'venv', home], check=True)
        python = os.path.join(home, 'bin', 'python')
        environment = {key: value for key, value in os.environ.items()
                       if key not in ('PYTHONPATH', 'PYTHONHOME') and not key.startswith(('NNI_', 'ORRERY_'))}
        environment['PIP_DISABLE_PIP_VERSION_CHECK'] = '1'
        subprocess.run([python, '-m', 'pip', 'install', '--quiet', '--no-index', wheel], check=True, env=environment,
                       cwd=self._directory)
        checked = subprocess.run([python, '-m', 'pip', 'check'], env=environment, cwd=self._directory,
                                 stdout=subprocess.PIPE, universal_newlines=True)
        self.assertEqual(checked.returncode, 0, checked.stdout)
        ran = subprocess.run([python, '-c', _TRIAL], check=True, env=environment, cwd=self._directory,
                             stdout=subprocess.PIPE, universal_newlines=True)
        self.assertIn(os.path.join(home, 'lib'), ran.stdout.splitlines()[-1])


if __name__ == '__main__':
    unittest.main()
