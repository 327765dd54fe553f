# Says of every attempt on this machine how it is, one a line: experiment/trial.number and a word.
#
#   over   its wrapper has written how it ended
#   runs   its wrapper runs
#   dead   its wrapper is gone and has written nothing
#   young  its wrapper has not begun, or just now
#
#   base

main() {
  for run in "$base"/runs/*/*; do
    [ -d "$run" ] || continue
    word=young
    if [ -f "$run/state" ]; then
      word=over
    elif [ -f "$run/pid" ]; then
      word=dead
      pid=$(cat "$run/pid" 2>/dev/null)
      if [ -d /proc/self ]; then
        grep -qzxF "ORRERY_RUN=$run" "/proc/$pid/environ" 2>/dev/null && word=runs
      else
        kill -0 "$pid" 2>/dev/null && word=runs
      fi
    fi
    echo "${run#"$base"/runs/} $word"
  done
  exit 0
}
main </dev/null
