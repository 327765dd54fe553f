# The files of a claim, within the pod that mounts it: one operation for each run, by lines of
# stdin. For sh of POSIX with stat -c and head -c, as Debian and BusyBox have them. Each answer is a
# record that ends with two slashes and a line feed: no name has a slash.
export LC_ALL=C TZ=UTC0 "PATH=$PATH:/usr/local/bin:/usr/bin:/bin"
unset CDPATH
umask 022

MISSING=44 UNFIT=49

die() {
  printf '%s\n' "$2" >&2
  exit "$1"
}

line() {
  IFS= read -r "$1" || exit 40
}

say() {
  printf '%s//\n' "$1"
}

is_there() {
  [ -e "./$1" ] || [ -L "./$1" ]
}

is_directory() {
  [ -d "./$1" ] && [ ! -L "./$1" ]
}

# $1: make, or missing for what is done where a directory is not there.
enter() {
  cd -P "$root" 2>/dev/null || die $MISSING "there is no $root"
  top=$(pwd -P)
  line count
  while [ "$count" -gt 0 ]; do
    count=$((count - 1))
    line each
    [ ! -L "./$each" ] || die $UNFIT "$each is a link, which is not followed"
    if [ ! -e "./$each" ]; then
      case $1 in
        make) mkdir "./$each" || exit 1 ;;
        none) say none && exit ;;
        *) exit $MISSING ;;
      esac
    fi
    [ -d "./$each" ] || die $UNFIT "$each is no directory"
    cd -P "./$each" || exit 1
  done
  case $(pwd -P)/ in
    "${top%/}"/*) ;;
    *) die $UNFIT "it leads out of $root" ;;
  esac
}

tell() {
  stat -c '%f %s %Y %y/%n//' "./$1"
}

tell_if_there() {
  if is_there "$1"; then tell "$1"; else say none; fi
}

list() {
  [ -r . ] && [ -x . ] || die 1 'permission denied'
  find . ! -name . -prune -name '.orrery-part-*' -mtime +1 -exec rm -rf {} +
  # One that goes meanwhile is no failure.
  find . ! -name . -prune -exec stat -c '%f %s %Y %y/%n//' {} + 2>/dev/null
  say end
}

read_file() {
  [ -r "./$1" ] || die 1 'permission denied'
  exec 3<"./$1" || exit 1
  line from
  line count
  if [ "$from" -eq 0 ]; then
    head -c "$count" <&3
  else
    tail -c "+$((from + 1))" <&3 | head -c "$count"
  fi
}

write() {
  [ -w . ] || die 1 'its directory cannot be written'
  trap 'rm -f "./$part"' EXIT
  : >"./$part" || exit 1
  total=0
  say ok
  line size
  while [ "$size" != end ]; do
    head -c "$size" >>"./$part" || exit 1
    total=$((total + size))
    say ok
    line size
  done
  [ "$(wc -c <"./$part")" -eq "$total" ] || exit 40
  tell_if_there "$1"
  line word
  [ "$word" = commit ] || exit 40
  ! is_directory "$1" || die $UNFIT "it is a directory"
  if [ -L "./$1" ]; then rm -f "./$1" || exit 1; fi
  mv -f "./$part" "./$1" || exit 1
  trap - EXIT
  tell "$1"
}

make() {
  if is_directory "$1"; then
    say there
  elif is_there "$1"; then
    die $UNFIT "it is there already, and is no directory"
  else
    mkdir "./$1" && say made
  fi
}

move() {
  is_there "$1" || exit $MISSING
  from=$(pwd -P)
  enter
  line other
  line replaces
  line trial
  if is_there "$other"; then
    [ "$replaces" = true ] && ! is_directory "$other" || die $UNFIT "$other is there already"
  fi
  if [ "$trial" = true ]; then
    cd -P "$from" && tell "$1"
    exit
  fi
  if [ -L "./$other" ]; then rm -f "./$other" || exit 1; fi
  mv -f "$from/$1" "./$other" && tell "$other"
}

delete() {
  line recursive
  is_there "$1" || exit $MISSING
  if is_directory "$1" && [ "$recursive" != true ]; then
    [ -z "$(ls -A "./$1")" ] || die $UNFIT "it is a directory that is not empty"
    rmdir "./$1" && say ok
  else
    rm -rf "./$1" && say ok
  fi
}

for tool in stat find head tail mv; do
  command -v $tool >/dev/null || die 1 "the image has no $tool"
done
line verb
line root
case $verb in
  look) enter && say ok ;;
  list) enter && list ;;
  stat) enter && line name && { is_there "$name" || exit $MISSING; } && tell "$name" ;;
  probe) enter none && line name && tell_if_there "$name" ;;
  read)
    enter
    line name
    is_there "$name" || exit $MISSING
    tell "$name" || exit 1
    if is_directory "$name"; then
      cd -P "./$name" && list
    elif [ -f "./$name" ] && [ ! -L "./$name" ]; then
      read_file "$name"
    fi
    ;;
  write) enter make && line name && line part && write "$name" ;;
  make) enter make && line name && make "$name" ;;
  move) enter && line name && move "$name" ;;
  delete) enter && line name && delete "$name" ;;
  *) die 1 "unknown operation $verb" ;;
esac
