"""Reports as it goes, and lets the server stop trials that are worse than most at the same point."""

import time

import orrery


def objective(parameters):
    loss = 1.0
    for epoch in range(20):
        loss *= 1 - parameters['rate'] * (1 - parameters['rate'])
        orrery.report(loss)
        time.sleep(0.05)
    return loss


study = orrery.search(objective, {'rate': orrery.uniform(0.01, 0.99)}, trials=24, direction='minimize',
                      early_stopping='Medianstop', seed=3)
stopped = sum(trial.status == 'EARLY_STOPPED' for trial in study.trials)
print('best: %.6f, %d of %d trials were stopped early' % (study.value, stopped, len(study.trials)))
