"""Nothing that a user's algorithm does outlives the server."""

import os
import signal
import time
import unittest

from .algorithm_process import AlgorithmTestCase

STUBBORN = '''
    import ctypes, os, signal, subprocess
    from nni.tuner import Tuner

    class Mine(Tuner):
        """Has a child of its own, ignores what can be ignored, and then holds the interpreter's lock for ever."""

        def update_search_space(self, space):
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            child = subprocess.Popen(['sleep', '1000'])
            print(os.getpid(), child.pid, flush=True)

        def generate_parameters(self, parameter_id, **kwargs):
            open('hangs', 'w').close()
            ctypes.PyDLL(None).sleep(1000)
'''


class GuardTest(AlgorithmTestCase):

    def hanging(self):
        tuner = self.algorithm(STUBBORN)
        self.assertEqual(tuner.opened, {'ok': None})
        pids = [int(pid) for pid in tuner.wrote(tuner.printed).split()]
        tuner.tell('suggest', count=1)
        self.until(lambda: os.path.exists(os.path.join(self.folder, 'hangs')))
        return tuner, pids

    def until(self, condition):
        end = time.monotonic() + 30
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    def gone(self, pid):
        try:
            with open('/proc/%d/stat' % pid) as file:
                return file.read().rsplit(')', 1)[1].split()[0] in 'ZX'
        except OSError:
            return True

    @unittest.skipUnless(os.path.isdir('/proc/self'), 'looks into /proc')
    def test_when_the_server_is_gone_all_is_killed(self):
        tuner, pids = self.hanging()
        tuner.process.stdin.close()
        tuner.process.wait(timeout=30)
        self.until(lambda: all(self.gone(pid) for pid in pids))

    @unittest.skipUnless(os.path.isdir('/proc/self'), 'looks into /proc')
    def test_when_it_is_asked_to_go_all_is_killed(self):
        tuner, pids = self.hanging()
        tuner.process.terminate()
        self.assertEqual(tuner.process.stdout.readline(), '')
        tuner.process.wait(timeout=30)
        self.until(lambda: all(self.gone(pid) for pid in pids))

    @unittest.skipUnless(os.path.isdir('/proc/self'), 'looks into /proc')
    def test_when_the_guard_itself_is_killed_the_algorithm_dies(self):
        tuner, pids = self.hanging()
        tuner.process.kill()
        self.until(lambda: self.gone(pids[0]))
        os.kill(pids[1], signal.SIGKILL)

    def test_an_algorithm_that_dies_is_seen_to_be_gone_and_how(self):
        tuner = self.algorithm('''
            import os
            from nni.tuner import Tuner

            class Mine(Tuner):
                def update_search_space(self, space):
                    pass

                def generate_parameters(self, parameter_id, **kwargs):
                    os._exit(7)
        ''')
        self.assertIsNone(tuner.ask('suggest', count=1))
        self.assertEqual(tuner.process.wait(timeout=30), 7)

    def test_a_polite_end_leaves_nothing_to_complain_about(self):
        tuner = self.algorithm('''
            class Mine:
                def update_search_space(self, space):
                    pass

                def generate_parameters(self, parameter_id, **kwargs):
                    pass
        ''')
        self.assertIn(tuner.close(), (0, 128 + signal.SIGKILL))
        self.assertEqual(tuner.wrote(tuner.complaints), '')


if __name__ == '__main__':
    unittest.main()
