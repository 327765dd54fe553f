import errno
import os
import tempfile
import unittest
from unittest import mock

from orrery_keeper import spool
from orrery_keeper.spool import Spool


class SpoolTest(unittest.TestCase):
    def setUp(self):
        self._directory = tempfile.TemporaryDirectory()
        self.addCleanup(self._directory.cleanup)
        self._full = False
        write = os.pwrite

        def pwrite(file, data, at):
            if self._full:
                raise OSError(errno.ENOSPC, 'No space left on device')
            return write(file, data, at)

        patch = mock.patch.object(spool.os, 'pwrite', pwrite)
        patch.start()
        self.addCleanup(patch.stop)

    def spool(self, limit=1 << 24):
        return Spool(os.path.join(self._directory.name, 'spool'), limit)

    def drained(self, queue, most):
        everything = b''
        while len(queue):
            piece = queue.peek(most)
            everything += piece
            queue.drop(len(piece))
        return everything

    def test_what_a_full_disk_does_not_take_is_kept_in_order(self):
        for most in (1, 2, 3, 5, 100):
            queue = self.spool()
            self._full = False
            self.assertTrue(queue.append(b'abc'))
            self._full = True
            self.assertTrue(queue.append(b'def'))
            self.assertEqual(queue.peek(4), b'abcd')
            self._full = False
            self.assertTrue(queue.append(b'ghi'))
            self.assertEqual(len(queue), 9)
            self.assertEqual(self.drained(queue, most), b'abcdefghi')
            self.assertTrue(queue.append(b'jkl'))
            self.assertEqual(self.drained(queue, most), b'jkl')

    def test_memory_is_bounded_as_the_disk_is(self):
        queue = self.spool()
        self._full = True
        self.assertTrue(queue.append(b'x' * (1 << 20)))
        self.assertFalse(queue.append(b'y'))
        queue.drop(1)
        self.assertTrue(queue.append(b'y'))
        small = self.spool(10)
        self.assertTrue(small.append(b'x' * 10))
        self.assertFalse(small.append(b'y'))


if __name__ == '__main__':
    unittest.main()
