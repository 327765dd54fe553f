"""A trial on the local platform: parameters and results are files."""

import json
import os
import re
import sys
import time
import unittest

from .trial_process import TrialTestCase

RECORD = {'parameter_id': 3, 'parameter_source': 'algorithm', 'parameters': {'lr': 0.01, 'units': 8}, 'parameter_index': 0}


def read_records(data):
    """The payloads in the bytes of a metrics file, read strictly."""
    payloads = []
    while data:
        header = re.match(rb'ME(\d{6})', data)
        length = int(header.group(1))
        body = data[8:8 + length]
        if len(body) != length or not body.endswith(b'\n'):
            raise ValueError('broken record: %r' % body[:80])
        payloads.append(json.loads(body.decode('ascii')))
        data = data[8 + length:]
    return payloads


class LocalTrialTest(TrialTestCase):

    def setUp(self):
        super().setUp()
        self.write('parameter.cfg', json.dumps(RECORD))
        self.environment = {'NNI_PLATFORM': 'local', 'NNI_SYS_DIR': self.folder, 'NNI_EXP_ID': 'exp12345',
                            'NNI_TRIAL_JOB_ID': 'aB1cD', 'NNI_TRIAL_SEQ_ID': '7'}

    def metrics_bytes(self):
        with open(os.path.join(self.folder, '.nni', 'metrics'), 'rb') as file:
            return file.read()

    def test_parameters_come_from_the_file_once(self):
        out, _ = self.run_code('''
            import nni
            print(nni.get_next_parameters(), nni.get_current_parameter(), nni.get_current_parameter('lr'))
            print(nni.get_next_parameter(), nni.get_current_parameter('units'))
            print(nni.get_experiment_id(), nni.get_trial_id(), nni.get_sequence_id())
        ''', self.environment)
        self.assertEqual(out, "{'lr': 0.01, 'units': 8} {'lr': 0.01, 'units': 8} 0.01\nNone 8\nexp12345 aB1cD 7\n")

    def test_records_are_framed_byte_for_byte(self):
        self.run_code('import nni; nni.get_next_parameter(); nni.report_intermediate_result(0.93)', self.environment)
        body = b'{"parameter_id": 3, "trial_job_id": "aB1cD", "type": "PERIODICAL", "sequence": 0, "value": "0.93"}\n'
        self.assertEqual(self.metrics_bytes(), b'ME%06d' % len(body) + body)

    def test_intermediates_are_counted_and_the_final_is_zero(self):
        self.run_code('''
            import nni
            nni.get_next_parameter()
            for value in (1, 2.5, {'default': True, 'note': 'h\\u00e9'}, float('nan'), float('-inf')):
                nni.report_intermediate_result(value)
            nni.report_final_result({'default': 9, 'matrix': [[1]]})
        ''', self.environment)
        payloads = read_records(self.metrics_bytes())
        self.assertEqual([(p['type'], p['sequence'], p['value']) for p in payloads], [
            ('PERIODICAL', 0, '1'), ('PERIODICAL', 1, '2.5'), ('PERIODICAL', 2, '{"default": 1, "note": "h\\u00e9"}'),
            ('PERIODICAL', 3, 'NaN'), ('PERIODICAL', 4, '-Infinity'), ('FINAL', 0, '{"default": 9, "matrix": [[1]]}')])

    def test_the_file_is_used_even_when_there_is_a_channel(self):
        self.run_code('import nni; nni.get_next_parameter(); nni.report_final_result(1)',
                      dict(self.environment, NNI_TRIAL_COMMAND_CHANNEL='http://127.0.0.1:9/none/listens'))
        self.assertEqual(len(read_records(self.metrics_bytes())), 1)

    def test_the_file_is_found_after_a_change_of_directory(self):
        self.run_code('''
            import nni, os
            os.mkdir('deeper')
            os.chdir('deeper')
            nni.get_next_parameter()
            nni.report_final_result(1)
        ''', dict(self.environment, NNI_SYS_DIR='.'))
        self.assertEqual(len(read_records(self.metrics_bytes())), 1)

    def test_a_reported_result_survives_a_kill(self):
        process = self.start('''
            import nni, os, signal
            nni.get_next_parameter()
            nni.report_intermediate_result(1)
            os.kill(os.getpid(), signal.SIGKILL)
        ''', self.environment)
        process.communicate(timeout=60)
        self.assertEqual(len(read_records(self.metrics_bytes())), 1)

    def test_threads_share_one_count(self):
        self.run_code('''
            import nni, threading
            nni.get_next_parameter()
            def report():
                for _ in range(200):
                    nni.report_intermediate_result({'default': 0, 'filling': 'x' * 2000})
            threads = [threading.Thread(target=report) for _ in range(8)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
        ''', self.environment)
        self.assertEqual([p['sequence'] for p in read_records(self.metrics_bytes())], list(range(1600)))

    def test_processes_do_not_mix_their_records(self):
        code = '''
            import nni
            nni.get_next_parameter()
            for _ in range(300):
                nni.report_intermediate_result({'default': 0, 'filling': 'x' * 20000})
        '''
        for process in [self.start(code, self.environment) for _ in range(4)]:
            _, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0, err)
        counts = [p['sequence'] for p in read_records(self.metrics_bytes())]
        self.assertEqual(sorted(counts), sorted(list(range(300)) * 4))

    @unittest.skipUnless(hasattr(os, 'fork'), 'needs fork')
    def test_a_forked_child_reports_while_another_thread_of_its_parent_does(self):
        self.run_code('''
            import nni, os, threading
            nni.get_next_parameter()
            nni.report_intermediate_result(0)
            nni.trial._trial._reporting.acquire()
            child = os.fork()
            if child == 0:
                nni.report_final_result(1)
                os._exit(0)
            assert os.waitpid(child, 0)[1] == 0
        ''', self.environment)
        self.assertEqual([p['type'] for p in read_records(self.metrics_bytes())], ['PERIODICAL', 'FINAL'])

    def test_parameters_are_waited_for_until_they_are_whole(self):
        path = os.path.join(self.folder, 'parameter.cfg')
        os.remove(path)
        process = self.start('import nni; print(nni.get_next_parameter())', self.environment)
        for part in ('', '{"parameter_id": 0, "param', json.dumps(RECORD)):
            time.sleep(0.15)
            with open(path, 'w') as file:
                file.write(part)
        out, err = process.communicate(timeout=60)
        self.assertEqual((out, err), ("{'lr': 0.01, 'units': 8}\n", ''))

    def test_a_multi_phase_trial_asks_for_its_next_set(self):
        process = self.start('''
            import nni
            print(nni.get_next_parameter())
            print(nni.get_next_parameter())
            nni.report_final_result(1)
        ''', dict(self.environment, MULTI_PHASE='true'))
        metrics = os.path.join(self.folder, '.nni', 'metrics')
        deadline = time.monotonic() + 30
        while not os.path.exists(metrics) and time.monotonic() < deadline:
            time.sleep(0.02)
        self.write('parameter_1.cfg', json.dumps(dict(RECORD, parameter_id=4, parameters={'lr': 1}, parameter_index=1)))
        out, err = process.communicate(timeout=60)
        self.assertEqual((out, err), ("{'lr': 0.01, 'units': 8}\n{'lr': 1}\n", ''))
        self.assertEqual(read_records(self.metrics_bytes()), [
            {'trial_job_id': 'aB1cD', 'type': 'REQUEST_PARAMETER', 'sequence': 0, 'parameter_index': 1},
            {'parameter_id': 4, 'trial_job_id': 'aB1cD', 'type': 'FINAL', 'sequence': 0, 'value': '1'}])

    def test_a_result_before_the_parameters_is_a_mistake_of_the_script(self):
        process = self.start('import nni; nni.report_final_result(1)', self.environment)
        _, err = process.communicate(timeout=60)
        self.assertIn('AssertionError: nni.get_next_parameter() needs to be called before report_final_result', err)

    def test_a_result_of_a_million_bytes_is_refused_and_the_next_one_goes_out(self):
        out, _ = self.run_code('''
            import nni
            nni.get_next_parameter()
            try:
                nni.report_final_result({'default': 1, 'image': 'x' * 1000000})
            except ValueError as error:
                print(error)
            nni.report_final_result(2)
        ''', self.environment)
        self.assertRegex(out, r'takes 1000\d\d\d bytes .* below 1000000')
        self.assertEqual([p['value'] for p in read_records(self.metrics_bytes())], ['2'])

    @unittest.skipUnless(sys.platform.startswith('linux'), 'needs /dev/full')
    def test_a_full_disk_is_an_error_not_a_loss(self):
        self.write('.nni/keep', '')
        os.symlink('/dev/full', os.path.join(self.folder, '.nni', 'metrics'))
        process = self.start('import nni; nni.get_next_parameter(); nni.report_final_result(1)', self.environment)
        _, err = process.communicate(timeout=60)
        self.assertIn('No space left', err)
