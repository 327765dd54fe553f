"""``nni.runtime.common``: two switches of NNI that are always off."""


def multi_thread_enabled():
    return False


def multi_phase_enabled():
    return False
