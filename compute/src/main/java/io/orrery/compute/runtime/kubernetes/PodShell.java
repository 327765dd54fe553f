package io.orrery.compute.runtime.kubernetes;

import io.orrery.compute.kubernetes.PodNamespace;
import io.orrery.compute.runtime.ReplicaShell;
import io.orrery.compute.runtime.ShellOutput;
import io.orrery.compute.runtime.replica.ShellMark;
import io.orrery.core.bus.contract.Shells.Output;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.TerminalSize;
import io.orrery.kubernetes.PodExec;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A terminal on a shell in the container of a pod. A node lets the shell run on when its connection
 * has ended: then all that has its mark among its variables is killed by another command in the
 * container.
 */
final class PodShell implements ReplicaShell, PodExec.Streams {
  private final PodNamespace namespace;
  private final String pod;
  private final ShellMark mark;
  private final ShellOutput output;
  private final AtomicBoolean over = new AtomicBoolean();

  /** Null until the API server has begun. */
  private volatile @Nullable PodExec exec;

  private PodShell(PodNamespace namespace, Clock clock, String pod) {
    this.namespace = namespace;
    this.pod = pod;
    this.mark = ShellMark.next(clock);
    this.output = new ShellOutput(clock, this::resume);
  }

  /** Starts a shell in a pod that runs. Blocks. */
  static ReplicaShell open(PodNamespace namespace, Clock clock, String pod, TerminalSize size)
      throws IOException {
    PodShell shell = new PodShell(namespace, clock, pod);
    shell.exec = namespace.exec(pod, PodBody.CONTAINER, shell.mark.begin(), size, shell);
    return shell;
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
      MarkedLeft.end(namespace, pod, mark);
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
        over.compareAndSet(false, true)
            ? MarkedLeft.end(namespace, pod, mark)
            : Future.<Void>succeededFuture();
    begun().close();
    return ended;
  }
}
