package io.orrery.compute.runtime.kubernetes;

import io.orrery.compute.kubernetes.PodNamespace;
import io.orrery.compute.runtime.replica.CopiedLog;
import io.orrery.compute.runtime.replica.ReplicaLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A copy of the log of a pod in the file of its start. */
final class PodLog extends CopiedLog<PodLog.OfPod> {
  private static final Logger LOG = LoggerFactory.getLogger(PodLog.class);
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final PodNamespace namespace;
  private final String pod;

  /**
   * @param ended called from any thread when the cluster has ended a copy
   */
  PodLog(PodNamespace namespace, String pod, ReplicaLog file, Runnable ended) {
    super(file, AGAIN, ended);
    this.namespace = namespace;
    this.pod = pod;
  }

  /** A reading on a thread of its own. */
  static final class OfPod extends Reading {
    private @Nullable Thread thread;

    private OfPod(long skip) {
      super(skip);
    }
  }

  @Override
  protected OfPod reading(long skip) {
    return new OfPod(skip);
  }

  @Override
  protected void follow(OfPod reading) {
    reading.thread = Thread.ofVirtual().name("pod-log").start(() -> read(reading));
  }

  private void read(OfPod reading) {
    try {
      namespace.log(pod, true, bytes -> take(reading, bytes));
    } catch (InterruptedException | CancellationException stopped) {
      LOG.trace("the copy of the log of {} is over", pod);
    } catch (IOException | RuntimeException e) {
      LOG.debug("could not read the log of pod {}: {}", pod, e.toString());
    }
    end(reading, true);
  }

  private void take(OfPod reading, byte[] bytes) {
    try {
      if (!append(reading, bytes)) {
        throw new CancellationException();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected void readRest(OfPod reading) throws IOException {
    try {
      namespace.log(pod, false, bytes -> take(reading, bytes));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the runtime is closed", e);
    }
  }

  @Override
  protected void cancel(OfPod reading) {
    if (reading.thread != null) {
      reading.thread.interrupt();
    }
  }
}
