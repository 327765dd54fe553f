# What a server does first on a machine: makes room, sends its own earlier connection away, looks round.
#
#   group        names the servers that share their work, among all that use this account
#   server       names this one among them
#   login        names the way that this connection has come
#   python_path  a directory that comes first on PATH, or nothing
#   digest       of the keeper that the server has

main() {
  umask 077
  base=$HOME/.orrery/$group
  # Each connection has a file here: its process, and the port that leads to its server. A home may be
  # that of several machines, each with ports of its own.
  ports=$base/ports/$(uname -n)
  mkdir -p "$base/runs" "$base/code" "$ports" || exit 41
  note=$ports/$server-$login

  # A connection that broke may stand on this side for hours, and holds the port that is to be
  # forwarded again. It is ours, and its process an sshd: nothing else is ended.
  old=
  read -r old port 2>/dev/null <"$note"
  case $old in
    '' | *[!0-9]* | "$PPID") ;;
    *) case $(ps -o comm= -p "$old" 2>/dev/null) in *sshd*) kill "$old" 2>/dev/null ;; esac ;;
  esac
  echo "$PPID" >"$note.new" && mv "$note.new" "$note" || exit 42
  # What others have noted is of no use any more when their connection is gone.
  for other in "$ports"/*; do
    read -r old port 2>/dev/null <"$other" || continue
    case $old in '' | *[!0-9]*) ;; *) kill -0 "$old" 2>/dev/null || rm -f "$other" "${ports%/*}/.agents/${ports##*/}/${other##*/}" ;; esac
  done

  [ -n "$python_path" ] && PATH=$python_path:$PATH
  python=$(command -v python3 || command -v python)
  echo "base=$base"
  echo "ports=$ports"
  echo "system=$(uname -sm)"
  echo "python=$python"
  # And what a shim leads to, such as that of pyenv, which takes longer than Python itself, for every trial.
  [ -n "$python" ] && "$python" -c 'import sys
print("version=%d.%d.%d" % sys.version_info[:3])
if sys.executable:
    print("python=" + sys.executable)' 2>/dev/null
  echo "free=$(df -Pk "$base" 2>/dev/null | awk 'NR == 2 { print $4 }')"
  echo "time=$(date +%s)"
  [ -d "$base/keeper-$digest" ] && echo "keeper=$digest"
  command -v nvidia-smi >/dev/null 2>&1 && echo "gpus=yes"
  exit 0
}
main </dev/null
