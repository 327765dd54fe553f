"""Reads a scalar event file from standard input, checks every checksum, prints one JSON line an event.

Written from the format alone (TFRecord framing, CRC-32C of RFC 3720, Protocol Buffers), and shares nothing
with the writer that it checks.
"""
import json
import struct
import sys

TABLE = []
for n in range(256):
    for _ in range(8):
        n = (n >> 1) ^ (0x82F63B78 if n & 1 else 0)
    TABLE.append(n)


def masked_crc(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 1:
            value, at = data[at:at + 8], at + 8
        elif kind == 2:
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
            assert len(value) == length
        elif kind == 5:
            value, at = data[at:at + 4], at + 4
        else:
            raise ValueError("wire type %d" % kind)
        yield key >> 3, value


def event(data):
    seen = {"step": 0, "values": {}}
    for number, value in fields(data):
        if number == 1:
            seen["time"] = struct.unpack("<d", value)[0]
        elif number == 2:
            seen["step"] = value
        elif number == 3:
            seen["version"] = value.decode()
        elif number == 5:
            for inner, item in fields(value):
                assert inner == 1
                scalar = dict(fields(item))
                seen["values"][scalar[1].decode()] = struct.unpack("<f", scalar[2])[0]
    return seen


content = sys.stdin.buffer.read()
position = 0
while position < len(content):
    head = content[position:position + 8]
    (length,) = struct.unpack("<Q", head)
    (check,) = struct.unpack("<I", content[position + 8:position + 12])
    assert check == masked_crc(head), "checksum of a length at %d" % position
    body = content[position + 12:position + 12 + length]
    (check,) = struct.unpack("<I", content[position + 12 + length:position + 16 + length])
    assert check == masked_crc(body), "checksum of data at %d" % position
    print(json.dumps(event(body)))
    position += 16 + length
