# What a server does first on a machine: makes room, sends its own earlier connection away, looks round.
#
#   server       names the server among all that use this account
#   login        names the way that this connection has come
#   python_path  a directory that comes first on PATH, or nothing
#   digest       of the keeper that the server has

main() {
  umask 077
  base=$HOME/.orrery/$server
  mkdir -p "$base/runs" "$base/code" || exit 41

  # A connection that broke may stand on this side for hours, and holds the port that is to be
  # forwarded again. It is ours, and its process an sshd: nothing else is ended.
  old=$(cat "$base/session-$login" 2>/dev/null)
  case $old in
    '' | *[!0-9]* | "$PPID") ;;
    *) case $(ps -o comm= -p "$old" 2>/dev/null) in *sshd*) kill "$old" 2>/dev/null ;; esac ;;
  esac
  echo "$PPID" >"$base/session-$login" || exit 42

  [ -n "$python_path" ] && PATH=$python_path:$PATH
  python=$(command -v python3 || command -v python)
  echo "base=$base"
  echo "system=$(uname -sm)"
  echo "python=$python"
  # And what a shim leads to, such as that of pyenv, which takes longer than Python itself, for every trial.
  [ -n "$python" ] && "$python" -c 'import sys
print("version=%d.%d.%d" % sys.version_info[:3])
if sys.executable:
    print("python=" + sys.executable)' 2>/dev/null
  echo "free=$(df -Pk "$base" 2>/dev/null | awk 'NR == 2 { print $4 }')"
  echo "time=$(date +%s)"
  unfinished=0
  for run in "$base"/runs/*/*; do
    [ -d "$run" ] && [ ! -f "$run/state" ] && unfinished=$((unfinished + 1))
  done
  echo "unfinished=$unfinished"
  [ -f "$base/keeper-$digest.pyz" ] && echo "keeper=$digest"
  command -v nvidia-smi >/dev/null 2>&1 && echo "gpus=yes"
  exit 0
}
main </dev/null
