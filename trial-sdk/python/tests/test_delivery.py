"""The last reports of a command, which go with its end."""

import json
import os
import tempfile
import unittest
from types import SimpleNamespace

from orrery_keeper.delivery import Delivery
from orrery_keeper.server import Server
from orrery_keeper.spool import Spool

from .keeper_server import TOKEN, KeeperServer


def line(ordinal, value):
    return json.dumps({'kind': 'intermediate', 'sequence': ordinal, 'value': value, 'source': 'main/file',
                       'ordinal': ordinal}).encode() + b'\n'


class LastReportsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.server = KeeperServer()
        self.addCleanup(self.server.close)
        self.spool = Spool(os.path.join(self.folder, 'reports'), 1 << 20)
        self.delivery = Delivery(Server(self.server.url, TOKEN), SimpleNamespace(keeper='main'), 'one')
        self.delivery.reports(self.spool)
        self.delivery.hold()

    def report(self, values):
        """The values that a command reports just before it ends."""
        for ordinal, value in enumerate(values):
            self.spool.append(line(ordinal, value))

    def end(self):
        self.assertTrue(self.delivery.finish())
        self.delivery.end(5, 'why')

    def values(self):
        return [point['value'] for point in self.server.points]

    def test_they_are_taken_with_the_end(self):
        self.report([0.1, 0.2])
        self.end()
        self.assertEqual(self.server.paths, ['/keeper/finish'])
        self.assertEqual(self.values(), [0.1, 0.2])
        self.assertEqual(self.server.ends, [{'keeper': 'main', 'instance': 'one', 'exitCode': 5, 'reason': 'why'}])
        self.assertEqual(len(self.spool), 0)

    def test_an_end_without_any_is_told_alone(self):
        self.end()
        self.assertEqual(self.server.paths, ['/keeper/end'])
        self.assertEqual([end['exitCode'] for end in self.server.ends], [5])

    def test_a_server_from_before_this_has_them_before_the_end(self):
        self.server.takes_reports_with_end = False
        self.report([0.1, 0.2])
        self.end()
        self.assertEqual(self.server.paths, ['/keeper/finish', '/api/v1/metrics', '/keeper/end'])
        self.assertEqual(self.values(), [0.1, 0.2])
        self.assertEqual([end['exitCode'] for end in self.server.ends], [5])

    def test_an_answer_that_is_lost_costs_nothing(self):
        self.server.lose_answers = 1
        self.report([0.1])
        self.end()
        self.assertEqual(self.server.paths, ['/keeper/finish'] * 2)
        self.assertEqual((self.values(), self.server.duplicates), ([0.1], 1))

    def test_one_that_is_refused_costs_no_other_and_is_told(self):
        self.server.bad_values = (13,)
        self.report([12, 13, 14])
        self.end()
        self.assertEqual(self.values(), [12, 14])
        self.assertEqual([end['reason'] for end in self.server.ends], ['why; a report was refused: a bad line (status 400)'])

    def test_many_do_not_wait_for_the_end(self):
        self.report(range(2000))
        self.assertTrue(self.delivery.finish())
        self.assertIn('/api/v1/metrics', self.server.paths)
        self.delivery.end(0, None)
        self.assertEqual(self.values(), list(range(2000)))

    def test_they_do_not_wait_for_files(self):
        with open(os.path.join(self.folder, 'model'), 'w') as file:
            file.write('large')
        self.report([0.1])
        self.assertTrue(self.delivery.finish())
        self.delivery.outputs(self.folder, ('reports',))
        self.delivery.end(0, None)
        self.assertEqual(self.server.paths, ['/api/v1/metrics', '/keeper/outputs/model', '/keeper/end'])


if __name__ == '__main__':
    unittest.main()
