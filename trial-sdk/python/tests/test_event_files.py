"""TensorBoard's event files in the keeper: what they say, what they say wrongly, and where they may lie."""

import os
import random
import struct
import unittest

from orrery_keeper import event_files
from orrery_keeper.event_files import EventFiles

from .keeper_server import wait_for
from .test_keeper import KeeperTestCase


def varint(number):
    out = b''
    number &= (1 << 64) - 1
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(number, kind, value):
    return varint(number << 3 | kind) + (varint(len(value)) + value if kind == 2 else value)


def simple(number):
    return field(2, 5, struct.pack('<f', number))


def tensor(dtype, content, shape=b''):
    return field(8, 2, field(1, 0, varint(dtype)) + field(2, 2, shape) + content)


def summary(tag, value, plugin=None):
    metadata = field(9, 2, field(1, 2, field(1, 2, plugin))) if plugin else b''
    return field(1, 2, field(1, 2, tag.encode('utf-8')) + value + metadata)


def event(step, *summaries):
    return field(1, 1, struct.pack('<d', 1700000000.25)) + field(2, 0, varint(step)) + field(5, 2, b''.join(summaries))


def record(data):
    size = struct.pack('<Q', len(data))
    return b''.join((size, struct.pack('<I', event_files._masked(size)), data,
                     struct.pack('<I', event_files._masked(data))))


VERSION = record(field(1, 1, struct.pack('<d', 1.0)) + field(3, 2, b'brain.Event:2'))


class Taken:
    """What the files said."""

    def __init__(self):
        self.events = []

    def scalars(self, step, millis, values, source, ordinal):
        self.events.append((step, millis, values, source, ordinal))


class EventFilesTest(KeeperTestCase):
    def setUp(self):
        super().setUp()
        self.taken = Taken()
        self.files = EventFiles(self.folder, 'main', self.taken)

    def write(self, data, name='events.out.tfevents.1', mode='wb'):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, mode) as file:
            file.write(data)

    def values(self):
        return [values for _, _, values, _, _ in self.taken.events]

    def test_the_checksum_is_that_of_the_format(self):
        # CRC32C of the nine digits is 0xe3069283 (RFC 3720 has the polynomial); rotated and shifted.
        crc = 0xe3069283
        self.assertEqual(event_files._masked(b'123456789'), ((crc >> 15 | crc << 17) + 0xa282ead8) & 0xffffffff)

    def test_all_that_writers_write_is_read(self):
        self.write(VERSION + b''.join(record(event(step, summary('x', value))) for step, value in enumerate([
            simple(0.1), simple(float('inf')), simple(-0.0), simple(16777217.0), simple(3.4e38),
            tensor(1, field(4, 2, struct.pack('<f', 0.7))), tensor(1, field(5, 5, struct.pack('<f', 0.7))),
            tensor(1, field(5, 2, struct.pack('<f', 0.7))), tensor(2, field(4, 2, struct.pack('<d', 0.3))),
            tensor(2, field(6, 2, struct.pack('<d', 0.3))), tensor(3, field(7, 0, varint(-5))),
            tensor(3, field(4, 2, struct.pack('<i', -5))), tensor(9, field(10, 2, varint(-6))),
            tensor(9, field(4, 2, struct.pack('<q', 7))), tensor(1, b''), tensor(19, field(13, 2, varint(0x3c00))),
            tensor(14, field(13, 0, varint(0x3f80))), tensor(14, field(4, 2, b'\x80\x3f')),
        ])))
        self.files.read(at_end=True)
        self.assertEqual([values['x'] for values in self.values()], [
            0.1, float('inf'), -0.0, 16777216.0, 3.4e38, 0.7, 0.7, 0.7, 0.3, 0.3, -5.0, -5.0, -6.0, 7.0, 0.0, 1.0, 1.0,
            1.0])
        self.assertEqual(self.taken.events[3][:2] + self.taken.events[3][3:],
                         (3, 1700000000250, 'main/tfevents:events.out.tfevents.1', 3))
        self.assertEqual(self.files.damaged, 0)

    def test_what_is_no_scalar_is_passed_over(self):
        self.write(record(event(0, summary('h', tensor(2, field(4, 2, bytes(24)), shape=field(2, 2, b'')), b'histograms'),
                                summary('p', simple(1), b'pr_curves'), summary('b', simple(2), b'scalars'),
                                summary('m', tensor(2, field(4, 2, bytes(8)), shape=field(2, 2, b'')))))
                   + record(b'') + record(event(1)) + record(event(2, summary('a', simple(1)), summary('b', simple(2)))))
        self.files.read(at_end=True)
        self.assertEqual(self.values(), [{'b': 2.0}, {'a': 1.0, 'b': 2.0}])
        self.assertEqual(self.files.damaged, 0)

    def test_a_file_is_read_on_as_it_grows(self):
        whole = VERSION + b''.join(record(event(step, summary('loss', simple(step)))) for step in range(5))
        for at in range(0, len(whole), 7):
            self.write(whole[at:at + 7], mode='ab')
            self.files.read()
        self.files.read(at_end=True)
        self.assertEqual([(step, ordinal) for step, _, _, _, ordinal in self.taken.events], [(i, i) for i in range(5)])
        self.assertEqual(self.files.damaged, 0)

    def test_a_record_that_is_wrong_costs_itself_and_a_length_that_is_wrong_the_rest(self):
        good = record(event(1, summary('x', simple(1))))
        wrong = bytearray(good)
        wrong[-1] ^= 1
        short = bytearray(good)
        short[0] ^= 1
        self.write(good + bytes(wrong) + record(b'\xff\xff') + record(event(-1, summary('x', simple(1)))) + good
                   + bytes(short) + good)
        self.files.read(at_end=True)
        self.assertEqual(self.values(), [{'x': 1.0}, {'x': 1.0}])
        self.assertEqual(self.files.damaged, 4)

    def test_what_is_cut_in_the_end_is_damage(self):
        self.write(record(event(1, summary('x', simple(1))))[:-1])
        self.files.read()
        self.assertEqual(self.files.damaged, 0)
        self.files.read(at_end=True)
        self.assertEqual((self.values(), self.files.damaged), ([], 1))

    def test_a_large_record_is_passed_over_unread(self):
        large = record(bytes(event_files._LONGEST + 1))
        small = record(event(1, summary('x', simple(1))))
        self.write(large + small)
        self.files.read(at_end=True)
        self.assertEqual((self.values(), self.files.damaged), ([{'x': 1.0}], 0))

    def test_only_event_files_are_looked_at_and_links_are_not(self):
        small = record(event(1, summary('x', simple(1))))
        self.write(small, 'other')
        self.write(small, 'a/b/tfevents')
        self.write(small, '/'.join('d' * 12) + '/tfevents')
        os.symlink('other', os.path.join(self.folder, 'tfevents.link'))
        self.files.read(at_end=True)
        self.assertEqual([source for _, _, _, source, _ in self.taken.events], ['main/tfevents:a/b/tfevents'])

    def test_garbage_ends_nothing_but_its_file(self):
        chance = random.Random(5)
        good = record(event(1, summary('x', simple(1)), summary('y', tensor(9, field(10, 2, varint(3))))))
        for _ in range(3000):
            data = bytearray(good)
            for _ in range(chance.randrange(1, 4)):
                data[chance.randrange(12, len(data) - 4)] = chance.randrange(256)
            body = bytes(data[12:-4])
            event_files._EventFile('', '', self.taken)._take(body, event_files._masked(body))
        self.write(good)
        before = len(self.taken.events)
        self.files.read(at_end=True)
        self.assertEqual(len(self.taken.events), before + 1)

    def test_a_keeper_delivers_what_its_command_writes(self):
        self.write(VERSION + b''.join(record(event(step, summary('loss', simple(0.5)), summary('acc', simple(step))))
                                      for step in range(3)), 'prepared')
        self.write(record(event(0, summary('default', simple(0.9)))) + b'cut', 'second')
        process = self.start('''
            mkdir "$NNI_OUTPUT_DIR/runs"; cat prepared >"$NNI_OUTPUT_DIR/runs/events.out.tfevents.7"
            until [ -e go ]; do sleep 0.05; done; cat second >"$NNI_OUTPUT_DIR/tfevents.2"''',
                             ORRERY_KEEPER_EVENT_FILES='true')
        wait_for('the first file', lambda: len(self.server.points) == 3)
        open(os.path.join(self.folder, 'go'), 'w').close()
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        named = [(point['sequence'], point['value'], point.get('named')) for point in self.server.points]
        self.assertEqual(named, [(step, {'loss': 0.5, 'acc': step}, True) for step in range(3)] + [(0, 0.9, None)])
        self.assertEqual(self.server.points[0]['source'], 'main/tfevents:runs/events.out.tfevents.7')
        self.assertIn('1 records were damaged', self.server.ends[0]['reason'])

    def test_event_files_are_read_only_for_those_who_asked(self):
        self.write(record(event(0, summary('x', simple(1)))), 'prepared')
        code, _, err = self.run_keeper('cat prepared >"$NNI_OUTPUT_DIR/tfevents"')
        self.assertEqual(code, 0, err)
        self.assertEqual(self.server.points, [])


if __name__ == '__main__':
    unittest.main()
