"""``nni.runtime.tuner_command_channel``: newer name of the protocol."""

from .protocol import CommandType

__all__ = ['CommandType']
