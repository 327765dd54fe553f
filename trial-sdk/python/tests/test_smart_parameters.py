"""Parameters that a script asks for by name, where it needs them."""

import json
import os
import tempfile

from .trial_process import TrialTestCase

SCRIPT = '''
    import nni
    lr = nni.loguniform(0.01, 1, name='lr')
    layers = nni.randint(1, 5, name='layers')
    def relu(): return 'relu'
    def tanh(): return 'tanh'
    print(lr, layers, nni.function_choice(relu, tanh, name='activation'))
'''


class SmartParametersTest(TrialTestCase):

    def test_a_dry_run_writes_the_search_space(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, 'space.json')
            out, _ = self.run_code(SCRIPT, {'NNI_GEN_SEARCH_SPACE': file})
            self.assertEqual(out, '0.1 1 relu\n')
            with open(file, encoding='utf-8') as written:
                self.assertEqual(json.load(written), {
                    'lr': {'_type': 'loguniform', '_value': [0.01, 1]},
                    'layers': {'_type': 'randint', '_value': [1, 5]},
                    'activation': {'_type': 'choice', '_value': ['relu', 'tanh']},
                })

    def test_outside_an_experiment_each_has_a_value_of_its_own(self):
        self.assertEqual(self.run_code(SCRIPT)[0], '0.1 1 relu\n')

    def test_a_trial_gets_what_was_chosen(self):
        with tempfile.TemporaryDirectory() as folder:
            record = {'parameter_id': 0, 'parameter_source': 'algorithm', 'parameter_index': 0,
                      'parameters': {'lr': 0.5, 'layers': 3, 'activation': 'tanh'}}
            with open(os.path.join(folder, 'parameter.cfg'), 'w', encoding='utf-8') as file:
                json.dump(record, file)
            os.mkdir(os.path.join(folder, '.nni'))
            out, _ = self.run_code(SCRIPT, {'NNI_PLATFORM': 'local', 'NNI_SYS_DIR': folder})
            self.assertEqual(out, '0.5 3 tanh\n')
