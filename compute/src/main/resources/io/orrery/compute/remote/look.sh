# Looks round on a machine, and leaves it as it was.
#
#   python_path  a directory that comes first on PATH, or nothing
#   shared       where storage is to be mounted, or nothing

main() {
  [ -n "$python_path" ] && PATH=$python_path:$PATH
  python=$(command -v python3 || command -v python)
  place=$HOME/.orrery
  [ -d "$place" ] || place=$HOME
  echo "base=$place"
  [ -w "$place" ] && echo "writable=yes"
  echo "system=$(uname -sm)"
  echo "python=$python"
  [ -n "$python" ] && echo "version=$("$python" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null)"
  echo "free=$(df -Pk "$place" 2>/dev/null | awk 'NR == 2 { print $4 }')"
  echo "time=$(date +%s)"
  [ -n "$shared" ] && [ -d "$shared" ] && [ -w "$shared" ] && echo "shared=yes"
  command -v nvidia-smi >/dev/null 2>&1 && echo "gpus=yes"
  exit 0
}
main </dev/null
