# Fetches the archives ORRERY_CODE and ORRERY_MODEL, each where it is set, from ORRERY_URL into
# ORRERY_FILES, by python3, or by curl and tar. Tokens are in no command line.
set -eu
cd "$ORRERY_FILES"
if command -v python3 >/dev/null 2>&1; then
  exec python3 - <<'END'
import os, shutil, sys, tarfile, time, urllib.error, urllib.request

def fetch(name):
    archive = os.environ.get("ORRERY_" + name)
    if not archive:
        return
    request = urllib.request.Request(
        "%s/pod-files/%s" % (os.environ["ORRERY_URL"], archive),
        headers={"Authorization": "Bearer " + os.environ["ORRERY_%s_TOKEN" % name]},
    )
    for left in range(5, -1, -1):
        shutil.rmtree("coming", ignore_errors=True)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                with tarfile.open(fileobj=answer, mode="r|*") as tar:
                    if hasattr(tarfile, "tar_filter"):
                        tar.extraction_filter = tarfile.tar_filter
                    tar.extractall("coming")
            os.makedirs("coming", exist_ok=True)
            os.rename("coming", name.lower())
            return
        except (OSError, tarfile.TarError) as e:
            refused = isinstance(e, urllib.error.HTTPError) and e.code in (400, 401, 403, 404)
            if refused or not left:
                sys.exit("could not fetch %s from %s: %s" % (archive, os.environ["ORRERY_URL"], e))
            time.sleep(1)

fetch("CODE")
fetch("MODEL")
END
fi
if ! command -v curl >/dev/null 2>&1 || ! command -v tar >/dev/null 2>&1; then
  echo "this image has neither python3 nor curl and tar, which fetch the files: name an image with them as filesImage of the cluster" >&2
  exit 1
fi
# By a file: a pipe would hide that curl failed.
fetch() {
  printf 'header = "Authorization: Bearer %s"\n' "$3" |
    curl -fsS --retry 5 --retry-connrefused --connect-timeout 60 -K - -o packed \
      "$ORRERY_URL/pod-files/$2" || {
    echo "could not fetch $2 from $ORRERY_URL" >&2
    exit 1
  }
  mkdir "$1"
  tar -xf packed -C "$1"
  rm packed
}
[ -z "${ORRERY_CODE:-}" ] || fetch code "$ORRERY_CODE" "$ORRERY_CODE_TOKEN"
[ -z "${ORRERY_MODEL:-}" ] || fetch model "$ORRERY_MODEL" "$ORRERY_MODEL_TOKEN"
