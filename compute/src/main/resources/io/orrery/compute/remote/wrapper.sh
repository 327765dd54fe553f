# Runs the keeper of one attempt, and tells how it ended even when no server is there to see.
#
#   run, python, keeper, python_path
#
# Leaves in the directory run: claimed, made by whoever may run it; pid; keeper.log; state, the
# keeper's exit code.

cd "$run" || exit 1
# Atomic: of two wrappers one runs, and none after the server has claimed it for an attempt that is
# over.
mkdir claimed 2>/dev/null || exit 0
# Outlive the signal that ends the keeper. A trap, not `trap ""`: what is ignored stays so in it.
trap : TERM INT HUP
echo "$$" >pid.new && mv pid.new pid

@EXPORTS@
[ -n "$python_path" ] && PATH=$python_path:$PATH

"$python" "$keeper" </dev/null >keeper.log 2>&1
code=$?
echo "$code" >state.new && mv state.new state
