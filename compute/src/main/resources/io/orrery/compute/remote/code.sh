# Fetches the code of an experiment, unless the machine has it: each content once.
#
#   base, python, keeper, url, token, digest, experiment

use() {
  mkdir -p "$target.users" && true >"$target.users/$experiment"
}

main() {
  umask 077
  target=$base/code/$digest
  # Its folder goes with the last user, perhaps while the next one comes.
  use 2>/dev/null || use || exit 42
  for going in "$target".going-*; do
    tries=300
    while [ -d "$going" ] && [ "$tries" -gt 0 ] && kill -0 "${going##*-}" 2>/dev/null; do
      tries=$((tries - 1))
      sleep 0.1
    done
    rm -rf "$going"
  done
  [ -d "$target" ] && exit 0
  fresh=$base/code/new-$$
  rm -rf "$fresh"
  mkdir "$fresh" || exit 42
  # Of two that bring it at the same time one gives it its name; mv would put the other one into it.
  URL=$url TOKEN=$token "$python" -c 'import errno, os, sys, time
sys.path.insert(0, sys.argv[1])
from orrery_keeper import code, server
end = time.monotonic() + 300
try:
    code.fetch(server.Server(os.environ["URL"], os.environ["TOKEN"]), sys.argv[2], sys.argv[3], lambda: end)
except (OSError, UnicodeError, code.BadCode) as error:
    # What lies in the code itself is no fault of this machine, and does not pass.
    own = not isinstance(error, OSError) or error.errno in (errno.ENAMETOOLONG, errno.EILSEQ, errno.ELOOP, errno.ENOTDIR)
    print("%s" % error, file=sys.stderr)
    sys.exit(45 if own else 43)
try:
    os.rename(sys.argv[3], sys.argv[4])
except OSError:
    if not os.path.isdir(sys.argv[4]):
        raise' \
    "$keeper" "$digest" "$fresh/code" "$target" || {
    [ "$?" = 45 ] && at_fault=45
    rm -rf "$fresh"
    exit "${at_fault:-43}"
  }
  rm -rf "$fresh"
  [ -d "$target" ] || exit 43
  exit 0
}
main </dev/null
