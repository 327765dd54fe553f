package io.orrery.compute.runtime.kubernetes;

import io.orrery.compute.kubernetes.PodNamespace;
import io.orrery.compute.runtime.ReplicaShell;
import io.orrery.compute.runtime.ShellOutput;
import io.orrery.core.bus.contract.Shells.Output;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.TerminalSize;
import io.orrery.kubernetes.PodExec;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A terminal on a shell in the container of a pod. A node lets the shell run on when its connection
 * has ended: then all that has its mark among its variables is killed by another command in the
 * container.
 */
final class PodShell implements ReplicaShell, PodExec.Streams {
  private static final Logger LOG = LoggerFactory.getLogger(PodShell.class);

  private static final AtomicLong OPENED = new AtomicLong();

  private final PodNamespace namespace;
  private final String pod;
  private final String mark;
  private final ShellOutput output;
  private final AtomicBoolean over = new AtomicBoolean();

  /** Null until the API server has begun. */
  private volatile @Nullable PodExec exec;

  private PodShell(PodNamespace namespace, Clock clock, String pod) {
    this.namespace = namespace;
    this.pod = pod;
    // The dot is the end: variables follow each other in what a shell reads of them.
    this.mark = "%d-%d.".formatted(clock.now().toEpochMilli(), OPENED.incrementAndGet());
    this.output = new ShellOutput(clock, this::resume);
  }

  /** Starts a shell in a pod that runs. Blocks. */
  static ReplicaShell open(PodNamespace namespace, Clock clock, String pod, TerminalSize size)
      throws IOException {
    PodShell shell = new PodShell(namespace, clock, pod);
    shell.exec =
        namespace.exec(
            pod, PodBody.CONTAINER, List.of("/bin/sh", "-c", shell.begin()), size, shell);
    return shell;
  }

  private String begin() {
    return "ORRERY_SHELL=%s TERM=xterm-256color; export ORRERY_SHELL TERM; %s"
        .formatted(mark, INTERACTIVE);
  }

  /** The words of a shell that kills all with the mark; an image may have no grep. */
  private String end() {
    return """
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
        .formatted(mark);
  }

  private void resume() {
    PodExec present = exec;
    if (present != null) {
      present.resume();
    }
  }

  @Override
  public boolean output(byte[] piece) {
    return output.add(piece, piece.length);
  }

  @Override
  public void ended(@Nullable Integer exitCode, @Nullable String failure) {
    if (failure != null) {
      byte[] words = ("\r\n" + failure + "\r\n").getBytes(StandardCharsets.UTF_8);
      output.add(words, words.length);
    }
    output.end(exitCode);
    if (over.compareAndSet(false, true) && exitCode == null) {
      endLeft();
    }
  }

  @Override
  public Future<Output> read() {
    return output.read();
  }

  @Override
  public Future<Void> write(byte[] input) {
    return begun().write(input);
  }

  @Override
  public Future<Void> resize(TerminalSize size) {
    return begun().resize(size);
  }

  private PodExec begun() {
    PodExec present = exec;
    if (present == null) {
      throw new IllegalStateException("the shell has not begun");
    }
    return present;
  }

  @Override
  public Future<Void> close() {
    Future<Void> ended =
        over.compareAndSet(false, true) ? endLeft() : Future.<Void>succeededFuture();
    begun().close();
    return ended;
  }

  private Future<Void> endLeft() {
    NoStreams streams = new NoStreams(Promise.promise());
    Thread.ofVirtual()
        .name("shell-end")
        .start(() -> {
          try {
            namespace.exec(pod, PodBody.CONTAINER, List.of("/bin/sh", "-c", end()), null, streams);
          } catch (IOException | RuntimeException e) {
            streams.ended(null, e.getMessage());
          }
        });
    return streams.over.future();
  }

  /**
   * Streams that are not read.
   *
   * @param over completes when the command has ended
   */
  private record NoStreams(Promise<Void> over) implements PodExec.Streams {
    @Override
    public boolean output(byte[] piece) {
      return true;
    }

    @Override
    public void ended(@Nullable Integer exitCode, @Nullable String failure) {
      if (failure != null) {
        LOG.debug("could not end what a shell left: {}", failure);
      }
      over.tryComplete();
    }
  }
}
