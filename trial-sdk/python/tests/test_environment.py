"""An environment as a process: keepers that come and go in it, against a server that gives it work."""

import os
import signal

from .keeper_server import TOKEN, KeeperServer, wait_for
from .test_keeper import KeeperTestCase, packed


class EnvironmentTest(KeeperTestCase):
    def environment(self, program='orrery_keeper.py', **variables):
        """Starts an environment."""
        return self.start('environment', program=(program,), ORRERY_KEEPER_MODE='environment', **variables)

    def order(self, key, command, **variables):
        """Offers it an attempt."""
        self.server.orders.append({'key': key, 'token': TOKEN, 'variables': dict(
            {'ORRERY_COMMAND': command, 'NNI_TRIAL_JOB_ID': key, 'ORRERY_ATTEMPT': '1', 'ORRERY_KEEPER_GRACE': '1'}, **variables)})

    def test_it_serves_one_attempt_after_another_and_leaves_nothing(self):
        process = self.environment()
        for number in range(3):
            self.order('t%d' % number, 'cd "$NNI_SYS_DIR" && test ! -e here && touch here && exit %d; exit 99' % number)
            wait_for('its end', lambda: self.server.ended.get('t%d' % number) == number)
        self.assertEqual([end['exitCode'] for end in self.server.ends], [0, 1, 2])
        self.server.cancel.set()
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(os.listdir(self.folder), [])

    def test_attempts_run_from_files_that_one_which_is_an_archive_unpacks_once(self):
        import pack_keeper
        process = self.environment(pack_keeper.main(self.folder + '/built'), ORRERY_KEEPER_HOME=self.folder + '/home')
        for key in ('a', 'b'):
            self.order(key, 'python3 -c "import nni; print(nni.__file__)"; tr "\\0" " " </proc/$PPID/cmdline; echo')
            wait_for('its end', lambda: self.server.ended.get(key) == 0)
        self.server.cancel.set()
        out, _ = process.communicate(timeout=30)
        keeper = os.path.join(self.folder, 'home', 'keeper')
        self.assertEqual([line.split()[-1] for line in out.splitlines()],
                         [keeper + '/sdk/compat/nni/__init__.py', keeper] * 2)
        self.assertEqual(os.listdir(self.folder), ['built'])

    def test_attempts_run_beside_each_other_with_variables_of_their_own(self):
        process = self.environment(ORRERY_PARAM_LR='nobodys', ORRERY_OUTPUT_DIRECTORY='/nowhere')
        for key, devices in (('a', '0'), ('b', '1')):
            self.order(key, 'echo "$CUDA_VISIBLE_DEVICES$ORRERY_PARAM_LR"; until [ -e %s/go ]; do sleep 0.02; done; exit 4'
                       % self.folder, CUDA_VISIBLE_DEVICES=devices)
        wait_for('both', lambda: len(self.server.started) == 3)
        open(os.path.join(self.folder, 'go'), 'w').close()
        wait_for('both ends', lambda: self.server.ended == {'a': 4, 'b': 4})
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 143, err)
        self.assertEqual(sorted(out.split()), ['0', '1'])

    def test_an_attempt_reaches_the_server_that_gave_it_where_there_are_several(self):
        gone = KeeperServer()
        self.addCleanup(gone.close)
        gone.down = True
        process = self.environment(ORRERY_URL=gone.url, ORRERY_KEEPER_OTHER_URLS=self.server.url)
        self.order('a', 'exit 4', ORRERY_URL=self.server.url, ORRERY_KEEPER_OTHER_URLS='')
        wait_for('its end', lambda: self.server.ended == {'a': 4})
        self.assertEqual([end['exitCode'] for end in self.server.ends], [4])
        self.server.cancel.set()
        process.communicate(timeout=30)

    def test_an_attempt_copies_code_that_is_there_and_fetches_other(self):
        os.mkdir(self.folder + '/code')
        with open(self.folder + '/code/name', 'w', encoding='ascii') as file:
            file.write('here')
        digest, content = packed({'name': b'brought'})
        self.server.code[digest] = content
        process = self.environment(ORRERY_CODE='f' * 64, ORRERY_CODE_DIRECTORY=self.folder + '/code')
        for number, code in enumerate(('f' * 64, digest)):
            key = 't%d' % number
            self.order(key, 'cat name; echo', ORRERY_CODE=code)
            wait_for('its end', lambda: self.server.ended.get(key) == 0)
        self.server.cancel.set()
        out, _ = process.communicate(timeout=30)
        self.assertEqual(out.split(), ['here', 'brought'])

    def test_a_keeper_that_dies_is_told_when_all_that_it_had_started_is_gone(self):
        process = self.environment(ORRERY_KEEPER_HOME=self.folder + '/home')
        self.order('a', 'setsid sh -c "trap : TERM; echo \\$\\$ >%s/left; while :; do sleep 0.1; done" & '
                        'until [ -s %s/left ]; do sleep 0.02; done; kill -9 $PPID; sleep 60' % (self.folder, self.folder))
        wait_for('its end', lambda: self.server.ended == {'a': 137})
        self.assertEqual(self.server.ends, [])
        with open(self.folder + '/left', encoding='ascii') as file:
            self.assertFalse(_runs(file.read().strip()))
        self.assertEqual(os.listdir(self.folder + '/home'), [])
        self.server.cancel.set()
        process.communicate(timeout=30)

    def test_without_room_for_one_more_it_ends_when_nothing_runs_in_it(self):
        process = self.environment(ORRERY_KEEPER_HOME=self.folder + '/home')
        self.order('a', 'until [ -e %s/go ]; do sleep 0.02; done; exit 4' % self.folder)
        wait_for('it runs', lambda: len(self.server.started) == 2)
        # Where it looks for room nothing can be written.
        os.mkdir(self.folder + '/home/room')
        self.order('b', 'exit 5')
        calls = self.server.calls
        wait_for('it asks again', lambda: self.server.calls > calls)
        open(os.path.join(self.folder, 'go'), 'w').close()
        _, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual([end['exitCode'] for end in self.server.ends], [4, 0])
        self.assertIn('no room on its disk', self.server.ends[1]['reason'])

    def test_what_runs_in_it_ends_with_it_and_is_delivered(self):
        process = self.environment()
        self.order('a', 'echo begun; trap "echo saved; exit 9" TERM; while :; do sleep 0.02; done')
        wait_for('it runs', lambda: b'begun' in self.server.logs['stdout'])
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 143, err)
        self.assertIn(b'saved', self.server.logs['stdout'])
        self.assertEqual([end['exitCode'] for end in self.server.ends], [9, 143])

    def test_it_survives_a_server_that_goes_and_comes_back(self):
        process = self.environment()
        self.order('a', 'until [ -e %s/go ]; do sleep 0.02; done; exit 3' % self.folder)
        wait_for('it runs', lambda: len(self.server.started) == 2)
        self.server.down = True
        open(os.path.join(self.folder, 'go'), 'w').close()
        calls = self.server.calls
        wait_for('it tries', lambda: self.server.calls > calls + 3)
        self.server.down = False
        wait_for('its end', lambda: self.server.ended == {'a': 3})
        self.server.cancel.set()
        process.communicate(timeout=30)
        self.assertEqual([end['exitCode'] for end in self.server.ends], [3, 0])

    def test_one_that_has_nothing_to_do_ends(self):
        process = self.environment(ORRERY_KEEPER_IDLE='0.3')
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 0)
        self.assertIn('nothing was to be done', self.server.ends[0]['reason'])


def _runs(pid):
    """Whether it does; what has ended and waits for its parent does not."""
    try:
        with open('/proc/%s/environ' % pid, 'rb') as file:
            return bool(file.read())
    except OSError:
        return False
