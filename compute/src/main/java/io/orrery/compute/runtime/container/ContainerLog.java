package io.orrery.compute.runtime.container;

import io.orrery.compute.runtime.replica.CopiedLog;
import io.orrery.compute.runtime.replica.ReplicaLog;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A copy of the engine's log of a container in the file of its start. */
final class ContainerLog extends CopiedLog<ContainerLog.OfContainer> {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerLog.class);

  private static final Duration AGAIN = Duration.ofSeconds(2);
  private static final Duration LAST_COPY = Duration.ofMinutes(1);

  /** The times that the rest of a log is asked for; then the container goes without it. */
  private static final int MOST_TRIES = 3;

  private final Vertx vertx;
  private final EngineClient client;
  private final String container;
  private final String streams;
  private final ReplicaLog file;
  private int tries;

  /**
   * @param ended called from any thread when the engine has ended a copy
   */
  ContainerLog(
      Vertx vertx, EngineClient client, String container, ReplicaLog file, Runnable ended) {
    this(vertx, client, container, "stdout=true&stderr=true", file, ended);
  }

  /**
   * @param streams of the program, as the query of the engine names them
   */
  ContainerLog(
      Vertx vertx,
      EngineClient client,
      String container,
      String streams,
      ReplicaLog file,
      Runnable ended) {
    super(file, AGAIN, ended);
    this.streams = streams;
    this.vertx = vertx;
    this.client = client;
    this.container = container;
    this.file = file;
  }

  /** A reading of an answer of the engine. */
  static final class OfContainer extends Reading {
    private final LogFrames frames = new LogFrames();
    private final Promise<Void> done = Promise.promise();
    private volatile @Nullable HttpClientResponse response;

    private OfContainer(long skip) {
      super(skip);
    }
  }

  @Override
  protected OfContainer reading(long skip) {
    return new OfContainer(skip);
  }

  @Override
  protected void follow(OfContainer reading) {
    begin(reading, true);
    reading.done.future().onComplete(done -> end(reading, done.succeeded()));
  }

  @Override
  protected void readRest(OfContainer reading) throws IOException {
    begin(reading, false);
    try {
      ContainerEngine.await(
          reading.done.future().timeout(LAST_COPY.toMillis(), TimeUnit.MILLISECONDS));
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
    }
  }

  @Override
  protected void cancel(OfContainer reading) {
    HttpClientResponse response = reading.response;
    if (response != null) {
      response.request().reset();
    }
  }

  private void begin(OfContainer reading, boolean follow) {
    client
        .open(
            HttpMethod.GET,
            "/containers/%s/logs?follow=%s&%s".formatted(container, follow, streams))
        .onSuccess(response -> read(reading, response))
        .onFailure(reading.done::tryFail);
  }

  private void read(OfContainer reading, HttpClientResponse response) {
    reading.response = response;
    response.exceptionHandler(reading.done::tryFail);
    response.endHandler(end -> reading.done.tryComplete());
    response.handler(bytes ->
        vertx
            .executeBlocking(() -> append(reading, bytes), false)
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
              reading.done.tryFail(failure);
            }));
    response.fetch(1);
  }

  private boolean append(OfContainer reading, Buffer bytes) throws IOException {
    return append(reading, reading.frames.content(bytes));
  }
}
