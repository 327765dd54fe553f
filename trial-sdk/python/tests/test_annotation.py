"""Annotations in comments: the search space, and the code without them."""

import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

from orrery_annotation import annotations, plain, space

from .trial_process import TrialTestCase

TRIAL = textwrap.dedent("""
    '''Trains.'''
    import math

    def grow(x): return x + 100
    def shrink(x): return x - 100

    def train(x):
        '''@nni.variable(nni.choice(0.5, 0.25), name=rate)'''
        rate = 1
        '''@nni.variable(nni.choice(math.floor, math.ceil), name=round_off)'''
        round_off = abs
        '''@nni.variable(nni.uniform(0, 1), name=momentum)'''
        momentum = 0.1
        '''@nni.function_choice(grow(x), shrink(x), name=grow)'''
        size = [grow(x), 'größer']
        '''@nni.report_intermediate_result(momentum)'''
        '''@nni.report_final_result(round_off(rate + size[0]))'''
        print(rate, round_off(rate), momentum, size[0])

    if __name__ == '__main__':
        '''@nni.get_next_parameter()'''
        train(2)
""")


def read(code):
    return annotations.read(code, 'train.py')


@unittest.skipIf(sys.version_info < (3, 8), 'annotations need Python 3.8')
class AnnotationTest(TrialTestCase):

    def test_the_search_space_has_every_parameter_by_its_name(self):
        self.assertEqual(space.of(read(TRIAL)), {
            'rate': {'_type': 'choice', '_value': [0.5, 0.25]},
            'round_off': {'_type': 'choice', '_value': ['math.floor', 'math.ceil']},
            'momentum': {'_type': 'uniform', '_value': [0, 1]},
            'grow': {'_type': 'choice', '_value': ['grow(x)', 'shrink(x)']},
        })

    def test_plain_code_uses_what_the_trial_was_given(self):
        code = plain.code(TRIAL, read(TRIAL))
        self.assertNotIn('@nni', code)
        with tempfile.TemporaryDirectory() as folder:
            record = {'parameter_id': 7, 'parameter_source': 'algorithm', 'parameter_index': 0,
                      'parameters': {'rate': 0.25, 'round_off': 'math.ceil', 'momentum': 0.75, 'grow': 'shrink(x)'}}
            with open(os.path.join(folder, 'parameter.cfg'), 'w', encoding='utf-8') as file:
                json.dump(record, file)
            os.mkdir(os.path.join(folder, '.nni'))
            out, _ = self.run_code(code, {'NNI_PLATFORM': 'local', 'NNI_SYS_DIR': folder})
            self.assertEqual(out, '0.25 1 0.75 -98\n')
            with open(os.path.join(folder, '.nni', 'metrics'), encoding='utf-8') as metrics:
                reported = metrics.read()
        self.assertIn('"value": "0.75"', reported)
        self.assertIn('"value": "-97"', reported)

    def test_a_function_choice_takes_expressions(self):  # D11
        code = ('def grow(x): return x + 100\n'
                'x, factor = 2, 3\n'
                '"""@nni.function_choice(x, -x, x * factor, grow(x)[0], lambda: 1, name=size)"""\n'
                'size = [x, (x * factor) + 1]\n'
                'print(size)\n')
        found = read(code)
        self.assertEqual(space.of(found)['size']['_value'], ['x', '-x', 'x * factor', 'grow(x)[0]', 'lambda: 1'])
        plainly = plain.code(code, found).replace('import nni\n', '').replace("nni.get_current_parameter('size')", "'-x'")
        out, _ = self.run_code(plainly, {})
        self.assertEqual(out, '[-2, -1]\n')

    def test_code_without_annotations_stays_as_it_is(self):
        code = 'x = 1\r\ny = "@nni.variable"\n'
        self.assertEqual(read(code), [])
        self.assertEqual(plain.code(code, []), code)

    def test_a_mistake_is_told_with_its_line(self):
        for code, why in [
                ('"""@nni.variable(nni.uniform(0, 1), name=x)"""', 'no statement follows'),
                ('"""@nni.variable(nni.uniform(0, y), name=x)"""\nx = 1', 'y is not a number'),
                ('"""@nni.variable(nni.uniform(0, 1))"""\nx = 1', 'one keyword, name='),
                ('"""@nni.variable(nni.sometimes(0, 1), name=x)"""\nx = 1', 'nni.sometimes is no sampler'),
                ('"""@nni.variable(0, name=x)"""\nx = 1', 'is a call such as'),
                ('"""@nni.function_choice(name=f)"""\nf()', 'chooses among expressions'),
                ('"""@nni.function_choice(*f, name=f)"""\nf()', 'chooses among expressions'),
                ('"""@nni.mutable_layers({})"""\nx = 1', 'architecture search'),
                ('"""@nni.variable("""\nx = 1', 'is no Python'),
                ('print "@nni.x"', 'no Python 3')]:
            with self.subTest(code), self.assertRaisesRegex(annotations.Mistake, 'train.py, line 1: .*' + why):
                read(code)

    def test_the_statement_that_follows_must_fit(self):
        for code, why in [
                ('"""@nni.variable(nni.uniform(0, 1), name=x)"""\ny = 1', 'must be an assignment to x'),
                ('"""@nni.variable(nni.uniform(0, 1), name=x)"""\nx += 1', 'must be an assignment to x'),
                ('"""@nni.function_choice(f(), g(), name=f)"""\nh()', r'must contain one of the choices: f\(\), g\(\)'),
                ('"""@nni.function_choice(f, g, name=h)"""\nh()', 'must contain one of the choices: f, g'),
                ('"""@nni.function_choice(f(1), g(1), name=f)"""\nf(2) + f(3)', 'must call f once')]:
            with self.subTest(code), self.assertRaisesRegex(annotations.Mistake, why):
                plain.code(code, read(code))

    def test_two_parameters_of_one_name_must_be_the_same(self):
        same = '"""@nni.variable(nni.uniform(0, 1), name=x)"""\nx = 1\n'
        self.assertEqual(len(space.of(read(same + same))), 1)
        with self.assertRaisesRegex(annotations.Mistake, 'line 3: another parameter is called x'):
            space.of(read(same + same.replace('1)', '2)')))


@unittest.skipIf(sys.version_info < (3, 8), 'annotations need Python 3.8')
class FolderTest(unittest.TestCase):

    def run_on(self, folder, *arguments):
        return subprocess.run([sys.executable, '-B', '-m', 'orrery_annotation', folder, *arguments], stderr=subprocess.PIPE,
                              universal_newlines=True, cwd=os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

    def test_a_folder_is_written_anew_and_never_over_another(self):
        with tempfile.TemporaryDirectory() as place:
            code, out, file = (os.path.join(place, name) for name in ('code', 'plain', 'space.json'))
            os.makedirs(os.path.join(code, 'data'))
            self.write(code, 'data/words.txt', 'one two')
            self.assertEqual(self.run_on(code, file).returncode, 3)
            self.write(code, 'train.py', TRIAL)
            self.assertIn('lies in the folder', self.run_on(code, file, os.path.join(code, 'plain')).stderr)
            self.assertFalse(os.path.exists(file))
            self.assertEqual(self.run_on(code, file, out).returncode, 0)
            with open(file, encoding='utf-8') as written:
                self.assertEqual(len(json.load(written)), 4)
            self.assertTrue(os.path.exists(os.path.join(out, 'data', 'words.txt')))
            with open(os.path.join(out, 'train.py'), encoding='utf-8') as written:
                self.assertIn("nni.get_current_parameter('rate')", written.read())
            again = self.run_on(code, file, out)
            self.assertEqual(again.returncode, 1)
            self.assertIn('exists already', again.stderr)

    def write(self, folder, name, text):
        with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
            file.write(text)


if __name__ == '__main__':
    unittest.main()
