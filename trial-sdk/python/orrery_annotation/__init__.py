"""Annotations of NNI before 3.0, read for what they say: the search space, and the same code without them.

An annotation is a statement that is nothing but a text beginning with ``@nni.``; it is about the statement that follows. Nothing
of a trial's code is run. Needs Python 3.8.
"""
