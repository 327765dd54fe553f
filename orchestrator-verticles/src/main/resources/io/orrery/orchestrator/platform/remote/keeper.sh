# Puts the keeper on the machine. What follows this text is the keeper itself, in base 64.
#
#   base, python, digest

umask 077
exec 3<<'ORRERY_KEEPER'
@PROGRAM@
ORRERY_KEEPER
main() {
  fresh=$base/keeper-$$.new
  "$python" -c 'import base64, os, sys
with open(sys.argv[1], "wb") as file:
    file.write(base64.b64decode(os.fdopen(3).read()))
    file.flush()
    os.fsync(file.fileno())' "$fresh" && mv "$fresh" "$base/keeper-$digest.pyz" && exit 0
  rm -f "$fresh"
  exit 43
}
main </dev/null
