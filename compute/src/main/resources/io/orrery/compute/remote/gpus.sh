# Asks nvidia-smi for devices and for what computes on them, and says which of these processes are trials.
#
#   base, devices, processes: the questions

limited() {
  if command -v timeout >/dev/null 2>&1; then timeout 10 "$@"; else "$@"; fi
}

main() {
  command -v nvidia-smi >/dev/null 2>&1 || exit 44
  # Each question is several words.
  limited nvidia-smi $devices 2>&1
  echo "== $?"
  answer=$(limited nvidia-smi $processes 2>&1)
  code=$?
  printf '%s\n' "$answer"
  echo "== $code"
  printf '%s\n' "$answer" | while IFS=, read -r pid rest; do
    case $pid in '' | *[!0-9]*) continue ;; esac
    [ -d "/proc/$pid" ] || continue
    run=$(tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null | sed -n "s|^ORRERY_RUN=$base/runs/||p")
    echo "$pid $run"
  done
  exit 0
}
main </dev/null
