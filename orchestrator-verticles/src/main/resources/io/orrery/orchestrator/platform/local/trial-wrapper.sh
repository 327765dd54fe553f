#!/bin/sh
# Runs one attempt of a trial, and tells what became of it even when no server is there to see.
#
#   sh trial-wrapper.sh <.nni directory> <launch number> <boot> <shell> <command>
#
# Started in a session of its own, in the code directory, with the trial's environment, its output
# already going to the trial's files. Leaves two files in the .nni directory:
#
#   claim-<launch number>   "<pid> <start time> <boot>": this process, field 22 of /proc/<pid>/stat,
#                           and the machine's boot id as given
#   state                   "<exit code>", once the command is over; written at its end
#
# A program costs a millisecond, so the command is the only one that is run.

nni=$1 claim=$1/claim-$2 boot=$3 shell=$4 command=$5

# Outlive the signal that ends the command, to report its exit code. A trap, not `trap ""`: a
# trapped signal is reset in the command, an ignored one would stay ignored there.
trap : TERM INT HUP

# The second field of stat is the program's name and may hold spaces and parentheses.
set -f
read -r stat <"/proc/$$/stat"
set -- ${stat##*) }

# With noclobber the redirection creates the file or fails, atomically: whoever creates it runs the
# command. One who comes late, or whose launch was revoked, goes silently.
set -C
if ! { echo "$$ ${20} $boot" >"$claim"; } 2>/dev/null; then
  [ -e "$claim" ] && exit 0
  echo "orrery: cannot write $claim" >&2
  exit 1
fi
set +C

# In the foreground: a background command would ignore SIGINT.
"$shell" -c "$command"
code=$?

# One short line, written at once: a reader who sees no newline has come too early. The file's own
# time says when; asking the program date would cost a millisecond.
echo "$code" >"$nni/state"
