"""The user's code: fetched, verified, and unpacked where nothing of it can reach outside."""

import os
import shutil

from .server import insist

_PIECE = 1 << 20


class BadCode(Exception):
    """What came is not what was meant."""


def fetch(server, digest, target, until):
    """Makes the directory ``target`` of the code of that digest. Unreachable; server.Refused; BadCode; OSError."""
    archive = target + '.tar.gz'
    try:
        with open(archive, 'wb') as file:
            insist(server, lambda: _download(server, digest, file), until)
        _verify(archive, digest)
        _unpack(archive, target)
    finally:
        if os.path.exists(archive):
            os.unlink(archive)


def open_archive(archive, digest, target):
    """Makes the directory ``target`` of an archive that lies on this machine. BadCode; OSError."""
    _verify(archive, digest)
    _unpack(archive, target)


def copy(source, target):
    """Makes the directory ``target`` of another one on this machine. OSError."""
    shutil.copytree(source, target, symlinks=True)


def _download(server, digest, file):
    # Goes on where the last try was cut.
    file.seek(0, os.SEEK_END)
    server.stream('/keeper/code/%s?offset=%d' % (digest, file.tell()), file)
    file.flush()


def _verify(archive, digest):
    # Here, and not for all: most attempts find their code unpacked.
    import gzip
    import hashlib
    found = hashlib.sha256()
    try:
        with gzip.open(archive, 'rb') as tar:
            for piece in iter(lambda: tar.read(_PIECE), b''):
                found.update(piece)
    except (OSError, EOFError) as error:
        raise BadCode('the code that came cannot be unpacked: %s' % error) from None
    if found.hexdigest() != digest:
        raise BadCode('the code that came has digest %s, not %s' % (found.hexdigest(), digest))


def _unpack(archive, target):
    import tarfile
    fresh = target + '.new'
    shutil.rmtree(fresh, ignore_errors=True)
    os.makedirs(fresh)
    links = []
    with tarfile.open(archive, 'r:gz') as tar:
        for member in tar:
            path = _inside(fresh, member.name)
            if member.isdir():
                os.makedirs(path, exist_ok=True)
            elif member.isreg():
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, 'xb') as file:
                    shutil.copyfileobj(tar.extractfile(member), file, _PIECE)
                os.chmod(path, 0o755 if member.mode & 0o100 else 0o644)
            elif member.issym():
                links.append((member.linkname, path))
            else:
                raise BadCode('the code has %r in it, which is neither file, directory nor link' % member.name)
    # Last, so that nothing was written through one of them. Where they lead is the user's business: it may be a mount
    # that all machines have.
    for linkname, path in links:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.symlink(linkname, path)
    os.rename(fresh, target)


def _inside(root, name):
    """Where a name lies below a root. BadCode when it does not."""
    steps = []
    for step in name.split('/'):
        if step == '..':
            if not steps:
                raise BadCode('the code has %r in it, which leads out of its directory' % name)
            steps.pop()
        elif step not in ('', '.'):
            steps.append(step)
    if name.startswith('/') or '\0' in name:
        raise BadCode('the code has %r in it, which is no place in its directory' % name)
    return os.path.join(root, *steps)
