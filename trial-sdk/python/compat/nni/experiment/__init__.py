"""``nni.experiment``: experiments from Python, on an Orrery server. Same names and shapes as NNI's."""

from .config import (AlgorithmConfig, CustomAlgorithmConfig, ExperimentConfig, LocalConfig, RemoteConfig,
                     RemoteMachineConfig, TrainingServiceConfig)
from .data import TrialHyperParameters, TrialJob, TrialMetricData, TrialResult
from .experiment import Experiment, RunMode

# What NNI calls the Experiment of its release 2.0; ours has the calls of both.
LegacyExperiment = Experiment

__all__ = ['AlgorithmConfig', 'CustomAlgorithmConfig', 'Experiment', 'ExperimentConfig', 'LegacyExperiment',
           'LocalConfig', 'RemoteConfig', 'RemoteMachineConfig', 'RunMode', 'TrainingServiceConfig',
           'TrialHyperParameters', 'TrialJob', 'TrialMetricData', 'TrialResult']
