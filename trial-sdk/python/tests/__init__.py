"""Tests of the trial SDK; most of them run a trial as a platform does: a child process with its own environment."""
