"""Packs the SDK as a wheel: ``python3 pack_wheel.py DIRECTORY VERSION`` makes ``orrery-VERSION-py3-none-any.whl`` in it.

It has ``import nni`` for trials and ``nni.experiment``, which is the client of a server, and needs nothing but Python: so
``pip install`` needs no network. The same sources give the same bytes.
"""

import base64
import hashlib
import os
import sys
import zipfile

_HERE = os.path.dirname(os.path.abspath(__file__))
_PACKAGES = (('compat', 'nni'), ('compat', 'orrery'), ('', 'orrery_algorithms'), ('', 'orrery_annotation'), ('', 'orrery_trial'))
_METADATA = """Metadata-Version: 2.1
Name: orrery
Version: %s
Summary: What trials of an Orrery server import, and a client of one.
License: Apache-2.0
Requires-Python: >=3.7
Description-Content-Type: text/markdown

`orrery.search(objective, space)` searches from a script or a notebook, `orrery.log` logs a training run, and `@orrery.task`
and `@orrery.pipeline` make a pipeline of functions. `import nni` in a trial reports to the server that
runs it. `from nni.experiment import Experiment` runs experiments on a server: the one of `ORRERY_URL` and `ORRERY_TOKEN`,
that of this machine, or one that it starts by `orrery` on the PATH.
Install this or the package `nni`, not both.
"""
_WHEEL = """Wheel-Version: 1.0
Generator: pack_wheel
Root-Is-Purelib: true
Tag: py3-none-any
"""


def main(target, version):
    os.makedirs(target, exist_ok=True)
    path = os.path.join(target, 'orrery-%s-py3-none-any.whl' % version)
    information = 'orrery-%s.dist-info/' % version
    files = dict(_sources())
    files[information + 'METADATA'] = (_METADATA % version).encode('utf-8')
    files[information + 'WHEEL'] = _WHEEL.encode('utf-8')
    record = ['%s,sha256=%s,%d' % (name, _digest(files[name]), len(files[name])) for name in sorted(files)]
    record.append(information + 'RECORD,,')
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            _add(archive, name, files[name])
        _add(archive, information + 'RECORD', ('\n'.join(record) + '\n').encode('utf-8'))
    return path


def _sources():
    for above, package in _PACKAGES:
        root = os.path.join(_HERE, above)
        for directory, _, names in os.walk(os.path.join(root, package)):
            for name in names:
                if name.endswith(('.py', '.pyi')) or name == 'py.typed':
                    path = os.path.join(directory, name)
                    with open(path, 'rb') as file:
                        yield os.path.relpath(path, root).replace(os.sep, '/'), file.read()


def _digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b'=').decode('ascii')


def _add(archive, name, content):
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, content)


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2])
