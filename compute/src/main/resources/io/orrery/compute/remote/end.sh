# Ends an attempt with all that is left of it, and removes its directory. From here on it never starts.
#
#   run    the attempt's directory
#   turns  how many twentieths of a second its wrapper has to end by itself
#   grace  seconds from SIGTERM to SIGKILL

marked() {
  if [ -d /proc/self ]; then
    for file in $(grep -lzxF "ORRERY_RUN=$run" /proc/[0-9]*/environ 2>/dev/null); do
      file=${file#/proc/}
      echo "${file%/environ}"
    done
  elif [ -f "$run/pid" ]; then
    # Without /proc the session's group is all that is known.
    pid=$(cat "$run/pid")
    kill -0 "-$pid" 2>/dev/null && echo "-$pid"
  fi
}

wrapper_runs() {
  [ -f "$run/pid" ] && [ ! -f "$run/state" ] && kill -0 "$(cat "$run/pid")" 2>/dev/null
}

main() {
  mkdir "$run/claimed" 2>/dev/null && echo "started=no"
  while [ "$turns" -gt 0 ] && wrapper_runs; do
    sleep 0.05
    turns=$((turns - 1))
  done
  pids=$(marked)
  if [ -n "$pids" ]; then
    # With -s: the shell of Debian takes no "--" after -TERM, and a group needs one.
    kill -s TERM -- $pids 2>/dev/null
    left=$((grace * 10))
    while [ "$left" -gt 0 ] && [ -n "$(marked)" ]; do
      sleep 0.1
      left=$((left - 1))
    done
    left=100
    seen=yes
    # Again and again: whoever forks may be ahead of one look, and a program that is being started has no environment yet.
    while [ "$left" -gt 0 ]; do
      pids=$(marked)
      [ -z "$pids$seen" ] && break
      seen=$pids
      if [ -n "$pids" ]; then
        echo "killed=yes"
        kill -s KILL -- $pids 2>/dev/null
      fi
      sleep 0.05
      left=$((left - 1))
    done
    [ -z "$(marked)" ] || exit 45
  fi
  [ -f "$run/state" ] && echo "state=$(cat "$run/state")"
  [ -s "$run/keeper.log" ] && echo "log=$(tail -n 1 "$run/keeper.log")"
  # What cannot be removed, because somebody else owns it, keeps no trial from its end.
  rm -rf "$run" 2>/dev/null || echo "left=yes"
  exit 0
}
main </dev/null
