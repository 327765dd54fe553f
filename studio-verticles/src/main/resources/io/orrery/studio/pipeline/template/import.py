"""Fetches data from a URL or a path; arguments are names and texts in turn."""

import hashlib
import os
import shutil
import sys
import tarfile
import urllib.parse
import urllib.request
import zipfile

TARGET = os.path.join(os.environ["ORRERY_OUTPUTS"], "data")


def main(words):
    given = dict(zip(words[0::2], words[1::2]))
    source = given["--from"]
    if urllib.parse.urlsplit(source).scheme in ("http", "https"):
        fetch(source, float(given.get("--timeout", "600")))
    elif os.path.isdir(source):
        shutil.copytree(source, TARGET, symlinks=True)
    elif os.path.isabs(source):
        shutil.copyfile(source, TARGET)
    else:
        sys.exit(f"--from is a URL with http:// or https://, or an absolute path, not {source!r}")
    if os.path.isfile(TARGET):
        described(given.get("--sha256", ""))
        if given.get("--unpack") == "yes":
            unpack()
    elif "--sha256" in given:
        sys.exit("a directory has no sha256: leave it out")
    print(f"imported {source}")


def fetch(url, timeout):
    headers = {}
    if os.environ.get("HTTP_TOKEN"):
        headers["Authorization"] = "Bearer " + os.environ["HTTP_TOKEN"]
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=timeout) as answer:
            with open(TARGET, "wb") as file:
                shutil.copyfileobj(answer, file)
    except OSError as e:
        sys.exit(f"could not fetch {url}: {e}")


def described(wanted):
    digest = hashlib.sha256()
    with open(TARGET, "rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    found = digest.hexdigest()
    if wanted and wanted.lower().removeprefix("sha256:") != found:
        sys.exit(f"the data has the SHA-256 {found}, and {wanted} was expected")
    for name, text in (("sha256", found), ("bytes", str(os.path.getsize(TARGET)))):
        with open(os.path.join(os.environ["ORRERY_OUTPUTS"], name), "w") as file:
            file.write(text)


def unpack():
    packed = TARGET + ".packed"
    os.rename(TARGET, packed)
    if tarfile.is_tarfile(packed):
        with tarfile.open(packed) as archive:
            archive.extractall(TARGET, filter="data")
    elif zipfile.is_zipfile(packed):
        with zipfile.ZipFile(packed) as archive:
            archive.extractall(TARGET)
    else:
        sys.exit("the data is no tar and no zip archive")
    os.remove(packed)


main(sys.argv[1:])
