# Starts an SSH server that lets the keys of the document in, and no password.
if [ -n "$ORRERY_SSH_KEYS" ]; then
  ssh_files="${XDG_RUNTIME_DIR:-/tmp}/ssh"
  ssh_escaped() { printf %s "$1" | sed 's/\\/\\\\/g; s/"/\\"/g'; }
  ssh_program=$(command -v sshd || echo /usr/sbin/sshd)
  rm -rf "$ssh_files"
  mkdir -p "$ssh_files" && chmod 700 "$ssh_files"
  ssh_user=$(id -un)
  # Words before the server's; none where it starts as it is.
  set --
  if [ "$(id -u)" = 0 ] && chroot / true 2>/dev/null; then
    mkdir -p /run/sshd
  elif [ "$(id -u)" = 0 ]; then
    # In the sandbox root has no rights, and sshd ends where it is root without them. So it runs in a user namespace, as a
    # user of the same name with another number, who is root to the files: such a namespace may be made without rights.
    ssh_shell=$(command -v bash || echo /bin/sh)
    { echo "$ssh_user:x:1000:1000::/:$ssh_shell"; grep -v ':x:1000:' /etc/passwd; } > "$ssh_files/passwd"
    echo "$ssh_user:x:1000:" > "$ssh_files/group"
    set -- unshare --user --mount --map-root-user /bin/sh -c \
      'mount --bind "$0/passwd" /etc/passwd && mount --bind "$0/group" /etc/group &&
        exec unshare --user --map-user=1000 --map-group=1000 "$@"' "$ssh_files"
  fi
  if [ -x "$ssh_program" ] && ssh-keygen -q -t ed25519 -N '' -C '' -f "$ssh_files/host"; then
    printf '%s\n' "$ORRERY_SSH_KEYS" > "$ssh_files/keys"
    {
      echo "Port $PORT_SSH"
      echo "ListenAddress $ORRERY_NOTEBOOK_HOST"
      echo "HostKey \"$(ssh_escaped "$ssh_files/host")\""
      echo "AuthorizedKeysFile \"$(ssh_escaped "$ssh_files/keys" | sed 's/%/%%/g')\""
      echo "SetEnv \"HOME=$(ssh_escaped "$HOME")\" \"ORRERY_WORKSPACE=$(ssh_escaped "$PWD")\" \"PATH=$(ssh_escaped "$PATH")\" \"ORRERY_REPLICA_MARK=${ORRERY_REPLICA_MARK:-}\""
      echo "Subsystem sftp internal-sftp -d \"$(ssh_escaped "$PWD")\""
      cat <<'END'
PidFile none
UsePAM no
StrictModes no
AuthenticationMethods publickey
PubkeyAuthentication yes
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitEmptyPasswords no
PermitRootLogin prohibit-password
X11Forwarding no
PrintMotd no
END
    } > "$ssh_files/config"
    env -u JUPYTER_TOKEN "$@" "$ssh_program" -D -e -f "$ssh_files/config" &
    echo "orrery-ssh: user=$ssh_user key=$(cut -d' ' -f1,2 "$ssh_files/host.pub")"
  else
    echo "SSH does not start: there is no sshd or ssh-keygen here (Debian and Ubuntu: apt-get install openssh-server)" >&2
  fi
fi
