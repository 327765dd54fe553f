#!/bin/sh
# Runs a program, and tells what became of it even when no server is there to see.
#
#   sh wrapper.sh <directory of the run> <launch number> <boot> <umask> <program> [<argument>…]
#
# Started in a session of its own, in the program's directory, with its environment, its output
# already going to its files. The umask is the user's, for what the program makes; the server's own is
# private, and so is what stands here. Leaves two files in the directory of the run:
#
#   claim-<launch number>   "<pid> <start time> <boot>": this process, field 22 of /proc/<pid>/stat,
#                           and the machine's boot id as given
#   state                   "<exit code>", once the program is over; written at its end
#
# A program costs a millisecond, so the one to run is the only one.

# The names of ours begin with _: a variable of the program would be changed for it, too.
_run=$1 _claim=$1/claim-$2 _boot=$3 _mask=$4
shift 4

# Outlive the signal that ends the program, to report its exit code. A trap, not `trap ""`: a
# trapped signal is reset in the program, an ignored one would stay ignored there.
trap : TERM INT HUP

# Who runs it. Given are the fields of stat from the third on: the second is this program's name,
# and may hold spaces and parentheses.
sign() { echo "$$ ${20} $_boot"; }
set -f
read -r _stat <"/proc/$$/stat"

# With noclobber the redirection creates the file or fails, atomically: whoever creates it runs the
# program. One who comes late, or whose launch was revoked, goes silently.
set -C
if ! { sign ${_stat##*) } >"$_claim"; } 2>/dev/null; then
  [ -e "$_claim" ] && exit 0
  echo "orrery: cannot write $_claim" >&2
  exit 1
fi
set +C

# A shell tells its programs where they are, and the server may be elsewhere.
export PWD

# In the foreground: a background program would ignore SIGINT. The subshell becomes the program, so this is no
# further process.
(umask "$_mask" && exec "$@")
_code=$?

# One short line, written at once: a reader who sees no newline has come too early. The file's own
# time says when; asking the program date would cost a millisecond.
echo "$_code" >"$_run/state"
