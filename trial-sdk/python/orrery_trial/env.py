"""The environment of a trial: the only place that knows the names of its variables."""

import os

DEFAULT_PATIENCE = 1800.0


class TrialEnvironment:
    """What the variables of one process say about the trial that it belongs to; read once, never changed.

    platform       where the trial runs (``local``, ``remote``, ``kubeflow``, ...), or None outside an experiment
    experiment_id  id of the experiment, ``STANDALONE`` outside one
    trial_id       id of the trial, ``STANDALONE`` outside an experiment
    sequence_id    number of the trial in its experiment, from 0; -1 when the platform does not know it
    sys_dir        absolute folder of the trial's protocol files, or None
    channel_url    http(s) URL of the trial's command channel, or None
    multi_phase    whether the trial may ask for further parameter sets through files
    reused         whether a runner that reads the trial's stdout started it
    patience       seconds that a report waits for a server that does not answer, before it fails
    """

    def __init__(self, variables):
        """Reads a mapping like ``os.environ``. ValueError names a variable whose text is not the number it must be."""
        self.platform = variables.get('NNI_PLATFORM') or None
        self.experiment_id = variables.get('NNI_EXP_ID') or 'STANDALONE'
        self.trial_id = variables.get('NNI_TRIAL_JOB_ID') or 'STANDALONE'
        self.sequence_id = _number(variables, 'NNI_TRIAL_SEQ_ID', int, 0)
        # Absolute from the start, because trial code may change its working directory.
        self.sys_dir = os.path.abspath(variables['NNI_SYS_DIR']) if variables.get('NNI_SYS_DIR') else None
        self.channel_url = _http_url(variables.get('NNI_TRIAL_COMMAND_CHANNEL'))
        self.multi_phase = _flag(variables, 'MULTI_PHASE')
        self.reused = _flag(variables, 'REUSE_MODE')
        self.patience = _number(variables, 'ORRERY_CHANNEL_PATIENCE', float, DEFAULT_PATIENCE)

    @property
    def standalone(self):
        """Whether the script runs on its own, without an experiment."""
        return self.platform is None or self.platform == 'unittest'


def _flag(variables, name):
    return variables.get(name, '').lower() == 'true'


def _number(variables, name, kind, default):
    text = variables.get(name)
    if not text:
        return default
    try:
        return kind(text)
    except ValueError:
        raise ValueError('%s must be %s, but is %r'
                         % (name, 'a whole number' if kind is int else 'a number', text)) from None


def _http_url(text):
    # NNI also knows import://module.Class here, for its own tests; such a channel is not ours to open.
    return text if text and text.startswith(('http://', 'https://')) else None
