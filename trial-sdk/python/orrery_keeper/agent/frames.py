"""The frames between a server and its agent: a head of nine bytes, and what it announces.

    4 bytes  length of the payload, most significant byte first
    1 byte   kind
    4 bytes  number, by which an answer is known
"""

import json
import struct

# From the server.
DO = 1
ANSWER = 2
# From the agent.
HELLO = 16
DONE = 17
CALL = 18
LEFT = 19

# What the agent says before its first frame: a shell may have printed something before it.
MARK = b'\norrery-agent 1\n'

MOST = 8 << 20

_HEAD = struct.Struct('>IBI')
_LENGTH = struct.Struct('>I')


class Broken(Exception):
    """What came is no frame: there is no way to know where the next one begins."""


class Frames:
    """Takes bytes as they come, gives frames: (kind, number, payload)."""

    def __init__(self, kinds, most=MOST):
        self._kinds = kinds
        self._most = most
        self._rest = bytearray()

    def feed(self, data):
        """The frames that are whole now. Broken."""
        self._rest += data
        found = []
        at = 0
        while len(self._rest) - at >= _HEAD.size:
            length, kind, number = _HEAD.unpack_from(self._rest, at)
            if length > self._most or kind not in self._kinds:
                raise Broken('a frame of kind %d with %d bytes' % (kind, length))
            end = at + _HEAD.size + length
            if end > len(self._rest):
                break
            found.append((kind, number, bytes(self._rest[at + _HEAD.size:end])))
            at = end
        del self._rest[:at]
        return found


def frame(kind, number, payload=b''):
    """The bytes of a frame."""
    return _HEAD.pack(len(payload), kind, number) + payload


def packed(head, body=b''):
    """A payload of a JSON object and bytes behind it."""
    text = json.dumps(head).encode('ascii')
    return _LENGTH.pack(len(text)) + text + body


def unpacked(payload):
    """Its two parts. Broken."""
    try:
        length, = _LENGTH.unpack_from(payload)
        if length > len(payload) - _LENGTH.size:
            raise Broken('a head that is longer than its frame')
        head = json.loads(payload[_LENGTH.size:_LENGTH.size + length].decode('utf-8'))
    except (struct.error, ValueError) as error:
        raise Broken('no head: %s' % error) from None
    if not isinstance(head, dict):
        raise Broken('a head that is no object')
    return head, payload[_LENGTH.size + length:]
