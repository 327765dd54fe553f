"""python3 -m orrery_annotation FOLDER SPACE [PLAIN]: writes the search space of a folder's code to the file SPACE, and that code
without annotations into the new folder PLAIN. Ends with 0, with 3 when the code has no annotations, with 1 when they are wrong.
"""

import json
import os
import shutil
import sys
import tokenize

from . import annotations, plain, space

NONE = 3


def main(folder, file, into=None):
    found = {}
    for path in _code(folder):
        with tokenize.open(path) as code:
            source = code.read()
        here = annotations.read(source, os.path.relpath(path, folder))
        if here:
            found[path] = source, here
    if not found:
        return NONE
    described = space.of([annotation for _, here in found.values() for annotation in here])
    # Before anything is written, so that a mistake leaves nothing half done.
    plainly = {path: plain.code(source, here) for path, (source, here) in found.items()}
    if into is not None:
        _copy(folder, into, plainly)
    with open(file, 'w', encoding='utf-8') as out:
        json.dump(described, out, indent=4)
        out.write('\n')
    return 0


def _code(folder):
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith('.'))
        yield from (os.path.join(place, name) for name in sorted(files) if name.endswith('.py'))


def _copy(folder, into, plainly):
    if os.path.commonpath([os.path.realpath(folder), os.path.realpath(into)]) == os.path.realpath(folder):
        raise annotations.Mistake('%s lies in the folder that would be copied there' % into)
    try:
        shutil.copytree(folder, into)
    except FileExistsError:
        raise annotations.Mistake('%s exists already: nothing is overwritten' % into) from None
    for path, source in plainly.items():
        # A declaration of another encoding would be wrong in what is written here.
        with open(os.path.join(into, os.path.relpath(path, folder)), 'w', encoding='utf-8', newline='') as out:
            out.write(source)


if __name__ == '__main__':
    try:
        sys.exit(main(*sys.argv[1:]))
    except (annotations.Mistake, OSError, UnicodeDecodeError) as error:
        sys.exit(str(error))
