"""Makes the calls of NNI's Python client and of nnictl, and is as strict as they are.

Usage: client.py URL, where URL is what NNI's clients put before /api/v1/nni. Ends with 0 when every
answer was one that they can work with, and prints what it saw as one JSON document.
"""

import json
import sys
import time
import urllib.request

TRIAL_NEEDS = {"trialJobId", "status", "logPath", "startTime", "sequenceId"}
TRIAL_TAKES = TRIAL_NEEDS | {"endTime", "stderrPath", "hyperParameters", "finalMetricData"}
METRIC = {"timestamp", "trialJobId", "parameterId", "type", "sequence", "data"}
RECORD = {"parameter_id", "parameter_source", "parameters", "parameter_index"}


class Client:
    def __init__(self, url):
        self.base = url.rstrip("/") + "/api/v1/nni"

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, method=method)
        request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=20) as response:
            text = response.read()
        return json.loads(text) if text and method in ("GET", "POST") else None

    def status(self):
        return self.call("GET", "/check-status")["status"]

    def wait(self, *wanted):
        deadline = time.monotonic() + 60
        while self.status() not in wanted:
            if time.monotonic() > deadline:
                raise TimeoutError("still " + self.status())
            time.sleep(0.1)

    def update(self, update_type, member, value):
        profile = self.call("GET", "/experiment")
        profile["params"][member] = value
        self.call("PUT", "/experiment?update_type=" + update_type, profile)


def exactly(members, needs, takes):
    if not needs <= set(members) <= takes:
        raise TypeError("needs %s, takes %s, got %s" % (needs, takes, sorted(members)))


def metric(record):
    exactly(record, METRIC, METRIC)
    return json.loads(json.loads(record["data"]))


def trial(job):
    exactly(job, TRIAL_NEEDS, TRIAL_TAKES)
    for text in job.get("hyperParameters", []):
        exactly(json.loads(text), RECORD, RECORD)
    return [metric(record) for record in job.get("finalMetricData", [])]


def main():
    client = Client(sys.argv[1])
    seen = {}

    # Connecting.
    experiment = client.call("GET", "/experiment")["id"]
    mine = [e for e in client.call("GET", "/experiments-info") if e["id"] == experiment]
    seen["experiment"] = experiment
    seen["index"] = mine
    seen["metadata"] = client.call("GET", "/experiment-metadata")

    client.wait("DONE")
    jobs = client.call("GET", "/trial-jobs")
    seen["results"] = {job["trialJobId"]: trial(job) for job in jobs}
    seen["alone"] = [client.call("GET", "/trial-jobs/" + job["trialJobId"]) == job for job in jobs]
    seen["metrics"] = [metric(record) for record in client.call("GET", "/metric-data")]
    exported = client.call("GET", "/export-data")
    seen["export"] = [json.loads(entry["value"]) for entry in exported]
    seen["statistics"] = client.call("GET", "/job-statistics")

    # Raising a limit sets a finished experiment going again; a trial of one's own counts to it.
    client.update("TRIAL_CONCURRENCY", "trialConcurrency", 2)
    client.update("SEARCH_SPACE", "searchSpace", json.dumps({"x": {"_type": "choice", "_value": [9]}}))
    client.update("MAX_EXEC_DURATION", "maxExecDuration", "2h")
    client.update("MAX_TRIAL_NUM", "maxTrialNum", len(jobs) + 2)
    own = client.call("POST", "/trial-jobs", {"x": 7})["sequenceId"]
    deadline = time.monotonic() + 60
    while True:
        if time.monotonic() > deadline:
            raise TimeoutError("the trial of one's own has not succeeded")
        jobs = client.call("GET", "/trial-jobs")
        [trial(job) for job in jobs]
        mine = [job for job in jobs if job["sequenceId"] == own]
        if mine and mine[0]["status"] == "SUCCEEDED":
            break
        time.sleep(0.05)
    seen["own"] = json.loads(mine[0]["hyperParameters"][0])
    seen["params"] = client.call("GET", "/experiment")["params"]
    print(json.dumps(seen))


if __name__ == "__main__":
    main()
