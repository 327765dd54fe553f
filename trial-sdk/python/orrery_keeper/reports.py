"""What a command reports, whichever way it does: read, counted, and put where it waits for the server."""

import json
import math
import re
import threading
import time

_KINDS = {'PERIODICAL': 'intermediate', 'FINAL': 'final'}
_NOT_FINITE = {'nan': 'NaN', 'inf': 'Infinity', 'infinity': 'Infinity', '-inf': '-Infinity', '-infinity': '-Infinity'}
_LONGEST_NAME = 1024


class NoMetric(ValueError):
    """It looks like a report, but its value is no metric."""


class Reports:
    """Turns reports into lines of the server's metric format, and spools them. Safe for several threads.

    A report is known by its source and its number in it: a line that is delivered twice changes nothing. Senders that do
    not count are counted here. ``on_request`` is called with what asks for parameters. ``present`` is the number of the
    parameter set that the command has, which a report is of that names none.
    """

    def __init__(self, settings, spool):
        self._trial = '%s/%s' % (settings.experiment, settings.trial)
        self._attempt = settings.attempt
        self._keeper = settings.keeper
        self._counts = settings.reports
        self._spool = spool
        self._lock = threading.Lock()
        self._numbers = {}
        self.refused = 0
        self.first_refused = None
        self.on_request = None
        self.present = None

    def payload(self, payload, transport, wait):
        """Takes a payload of NNI's trial protocol. False when there is no room now; NoMetric."""
        kind = _KINDS.get(payload.get('type')) if isinstance(payload, dict) else None
        if kind is None:
            # A request for parameters: the first ones are there already.
            if self.on_request and self._counts and isinstance(payload, dict):
                self.on_request(payload)
            return True
        value = payload.get('value')
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except ValueError:
                raise NoMetric('its value is no JSON') from None
        sequence = _whole(payload.get('sequence', 0))
        if sequence is None:
            raise NoMetric('its sequence is no whole number')
        source, ordinal = payload.get('source'), payload.get('ordinal')
        ordinal = _whole(ordinal)
        counted = isinstance(source, str) and len(source) <= _LONGEST_NAME and ordinal is not None
        return self.add(kind, sequence, value, transport, wait,
                        payload.get('parameter_id'), (source, ordinal) if counted else None)

    def refuse(self, text):
        """Counts what begins like a report and cannot be read; the first one is kept to be quoted."""
        self.refused += 1
        if self.first_refused is None:
            self.first_refused = _quote(text)

    def complaint(self):
        """What was refused, in words; None when nothing was."""
        if not self.refused:
            return None
        words = ('this is no report that can be read: %s' if self.refused == 1 else
                 '%d reports cannot be read; the first: %%s' % self.refused)
        return words % self.first_refused

    def add(self, kind, sequence, value, transport, wait, parameter_id=None, identity=None):
        """Takes one value. False when there is no room now; NoMetric."""
        value = metric(value, kind)
        if not self._counts:
            return True
        with self._lock:
            source = '%s/%s' % (self._keeper, transport)
            number = self._numbers.get(source, 0)
            line = {
                'trial': self._trial, 'attempt': self._attempt, 'kind': kind, 'sequence': sequence, 'value': value,
                'source': identity[0] if identity else source, 'ordinal': identity[1] if identity else number,
                'time': int(time.time() * 1000),
            }
            if parameter_id is not None and len(str(parameter_id)) <= _LONGEST_NAME:
                line['parameterId'] = str(parameter_id)
            taken = self._spool.append(json.dumps(line).encode('ascii') + b'\n', wait)
            if taken and identity is None:
                self._numbers[source] = number + 1
            return taken

    def scalars(self, step, millis, values, source, ordinal):
        """Takes the numbers of one event by their tags; ``default`` is the one that search looks at. Waits for room."""
        if not self._counts:
            return
        value = metric(values['default']) if list(values) == ['default'] else {
            tag: metric(number) for tag, number in values.items()}
        line = {
            'trial': self._trial, 'attempt': self._attempt, 'kind': 'intermediate', 'sequence': step, 'value': value,
            'source': source, 'ordinal': ordinal, 'time': millis,
        }
        if 'default' not in values:
            line['named'] = True
        self._spool.append(json.dumps(line).encode('ascii') + b'\n', True)


def metric(value, kind='final'):
    """A value as the server takes it: a number, or an object whose ``default`` is one. An intermediate object may lack it.

    Not finite numbers become the texts that stand for them in JSON. NoMetric.
    """
    if isinstance(value, dict):
        if 'default' not in value and kind == 'intermediate':
            return value
        return dict(value, default=_number(value.get('default')))
    return _number(value)


def _number(value):
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str) and value in _NOT_FINITE.values():
        return value
    if not isinstance(value, (int, float)):
        raise NoMetric('its value is neither a number nor an object with a number as "default"')
    if isinstance(value, float) and not math.isfinite(value):
        return 'NaN' if math.isnan(value) else 'Infinity' if value > 0 else '-Infinity'
    return value


class Lines:
    """Finds reports among the lines that a command prints.

        orrery: final 0.93
        orrery: intermediate {"default": 0.5, "loss": 1.7}
        NNISDK_MEb'{"parameter_id": 0, "type": "FINAL", "sequence": 0, "value": "0.93"}'

    A line that begins like one of these and cannot be read is ordinary output; it is counted and quoted.
    """

    _LONGEST = 1000000
    _PLAIN = re.compile(r'orrery: (final|intermediate)\s+(.*)', re.DOTALL)
    _NNI = re.compile(r"NNISDK_MEb'(.*)'", re.DOTALL)

    def __init__(self, reports, transport):
        self._reports = reports
        self._transport = transport
        self._rest = b''
        self._too_long = False
        self._intermediates = 0

    def feed(self, data):
        """Takes the next bytes; waits where there is no room for a report."""
        lines = (self._rest + data).split(b'\n')
        self._rest = lines.pop()
        for line in lines:
            if self._too_long:
                self._too_long = False
            else:
                self._line(line)
        if len(self._rest) > self._LONGEST:
            if not self._too_long:
                self._line(self._rest)
            self._rest = b''
            self._too_long = True

    def end(self):
        """Nothing follows: what there is is a line."""
        if self._rest and not self._too_long:
            self._line(self._rest)
        self._rest = b''

    def _line(self, line):
        if not (line.startswith(b'orrery: ') or b'NNISDK_MEb' in line):
            return
        if len(line) > self._LONGEST:
            self._reports.refuse(line[:1000].decode('utf-8', 'replace').strip())
            return
        text = line.decode('utf-8', 'replace').strip()
        try:
            plain = self._PLAIN.match(text)
            if plain:
                self._plain(plain.group(1), plain.group(2).strip())
                return
            found = self._NNI.search(text)
            if found:
                self._reports.payload(_literal(found.group(1)), self._transport, wait=True)
            else:
                self._reports.refuse(text)
        except ValueError:
            self._reports.refuse(text)

    def _plain(self, kind, text):
        value = _NOT_FINITE.get(text.lower())
        value = json.loads(text) if value is None else value
        number = 0
        if kind == 'intermediate':
            number = self._intermediates
        self._reports.add(kind, number, value, self._transport, wait=True, parameter_id=self._reports.present)
        if kind == 'intermediate':
            self._intermediates += 1


class MisplacedLines:
    """Finds reports that a command prints to stderr, where they count for nothing: counts them, and quotes the first."""

    _LONGEST = 1000

    def __init__(self):
        self._rest = b''
        self._count = 0
        self._first = None

    def feed(self, data):
        """Takes the next bytes. Of a long line its beginning is enough."""
        lines = data.split(b'\n')
        lines[0] = self._rest + lines[0]
        self._rest = lines.pop()[:self._LONGEST]
        for line in lines:
            self._line(line)

    def end(self):
        """Nothing follows: what there is is a line."""
        self._line(self._rest)
        self._rest = b''

    def complaint(self):
        """What was found, in words; None when nothing was."""
        if not self._count:
            return None
        words = ('this line of stderr is no report, because reports are read from stdout: %s' if self._count == 1 else
                 '%d lines of stderr are no reports, because reports are read from stdout; the first: %%s' % self._count)
        return words % self._first

    def _line(self, line):
        if line.startswith((b'orrery: final ', b'orrery: intermediate ')) or b"NNISDK_MEb'" in line[:self._LONGEST]:
            self._count += 1
            if self._first is None:
                self._first = _quote(line[:self._LONGEST].decode('utf-8', 'replace').strip())


def _quote(text):
    """At most 200 characters of a line, with a question mark for each that cannot be printed."""
    return ''.join(c if c.isprintable() else '?' for c in text[:200])


def _literal(text):
    """The JSON in a Python bytes literal, in which backslashes may stand doubled."""
    try:
        return json.loads(text)
    except ValueError:
        # Such a literal holds ASCII alone; whatever else stands there was printed as it is.
        plain = re.sub(rb'\\(x[0-9a-fA-F]{2}|.)', _unescaped, text.encode('utf-8'), flags=re.DOTALL)
        return json.loads(plain.decode('utf-8', 'replace'))


def _unescaped(escape):
    code = escape.group(1)
    if len(code) == 3:
        return bytes([int(code[1:], 16)])
    return {b'n': b'\n', b't': b'\t', b'r': b'\r'}.get(code, code)


def _whole(number):
    """A whole number from 0, which may be written 3.0, as an int; else None."""
    if isinstance(number, float) and number.is_integer() and number <= 1 << 53:
        number = int(number)
    whole = isinstance(number, int) and not isinstance(number, bool) and 0 <= number < 1 << 63
    return number if whole else None
