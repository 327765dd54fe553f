package io.orrery.orchestrator.runtime.kubernetes;

import io.orrery.orchestrator.platform.kubernetes.PodNamespace;
import io.orrery.orchestrator.runtime.replica.ReplicaLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies the log of a pod to the file of its start, so that it is read as that of a process is, and
 * outlives the pod. A copy that begins anew reads the log from its begin, and skips as many bytes
 * as the file has. Thread safe.
 */
final class PodLog {
  private static final Logger LOG = LoggerFactory.getLogger(PodLog.class);
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final PodNamespace namespace;
  private final String pod;
  private final ReplicaLog file;
  private final Runnable ended;
  private @Nullable Copy present;
  private Instant notBefore = Instant.EPOCH;
  private boolean finished;

  /**
   * @param ended called from any thread when the cluster has ended a copy
   */
  PodLog(PodNamespace namespace, String pod, ReplicaLog file, Runnable ended) {
    this.namespace = namespace;
    this.pod = pod;
    this.file = file;
    this.ended = ended;
  }

  /** A reading of the log from its begin. */
  private static final class Copy {
    long skip;
    @Nullable Thread thread;

    Copy(long skip) {
      this.skip = skip;
    }
  }

  /** Copies what is there and what comes; nothing happens when that is under way. */
  synchronized void follow(Instant now) throws IOException {
    if (present != null || finished || now.isBefore(notBefore)) {
      return;
    }
    notBefore = now.plus(AGAIN);
    Copy copy = new Copy(file.end());
    present = copy;
    copy.thread = Thread.ofVirtual().name("pod-log").start(() -> follow(copy));
  }

  private void follow(Copy copy) {
    try {
      namespace.log(pod, true, bytes -> append(copy, bytes));
    } catch (InterruptedException | CancellationException stopped) {
      LOG.trace("the copy of the log of {} is over", pod);
    } catch (IOException | RuntimeException e) {
      LOG.debug("could not read the log of pod {}: {}", pod, e.toString());
    }
    if (end(copy)) {
      ended.run();
    }
  }

  /** Copies the rest of what a pod has written that is over. Blocks. */
  void finish() throws IOException {
    Copy copy;
    synchronized (this) {
      if (finished) {
        return;
      }
      stop();
      copy = new Copy(file.end());
      present = copy;
    }
    try {
      namespace.log(pod, false, bytes -> append(copy, bytes));
      synchronized (this) {
        finished = true;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the runtime is closed", e);
    } finally {
      end(copy);
    }
  }

  /** Copies no more until it is asked to. */
  synchronized void stop() {
    Copy before = present;
    if (before != null && before.thread != null) {
      before.thread.interrupt();
    }
    present = null;
  }

  private synchronized boolean end(Copy copy) {
    boolean isPresent = present == copy;
    present = isPresent ? null : present;
    return isPresent;
  }

  /** Appends what the file has not. */
  private synchronized void append(Copy copy, byte[] content) {
    if (present != copy) {
      throw new CancellationException();
    }
    int from = (int) Math.min(copy.skip, content.length);
    copy.skip -= from;
    if (from == content.length) {
      return;
    }
    try (FileChannel channel =
        FileChannel.open(
            file.file(),
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      ByteBuffer rest = ByteBuffer.wrap(content, from, content.length - from);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
    } catch (NoSuchFileException deleted) {
      LOG.trace("dropping a piece of a log whose directory is gone: {}", pod);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Keeps the file within so many bytes; nothing is lost, because only this object appends. */
  synchronized void rotate(long largest) throws IOException {
    file.rotate(largest);
  }
}
