"""What runs beside a trial of Orrery: it gets the trial's parameters and delivers the trial's results.

``client.open_trial`` is the way in. Trial code does not import this package: it imports ``nni``, which ``compat/nni``
answers with what is here. Python 3.7 and later, standard library only.
"""
