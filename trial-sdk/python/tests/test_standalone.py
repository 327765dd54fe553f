"""A script outside an experiment."""

from .trial_process import TrialTestCase

SCRIPT = '''
    import nni, warnings
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter('always')
        print(nni.get_current_parameter(), nni.get_next_parameter(), nni.get_current_parameter())
    print([warning.category.__name__ for warning in seen], seen[0].lineno)
    print(nni.get_experiment_id(), nni.get_trial_id(), nni.get_sequence_id())
    nni.report_intermediate_result(0.5)
    nni.report_intermediate_result({'default': 0.75, 'loss': float('nan')})
    nni.report_final_result(0.875)
'''

SHOWN = '''\
None {} {}
['RuntimeWarning'] 5
STANDALONE STANDALONE 0
Intermediate result: 0.5  (Index 0)
Intermediate result: {'default': 0.75, 'loss': nan}  (Index 1)
Final result: 0.875
'''


class StandaloneTest(TrialTestCase):

    def test_parameters_are_empty_and_results_are_printed(self):
        self.assertEqual(self.run_code(SCRIPT), (SHOWN, ''))

    def test_the_platform_unittest_is_no_platform(self):
        self.assertEqual(self.run_code(SCRIPT, {'NNI_PLATFORM': 'unittest'}), (SHOWN, ''))

    def test_results_need_no_parameters_first(self):
        out, _ = self.run_code('import nni; nni.report_final_result(1)')
        self.assertEqual(out, 'Final result: 1\n')
