# Starts the first Jupyter that is there, in the directory of the user.
cd "${ORRERY_WORKSPACE:-.}" || exit 1
if [ -z "$JUPYTER_TOKEN" ]; then echo "there is no token, without which everybody could enter" >&2; exit 1; fi
export JUPYTER_RUNTIME_DIR="${XDG_RUNTIME_DIR:-/tmp}/jupyter"
# SSH comes here.
if [ -f init.sh ]; then
  (/bin/sh ./init.sh; echo "init.sh ended with exit code $?") &
fi
for program in jupyter-lab jupyter-notebook jupyter-server; do
  command -v "$program" >/dev/null 2>&1 || continue
  app=ServerApp
  page=/
  case "$program" in
    jupyter-lab) page="/lab/tree/$ORRERY_OPEN" ;;
    *) page="/tree/$ORRERY_OPEN" ;;
  esac
  if [ "$program" = jupyter-notebook ]; then
    case "$("$program" --version 2>/dev/null)" in [0-6].*) app=NotebookApp ;; esac
  fi
  root=
  if [ "$(id -u)" = 0 ]; then root=--allow-root; fi
  if [ -z "$ORRERY_OPEN" ]; then set --; else set -- "--$app.default_url=$page"; fi
  exec "$program" --no-browser --ip="$ORRERY_NOTEBOOK_HOST" --port="$PORT" --port-retries=0 \
    "--$app.allow_remote_access=True" "--$app.password=" "--$app.quit_button=False" $root "$@"
done
echo "there is no jupyter-lab, jupyter-notebook or jupyter-server here: install one of them" >&2
exit 127
