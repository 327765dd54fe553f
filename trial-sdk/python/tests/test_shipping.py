"""Functions that are sent to a server elsewhere, and what a trial there makes of them."""

import importlib
import os
import subprocess
import sys
import tempfile
import unittest

COMPAT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'compat')
if COMPAT not in sys.path:
    sys.path.insert(0, COMPAT)

from nni.experiment import server as servers  # noqa: E402 - found where the tests look
from orrery import shipping  # noqa: E402 - the same

SCRIPT = '''\
import helper
import orrery

FACTOR = 10


class Objectives:
    @staticmethod
    def scaled(parameters):
        orrery.report(1)
        return helper.twice(parameters['x']) * FACTOR


print('searches')
orrery.search(Objectives.scaled, {'x': [1]}, trials=1)
print('never said in a trial')
'''


def _write(directory, files):
    for path, text in files.items():
        os.makedirs(os.path.dirname(os.path.join(directory, path)), exist_ok=True)
        with open(os.path.join(directory, path), 'w') as file:
            file.write(text)


class ServerOfFiles:
    """The files of a user, as the server's API has them."""

    def __init__(self):
        self.files = {}
        self.sent = []

    def call(self, method, path, body=None, content_type='application/json', **query):
        if path == '/api/v1/me':
            return {'user': 'ann'}
        if method == 'GET' and path == '/api/v1/files/ann':
            return {'path': '/mnt/ann', 'items': []}
        name = path[len('/api/v1/files/ann/'):]
        if method == 'PUT':
            self.files[name] = body
            self.sent.append(name)
            return {}
        if name not in self.files:
            raise RuntimeError('There is no ' + name)
        return {'name': name}


class ShippingTest(unittest.TestCase):

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = os.path.realpath(directory.name)
        self.server = ServerOfFiles()

    def imported(self, name):
        sys.path.insert(0, self.directory)
        self.addCleanup(sys.path.remove, self.directory)
        self.addCleanup(lambda: [sys.modules.pop(each) for each in list(sys.modules) if each.split('.')[0] == name.split('.')[0]])
        importlib.invalidate_caches()
        return importlib.import_module(name)

    def evaluated(self, shipment, parameters):
        """The results of a trial that runs what was sent, without a server."""
        with tempfile.TemporaryDirectory() as place:
            for path, data in shipment.files.items():
                os.makedirs(os.path.dirname(os.path.join(place, path)), exist_ok=True)
                with open(os.path.join(place, path), 'wb') as file:
                    file.write(data)
            program = ('import runpy, sys, nni\n'
                       'nni.get_next_parameter = lambda: %r\n'
                       'nni.report_intermediate_result = lambda value: print("report", value)\n'
                       'nni.report_final_result = lambda value: print("final", value)\n'
                       'sys.path.insert(0, "")\n'
                       'runpy.run_module("orrery.function_trial", run_name="__main__", alter_sys=True)\n' % (parameters,))
            words = shipment.command.split()
            self.assertEqual(words[1:3], ['-m', 'orrery.function_trial'])
            run = subprocess.run([sys.executable, '-c', program] + words[3:], cwd=place, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, env=dict(os.environ, PYTHONPATH=COMPAT), universal_newlines=True)
            return run.stdout.split('\n')[:-1], run.stderr

    def test_a_script_runs_up_to_its_search_and_its_function_is_evaluated(self):
        _write(self.directory, {'train.py': SCRIPT.replace('print', '1 or print').replace('orrery.search', '1 or orrery.search'),
                                'helper.py': 'def twice(x):\n    return 2 * x\n'})
        module = self.imported('train')
        _write(self.directory, {'train.py': SCRIPT})

        shipment = shipping.of_function(module.Objectives.scaled, self.directory)

        self.assertEqual(shipment.command, 'python3 -m orrery.function_trial train.py Objectives.scaled')
        self.assertEqual(sorted(shipment.files), ['helper.py', 'train.py'])
        self.assertEqual(self.evaluated(shipment, {'x': 3}), (['searches', 'report 1', 'final 60'], ''))

    def test_a_file_is_sent_alone_where_no_directory_is_given(self):
        _write(self.directory, {'alone.py': 'def f(parameters):\n    return parameters["x"]\n', 'secret.txt': 'no'})

        shipment = shipping.of_function(self.imported('alone').f)

        self.assertEqual(sorted(shipment.files), ['alone.py'])
        self.assertEqual(self.evaluated(shipment, {'x': 4})[0], ['final 4'])

    def test_a_function_of_a_package_is_imported_from_the_directory_that_holds_it(self):
        _write(self.directory, {'pkg/__init__.py': '', 'pkg/part.py': 'from . import other\n\ndef f(p):\n    return other.ONE\n',
                                'pkg/other.py': 'ONE = 1\n'})
        function = self.imported('pkg.part').f

        with self.assertRaisesRegex(ValueError, 'give code='):
            shipping.of_function(function)
        self.assertEqual(self.evaluated(shipping.of_function(function, self.directory), {})[0], ['final 1'])

    def test_a_function_that_was_typed_is_taken_as_it_is_written(self):
        import linecache
        text = 'def typed(parameters):\n    orrery.report(2)\n    return {"default": parameters["x"]}\n'
        linecache.cache['<cell>'] = (len(text), None, text.splitlines(True), '<cell>')
        self.addCleanup(linecache.cache.pop, '<cell>')
        place = {'__name__': '__main__'}
        exec(compile(text, '<cell>', 'exec'), place)

        shipment = shipping.of_function(place['typed'])

        self.assertEqual(self.evaluated(shipment, {'x': 5})[0], ['report 2', "final {'default': 5}"])

    def test_what_cannot_be_sent_is_named_before_anything_is_sent(self):
        _write(self.directory, {'closed.py': 'def outer():\n    def inner(p):\n        return 1\n    return inner\n\nl = lambda p: 1\n'})
        module = self.imported('closed')
        for function in (module.outer(), module.l):
            with self.assertRaisesRegex(ValueError, 'at the top of its file'):
                shipping.of_function(function)
        with self.assertRaisesRegex(ValueError, 'is not in it'):
            with tempfile.TemporaryDirectory() as other:
                shipping.of_function(module.outer, other)
        os.symlink('/etc/hostname', os.path.join(self.directory, 'link'))
        with self.assertRaisesRegex(ValueError, 'link is no plain file'):
            shipping.of_command('true', self.directory)
        os.remove(os.path.join(self.directory, 'link'))
        os.mkfifo(os.path.join(self.directory, 'pipe'))
        with self.assertRaisesRegex(ValueError, 'pipe is no plain file'):
            shipping.of_command('true', self.directory)
        with self.assertRaisesRegex(ValueError, 'no directory'):
            shipping.of_command('true', os.path.join(self.directory, 'absent'))

    def test_content_is_sent_once_and_its_mark_last(self):
        _write(self.directory, {'a b.py': '1', 'sub/c.py': '2', '.git/config': 'x', '__pycache__/a.pyc': 'x'})

        first = shipping.of_command('true', self.directory).send(self.server)

        self.assertTrue(first.startswith('/mnt/ann/.orrery/code/'), first)
        names = [each.split('/', 3)[3] for each in self.server.sent]
        self.assertEqual(names, ['a%20b.py', 'sub/c.py', '.complete'])
        self.assertEqual(shipping.of_command('true', self.directory).send(self.server), first)
        self.assertEqual(len(self.server.sent), 3)
        _write(self.directory, {'sub/c.py': '3'})
        self.assertNotEqual(shipping.of_command('true', self.directory).send(self.server), first)

    def test_an_address_says_whether_a_server_is_elsewhere(self):
        for url, elsewhere in (('http://127.0.0.1:8080', False), ('http://localhost:1', False), ('http://[::1]:8080', False),
                               ('https://orrery.example.com', True), ('http://10.0.0.4:8080/base', True)):
            self.assertEqual(shipping.is_elsewhere(servers.Server(url)), elsewhere, url)


if __name__ == '__main__':
    unittest.main()
