"""A pipeline whose steps are functions."""

import orrery


@orrery.task(cache='1d')
def prepare(rows):
    return [(x, 3 * x + 1) for x in range(rows)]


@orrery.task(retry=2)
def train(data, rate):
    slope = offset = 0.0
    for _ in range(300):
        for x, y in data:
            error = slope * x + offset - y
            slope -= rate * error * x
            offset -= rate * error
    return {'slope': slope, 'offset': offset, 'rate': rate}


@orrery.task
def pick(models, data):
    def loss(model):
        return sum((model['slope'] * x + model['offset'] - y) ** 2 for x, y in data)
    return min(models, key=loss)


@orrery.pipeline
def line(rows=10):
    data = prepare(rows)
    pick([train(data, rate) for rate in (0.001, 0.003, 0.01)], data)


if __name__ == '__main__':
    run = line.run(rows=8).wait()
    print('picked: slope %(slope).2f, offset %(offset).2f, rate %(rate)g' % run.result('pick'))
