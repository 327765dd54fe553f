"""Makes a release of a built distribution: ``python3 make.py --dist DIST --version V --target DIRECTORY [--runtime]``.

It writes a tarball that needs a Java 25, the wheel of the Python SDK and SHA256SUMS. With --runtime it also writes a
tarball with a Java of its own, which the jlink of the JDK at hand makes, and a Debian package of it. Names are sorted, times and owners fixed: the same
distribution and JDK give the same bytes. It needs no other program and no network.
"""

import argparse
import gzip
import hashlib
import importlib.util
import io
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# 2026-01-01, as project.build.outputTimestamp: a time that no build moves.
_TIME = 1767225600
_MODULES = (
    'java.base', 'java.compiler', 'java.desktop', 'java.instrument', 'java.logging', 'java.management', 'java.naming',
    'java.net.http', 'java.rmi', 'java.scripting', 'java.security.jgss', 'java.security.sasl', 'java.sql',
    'java.transaction.xa', 'java.xml', 'jdk.crypto.ec', 'jdk.jcmd', 'jdk.jfr', 'jdk.management', 'jdk.naming.dns',
    'jdk.unsupported', 'jdk.zipfs')
_ARCHITECTURES = {'x86_64': 'amd64', 'aarch64': 'arm64'}
_CONTROL = """Package: orrery
Version: %(version)s
Architecture: %(architecture)s
Maintainer: Orrery <orrery@localhost>
Installed-Size: %(kilobytes)d
Depends: libc6, zlib1g
Recommends: python3, bubblewrap
Section: science
Priority: optional
Description: server for experiments, pipelines and services of machine learning
 Tunes models, runs their trials on any compute platform, and serves them.
 It has a Java runtime of its own.
"""
_POSTINST = """#!/bin/sh
set -e
if ! getent passwd orrery >/dev/null; then
  useradd --system --user-group --home-dir /var/lib/orrery --no-create-home --shell /usr/sbin/nologin orrery
fi
# Its database password and certificates are put there before the first start.
install -d -o orrery -g orrery -m 0700 /var/lib/orrery
install -d -m 0755 /etc/orrery
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload || :
fi
"""


class Tree:
    """Files by their paths: content and mode, or the target of a link."""

    def __init__(self):
        self.files = {}
        self.links = {}

    def put(self, path, content, mode=0o644):
        self.files[path] = (content, mode)

    def link(self, path, target):
        self.links[path] = target

    def copy(self, source, path, left_out=()):
        if os.path.isfile(source):
            with open(source, 'rb') as file:
                self.put(path, file.read(), 0o755 if os.access(source, os.X_OK) else 0o644)
            return
        for name in os.listdir(source):
            if name != '__pycache__' and not name.endswith(tuple(left_out)):
                inner, below = os.path.join(source, name), (path + '/' + name).lstrip('/')
                if os.path.islink(inner):
                    self.link(below, os.readlink(inner))
                else:
                    self.copy(inner, below, left_out)

    def below(self, prefix):
        moved = Tree()
        moved.files = {prefix + path: file for path, file in self.files.items()}
        moved.links = {prefix + path: target for path, target in self.links.items()}
        return moved

    def tar_gz(self, root=''):
        """The bytes of a compressed archive of it."""
        plain = io.BytesIO()
        with tarfile.open(fileobj=plain, mode='w', format=tarfile.GNU_FORMAT) as archive:
            for path in sorted(self._directories() | set(self.files) | set(self.links)):
                entry = tarfile.TarInfo(root + path)
                entry.mtime, entry.uname, entry.gname = _TIME, 'root', 'root'
                if path in self.files:
                    content, entry.mode = self.files[path]
                    entry.size = len(content)
                    archive.addfile(entry, io.BytesIO(content))
                elif path in self.links:
                    entry.type, entry.linkname, entry.mode = tarfile.SYMTYPE, self.links[path], 0o777
                    archive.addfile(entry)
                else:
                    entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                    archive.addfile(entry)
        packed = io.BytesIO()
        with gzip.GzipFile(filename='', fileobj=packed, mode='wb', compresslevel=3, mtime=0) as file:
            file.write(plain.getbuffer())
        return packed.getvalue()

    def _directories(self):
        found = set()
        for path in list(self.files) + list(self.links):
            while '/' in path:
                path = path.rpartition('/')[0]
                found.add(path)
        return found - {''}


def distribution(dist, work):
    """What both tarballs have: the program, its pages and scripts, examples and manifests."""
    tree = Tree()
    tree.copy(os.path.join(dist, 'bin'), 'bin')
    # The start-up cache fits one JVM at one place: `libexec/train .` makes it where the release is unpacked.
    tree.copy(os.path.join(dist, 'lib'), 'lib', ('.aot', '.jsa', '.config'))
    tree.copy(os.path.join(_ROOT, 'gateway/src/main/aot/train'), 'libexec/train')
    for name in ('LICENSE', 'CHANGELOG.md', 'SECURITY.md'):
        tree.copy(os.path.join(_ROOT, name), name)
    tree.copy(os.path.join(_ROOT, 'deploy/release/README.md'), 'README.md')
    for name in ('examples', 'docs'):
        tree.copy(os.path.join(_ROOT, name), name)
    for name in ('docker', 'grafana', 'helm', 'kubernetes', 'prometheus'):
        tree.copy(os.path.join(_ROOT, 'deploy', name), 'deploy/' + name)
    command = os.path.join(dist, 'bin', 'orrery')
    pages = os.path.join(work, 'man')
    subprocess.run([command, 'man', pages], check=True, stderr=subprocess.DEVNULL)
    tree.copy(pages, 'share/man/man1')
    for shell in ('bash', 'zsh', 'fish'):
        script = subprocess.run([command, 'completion', shell], check=True, stdout=subprocess.PIPE).stdout
        tree.put('share/completions/orrery.' + shell, script)
    return tree


def find_jdk():
    """The JDK that bin/orrery would take, if it has jlink."""
    script = os.path.join(_ROOT, 'gateway/src/main/dist/bin/jdk.sh')
    found = subprocess.run(['sh', '-c', '. "$1"; find_jdk jlink && echo "$jdk"', 'sh', script], stdout=subprocess.PIPE,
                           universal_newlines=True)
    if found.returncode != 0:
        raise SystemExit('release: found no JDK with jlink')
    return found.stdout.strip()


def runtime(jdk, dist, work):
    """A Java with the modules that the program uses."""
    jlink = os.path.join(jdk, 'bin', 'jlink')
    missing = used_modules(jdk, dist, work) - set(_MODULES)
    if missing:
        raise SystemExit('release: the jars use modules that the runtime would lack: %s' % ', '.join(sorted(missing)))
    target = os.path.join(work, 'jre')
    subprocess.run([jlink, '--output', target, '--strip-debug', '--no-header-files', '--no-man-pages', '--compress', 'zip-6',
                    '--add-modules', ','.join(_MODULES)], check=True)
    return target


def used_modules(jdk, dist, work):
    """The modules of the JDK that classes of the jars name. They are put into one jar that is no module, as they are run:
    jdeps asks the descriptors of modules for others that a class path need not have."""
    lib = os.path.join(dist, 'lib')
    together = os.path.join(work, 'classes.jar')
    seen = set()
    with zipfile.ZipFile(together, 'w', zipfile.ZIP_STORED) as classes:
        for name in sorted(os.listdir(lib)):
            if not name.endswith('.jar'):
                continue
            with zipfile.ZipFile(os.path.join(lib, name)) as jar:
                for entry in jar.namelist():
                    if entry.endswith('.class') and not entry.startswith('META-INF/') and entry not in seen:
                        if os.path.basename(entry) != 'module-info.class':
                            seen.add(entry)
                            classes.writestr(entry, jar.read(entry))
    said = subprocess.run([os.path.join(jdk, 'bin', 'jdeps'), '--ignore-missing-deps', '--list-deps', together],
                          check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
    os.remove(together)
    names = {line.strip().split('/')[0] for line in said.splitlines()}
    # What jdeps calls internal is of the JDK as well; what no module has is said in words.
    return {name for name in names if name.startswith(('java.', 'jdk.'))}


def debian(tree, version, architecture):
    """The bytes of a package: an ar archive of its version, its control files and its content."""
    data = tree.below('usr/lib/orrery/')
    for name in ('orrery', 'nnictl'):
        data.link('usr/bin/' + name, '../lib/orrery/bin/' + name)
    for path in [path for path in data.files if path.startswith('usr/lib/orrery/share/')]:
        content, _ = data.files.pop(path)
        name = os.path.basename(path)
        if '/man/' in path:
            data.put('usr/share/man/man1/%s.gz' % name, gzip.compress(content, 9, mtime=0))
        elif name.endswith('.bash'):
            data.put('usr/share/bash-completion/completions/orrery', content)
        elif name.endswith('.fish'):
            data.put('usr/share/fish/vendor_completions.d/orrery.fish', content)
    for name in ('orrery.service', 'orrery-router.service'):
        with open(os.path.join(_ROOT, 'deploy/release', name), 'rb') as unit:
            data.put('lib/systemd/system/' + name, unit.read())
    data.put('usr/share/doc/orrery/copyright', data.files['usr/lib/orrery/LICENSE'][0])
    size = sum(len(content) for content, _ in data.files.values())
    control = Tree()
    fields = {'version': version, 'architecture': architecture, 'kilobytes': size // 1024}
    control.put('control', (_CONTROL % fields).encode('utf-8'))
    control.put('postinst', _POSTINST.encode('utf-8'), 0o755)
    sums = ['%s  %s\n' % (hashlib.md5(data.files[path][0]).hexdigest(), path) for path in sorted(data.files)]
    control.put('md5sums', ''.join(sums).encode('utf-8'))
    package = [b'!<arch>\n']
    for name, content in (('debian-binary', b'2.0\n'), ('control.tar.gz', control.tar_gz('./')),
                          ('data.tar.gz', data.tar_gz('./'))):
        package.append(('%-16s%-12d%-6d%-6d%-8s%-10d`\n' % (name, _TIME, 0, 0, '100644', len(content))).encode('ascii'))
        package.append(content + b'\n' * (len(content) % 2))
    return b''.join(package)


def wheel(target, version):
    source = os.path.join(_ROOT, 'trial-sdk/python/pack_wheel.py')
    specification = importlib.util.spec_from_file_location('pack_wheel', source)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    module.main(target, version)


def sums(target):
    """SHA256SUMS of everything that lies in the directory, the bill of materials of the build included."""
    lines = []
    for name in sorted(os.listdir(target)):
        path = os.path.join(target, name)
        if name != 'SHA256SUMS' and os.path.isfile(path):
            with open(path, 'rb') as file:
                lines.append('%s  %s\n' % (hashlib.sha256(file.read()).hexdigest(), name))
    save(target, 'SHA256SUMS', ''.join(lines).encode('ascii'))


def save(target, name, content):
    with open(os.path.join(target, name), 'wb') as file:
        file.write(content)


def main():
    sys.dont_write_bytecode = True
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument('--dist', required=True)
    arguments.add_argument('--version', required=True)
    arguments.add_argument('--target', required=True)
    arguments.add_argument('--runtime', action='store_true')
    chosen = arguments.parse_args()
    os.makedirs(chosen.target, exist_ok=True)
    name = 'orrery-' + chosen.version
    work = tempfile.mkdtemp()
    try:
        tree = distribution(os.path.abspath(chosen.dist), work)
        save(chosen.target, name + '.tar.gz', tree.tar_gz(name + '/'))
        wheel(chosen.target, chosen.version)
        if chosen.runtime:
            tree.copy(runtime(find_jdk(), chosen.dist, work), 'jre')
            machine = platform.machine()
            architecture = _ARCHITECTURES.get(machine, machine)
            save(chosen.target, '%s-linux-%s.tar.gz' % (name, architecture), tree.tar_gz(name + '/'))
            save(chosen.target, 'orrery_%s_%s.deb' % (chosen.version, architecture),
                 debian(tree, chosen.version, architecture))
        sums(chosen.target)
    finally:
        shutil.rmtree(work)


if __name__ == '__main__':
    main()
