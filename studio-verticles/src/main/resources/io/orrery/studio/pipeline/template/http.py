"""Makes one HTTP request; arguments are names and texts in turn."""

import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request


def main(words):
    given = dict(zip(words[0::2], words[1::2]))
    url = given["--url"]
    if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
        sys.exit(f"the URL begins with http:// or https://, not {url!r}")
    headers = {str(name): str(text) for name, text in json.loads(given.get("--headers", "{}")).items()}
    if os.environ.get("HTTP_TOKEN"):
        headers["Authorization"] = "Bearer " + os.environ["HTTP_TOKEN"]
    body = given["--body"].encode() if "--body" in given else None
    if "--body-input" in given:
        with open(os.path.join(os.environ["ORRERY_INPUTS"], given["--body-input"]), "rb") as file:
            body = file.read()
    request = urllib.request.Request(url, data=body, headers=headers, method=given.get("--method", "GET"))
    try:
        answer = urllib.request.urlopen(request, timeout=float(given.get("--timeout", "60")))
    except urllib.error.HTTPError as refused:
        answer = refused
    except OSError as e:
        sys.exit(f"could not reach {url}: {getattr(e, 'reason', e)}")
    with answer:
        content = answer.read()
        print(f"{request.get_method()} {url}: {answer.status}, {len(content)} bytes")
        keep("status", str(answer.status).encode())
        keep("headers", json.dumps(dict(answer.headers.items())).encode())
        keep("body", content)
        expected = given.get("--expect", "2xx").replace(" ", "").split(",")
        if not any(matches(str(answer.status), pattern) for pattern in expected):
            sys.stderr.write(content[:2000].decode("utf-8", "replace") + "\n")
            sys.exit(f"{url} answered {answer.status}, and {','.join(expected)} was expected")


def matches(status, pattern):
    return len(status) == len(pattern) and all(p in (s, "x") for s, p in zip(status, pattern))


def keep(name, content):
    with open(os.path.join(os.environ["ORRERY_OUTPUTS"], name), "wb") as file:
        file.write(content)


main(sys.argv[1:])
