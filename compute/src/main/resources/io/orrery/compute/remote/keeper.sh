# Puts the keeper on the machine, as files: Python compiles them for the first attempt, and for no other. What follows this
# text is the keeper itself, an archive in base 64.
#
#   base, python, digest

umask 077
exec 3<<'ORRERY_KEEPER'
@PROGRAM@
ORRERY_KEEPER
main() {
  # What one that was killed has left.
  for old in "$base"/keeper-*.new; do
    pid=${old##*/keeper-}
    kill -0 "${pid%.new}" 2>/dev/null || rm -rf "$old"
  done
  fresh=$base/keeper-$$.new
  # Of two servers that bring it at the same time one gives it its name; mv would put the other one into it.
  "$python" -c 'import base64, io, os, sys, zipfile
fresh, target = sys.argv[1:]
zipfile.ZipFile(io.BytesIO(base64.b64decode(os.fdopen(3).read()))).extractall(fresh)
for parent, _, names in os.walk(fresh):
    for name in names:
        with open(os.path.join(parent, name), "rb+") as file:
            os.fsync(file.fileno())
try:
    os.rename(fresh, target)
except OSError:
    if not os.path.isdir(target):
        raise' "$fresh" "$base/keeper-$digest"
  code=$?
  rm -rf "$fresh"
  [ "$code" = 0 ] || exit 43
  exit 0
}
main </dev/null
