# Removes what an experiment has left on this machine; its attempts are over.
#
#   base, experiment

main() {
  rm -rf "$base/runs/$experiment"
  for users in "$base"/code/*.users; do
    [ -f "$users/$experiment" ] || continue
    rm -f "$users/$experiment"
    # Fails as long as another experiment uses it.
    rmdir "$users" 2>/dev/null && rm -rf "${users%.users}"
  done
  exit 0
}
main </dev/null
