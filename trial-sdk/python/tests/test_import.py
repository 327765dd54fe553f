"""``import nni``: the stand-in serves where there is no other nni, and steps aside where there is one."""

import os
import shutil

from .trial_process import COMPAT, TrialTestCase


class ImportTest(TrialTestCase):

    def other_nni(self, folder, name='other'):
        self.write(folder + '/nni/__init__.py', 'from .core import WHO\n')
        self.write(folder + '/nni/core.py', 'WHO = %r\n' % name)
        self.write(folder + '/nni/utils.py', 'from nni.core import WHO\ndef merge_parameter(): return WHO\n')
        self.write(folder + '/nni/experiment/__init__.py', 'from ..core import WHO as OWNER\n')
        self.write(folder + '/nni/__main__.py', 'from .core import WHO\nprint("main of", WHO)\n')
        return os.path.join(self.folder, folder)

    def test_the_stand_in_serves_when_there_is_no_other(self):
        out, _ = self.run_code('''
            import nni
            from nni.utils import merge_parameter
            from nni.trial import get_trial_id
            print(nni.__version__, get_trial_id(), nni.utils.merge_parameter is merge_parameter)
        ''')
        self.assertEqual(out, '3.0+orrery STANDALONE True\n')

    def test_the_folder_beside_stays_off_the_path(self):
        out, _ = self.run_code('''
            import nni, os, sys
            import orrery_trial
            print([entry for entry in sys.path if os.path.isdir(os.path.join(entry, 'orrery_trial'))])
            try:
                import compat
            except ImportError:
                print('no compat')
        ''')
        self.assertEqual(out, '[]\nno compat\n')

    def test_an_nni_later_on_the_path_takes_over_with_its_submodules(self):
        other = self.other_nni('site')
        out, err = self.run_code('''
            import nni
            from nni.utils import merge_parameter
            import nni.experiment
            import sys
            print(nni.WHO, merge_parameter(), nni.experiment.OWNER, sys.modules['nni'] is nni, hasattr(nni, 'trial'))
            print(sorted(name for name in sys.modules if name.startswith(('nni', 'orrery'))))
        ''', path=(COMPAT, other))
        self.assertEqual(out, 'other other other True False\n'
                              "['nni', 'nni.core', 'nni.experiment', 'nni.utils']\n")
        self.assertEqual(err, '')

    def test_a_submodule_may_be_the_first_import(self):
        out, _ = self.run_code('import nni.experiment as e; print(e.OWNER)', path=(COMPAT, self.other_nni('site')))
        self.assertEqual(out, 'other\n')

    def test_the_other_nni_runs_as_a_program(self):
        out, _ = self.run_code('import runpy; runpy.run_module("nni")', path=(COMPAT, self.other_nni('site')))
        self.assertEqual(out, 'main of other\n')

    def test_an_nni_in_the_working_directory_takes_over(self):
        self.other_nni('.')
        out, _ = self.run_code('''
            import sys
            sys.path.remove('')
            sys.path.append('')
            import nni
            print(nni.WHO)
        ''')
        self.assertEqual(out, 'other\n')

    def test_an_nni_of_another_finder_takes_over(self):
        other = self.other_nni('editable')
        out, _ = self.run_code('''
            import sys
            from importlib.machinery import PathFinder
            class Editable:
                @staticmethod
                def find_spec(name, path=None, target=None):
                    return PathFinder.find_spec(name, [%r]) if name == 'nni' else None
            sys.meta_path.append(Editable)
            import nni
            print(nni.WHO)
        ''' % other)
        self.assertEqual(out, 'other\n')

    def test_a_mere_folder_called_nni_is_no_package(self):
        self.write('logs/nni/trial.log', 'text')
        out, _ = self.run_code('import nni; print(nni.__version__)', path=(COMPAT, os.path.join(self.folder, 'logs')))
        self.assertEqual(out, '3.0+orrery\n')

    def test_two_stand_ins_on_the_path_do_not_step_aside_for_each_other(self):
        copy = os.path.join(self.folder, 'copy')
        shutil.copytree(os.path.dirname(COMPAT), copy, ignore=shutil.ignore_patterns('tests', '__pycache__'))
        twins = (COMPAT, os.path.join(copy, 'compat'))
        out, _ = self.run_code('import nni; print(nni.__file__)', path=twins)
        self.assertEqual(out, os.path.join(COMPAT, 'nni', '__init__.py') + '\n')
        out, _ = self.run_code('import nni; print(nni.WHO)', path=twins + (self.other_nni('site'),))
        self.assertEqual(out, 'other\n')

    def test_the_failure_of_the_other_nni_is_shown_not_hidden(self):
        self.write('site/nni/__init__.py', 'import a_missing_dependency\n')
        out, _ = self.run_code('''
            import sys
            try:
                import nni
            except ImportError as error:
                print(error.name, 'nni' in sys.modules)
        ''', path=(COMPAT, os.path.join(self.folder, 'site')))
        self.assertEqual(out, 'a_missing_dependency False\n')

    def test_a_name_that_is_not_there_says_whose_nni_this_is(self):
        out, _ = self.run_code('''
            import nni
            try:
                nni.trace
            except AttributeError as error:
                print(error)
        ''')
        self.assertIn("Orrery's own nni has no 'trace'", out)

    def test_the_import_loads_nothing_heavy(self):
        out, _ = self.run_code('''
            import sys
            before = set(sys.modules)
            import nni
            print(sorted({'json', 'logging', 'http.client', 'urllib.request', 'subprocess'} & (set(sys.modules) - before)))
        ''')
        self.assertEqual(out, '[]\n')
