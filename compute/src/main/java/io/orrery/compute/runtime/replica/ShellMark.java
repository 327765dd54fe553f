package io.orrery.compute.runtime.replica;

import io.orrery.compute.runtime.ReplicaShell;
import io.orrery.core.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A text that a shell beside the program of a container or a pod has among its variables, with all
 * that it starts. These run on when the connection has ended: another command there finds them by
 * it.
 */
public record ShellMark(String text) {
  private static final AtomicLong OPENED = new AtomicLong();

  /** The mark of a new shell, which no other one of this server has. */
  public static ShellMark next(Clock clock) {
    // The dot is the end: variables follow each other in what a shell reads of them.
    return new ShellMark("%d-%d.".formatted(clock.now().toEpochMilli(), OPENED.incrementAndGet()));
  }

  /** The command that begins a shell with the mark. */
  public List<String> begin() {
    return shell(
        "ORRERY_SHELL=%s TERM=xterm-256color; export ORRERY_SHELL TERM; %s"
            .formatted(text, ReplicaShell.INTERACTIVE));
  }

  /** The command that runs another one with the mark. */
  public List<String> run(List<String> command) {
    List<String> words =
        new ArrayList<>(shell("ORRERY_SHELL=%s; export ORRERY_SHELL; exec \"$@\"".formatted(text)));
    words.add("sh");
    words.addAll(command);
    return words;
  }

  /** The command that kills all with the mark; an image may have no grep. */
  public List<String> end() {
    return shell(
        """
        if command -v grep >/dev/null; then
          found=$(grep -Fls 'ORRERY_SHELL=%1$s' /proc/[0-9]*/environ)
        else
          for each in /proc/[0-9]*/environ; do
            while IFS= read -r line || [ -n "$line" ]; do
              case "$line" in *'ORRERY_SHELL=%1$s'*) found="$found $each";; esac
              line=
            done <"$each"
          done 2>/dev/null
        fi
        for each in $found; do
          each=${each%%/environ}
          kill -9 "${each##*/}"
        done
        """
            .formatted(text));
  }

  private static List<String> shell(String words) {
    return List.of("/bin/sh", "-c", words);
  }
}
