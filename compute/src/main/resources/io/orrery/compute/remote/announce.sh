# Notes the port of this machine that leads to a server, where the keepers of attempts look for it.
#
#   ports, server, login  as when it arrived
#   port

main() {
  note=$ports/$server-$login
  echo "$PPID $port" >"$note.new" && mv "$note.new" "$note" || exit 42
  exit 0
}
main </dev/null
