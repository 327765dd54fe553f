"""Hands an input on to a path or a URL; arguments are names and texts in turn."""

import os
import shutil
import sys
import urllib.parse
import urllib.request


def main(words):
    given = dict(zip(words[0::2], words[1::2]))
    source = os.path.join(os.environ["ORRERY_INPUTS"], given.get("--input", "data"))
    target = given["--to"]
    if not os.path.exists(source):
        sys.exit(f"there is no input {given.get('--input', 'data')!r}: name it in inputs")
    if urllib.parse.urlsplit(target).scheme in ("http", "https"):
        send(source, target)
    elif os.path.isabs(target):
        place(source, target.rstrip("/"))
    else:
        sys.exit(f"--to is a URL with http:// or https://, or an absolute path, not {target!r}")
    print(f"exported to {target}")


def send(source, url):
    if os.path.isdir(source):
        sys.exit("a directory is exported to a path; a URL takes a file")
    headers = {"Content-Length": str(os.path.getsize(source)), "Content-Type": "application/octet-stream"}
    if os.environ.get("HTTP_TOKEN"):
        headers["Authorization"] = "Bearer " + os.environ["HTTP_TOKEN"]
    with open(source, "rb") as file:
        request = urllib.request.Request(url, data=file, headers=headers, method="PUT")
        try:
            urllib.request.urlopen(request, timeout=600).close()
        except OSError as e:
            sys.exit(f"could not send to {url}: {e}")


def place(source, target):
    """Beside the target first, so that no reader sees half of it."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    aside = f"{target}.new-{os.environ['ORRERY_RUN']}"
    if os.path.isdir(target) or (os.path.isdir(source) and os.path.lexists(target)):
        sys.exit(f"there is {target} already, and nothing of it is replaced: name another path")
    if os.path.isdir(source):
        shutil.rmtree(aside, ignore_errors=True)
        shutil.copytree(source, aside, symlinks=True)
    else:
        shutil.copyfile(source, aside)
    os.replace(aside, target)


main(sys.argv[1:])
