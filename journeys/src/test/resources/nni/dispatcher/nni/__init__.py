"""Stands in for the NNI that is installed: only what ``python3 -m nni`` does, and strictly."""
