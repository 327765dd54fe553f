"""The environment of a keeper: the only place that knows the names of its variables."""

import json
import os
import re
import socket
import tempfile

MEGABYTE = 1 << 20


class BadSettings(ValueError):
    """A variable is missing or makes no sense; the message names it."""


class Settings:
    """What the variables say, read once.

    url, token         the server, and what opens this attempt there
    other_urls         of servers that take the same calls; None where there is no way to any but the one
    ports              a directory where servers note the ports of this machine that lead to them, or None
    agent              the socket of the server's agent on this machine, or None
    experiment, trial  ids; ``attempt`` is a number from 1
    command            the user's shell command
    role, index        what it runs as; the index is None where there is one place only
    keeper             the name of this place: the role, and its index if it has one
    multi_phase        whether the command may ask for further parameter sets
    reports            whether this place's metrics count
    event_files        whether the scalars of TensorBoard's files are reports
    primary            whether its streams are the attempt's own
    code               digest of the code to fetch, or None
    code_directory     a mounted directory to copy the code from, or None
    output_directory   a mounted directory to copy everything of this place to at the end, or None
    shared_directory   a mounted directory that holds what this place leaves while it runs, or None
    storage            the mounted directory that must be there before shared_directory is made, or None
    upload             whether outputs go to the server
    directory          where everything of the command lies
    scratch            a directory that is removed at the end
    grace              seconds from SIGTERM to SIGKILL for the command
    farewell           seconds that delivery goes on after the keeper itself was told to end
    patience           seconds that delivery goes on after the command's end
    start_patience     seconds that the server may take to let the command start
    spool              most bytes of each stream, and of reports, that wait on the disk
    idle               seconds that an environment waits for something to do
    """

    def __init__(self, variables):
        self.url = _required(variables, 'ORRERY_URL').rstrip('/')
        if not self.url.startswith(('http://', 'https://')):
            raise BadSettings('ORRERY_URL is %r: it must begin with http:// or https://' % self.url)
        others = variables.get('ORRERY_KEEPER_OTHER_URLS')
        self.other_urls = None if others is None else tuple(each.rstrip('/') for each in others.split())
        self.ports = variables.get('ORRERY_KEEPER_PORTS') or None
        self.agent = variables.get('ORRERY_KEEPER_AGENT') or None
        self.token = _required(variables, 'ORRERY_TRIAL_TOKEN')
        self.experiment = _required(variables, 'NNI_EXP_ID')
        self.trial = _required(variables, 'NNI_TRIAL_JOB_ID')
        self.attempt = _number(variables, 'ORRERY_ATTEMPT', 1, int)
        self.command = _required(variables, 'ORRERY_COMMAND')
        self.multi_phase = variables.get('MULTI_PHASE', '').lower() == 'true'
        self.role = variables.get('ORRERY_KEEPER_ROLE') or 'main'
        self.index, rank = _place(variables)
        self.keeper = self.role if self.index is None else '%s-%d' % (self.role, self.index)
        reports = variables.get('ORRERY_KEEPER_REPORTS') or 'all'
        if reports not in ('all', 'first', 'none'):
            raise BadSettings('ORRERY_KEEPER_REPORTS is %r: it must be all, first or none' % reports)
        self.reports = reports == 'all' or (reports == 'first' and rank in (None, 0))
        self.event_files = variables.get('ORRERY_KEEPER_EVENT_FILES', 'false').lower() == 'true'
        self.primary = reports != 'none' and self.index in (None, 0)
        self.code = variables.get('ORRERY_CODE') or None
        self.code_directory = variables.get('ORRERY_CODE_DIRECTORY') or None
        self.code_archive = variables.get('ORRERY_CODE_ARCHIVE') or None
        self.storage = variables.get('ORRERY_SHARED_DIRECTORY') or None
        self.shared_directory = self._own(self.storage)
        self.output_directory = self._own(variables.get('ORRERY_OUTPUT_DIRECTORY') or None)
        self.upload = variables.get('ORRERY_OUTPUT_UPLOAD', 'true').lower() != 'false'
        self.scratch = variables.get('ORRERY_KEEPER_HOME') or tempfile.mkdtemp(prefix='orrery-')
        self.directory = os.path.abspath(
            variables.get('ORRERY_KEEPER_DIRECTORY') or os.path.join(self.scratch, 'trial'))
        self.grace = _number(variables, 'ORRERY_KEEPER_GRACE', 5.0)
        self.farewell = _number(variables, 'ORRERY_KEEPER_FAREWELL', 20.0)
        self.patience = _number(variables, 'ORRERY_KEEPER_PATIENCE', 86400.0)
        self.start_patience = _number(variables, 'ORRERY_KEEPER_START_PATIENCE', 600.0)
        self.spool = _number(variables, 'ORRERY_KEEPER_SPOOL_MB', 64, int) * MEGABYTE
        self.idle = _number(variables, 'ORRERY_KEEPER_IDLE', 600.0)

    def _own(self, directory):
        """What this place has of a directory that all places of an attempt are given: the one that speaks for the attempt
        has it, and each of the others a directory of its own below it. So none replaces what another has left."""
        return directory if directory is None or self.primary else os.path.join(directory, 'roles', self.keeper)


def _required(variables, name):
    value = variables.get(name)
    if not value:
        raise BadSettings('%s is not set' % name)
    return value


def _number(variables, name, default, kind=float):
    text = variables.get(name)
    if not text:
        return default
    try:
        number = kind(text)
    except ValueError:
        number = -1
    if not 0 <= number < 1e9:
        raise BadSettings('%s is %r: it must be a number from 0' % (name, text))
    return number


def _place(variables):
    """The index of this place, and its rank among those that run at the same time: both None where it is the only one."""
    rank, restarts = (variables.get('ADAPTDL_' + name, '') for name in ('REPLICA_RANK', 'NUM_RESTARTS'))
    if re.match(r'\d{1,4}$', rank) and re.match(r'\d{1,5}$', restarts):
        # After a change of nodes the command begins again: another place, with logs of its own.
        return int(restarts) * 10000 + int(rank), int(rank)
    index = _index(variables)
    return index, index


def _index(variables):
    """Which of several equal places this is, as those who made them say it; None when that is not given."""
    for name in ('ORRERY_KEEPER_INDEX', 'FC_TASK_INDEX', 'JOB_COMPLETION_INDEX'):
        if re.match(r'\d{1,9}$', variables.get(name, '')):
            return int(variables[name])
    try:
        index = json.loads(variables.get('TF_CONFIG', ''))['task']['index']
        return int(index)
    except (ValueError, KeyError, TypeError):
        pass
    role = variables.get('ORRERY_KEEPER_ROLE')
    if role in ('master', 'worker') and re.match(r'\d{1,9}$', variables.get('RANK', '')):
        # The master has rank 0 of all, and is the only one of its kind; workers are counted from rank 1.
        return max(0, int(variables['RANK']) - (1 if role == 'worker' else 0))
    pod = variables.get('ORRERY_KEEPER_POD') or socket.gethostname()
    numbered = re.search(r'-%s-(\d{1,9})$' % re.escape(role), pod) if role else None
    return int(numbered.group(1)) if numbered else None
