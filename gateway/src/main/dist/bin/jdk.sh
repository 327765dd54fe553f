# Finds a Java installation, and looks at the locale; sourced by every command of ours.
#
# find_jdk TOOL sets $jdk to the home of the first Java 25 or newer that has bin/TOOL (java to run,
# javac to build), looking at $JAVA_HOME, the PATH, and the folders where systems and version
# managers put JDKs. Returns 1 after saying on stderr what to install.
#
# A JDK says its version in its `release` file, which costs no process; java is started only where
# there is none. Nothing is exported: what runs below us should see its user's JAVA_HOME.

java_needed=25

# Whether the characters of the present locale are UTF-8. A name alone does not tell: where the locale of that name is not
# installed, the C library takes C.
speaks_utf8() {
  case $(locale charmap 2>/dev/null || :) in
    UTF-8) return 0 ;;
    ?*) return 1 ;;
  esac
  case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
    *[Uu][Tt][Ff]-8* | *[Uu][Tt][Ff]8*) return 0 ;;
    *) return 1 ;;
  esac
}

# Sets $path to the file that a chain of symbolic links ends at.
follow_links() {
  path=$1
  while [ -h "$path" ]; do
    link=$(readlink "$path")
    case $link in
      /*) path=$link ;;
      *) path=$(dirname -- "$path")/$link ;;
    esac
  done
}

# Sets $version to the feature version of the Java at a home, 0 when there is none.
java_version() {
  version=0
  [ -x "$1/bin/java" ] || return 0
  version_text=
  if [ -r "$1/release" ]; then
    while IFS='=' read -r version_key version_value; do
      if [ "$version_key" = JAVA_VERSION ]; then
        version_text=${version_value#\"}
        break
      fi
    done <"$1/release"
  else
    version_text=$("$1/bin/java" -version 2>&1 | sed -n 's/^[a-z]* version "\([0-9]*\).*/\1/p')
  fi
  version_text=${version_text%%[!0-9]*}
  version=${version_text:-0}
}

# Takes the home $1 as $jdk when it fits bin/$2; remembers what did not fit for the message.
try_jdk() {
  java_version "$1"
  if [ "$version" -ge "$java_needed" ] && [ -x "$1/bin/$2" ]; then
    jdk=$1
    return 0
  fi
  if [ "$version" -ge "$java_needed" ]; then
    java_seen="$java_seen
  $1 is a runtime without bin/$2"
  elif [ "$version" -gt 0 ]; then
    java_seen="$java_seen
  $1 is version $version"
  fi
  return 1
}

# Says how to install one on the system at hand. A package is named only where the system's own list has it.
jdk_advice() {
  package="openjdk-$java_needed-jdk"
  if command -v apt-cache >/dev/null && [ -n "$(apt-cache --names-only search "^$package\$" 2>/dev/null)" ]; then
    echo "Install it: apt install $package"
  elif command -v dnf >/dev/null; then
    echo "Install it: dnf install java-$java_needed-openjdk-devel (or, where that is not offered, as follows)."
    jdk_by_hand
  elif command -v brew >/dev/null; then
    echo "Install it: brew install openjdk@$java_needed"
  else
    jdk_by_hand
  fi
}

jdk_by_hand() {
  cat <<END
Download Temurin $java_needed (a .tar.gz) from https://adoptium.net/temurin/releases/?version=$java_needed and unpack it:
  mkdir -p ~/.jdks && tar xzf OpenJDK${java_needed}*.tar.gz -C ~/.jdks
It is found there; any other folder will do with JAVA_HOME pointing at it.
END
}

find_jdk() {
  jdk=
  java_seen=
  if [ -n "${JAVA_HOME:-}" ] && try_jdk "$JAVA_HOME" "$1"; then
    return 0
  fi
  on_path=$(command -v java || :)
  if [ -n "$on_path" ]; then
    follow_links "$on_path"
    case $path in
      */bin/java) try_jdk "${path%/bin/java}" "$1" && return 0 ;;
    esac
  fi
  for home in \
    /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /opt/*jdk* /opt/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    "${HOME:-/nonexistent}"/.sdkman/candidates/java/* "${HOME:-/nonexistent}"/.jdks/*; do
    try_jdk "$home" "$1" && return 0
  done
  if [ -n "$on_path" ]; then
    # A version manager's shim: only Java itself knows its home.
    home=$("$on_path" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p')
    if [ -n "$home" ] && try_jdk "$home" "$1"; then
      return 0
    fi
  fi
  cat >&2 <<END
orrery: needs a JDK $java_needed or newer, and found none in JAVA_HOME, on the PATH or in the usual folders.${java_seen:+
Found, but too old or not a JDK:$java_seen}
$(jdk_advice)
END
  return 1
}
