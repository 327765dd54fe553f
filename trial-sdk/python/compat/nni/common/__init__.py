"""``nni.common``: two small modules that algorithms import."""
