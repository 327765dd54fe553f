# Starts an attempt: its wrapper, in a session of its own. Doing this twice starts one.
#
#   run     the attempt's directory
#   python  the program

umask 077
exec 3<<'@END@'
@WRAPPER@
@END@
main() {
  mkdir -p "$run" || exit 42
  [ -d "$run/claimed" ] && exit 0
  # A disk that is all but full would take the attempt, and then nothing that it does.
  head -c 1048576 /dev/zero >"$run/room" || { rm -f "$run/room"; exit 42; }
  rm -f "$run/room"
  cat <&3 >"$run/start.new" && mv "$run/start.new" "$run/start.sh" || exit 43
  exec 3<&-
  # In the foreground where that is possible: what a shell starts in the background ignores SIGINT.
  if setsid --help 2>/dev/null | grep -q -- --fork; then
    env "ORRERY_RUN=$run" setsid --fork sh "$run/start.sh" >/dev/null 2>&1 || exit 44
  elif command -v setsid >/dev/null 2>&1; then
    env "ORRERY_RUN=$run" setsid sh "$run/start.sh" >/dev/null 2>&1 &
  else
    # As on macOS. By the session's number the attempt is found there again.
    env "ORRERY_RUN=$run" "$python" -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.setsid()
os.execvp("sh", ["sh", sys.argv[1]])' "$run/start.sh" >/dev/null 2>&1 &
  fi
  exit 0
}
main </dev/null
