"""Runs a user's own tuner, assessor or advisor, written for NNI, in a process of its own.

The server starts ``python3 -m orrery_algorithms`` and talks to it in lines of JSON over stdin and stdout, one answer for
each question (``host``). ``guard`` sees to it that nothing outlives the server, ``users_class`` finds the class,
``tuner``, ``assessor`` and ``advisor`` speak NNI's protocol with it, and ``failure`` says what it raised.
"""
