package io.orrery.orchestrator.runtime.container;

import io.orrery.orchestrator.runtime.replica.ReplicaLog;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies what a container writes from the engine's log to the file of its start, so that it is read
 * as that of a process is, and outlives the container. The next server goes on where this one
 * ended: the engine's log is read from its begin, and as many bytes are skipped as the file has.
 */
final class ContainerLog {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerLog.class);

  private static final Duration AGAIN = Duration.ofSeconds(2);
  private static final Duration LAST_COPY = Duration.ofMinutes(1);

  /** The times that the rest of a log is asked for; then the container goes without it. */
  private static final int MOST_TRIES = 3;

  private final Vertx vertx;
  private final EngineClient client;
  private final String container;
  private final ReplicaLog file;
  private final Runnable ended;
  private @Nullable Copy present;
  private Instant notBefore = Instant.EPOCH;
  private boolean finished;
  private int tries;

  /**
   * @param ended called from any thread when the engine has ended a copy
   */
  ContainerLog(
      Vertx vertx, EngineClient client, String container, ReplicaLog file, Runnable ended) {
    this.vertx = vertx;
    this.client = client;
    this.container = container;
    this.file = file;
    this.ended = ended;
  }

  /** A reading of the engine's log. */
  private static final class Copy {
    final LogFrames frames = new LogFrames();
    final Promise<Void> done = Promise.promise();
    long skip;
    @Nullable HttpClientResponse response;

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
    Copy copy = begin(true);
    copy.done
        .future()
        .onComplete(done -> {
          if (end(copy) && done.succeeded()) {
            ended.run();
          }
        });
  }

  /** Copies the rest of what a container has written that has ended. Blocks. */
  void finish() throws IOException {
    Copy copy;
    synchronized (this) {
      if (finished) {
        return;
      }
      Copy before = present;
      if (before != null && before.response != null) {
        before.response.request().reset();
      }
      copy = begin(false);
    }
    try {
      ContainerEngine.await(
          copy.done.future().timeout(LAST_COPY.toMillis(), TimeUnit.MILLISECONDS));
    } catch (EngineException e) {
      if (e.isSilence()) {
        throw e;
      }
      // An engine that keeps no logs.
      LOG.debug("could not read the log of container {}: {}", container, e.getMessage());
    } catch (IOException | RuntimeException e) {
      tries++;
      if (tries < MOST_TRIES) {
        throw e;
      }
      LOG.warn("could not read the end of the log of container {}: {}", container, e.toString());
    } finally {
      end(copy);
    }
    synchronized (this) {
      finished = true;
    }
  }

  private synchronized boolean end(Copy copy) {
    boolean isPresent = present == copy;
    present = isPresent ? null : present;
    return isPresent;
  }

  private Copy begin(boolean follow) throws IOException {
    Copy copy = new Copy(file.end());
    present = copy;
    client
        .open(
            HttpMethod.GET,
            "/containers/%s/logs?follow=%s&stdout=true&stderr=true".formatted(container, follow))
        .onSuccess(response -> read(copy, response))
        .onFailure(copy.done::tryFail);
    return copy;
  }

  private void read(Copy copy, HttpClientResponse response) {
    synchronized (this) {
      copy.response = response;
    }
    response.exceptionHandler(copy.done::tryFail);
    response.endHandler(end -> copy.done.tryComplete());
    response.handler(bytes ->
        vertx
            .executeBlocking(() -> append(copy, bytes), false)
            .onSuccess(wanted -> {
              if (wanted) {
                response.fetch(1);
              } else {
                response.request().reset();
              }
            })
            .onFailure(failure -> {
              LOG.warn("could not write {}: {}", file.file(), failure.toString());
              response.request().reset();
              copy.done.tryFail(failure);
            }));
    response.fetch(1);
  }

  /** Appends what the file has not; false when the copy is not the present one any more. */
  private synchronized boolean append(Copy copy, Buffer bytes) throws IOException {
    if (present != copy) {
      return false;
    }
    byte[] content = copy.frames.content(bytes);
    int from = (int) Math.min(copy.skip, content.length);
    copy.skip -= from;
    if (from == content.length) {
      return true;
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
      LOG.trace("dropping a piece of a log whose directory is gone: {}", container);
    }
    return true;
  }

  /** Keeps the file within so many bytes; nothing is lost, because only this object appends. */
  synchronized void rotate(long largest) throws IOException {
    file.rotate(largest);
  }

  /** Whether a copy is under way. */
  synchronized boolean isFollowing() {
    return present != null;
  }
}
