"""Writes the network that examples/digits trains as an ONNX model, without any package.

    python3 export.py network.json network.onnx

The model takes ``images``, rows of 64 pixels from 0 to 16, and gives ``scores``, ten for each row, and ``digits``, the
place of the highest. ONNX files are protocol buffers: fields with a number and a type, see ``onnx.proto`` of the project
ONNX for the numbers below.
"""

import json
import struct
import sys

PIXELS = 64
WHITE = 16.0
IR_VERSION = 8
OPERATORS = 13
FLOAT, INT64 = 1, 7
ATTRIBUTE_INT = 2
OPERATIONS = {'tanh': 'Tanh', 'relu': 'Relu'}


def varint(number):
    out = bytearray()
    while number > 0x7f:
        out.append(number & 0x7f | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def integer(field, number):
    return varint(field << 3) + varint(number)


def text(field, value):
    return piece(field, value.encode())


def piece(field, content):
    """A field of bytes, which may be a message of its own."""
    return varint(field << 3 | 2) + varint(len(content)) + content


def tensor(name, dimensions, values):
    return (b''.join(integer(1, size) for size in dimensions) + integer(2, FLOAT) + text(8, name)
            + piece(9, struct.pack('<%df' % len(values), *values)))


def matrix(name, rows):
    return tensor(name, (len(rows), len(rows[0])), [value for row in rows for value in row])


def vector(name, values):
    return tensor(name, (len(values),), values)


def node(operation, inputs, output, attributes=b''):
    return (b''.join(text(1, each) for each in inputs) + text(2, output) + text(3, output) + text(4, operation)
            + attributes)


def int_attribute(name, value):
    return piece(5, text(1, name) + integer(3, value) + integer(20, ATTRIBUTE_INT))


def value(name, kind, *dimensions):
    """An input or an output; a dimension is a size or, where any is right, a name."""
    shape = b''.join(
        piece(1, integer(1, each) if isinstance(each, int) else text(2, each)) for each in dimensions)
    return text(1, name) + piece(2, piece(1, integer(1, kind) + piece(2, shape)))


def model(network):
    """The bytes of the model. The last weight of each row is the bias of its unit."""
    first, second = network['first'], network['second']
    transposed = int_attribute('transB', 1)
    nodes = [
        node('Mul', ['images', 'brightness'], 'pixels'),
        node('Gemm', ['pixels', 'first', 'first_bias'], 'sums', transposed),
        node(OPERATIONS[network['activation']], ['sums'], 'hidden'),
        node('Gemm', ['hidden', 'second', 'second_bias'], 'scores', transposed),
        node('ArgMax', ['scores'], 'digits', int_attribute('axis', 1) + int_attribute('keepdims', 0)),
    ]
    constants = [
        tensor('brightness', (), [1.0 / WHITE]),
        matrix('first', [row[:-1] for row in first]),
        vector('first_bias', [row[-1] for row in first]),
        matrix('second', [row[:-1] for row in second]),
        vector('second_bias', [row[-1] for row in second]),
    ]
    graph = (b''.join(piece(1, each) for each in nodes) + text(2, 'digits')
             + b''.join(piece(5, each) for each in constants)
             + piece(11, value('images', FLOAT, 'rows', PIXELS))
             + piece(12, value('scores', FLOAT, 'rows', len(second)))
             + piece(12, value('digits', INT64, 'rows')))
    return (integer(1, IR_VERSION) + text(2, 'orrery-examples') + piece(7, graph)
            + piece(8, text(1, '') + integer(2, OPERATORS)))


def main(source, target):
    with open(source) as file:
        network = json.load(file)
    with open(target, 'wb') as file:
        file.write(model(network))


if __name__ == '__main__':
    if len(sys.argv) != 3:
        sys.exit('usage: python3 export.py network.json network.onnx')
    main(*sys.argv[1:])
