"""The configuration of an experiment as attributes. The server checks the values; here only names are checked."""

import difflib


class Section:
    """Attributes in Python's spelling that become members of a JSON object in NNI's; None and empty ones are left out.

    AttributeError names the attribute that was nearly meant, since a slip would otherwise be no more than ignored.
    """

    _fields = ()

    def __init__(self, **values):
        for name in self._fields:
            self.__dict__[name] = None
        for name, value in values.items():
            setattr(self, name, value)

    def __setattr__(self, name, value):
        if name not in self._fields:
            near = difflib.get_close_matches(name, self._fields, 1)
            raise AttributeError('%s has no field %r%s' % (
                type(self).__name__, name, ' (did you mean %r?)' % near[0] if near else ''))
        self.__dict__[name] = value

    def json(self):
        """The section as JSON has it."""
        return {_camel(name): _plain(self.__dict__[name]) for name in self._fields if _given(self.__dict__[name])}

    def __repr__(self):
        return '%s(%s)' % (type(self).__name__, ', '.join(
            '%s=%r' % (name, self.__dict__[name]) for name in self._fields if _given(self.__dict__[name])))


def _given(value):
    return bool(value.json()) if isinstance(value, Section) else value is not None


def _plain(value):
    if isinstance(value, Section):
        return value.json()
    if isinstance(value, (list, tuple)):
        return [_plain(element) for element in value]
    if hasattr(value, '__fspath__'):
        return value.__fspath__()
    return value


def _camel(name):
    first, *others = name.split('_')
    return first + ''.join(word[:1].upper() + word[1:] for word in others)


class AlgorithmConfig(Section):
    """A tuner, assessor or advisor: by name, or a class of one's own by module and folder."""

    _fields = ('name', 'class_name', 'code_directory', 'class_args')

    def __init__(self, name=None, class_args=None, class_name=None, code_directory=None):
        super().__init__(name=name, class_args={} if class_args is None else class_args, class_name=class_name,
                         code_directory=code_directory)

    def json(self):
        json = super().json()
        if not json.get('classArgs'):
            json.pop('classArgs', None)
        return json


class CustomAlgorithmConfig(AlgorithmConfig):
    """A class of one's own: ``module.Class`` in a folder."""

    def __init__(self, class_name=None, code_directory='.', class_args=None):
        super().__init__(class_name=class_name, code_directory=code_directory, class_args=class_args)


class TrainingServiceConfig(Section):
    """Where trials run. Fields that the platform does not know are told by the server."""

    _common = ('platform', 'trial_command', 'trial_code_directory', 'trial_gpu_number', 'nni_manager_ip', 'debug')
    _fields = _common + (
        'use_active_gpu', 'max_trial_number_per_gpu', 'gpu_indices', 'reuse_mode', 'machine_list', 'host', 'username',
        'token', 'trial_cpu_number', 'trial_memory_size', 'storage_config_name', 'docker_image', 'virtual_cluster',
        'local_storage_mount_point', 'container_storage_mount_point', 'openpai_config', 'openpai_config_file',
        'operator', 'api_version', 'storage', 'worker', 'ps', 'master', 'namespace', 'service_account_name',
        'task_roles', 'subscription_id', 'resource_group', 'workspace_name', 'compute_target', 'type', 'image',
        'job_type', 'pod_count', 'ecs_spec', 'region', 'workspace_id', 'nas_data_source_id', 'oss_data_source_id',
        'access_key_id', 'access_key_secret')


class LocalConfig(TrainingServiceConfig):
    """Trials as processes of the server's machine."""

    _fields = TrainingServiceConfig._common + ('use_active_gpu', 'max_trial_number_per_gpu', 'gpu_indices', 'reuse_mode')

    def __init__(self, **values):
        super().__init__(platform='local', **values)


class RemoteMachineConfig(Section):
    """One machine that is reached over SSH."""

    _fields = ('host', 'port', 'user', 'password', 'ssh_key_file', 'ssh_passphrase', 'use_active_gpu',
               'max_trial_number_per_gpu', 'gpu_indices', 'python_path')


class RemoteConfig(TrainingServiceConfig):
    """Trials on machines that are reached over SSH."""

    _fields = TrainingServiceConfig._common + ('machine_list', 'reuse_mode')

    def __init__(self, **values):
        values.setdefault('machine_list', [])
        super().__init__(platform='remote', **values)


_PLATFORMS = {'local': LocalConfig, 'remote': RemoteConfig}


def _training_service(platform):
    return _PLATFORMS[platform]() if platform in _PLATFORMS else TrainingServiceConfig(platform=platform)


class ExperimentConfig(Section):
    """Everything about an experiment; relative paths start from the working directory."""

    _fields = ('experiment_name', 'experiment_type', 'search_space_file', 'search_space', 'trial_command',
               'trial_code_directory', 'trial_concurrency', 'trial_gpu_number', 'max_experiment_duration',
               'max_trial_number', 'max_trial_duration', 'nni_manager_ip', 'use_annotation', 'debug', 'log_level',
               'experiment_working_directory', 'tuner_gpu_indices', 'tuner', 'assessor', 'advisor', 'training_service',
               'shared_storage',
               # what Orrery knows beyond NNI
               'seed', 'retry', 'priority', 'weight', 'quota', 'constraints', 'objectives', 'metric_retention',
               'parameters_as_arguments', 'read_event_files')

    def __init__(self, training_service_platform=None, **values):
        """``training_service_platform``: its name, or a list of names."""
        super().__init__()
        self.tuner = AlgorithmConfig()
        self.assessor = AlgorithmConfig()
        self.advisor = AlgorithmConfig()
        if isinstance(training_service_platform, (list, tuple)):
            self.training_service = [_training_service(platform) for platform in training_service_platform]
        elif training_service_platform is not None:
            self.training_service = _training_service(training_service_platform)
        for name, value in values.items():
            setattr(self, name, value)
