package io.orrery.compute.runtime.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.orrery.compute.kubernetes.PodNamespace;
import io.orrery.compute.runtime.ReplicaShell;
import io.orrery.compute.runtime.ShellOutput;
import io.orrery.compute.runtime.replica.ShellMark;
import io.orrery.core.bus.contract.Shells.Output;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.TerminalSize;
import io.orrery.kubernetes.PodExec;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command with pipes in the container of a pod. Its output waits until it is read; of stderr the
 * begin is kept. One that is closed before its end finds its input ended, and is killed with all
 * that it has started when it does not end by that.
 */
final class PodCommand implements ReplicaShell, PodExec.Streams {
  private static final Logger LOG = LoggerFactory.getLogger(PodCommand.class);
  private static final int MOST_ERROR = 4 * 1024;
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final PodNamespace namespace;
  private final Clock clock;
  private final String pod;
  private final ShellMark mark;
  private final ShellOutput output;
  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

  /** Completes when nothing of it runs, as far as is known. */
  private final Promise<Void> gone = Promise.promise();

  /** Null until the API server has begun. */
  private volatile @Nullable PodExec exec;

  private volatile boolean closing;

  private PodCommand(PodNamespace namespace, Clock clock, String pod) {
    this.namespace = namespace;
    this.clock = clock;
    this.pod = pod;
    this.mark = ShellMark.next(clock);
    this.output = new ShellOutput(clock, this::resume);
  }

  /** Starts a command in a pod that runs. Blocks. */
  static ReplicaShell begin(PodNamespace namespace, Clock clock, String pod, List<String> words)
      throws IOException {
    PodCommand command = new PodCommand(namespace, clock, pod);
    command.exec = namespace.pipe(pod, PodBody.CONTAINER, command.mark.run(words), command);
    return command;
  }

  private void resume() {
    PodExec present = exec;
    if (present != null) {
      present.resume();
    }
  }

  @Override
  public boolean output(byte[] piece) {
    return closing || output.add(piece, piece.length);
  }

  @Override
  public boolean error(byte[] piece) {
    synchronized (errors) {
      errors.write(piece, 0, Math.min(piece.length, MOST_ERROR - errors.size()));
    }
    return true;
  }

  @Override
  public void ended(@Nullable Integer exitCode, @Nullable String failure) {
    String words;
    synchronized (errors) {
      words = errors.toString(UTF_8).strip();
    }
    output.end(exitCode, failure == null ? words : failure);
    if (exitCode == null) {
      MarkedLeft.end(namespace, pod, mark).onComplete(done -> gone.tryComplete());
    } else {
      gone.tryComplete();
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
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> close() {
    PodExec present = begun();
    closing = true;
    if (!gone.future().isComplete()) {
      present
          .endInput()
          .onFailure(e -> LOG.debug("could not end the input of {}: {}", pod, e.getMessage()));
      // Its end comes behind the output that nothing reads any more.
      present.resume();
      Clock.Timer patience = clock.after(GRACE, present::close);
      gone.future().onComplete(ended -> patience.cancel());
    }
    return gone.future();
  }

  private PodExec begun() {
    PodExec present = exec;
    if (present == null) {
      throw new IllegalStateException("the command has not begun");
    }
    return present;
  }
}
