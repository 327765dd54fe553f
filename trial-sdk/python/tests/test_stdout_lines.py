"""A trial whose output a keeper reads: results are marked lines."""

import json
import re

from .trial_process import TrialTestCase


class StdoutLinesTest(TrialTestCase):

    def setUp(self):
        super().setUp()
        self.write('parameter.cfg', '{"parameter_id": "1_2_3", "parameters": {}}')
        self.environment = {'NNI_PLATFORM': 'kubeflow', 'NNI_SYS_DIR': self.folder, 'NNI_TRIAL_JOB_ID': 't'}

    def test_a_result_is_one_line_that_every_reader_takes_whole(self):
        out, _ = self.run_code('''
            import nni
            nni.get_next_parameter()
            nni.report_final_result({'default': 1, 'note': "it's"})
        ''', self.environment)
        for reader in (r"NNISDK_MEb'(.*?)'", r"NNISDK_MEb'(.*)'$"):
            payload = json.loads(re.match(reader, out.rstrip('\n')).group(1))
            self.assertEqual(payload, {'parameter_id': '1_2_3', 'trial_job_id': 't', 'type': 'FINAL', 'sequence': 0,
                                       'value': '{"default": 1, "note": "it\'s"}'})

    def test_a_runner_that_reuses_its_environment_reads_stdout_on_the_local_platform_too(self):
        out, _ = self.run_code('import nni; nni.get_next_parameter(); nni.report_intermediate_result(1)',
                               dict(self.environment, NNI_PLATFORM='local', REUSE_MODE='true'))
        self.assertTrue(out.startswith("NNISDK_MEb'"), out)

    def test_a_platform_without_a_folder_is_named(self):
        process = self.start('import nni; nni.get_next_parameter()', {'NNI_PLATFORM': 'kubeflow'})
        _, err = process.communicate(timeout=60)
        self.assertIn('NNI_SYS_DIR is not set', err)
        self.assertIn('kubeflow', err)
