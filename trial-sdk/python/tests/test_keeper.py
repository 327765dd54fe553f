"""The keeper as a process, against a server that is cut off, that cancels, and that loses answers."""

import hashlib
import io
import json
import os
import signal
import subprocess
import sys
import tarfile
import tempfile
import textwrap
import unittest

from .keeper_server import TOKEN, KeeperServer, wait_for

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
REPORT = '''
report() {
  json="{\\"parameter_id\\": 7, \\"type\\": \\"$1\\", \\"sequence\\": $2, \\"value\\": \\"$3\\"}"
  printf 'ME%06d%s\\n' $((${#json} + 1)) "$json" >>"$NNI_SYS_DIR/.nni/metrics"
}
'''


def packed(files):
    """A code bundle and its digest."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode='w') as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            member.mode = 0o755 if name.endswith('.sh') else 0o644
            tar.addfile(member, io.BytesIO(content))
    import gzip
    return hashlib.sha256(plain.getvalue()).hexdigest(), gzip.compress(plain.getvalue())


def read(path):
    with open(path) as file:
        return file.read()


class KeeperTestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)
        self.server = KeeperServer()
        self.addCleanup(self.server.close)

    def start(self, command, program=('orrery_keeper.py',), **variables):
        """Starts a keeper with nothing but its variables, in an empty directory."""
        environment = {
            'PATH': os.environ['PATH'], 'TMPDIR': self.folder, 'PYTHONDONTWRITEBYTECODE': '1',
            'ORRERY_URL': self.server.url, 'ORRERY_TRIAL_TOKEN': TOKEN, 'ORRERY_COMMAND': textwrap.dedent(command),
            'NNI_PLATFORM': 'kubernetes', 'NNI_EXP_ID': 'abcd1234', 'NNI_TRIAL_JOB_ID': 'trial', 'NNI_TRIAL_SEQ_ID': '3',
            'ORRERY_KEEPER_GRACE': '1',
        }
        environment.update(variables)
        arguments = [os.path.join(HERE, program[0])] if len(program) == 1 else list(program)
        process = subprocess.Popen([sys.executable] + arguments, cwd=self.folder, env=environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        self.addCleanup(_end, process)
        return process

    def run_keeper(self, command, **variables):
        """Runs one to its end: exit code, stdout, stderr."""
        process = self.start(command, **variables)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def values(self):
        return [(point['kind'], point['sequence'], point['value']) for point in self.server.points]


class KeeperTest(KeeperTestCase):
    def test_what_a_command_reports_prints_and_leaves_comes_home(self):
        code, out, err = self.run_keeper(REPORT + '''
            echo out; echo err >&2; pwd >"$NNI_OUTPUT_DIR/where"; mkdir "$NNI_OUTPUT_DIR/a b"; printf x >"$NNI_OUTPUT_DIR/a b/é"
            echo log >"$NNI_OUTPUT_DIR/trial.log"; cat "$NNI_SYS_DIR/parameter.cfg" >"$NNI_OUTPUT_DIR/parameters"
            report PERIODICAL 0 0.1
            echo "orrery: intermediate 0.2"; echo "NNISDK_MEb'{\\"type\\": \\"FINAL\\", \\"sequence\\": 0, \\"value\\": \\"0.3\\"}'"
            exit 5''')
        self.assertEqual(code, 5, err)
        self.assertIn('out\n', out)
        self.assertIn('err\n', err)
        self.assertEqual(self.server.logs['stderr'], b'err\n')
        self.assertTrue(self.server.logs['stdout'].startswith(b'out\n'))
        self.assertEqual(self.server.logs['trial'], b'log\n')
        self.assertEqual(sorted(self.server.outputs), ['a b/é', 'parameters', 'where'])
        self.assertEqual(json.loads(self.server.outputs['parameters'].decode())['parameters'], {'lr': 0.5})
        self.assertEqual(sorted(self.values()),
                         [('final', 0, 0.3), ('intermediate', 0, 0.1), ('intermediate', 0, 0.2)])
        self.assertEqual([(end['exitCode'], end['reason']) for end in self.server.ends], [(5, None)])
        self.assertEqual(os.listdir(self.folder), [])

    def test_trial_code_reports_through_the_shim_and_the_channel(self):
        code, _, err = self.run_keeper('''%s -c "
            import nni
            assert nni.get_next_parameter() == {'lr': 0.5}
            for i in range(3): nni.report_intermediate_result(i)
            nni.report_final_result(float('nan'))
            "''' .replace('            ', '') % sys.executable)
        self.assertEqual(code, 0, err)
        self.assertEqual(self.values(), [('intermediate', 0, 0), ('intermediate', 1, 1), ('intermediate', 2, 2),
                                         ('final', 0, 'NaN')])

    def test_a_command_is_brought_the_sets_that_it_asks_for_when_its_reports_have_arrived(self):
        for platform in ('remote', 'local'):
            self.server.points, self.server.asked, self.server.further = [], [], {}
            process = self.start('''%s -B -c "
import nni, os
assert 'NNI_TRIAL_COMMAND_CHANNEL' not in os.environ
while True:
    parameters = nni.get_next_parameter()
    if parameters is None:
        break
    nni.report_final_result(parameters['lr'])
"''' % sys.executable, MULTI_PHASE='true', NNI_PLATFORM=platform)
            wait_for('the first result', lambda: self.server.points)
            self.assertIsNone(process.poll())
            self.server.further = {
                1: {'parameter_id': 8, 'parameters': {'lr': 0.25}, 'parameter_index': 1},
                2: {'parameter_id': None, 'parameters': None, 'parameter_index': 2}}
            _, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0, err)
            self.assertEqual([(point['parameterId'], point['value']) for point in self.server.points],
                             [('7', 0.5), ('8', 0.25)])
            self.assertEqual(self.server.asked, [(1, [0.5]), (2, [0.5, 0.25])])

    def test_a_line_that_names_no_set_is_of_the_one_that_the_command_has(self):
        self.server.further = {
            1: {'parameter_id': 8, 'parameters': {'lr': 0.25}, 'parameter_index': 1},
            2: {'parameter_id': None, 'parameters': None, 'parameter_index': 2}}
        code, _, err = self.run_keeper('''
            next() {
              json="{\\"type\\": \\"REQUEST_PARAMETER\\", \\"sequence\\": 0, \\"parameter_index\\": $1}"
              printf 'ME%06d%s\\n' $((${#json} + 1)) "$json" >>"$NNI_SYS_DIR/.nni/metrics"
              until [ -e "$NNI_SYS_DIR/parameter_$1.cfg" ]; do sleep 0.02; done
            }
            # A command that never stops printing keeps no other waiting.
            while :; do echo y; done & chatty=$!
            echo "orrery: final 0.1"; next 1
            kill $chatty; echo "orrery: intermediate 0.2"; echo "orrery: final 0.3"; next 2
            echo "orrery: final 0.4"''', MULTI_PHASE='true')
        self.assertEqual(code, 0, err)
        self.assertEqual([(point['value'], point['parameterId']) for point in self.server.points],
                         [(0.1, '7'), (0.2, '8'), (0.3, '8'), (0.4, '8')])
        self.assertEqual(self.server.asked, [(1, [0.1]), (2, [0.1, 0.3])], "finals only")

    def test_a_cut_costs_nothing(self):
        process = self.start('''
            for i in $(seq 0 199); do echo "orrery: intermediate $i"; [ $i = 50 ] && touch up; done
            until [ -e go ]; do sleep 0.05; done; echo "orrery: final 1"; exit 3''')
        wait_for('the command', lambda: os.path.exists(os.path.join(self.folder, 'up')))
        self.server.down = True
        open(os.path.join(self.folder, 'go'), 'w').close()
        calls = self.server.calls
        wait_for('tries that fail', lambda: self.server.calls > calls + 3)
        self.assertIsNone(process.poll())
        self.server.lose_answers = 5
        self.server.down = False
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, err)
        self.assertEqual(self.values(), [('intermediate', i, i) for i in range(200)] + [('final', 0, 1)])
        self.assertEqual(self.server.logs['stdout'].decode(), out)
        self.assertEqual(self.server.ends[-1]['exitCode'], 3)

    def test_a_canceled_command_leaves_no_process(self):
        process = self.start('''
            trap '' TERM
            setsid sh -c 'echo $$ >escaped; sleep 300; sleep 300' &
            (sleep 300; sleep 301) &
            until [ -s escaped ]; do sleep 0.02; done
            touch up; while :; do sleep 302; done''')
        wait_for('the command', lambda: os.path.exists(os.path.join(self.folder, 'up')))
        self.server.cancel.set()
        out, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 137, err)
        self.assertIn('was killed', self.server.ends[0]['reason'])
        with open(os.path.join(self.folder, 'escaped')) as file:
            self.assertFalse(_runs(file.read().strip()))

    def test_sigterm_ends_the_tree_and_delivers(self):
        process = self.start('''
            echo "orrery: intermediate 0.5"; trap 'echo "orrery: final 0.7"; exit 9' TERM; touch up
            while :; do sleep 0.05; done''')
        wait_for('the command', lambda: os.path.exists(os.path.join(self.folder, 'up')))
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 9, err)
        self.assertEqual(self.values(), [('intermediate', 0, 0.5), ('final', 0, 0.7)])
        self.assertEqual(self.server.ends[0]['exitCode'], 9)
        self.assertIn('SIGTERM', self.server.ends[0]['reason'])

    def test_sigterm_while_the_server_is_away_ends_in_time(self):
        process = self.start('touch up; sleep 300', ORRERY_KEEPER_FAREWELL='1')
        wait_for('the command', lambda: os.path.exists(os.path.join(self.folder, 'up')))
        self.server.down = True
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, 143)

    def test_what_was_started_elsewhere_is_not_started(self):
        self.server.refuse_start = 'another process has started it already'
        code, _, err = self.run_keeper('touch ran')
        self.assertEqual(code, 75)
        self.assertIn('another process', err)
        self.assertFalse(os.path.exists(os.path.join(self.folder, 'ran')))

    def test_the_record_comes_with_the_start(self):
        for with_start, asked in ((True, 0), (False, 1)):
            self.server.record_with_start = with_start
            code, _, err = self.run_keeper('cp "$NNI_SYS_DIR/parameter.cfg" "$NNI_OUTPUT_DIR/record%d"' % asked)
            self.assertEqual(code, 0, err)
            self.assertEqual(json.loads(self.server.outputs['record%d' % asked].decode())['parameters'], {'lr': 0.5})
            # A server from before this has none there.
            self.assertEqual(self.server.records_asked, asked)

    def test_a_server_that_never_answers(self):
        self.server.down = True
        code, _, err = self.run_keeper('touch ran', ORRERY_KEEPER_START_PATIENCE='1')
        self.assertEqual(code, 69)
        self.assertIn('cannot be reached', err)

    def test_a_missing_variable_is_named(self):
        code, _, err = self.run_keeper('', ORRERY_COMMAND='')
        self.assertEqual(code, 64)
        self.assertIn('ORRERY_COMMAND', err)

    def test_a_report_that_is_refused_costs_no_other(self):
        self.server.bad_values = (13,)
        code, _, err = self.run_keeper('for i in $(seq 0 29); do echo "orrery: intermediate $i"; done')
        self.assertEqual(code, 0, err)
        self.assertEqual([value for _, _, value in self.values()], [i for i in range(30) if i != 13])
        self.assertIn('refused', self.server.ends[0]['reason'])

    def test_a_report_on_stderr_is_told(self):  # B3
        code, _, err = self.run_keeper('echo "orrery: final 0.9" >&2')
        self.assertEqual(code, 0, err)
        self.assertEqual(self.server.points, [])
        self.assertEqual(self.server.ends[0]['reason'],
                         'this line of stderr is no report, because reports are read from stdout: orrery: final 0.9')

    def test_a_report_that_is_too_long_is_told(self):  # B3
        code, _, err = self.run_keeper('printf "orrery: final "; head -c 3000000 /dev/zero | tr "\\0" 1; echo; '
                                       'echo "orrery: final 1"')
        self.assertEqual(code, 0, err[:1000])
        self.assertEqual([value for _, _, value in self.values()], [1])
        self.assertTrue(self.server.ends[0]['reason'].startswith('this is no report that can be read: orrery: final 111'))

    def test_only_the_first_of_its_kind_reports(self):
        code, _, err = self.run_keeper('echo "orrery: final 1"', ORRERY_KEEPER_ROLE='worker',
                                       ORRERY_KEEPER_REPORTS='first', ORRERY_KEEPER_INDEX='1')
        self.assertEqual(code, 0, err)
        self.assertEqual(self.server.points, [])
        self.assertEqual([(start['keeper'], start['primary']) for start in self.server.started], [('worker-1', False)])

    def test_an_attempt_that_is_gone_is_given_up(self):
        process = self.start('touch up; sleep 300')
        wait_for('the command', lambda: os.path.exists(os.path.join(self.folder, 'up')))
        self.server._beat = lambda: (404, b'{"detail": "no such attempt"}')
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 143)
        self.assertEqual(self.server.ends, [])


class CodeTest(KeeperTestCase):
    def test_the_command_runs_in_its_code(self):
        digest, bundle = packed({'run.sh': b'#!/bin/sh\necho "orrery: final $(cat data/x)"\n', 'data/x': b'4'})
        self.server.code[digest] = bundle
        code, _, err = self.run_keeper('./run.sh', ORRERY_CODE=digest)
        self.assertEqual(code, 0, err)
        self.assertEqual(self.values(), [('final', 0, 4)])

    def test_code_that_is_not_what_was_meant_is_not_run(self):
        _, bundle = packed({'run.sh': b'touch ran'})
        self.server.code['ab' * 32] = bundle
        code, _, err = self.run_keeper('sh run.sh', ORRERY_CODE='ab' * 32)
        self.assertEqual(code, 70)
        self.assertIn('digest', err)
        self.assertEqual(self.server.ends[0]['exitCode'], 70)
        self.assertIn('digest', self.server.ends[0]['reason'])

    def test_nothing_is_unpacked_outside(self):
        for name in ('../x', '/x', 'a/../../x'):
            digest, bundle = packed({name: b'x'})
            self.server.code[digest] = bundle
            code, _, err = self.run_keeper('true', ORRERY_CODE=digest)
            self.assertEqual(code, 70, name)
            self.assertFalse(os.path.exists(os.path.join(self.folder, 'x')))

    def test_code_from_a_mounted_directory(self):
        mounted = os.path.join(self.folder, 'mounted')
        os.mkdir(mounted)
        with open(os.path.join(mounted, 'x'), 'w') as file:
            file.write('6')
        code, out, err = self.run_keeper('echo "orrery: final $(cat x)"; touch y; echo z >"$NNI_OUTPUT_DIR/z"',
                                         ORRERY_CODE_DIRECTORY=mounted, ORRERY_OUTPUT_DIRECTORY=mounted + '/out')
        self.assertEqual(code, 0, err)
        self.assertEqual(self.values(), [('final', 0, 6)])
        self.assertEqual(sorted(os.listdir(mounted)), ['out', 'x'])
        self.assertEqual(sorted(os.listdir(mounted + '/out')), ['output', 'stderr', 'stdout'])

    def test_code_and_outputs_in_shared_storage(self):
        shared = os.path.join(self.folder, 'shared')
        os.mkdir(shared)
        digest, bundle = packed({'x': b'6'})
        with open(os.path.join(shared, 'code.tar.gz'), 'wb') as file:
            file.write(bundle)
        variables = {'ORRERY_CODE': digest, 'ORRERY_CODE_ARCHIVE': shared + '/code.tar.gz',
                     'ORRERY_SHARED_DIRECTORY': shared}
        code, out, err = self.run_keeper('echo "orrery: final $(cat x)"; echo z >"$NNI_OUTPUT_DIR/z"', **variables)
        self.assertEqual(code, 0, err)
        self.assertEqual(self.values(), [('final', 0, 6)])
        self.assertEqual(sorted(os.listdir(shared)), ['code.tar.gz', 'nnioutput', 'stderr', 'stdout'])
        self.assertEqual(os.listdir(shared + '/nnioutput'), ['z'])

    def test_roles_of_a_trial_never_touch_each_others_outputs_and_logs(self):
        # K2: all of them mount the same storage and are given the same directory of it.
        for variable, output in (('ORRERY_OUTPUT_DIRECTORY', 'output'), ('ORRERY_SHARED_DIRECTORY', 'nnioutput')):
            mounted = os.path.join(self.folder, output + '-mounted')
            os.mkdir(mounted)
            for role, reports, pod in (('master', 'first', 'job-master-0'), ('worker', 'none', 'job-worker-0'),
                                       ('worker', 'none', 'job-worker-1'), ('ps', 'none', 'job-ps-0')):
                variables = {variable: mounted, 'ORRERY_KEEPER_ROLE': role, 'ORRERY_KEEPER_REPORTS': reports,
                             'ORRERY_KEEPER_POD': pod}
                code, _, err = self.run_keeper('echo %s; echo %s >"$NNI_OUTPUT_DIR/model"' % (pod, pod), **variables)
                self.assertEqual(code, 0, err)
            left = {where: [read(os.path.join(mounted, where, name)) for name in ('stdout', output + '/model')]
                    for where in ('', 'roles/worker-0', 'roles/worker-1', 'roles/ps-0')}
            self.assertEqual(left, {'': ['job-master-0\n'] * 2, 'roles/worker-0': ['job-worker-0\n'] * 2,
                                    'roles/worker-1': ['job-worker-1\n'] * 2, 'roles/ps-0': ['job-ps-0\n'] * 2})
            self.assertEqual(sorted(os.listdir(mounted)), sorted([output, 'roles', 'stderr', 'stdout']))

    def test_shared_storage_that_is_not_mounted_is_no_place_on_another_disk(self):
        nowhere = os.path.join(self.folder, 'nowhere')
        code, _, err = self.run_keeper('true', ORRERY_SHARED_DIRECTORY=nowhere)
        self.assertEqual(code, 70)
        self.assertIn('not mounted', err)
        self.assertIn('not mounted', self.server.ends[0]['reason'])
        self.assertFalse(os.path.exists(nowhere))


class ProgramTest(KeeperTestCase):
    def test_all_that_a_container_needs_is_python_and_the_bootstrap(self):
        import pack_keeper
        with open(pack_keeper.main(os.path.join(self.folder, 'built')), 'rb') as file:
            self.server.program = file.read()
        with open(os.path.join(HERE, 'bootstrap.py')) as file:
            bootstrap = file.read()
        process = self.start('''%s -c "
            import nni
            nni.get_next_parameter(); nni.report_final_result(1)
            "''' .replace('            ', '') % sys.executable, program=('-c', bootstrap),
                             ORRERY_KEEPER_SHA256=hashlib.sha256(self.server.program).hexdigest())
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual(self.values(), [('final', 0, 1)])
        self.assertEqual(os.listdir(self.folder), ['built'])

    def test_the_bootstrap_finds_a_server_that_answers(self):
        import pack_keeper
        with open(pack_keeper.main(os.path.join(self.folder, 'built')), 'rb') as file:
            self.server.program = file.read()
        with open(os.path.join(HERE, 'bootstrap.py')) as file:
            bootstrap = file.read()
        gone = KeeperServer()
        gone.down = True
        self.addCleanup(gone.close)
        process = self.start('echo "orrery: final 1"', program=('-c', bootstrap), ORRERY_URL=gone.url,
                             ORRERY_KEEPER_OTHER_URLS=self.server.url,
                             ORRERY_KEEPER_SHA256=hashlib.sha256(self.server.program).hexdigest())
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual(self.values(), [('final', 0, 1)])

    def test_the_same_sources_give_the_same_program(self):
        import pack_keeper
        digests = set()
        for name in ('one', 'two'):
            with open(pack_keeper.main(os.path.join(self.folder, name)), 'rb') as file:
                digests.add(hashlib.sha256(file.read()).hexdigest())
        self.assertEqual(len(digests), 1)


def _runs(pid):
    """Whether a process does; one that is not reaped does not."""
    try:
        with open('/proc/%s/stat' % pid) as file:
            return file.read().rsplit(')', 1)[1].split()[0] != 'Z'
    except FileNotFoundError:
        return False


def _end(process):
    if process.poll() is None:
        process.kill()
        process.communicate()
