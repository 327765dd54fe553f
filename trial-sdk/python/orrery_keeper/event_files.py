"""TensorBoard's event files that a command writes: the scalars in them are intermediate results."""

import os
import stat
import struct
import time

from .plain_file import open_plain

_NAME = 'tfevents'
_MOST_FILES = 1000
_MOST_LOOKED_AT = 20000
_DEEPEST = 10
_LONGEST_SOURCE = 1000
_LOOK = 1.0

# No scalar is longer; a graph or an image is, and is passed over unread.
_LONGEST = 1 << 20
_HEAD, _FOOT = 12, 4


class EventFiles:
    """The event files below a directory. What was found once is read on; links are not followed."""

    def __init__(self, directory, keeper, reports):
        self._directory = directory
        self._keeper = keeper
        self._reports = reports
        self._files = {}
        self._next_look = 0.0

    @property
    def damaged(self):
        """How many records were none."""
        return sum(file.damaged for file in self._files.values())

    def read(self, at_end=False):
        """Takes all scalars that are there; ``at_end`` says that nothing will follow. Waits where there is no room."""
        now = time.monotonic()
        if at_end or now >= self._next_look:
            self._next_look = now + _LOOK
            self._look()
        for file in self._files.values():
            file.read(at_end)

    def _look(self):
        seen = 0
        for folder, folders, names in os.walk(self._directory):
            if folder[len(self._directory):].count(os.sep) >= _DEEPEST - 1:
                del folders[:]
            for name in sorted(names):
                seen += 1
                if seen > _MOST_LOOKED_AT or len(self._files) >= _MOST_FILES:
                    return
                path = os.path.join(folder, name)
                if _NAME in name and path not in self._files and _is_file(path):
                    source = '%s/tfevents:%s' % (self._keeper, os.path.relpath(path, self._directory))
                    if len(source) <= _LONGEST_SOURCE:
                        self._files[path] = _EventFile(path, source, self._reports)


class _EventFile:
    """Reads on in one file. A record whose checksum is wrong costs itself; one whose length cannot be trusted ends the
    file, since nothing says where the next one begins. Events are counted from the file's beginning."""

    def __init__(self, path, source, reports):
        self._path = path
        self._source = source
        self._reports = reports
        self._at = 0
        self._over = False
        self._ordinal = 0
        self.damaged = 0

    def read(self, at_end):
        if self._over:
            return
        try:
            if os.stat(self._path).st_size > self._at:
                with open_plain(self._path) as file:
                    while self._step(file):
                        pass
            whole = os.stat(self._path).st_size == self._at
        except OSError:
            return
        if at_end and not whole and not self._over:
            self._end()

    def _step(self, file):
        """Takes one record; false when none is there as a whole."""
        file.seek(self._at)
        head = file.read(_HEAD)
        if len(head) < _HEAD:
            return False
        size, checksum = struct.unpack('<QI', head)
        if checksum != _masked(head[:8]) or size >= 1 << 63:
            self._end()
            return False
        if size <= _LONGEST:
            data = file.read(size + _FOOT)
            if len(data) < size + _FOOT:
                return False
            self._take(data[:size], struct.unpack('<I', data[size:])[0])
        self._at += _HEAD + size + _FOOT
        return True

    def _end(self):
        self.damaged += 1
        self._over = True

    def _take(self, data, checksum):
        try:
            if checksum != _masked(data):
                raise ValueError('a wrong checksum')
            seconds, step, values = _event(data)
            if values and not 0 <= step < 1 << 63:
                raise ValueError('a step below 0')
            millis = int(round(seconds * 1000)) if values else 0
        except (ValueError, IndexError, TypeError, OverflowError, struct.error):
            self.damaged += 1
            return
        if values:
            self._reports.scalars(step, max(0, millis), values, self._source, self._ordinal)
            self._ordinal += 1


def _is_file(path):
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


# The framing of a TFRecord file: length, its masked CRC32C, data, their masked CRC32C.


def _crc_table():
    table = []
    for number in range(256):
        for _ in range(8):
            number = number >> 1 ^ (0x82f63b78 if number & 1 else 0)
        table.append(number)
    return table


_CRC = _crc_table()


def _masked(data):
    crc = 0xffffffff
    for byte in data:
        crc = _CRC[(crc ^ byte) & 255] ^ crc >> 8
    crc ^= 0xffffffff
    return ((crc >> 15 | crc << 17) + 0xa282ead8) & 0xffffffff


# The messages in it, as event.proto, summary.proto and tensor.proto have them.

_VARINT, _DOUBLE, _BYTES, _FLOAT = 0, 1, 2, 5
_DT_FLOAT, _DT_DOUBLE, _DT_INT32, _DT_INT64, _DT_BFLOAT16, _DT_HALF = 1, 2, 3, 9, 14, 19


def _event(data):
    """Time in seconds, step, and the scalars by tag."""
    seconds, step, values = 0.0, 0, {}
    for field, kind, value in _fields(data):
        if (field, kind) == (1, _DOUBLE):
            seconds = struct.unpack('<d', value)[0]
        elif (field, kind) == (2, _VARINT):
            step = _signed(value, 64)
        elif (field, kind) == (5, _BYTES):
            for name, wire, one in _fields(value):
                if (name, wire) == (1, _BYTES):
                    _value(one, values)
    return seconds, step, values


def _value(data, values):
    tag, plugin, number = '', 'scalars', None
    for field, kind, value in _fields(data):
        if (field, kind) == (1, _BYTES):
            tag = value.decode('utf-8')
        elif (field, kind) == (2, _FLOAT):
            number = _shortest(value)
        elif (field, kind) == (8, _BYTES):
            number = _scalar(value)
        elif (field, kind) == (9, _BYTES):
            plugin = _plugin(value) or 'scalars'
    if number is not None and plugin == 'scalars':
        values[tag] = number


def _plugin(metadata):
    """Whose a value is; who says nothing writes scalars."""
    name = ''
    for field, kind, value in _fields(metadata):
        if (field, kind) == (1, _BYTES):
            for inner, wire, text in _fields(value):
                if (inner, wire) == (1, _BYTES):
                    name = text.decode('utf-8')
    return name


def _scalar(tensor):
    """The number of a tensor that has one and no dimension; else None."""
    dtype, flat, raw, listed = 0, True, b'', None
    for field, kind, value in _fields(tensor):
        if (field, kind) == (1, _VARINT):
            dtype = value
        elif (field, kind) == (2, _BYTES):
            flat = not value
        elif (field, kind) == (4, _BYTES) and value:
            raw, listed = value, None
        elif field in (5, 6, 7, 10, 13) and value != b'':
            raw, listed = b'', value
    if not flat:
        return None
    if not raw and listed is None:
        # Zero is what need not be said.
        return 0.0 if dtype in (_DT_FLOAT, _DT_DOUBLE, _DT_INT32, _DT_INT64) else None
    if dtype == _DT_FLOAT:
        return _shortest(raw[:4] or listed[:4])
    if dtype == _DT_DOUBLE:
        return struct.unpack('<d', raw[:8] or listed[:8])[0]
    if dtype in (_DT_INT32, _DT_INT64):
        wide = dtype == _DT_INT64
        return float(_signed(_first(listed), 64 if wide else 32) if not raw
                     else struct.unpack('<q', raw[:8])[0] if wide else struct.unpack('<i', raw[:4])[0])
    if dtype in (_DT_HALF, _DT_BFLOAT16):
        bits = struct.pack('<H', _first(listed) & 0xffff) if not raw else raw[:2]
        return struct.unpack('<e', bits)[0] if dtype == _DT_HALF else struct.unpack('<f', b'\0\0' + bits)[0]
    return None


def _first(listed):
    """The first of some varints, which come packed or one by one."""
    return listed if isinstance(listed, int) else _varint(listed, 0)[0]


def _shortest(data):
    """The shortest decimal number that is this float: 0.1 and not 0.10000000149."""
    value = struct.unpack('<f', data)[0]
    for digits in range(6, 9):
        short = float('%.*g' % (digits, value))
        try:
            if struct.pack('<f', short) == data:
                return short
        except OverflowError:
            pass
    return float('%.9g' % value)


def _signed(number, bits):
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> bits - 1 else number


def _varint(data, at):
    value = 0
    for shift in range(0, 70, 7):
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value & (1 << 64) - 1, at
    raise ValueError('a varint without end')


def _fields(data):
    """The fields of a message: number, wire type, and a whole number or bytes."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        field, kind = key >> 3, key & 7
        if kind == _VARINT:
            value, at = _varint(data, at)
            yield field, kind, value
            continue
        if kind == _BYTES:
            length, at = _varint(data, at)
        elif kind in (_DOUBLE, _FLOAT):
            length = 8 if kind == _DOUBLE else 4
        else:
            raise ValueError('an unknown kind of field')
        if length > len(data) - at:
            raise ValueError('a field beyond its message')
        yield field, kind, data[at:at + length]
        at += length
