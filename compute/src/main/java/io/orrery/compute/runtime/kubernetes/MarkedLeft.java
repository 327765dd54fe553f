package io.orrery.compute.runtime.kubernetes;

import io.orrery.compute.kubernetes.PodNamespace;
import io.orrery.compute.runtime.replica.ShellMark;
import io.orrery.kubernetes.PodExec;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes that a shell or command has left in the container of a pod: a node lets them run on
 * when the connection has ended. Another command there kills all that has the mark.
 *
 * @param over completes when that command has ended
 */
record MarkedLeft(Promise<Void> over) implements PodExec.Streams {
  private static final Logger LOG = LoggerFactory.getLogger(MarkedLeft.class);

  /** Kills them; completes when that was done, or cannot be. */
  static Future<Void> end(PodNamespace namespace, String pod, ShellMark mark) {
    MarkedLeft left = new MarkedLeft(Promise.promise());
    Thread.ofVirtual()
        .name("shell-end")
        .start(() -> {
          try {
            namespace.exec(pod, PodBody.CONTAINER, mark.end(), null, left);
          } catch (IOException | RuntimeException e) {
            left.ended(null, e.getMessage());
          }
        });
    return left.over.future();
  }

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
