"""Makes a home of an earlier version, with what its API said about it: ``capture.py DISTRIBUTION HOME [STORE_URL]``.

HOME is made, filled by the server of that distribution and left as it is after the server was stopped in the middle of an
experiment. HOME/said.json has the answers. The home of 0.1.0 that the tests have is ``home-0.1.0.tar.gz``; the database
``database-0.1.0.sql.gz`` is ``pg_dump --inserts --no-owner`` of a second run with STORE_URL, whose home is in
``home-0.1.0-postgresql.tar.gz``.
"""

import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.request

TRIAL = r'''
case $NNI_TRIAL_SEQ_ID in
  2) [ "$KIND" = ends ] || { echo 'orrery: intermediate 0.125'; exec sleep 600; } ;;
esac
echo "orrery: intermediate 0.25"; echo "orrery: intermediate 0.5"
case $NNI_TRIAL_SEQ_ID in
  1) echo 'orrery: final {"default": 0.5, "size": 2}' ;;
  2) echo 'orrery: final NaN' ;;
  3) [ "$KIND" = ends ] && { echo broken >&2; exit 3; }; echo 'orrery: final 0.75' ;;
  *) echo 'orrery: final 0.625' ;;
esac
'''


def main(distribution, home, store=None):
    home = pathlib.Path(home).resolve()
    home.mkdir(parents=True)
    if store:
        (home / 'orrery.yml').write_text("store: {url: '%s'}\n" % store)
    with open(home / 'server.log', 'wb') as log:
        server = subprocess.Popen(
            [os.path.join(distribution, 'bin', 'orrery'), 'up', '--home', str(home), '--port', '0', '--router-port', '0'],
            stdout=log, stderr=log, env=dict(os.environ, HOME=str(home)))
    try:
        said = fill(awaited(lambda: json.loads((home / 'server.json').read_text())['url']) + '/api/v1')
        (home / 'said.json').write_text(json.dumps(said, indent=1))
    finally:
        server.terminate()
        server.wait()


def fill(api):
    ends = create(api, 'ends', 4, 2)
    awaited(lambda: call(api + '/experiments/' + ends)['status'] == 'DONE')
    stopped = create(api, 'stopped', 4, 1)
    awaited(lambda: trials(api, stopped)[2]['status'] == 'RUNNING')
    call(api + '/experiments/%s/stop' % stopped, {})
    awaited(lambda: call(api + '/experiments/' + stopped)['status'] == 'STOPPED')
    moving = create(api, 'moving', 5, 1)
    awaited(lambda: trials(api, moving)[2]['status'] == 'RUNNING')
    call(api + '/routes', {'services': [{'name': 'digits', 'endpoints': ['127.0.0.1:9']}]}, 'PUT')
    time.sleep(1)  # Points are packed, counts are stored.
    return {
        'experiments': {each: call(api + '/experiments/' + each) for each in (ends, stopped, moving)},
        'trials': {each: trials(api, each) for each in (ends, stopped, moving)},
        'metrics': {each: {trial['id']: call(api + '/experiments/%s/trials/%s/metrics' % (each, trial['id']))
                           for trial in trials(api, each)} for each in (ends, stopped, moving)},
        'routes': call(api + '/routes')}


def create(api, kind, most, at_once):
    return call(api + '/experiments', {
        'experimentName': kind, 'trialCommand': 'KIND=%s; %s' % (kind, TRIAL), 'trialCodeDirectory': '/',
        'trialConcurrency': at_once, 'maxTrialNumber': most, 
        'searchSpace': {'x': {'_type': 'uniform', '_value': [0, 1]}, 'kind': {'_type': 'choice', '_value': ['a', 'b']}},
        'tuner': {'name': 'TPE', 'classArgs': {'optimize_mode': 'maximize'}},
        'trainingService': {'platform': 'local'}})['id']


def trials(api, experiment):
    return sorted(call(api + '/experiments/%s/trials' % experiment)['items'], key=lambda trial: trial['sequenceId'])


def call(url, body=None, method=None):
    request = urllib.request.Request(url, None if body is None else json.dumps(body).encode(), method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def awaited(question):
    end = time.monotonic() + 60
    while True:
        try:
            answer = question()
            if answer:
                return answer
        except (OSError, IndexError):
            pass
        if time.monotonic() > end:
            raise SystemExit('it takes too long')
        time.sleep(0.2)


if __name__ == '__main__':
    main(*sys.argv[1:])
