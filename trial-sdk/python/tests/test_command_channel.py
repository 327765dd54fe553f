"""A trial on a platform with an HTTP command channel, against a server that is scripted answer by answer."""

import json
import os
import subprocess
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer

from .trial_process import TrialTestCase

PARAMETER = json.dumps({'type': 'parameter', 'parameter': json.dumps({'parameter_id': 5, 'parameters': {'lr': 0.1}})})
PATH = '/token/env/local-env/aB1cD'
REPORT = '''
    import nni
    nni.get_next_parameter()
    nni.report_intermediate_result(0.5)
    nni.report_final_result({'default': 0.75})
'''


class ScriptedServer:
    """Answers PUT and GET each from a list of statuses, then 200; None drops the connection after reading. Keeps what was PUT."""

    def __init__(self, puts=(), gets=(), retry_after=None, port=0):
        self.commands = []
        self.paths = set()
        answers = {'PUT': list(puts), 'GET': list(gets)}
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_PUT(self):
                server.commands.append(json.loads(self.rfile.read(int(self.headers['Content-Length'])).decode()))
                self.answer('')

            def do_GET(self):
                self.answer(PARAMETER)

            def answer(self, body):
                server.paths.add(self.path)
                script = answers[self.command]
                status = script.pop(0) if script else 200
                if status is None:
                    return
                content = body.encode() if status == 200 else b'because of a test'
                self.send_response(status)
                if retry_after is not None:
                    self.send_header('Retry-After', retry_after)
                self.send_header('Content-Length', str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *arguments):
                pass

        self._http = HTTPServer(('127.0.0.1', port), Handler)
        self.port = self._http.server_port
        self.url = 'http://127.0.0.1:%d%s' % (self.port, PATH)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,))
        self._thread.start()

    def close(self):
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def metrics(self):
        return [json.loads(command['metric']) for command in self.commands if command['type'] == 'metric']


class CommandChannelTest(TrialTestCase):

    def server(self, **script):
        server = ScriptedServer(**script)
        self.addCleanup(server.close)
        return server

    def environment(self, url, **more):
        return dict({'NNI_PLATFORM': 'remote', 'NNI_SYS_DIR': self.folder, 'NNI_TRIAL_JOB_ID': 'aB1cD',
                     'NNI_TRIAL_COMMAND_CHANNEL': url}, **more)

    def test_parameters_and_results_travel_as_commands(self):
        server = self.server(gets=[408, 408])
        out, err = self.run_code('import nni; print(nni.get_next_parameter())' + REPORT.replace('\n    ', '\n'),
                                 self.environment(server.url))
        self.assertEqual((out, err), ("{'lr': 0.1}\n", ''))
        self.assertEqual(server.paths, {PATH})
        self.assertEqual([c['type'] for c in server.commands], ['request_parameter', 'request_parameter', 'metric', 'metric'])
        first, second = server.metrics()
        source = first.pop('source')
        self.assertRegex(source, '^[0-9a-z]+-[0-9a-z]+$')
        self.assertEqual(second.pop('source'), source)
        self.assertEqual(first, {'parameter_id': 5, 'trial_job_id': 'aB1cD', 'type': 'PERIODICAL', 'sequence': 0,
                                 'value': '0.5', 'ordinal': 0})
        self.assertEqual(second, {'parameter_id': 5, 'trial_job_id': 'aB1cD', 'type': 'FINAL', 'sequence': 0,
                                  'value': '{"default": 0.75}', 'ordinal': 1})

    def test_a_result_is_repeated_unchanged_until_it_is_acknowledged(self):
        server = self.server(puts=[200, None, 503, 200])
        self.run_code(REPORT, self.environment(server.url))
        metrics = server.metrics()
        self.assertEqual([m['ordinal'] for m in metrics], [0, 0, 0, 1])
        self.assertEqual(metrics[0], metrics[2])

    def test_a_busy_server_says_when_to_come_back(self):
        server = self.server(puts=[200, 429], retry_after='1')
        self.run_code(REPORT, self.environment(server.url))
        self.assertEqual([m['ordinal'] for m in server.metrics()], [0, 0, 1])

    def test_a_server_that_starts_later_is_waited_for(self):
        early = ScriptedServer()
        early.close()
        process = self.start('import nni; print(nni.get_next_parameter())', self.environment(early.url))
        with self.assertRaises(subprocess.TimeoutExpired):
            process.communicate(timeout=0.4)
        self.server(port=early.port)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(out, "{'lr': 0.1}\n")

    def test_a_server_that_is_gone_fails_the_report_after_the_patience(self):
        gone = ScriptedServer()
        gone.close()
        process = self.start('import nni; nni.get_next_parameter()',
                             self.environment(gone.url, ORRERY_CHANNEL_PATIENCE='0.5'))
        _, err = process.communicate(timeout=60)
        self.assertIn('ChannelError: no answer from 127.0.0.1 within 0.5 s', err)
        self.assertNotIn('token', err)

    def test_a_refusal_is_final_and_carries_the_reason(self):
        server = self.server(puts=[200, 400])
        process = self.start(REPORT, self.environment(server.url))
        _, err = process.communicate(timeout=60)
        self.assertIn('refused a command of this trial with status 400: because of a test', err)
        self.assertEqual(len(server.metrics()), 1)

    def test_a_closed_channel_gives_no_parameters(self):
        server = self.server(gets=[408, 410])
        out, _ = self.run_code('import nni; print(nni.get_next_parameter())', self.environment(server.url))
        self.assertEqual(out, 'None\n')

    def test_a_channel_that_closes_later_lets_the_trial_finish(self):
        server = self.server(puts=[200, 410])
        _, err = self.run_code(REPORT, self.environment(server.url))
        self.assertIn('RuntimeWarning: the server has closed the channel', err)
        self.assertEqual(len(server.metrics()), 1)

    def test_a_proxy_of_the_environment_is_not_used(self):
        server = self.server()
        self.run_code(REPORT, self.environment(server.url, http_proxy='http://127.0.0.1:9', HTTP_PROXY='http://127.0.0.1:9'))
        self.assertEqual(len(server.metrics()), 2)

    @unittest.skipUnless(hasattr(os, 'fork'), 'needs fork')
    def test_a_forked_child_is_a_source_of_its_own(self):
        server = self.server()
        self.run_code('''
            import nni, os
            nni.get_next_parameter()
            nni.report_intermediate_result(1)
            child = os.fork()
            nni.report_intermediate_result(2)
            if child == 0:
                os._exit(0)
            os.waitpid(child, 0)
        ''', self.environment(server.url))
        seen = [(m['source'], m['ordinal']) for m in server.metrics()]
        self.assertEqual(len(set(seen)), 3)
        self.assertEqual(sorted(ordinal for _, ordinal in seen), [0, 0, 1])
