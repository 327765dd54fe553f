"""Packs the keeper as one runnable file: ``python3 pack_keeper.py DIRECTORY`` makes ``orrery_keeper.pyz`` in it.

The same sources give the same bytes, for the server names the keeper by its digest.
"""

import os
import sys
import zipfile

_HERE = os.path.dirname(os.path.abspath(__file__))
_MAIN = 'import sys\n\nfrom orrery_keeper.__main__ import main\n\nsys.exit(main())\n'


def main(target):
    os.makedirs(target, exist_ok=True)
    path = os.path.join(target, 'orrery_keeper.pyz')
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED) as archive:
        _add(archive, '__main__.py', _MAIN.encode('utf-8'))
        for package, place in (('orrery_keeper', ''), ('orrery_trial', 'sdk/'), ('compat', 'sdk/')):
            for name in sorted(_sources(package)):
                with open(os.path.join(_HERE, name), 'rb') as file:
                    _add(archive, place + name.replace(os.sep, '/'), file.read())
    return path


def _sources(package):
    for directory, _, names in os.walk(os.path.join(_HERE, package)):
        for name in names:
            if name.endswith('.py'):
                yield os.path.relpath(os.path.join(directory, name), _HERE)


def _add(archive, name, content):
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, content)


if __name__ == '__main__':
    main(sys.argv[1])
