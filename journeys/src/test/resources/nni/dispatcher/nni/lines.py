"""The two ways in which NNI's dispatchers speak: a WebSocket with JSON messages (3.0), and pipes (before 2.8)."""

import base64
import hashlib
import json
import os
import socket
import struct
from urllib.parse import urlsplit

_ACCEPT = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'


class Closed(Exception):
    pass


class WebSocket:
    """A client of RFC 6455 with no more than this needs; whatever the server does wrong is an error."""

    def __init__(self, url):
        at = urlsplit(url)
        self._socket = socket.create_connection((at.hostname, at.port), timeout=60)
        self._input = self._socket.makefile('rb')
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall((
            'GET %s HTTP/1.1\r\nHost: %s:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
            'Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n' % (at.path, at.hostname, at.port, key)).encode())
        status = self._input.readline().decode()
        assert ' 101 ' in status, status
        headers = {}
        for line in iter(lambda: self._input.readline().decode().strip(), ''):
            name, _, value = line.partition(':')
            headers[name.lower()] = value.strip()
        expected = base64.b64encode(hashlib.sha1((key + _ACCEPT).encode()).digest()).decode()
        assert headers['sec-websocket-accept'] == expected

    def send(self, kind, content):
        self._frame(1, json.dumps({'type': kind, 'content': content}).encode())

    def bye(self):
        self._frame(1, json.dumps({'type': '_bye_'}).encode())
        self._frame(8, struct.pack('>H', 4000))

    def drop(self):
        """Without a word, as when a network breaks."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def receive(self):
        message = b''
        while True:
            first, second = self._input.read(2) or (None, None)
            if first is None:
                raise Closed()
            assert not second & 0x80, 'a server masks nothing'
            length = second & 0x7f
            if length == 126:
                length = struct.unpack('>H', self._input.read(2))[0]
            elif length == 127:
                length = struct.unpack('>Q', self._input.read(8))[0]
            data = self._input.read(length)
            operation = first & 0x0f
            if operation == 8:
                raise Closed(struct.unpack('>H', data[:2])[0], data[2:].decode())
            if operation == 9:
                self._frame(10, data)
            elif operation in (0, 1):
                message += data
                if first & 0x80:
                    return self._command(json.loads(message))

    def _command(self, command):
        if command['type'] == '_bye_':
            raise Closed()
        assert set(command) <= {'type', 'content'}, command
        assert isinstance(command.get('content', ''), str), command
        return command['type'], command.get('content', '')

    def _frame(self, operation, data):
        length = len(data)
        head = bytes([0x80 | operation])
        if length < 126:
            head += bytes([0x80 | length])
        elif length < 65536:
            head += bytes([0x80 | 126]) + struct.pack('>H', length)
        else:
            head += bytes([0x80 | 127]) + struct.pack('>Q', length)
        mask = os.urandom(4)
        self._socket.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))


class Pipes:
    def __init__(self):
        self._input = os.fdopen(3, 'rb')
        self._output = os.fdopen(4, 'wb')

    def send(self, kind, content):
        data = content.encode()
        self._output.write(b'%s%014d' % (kind.encode(), len(data)) + data)
        self._output.flush()

    def bye(self):
        pass

    def receive(self):
        head = self._input.read(16)
        if len(head) < 16:
            raise Closed()
        return head[:2].decode(), self._input.read(int(head[2:])).decode()
