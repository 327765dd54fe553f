# Removes what an experiment has left on this machine; its attempts are over.
#
#   base, experiment

main() {
  rm -rf "$base/runs/$experiment"
  for users in "$base"/code/*.users; do
    [ -f "$users/$experiment" ] || continue
    code=${users%.users}
    # Said before it is looked whether another experiment uses the code, and looked for by code.sh after it has said that
    # one does: so one of them sees the other.
    going=$code.going-$$
    mkdir "$going"
    rm -f "$users/$experiment"
    # All of it at once: what is half removed must not be taken for the code.
    rmdir "$users" 2>/dev/null && mv "$code" "$going"
    rm -rf "$going"
  done
  exit 0
}
main </dev/null
