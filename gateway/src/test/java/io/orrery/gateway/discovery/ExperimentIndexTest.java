package io.orrery.gateway.discovery;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentEvent;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.json.Json;
import io.orrery.core.time.SystemClock;
import io.orrery.gateway.Samples;
import io.orrery.gateway.http.Listeners;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Closes the port of an experiment that a client of NNI has stopped. */
class ExperimentIndexTest {
  private static final int OWN = 8080;
  private static final int PORT = 8081;

  /** Keeps which ports are open; none is bound. */
  private static final class OpenPorts implements Listeners {
    final CopyOnWriteArrayList<Integer> open = new CopyOnWriteArrayList<>();
    @Nullable String fault;

    @Override
    public int own() {
      return OWN;
    }

    @Override
    public Future<Void> open(int port) {
      open.add(port);
      return Future.succeededFuture();
    }

    @Override
    public Future<Void> probe(int port) {
      return Future.succeededFuture();
    }

    @Override
    public Future<Void> close(int port) {
      open.remove(Integer.valueOf(port));
      return fault == null ? Future.succeededFuture() : Future.failedFuture(fault);
    }
  }

  private final Vertx vertx = Vertx.vertx();
  private final Bus bus = Bus.of(vertx);
  private final Context loop = vertx.getOrCreateContext();
  private final OpenPorts listeners = new OpenPorts();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @TempDir Path home;
  private ExperimentIndex index;

  @BeforeEach
  void createWithAPort() throws Exception {
    ExperimentPorts ports = new ExperimentPorts(bus, home.resolve("ports.json"));
    index =
        new ExperimentIndex(
            bus,
            ports,
            home.resolve("nni"),
            new SystemClock(vertx),
            home.resolve("server.log"),
            home.resolve("experiments"),
            config -> config);
    Experiment running = Samples.experiment();
    onLoop(() -> {
      ports.listening(listeners);
      index.listening(listeners);
      return ports
          .with(
              PORT,
              owner -> true,
              () ->
                  Future.succeededFuture(
                      new Experiments.Created(running, running.spec(), List.of())))
          .compose(created -> index.add(running));
    });
    assertThat(listeners.open).containsExactly(PORT);
    log.start();
    ((Logger) LoggerFactory.getLogger(ExperimentIndex.class)).addAppender(log);
  }

  @AfterEach
  void close() throws Exception {
    ((Logger) LoggerFactory.getLogger(ExperimentIndex.class)).detachAppender(log);
    onLoop(() -> {
      index.close();
      return Future.succeededFuture();
    });
    success(vertx.close());
  }

  private <T> T onLoop(Callable<Future<T>> work) throws Exception {
    Promise<T> done = Promise.promise();
    loop.runOnContext(called -> {
      try {
        work.call().onComplete(done);
      } catch (Exception e) {
        done.fail(e);
      }
    });
    return success(done.future());
  }

  private static Experiment experiment(ExperimentStatus status) {
    Experiment running = Samples.experiment();
    return new Experiment(
        running.id(),
        running.ownership(),
        running.spec(),
        status,
        running.trialCounts(),
        running.imported(),
        running.best(),
        running.executionSeconds(),
        running.createdAt(),
        running.startedAt(),
        status.isFinal() ? Samples.THEN.plusSeconds(9) : null,
        null);
  }

  private void hear(ExperimentStatus status) {
    bus.publish(Experiments.NEWS, new ExperimentEvent.Changed(experiment(status)));
  }

  private JsonNode entry() throws Exception {
    Path file = home.resolve("nni/.experiment");
    return Files.exists(file)
        ? Json.parse(Files.readString(file)).path(Samples.EXPERIMENT.value())
        : Json.MAPPER.createObjectNode();
  }

  private void awaitEntryWithoutPort() {
    await().until(() -> entry().path("status").asText().equals("STOPPED"));
    await().until(() -> entry().path("port").isNull());
  }

  @Test
  void thePortClosesWhenTheEndWasHeardBeforeTheClientLeft() throws Exception {
    hear(ExperimentStatus.STOPPED);
    awaitEntryWithoutPort();

    // The client was answered before the end was heard.
    onLoop(() -> index.leave(experiment(ExperimentStatus.STOPPING)));

    assertThat(listeners.open).isEmpty();
    awaitEntryWithoutPort();
  }

  @Test
  void thePortClosesWhenTheExperimentEndsAfterTheClientLeft() throws Exception {
    onLoop(() -> index.leave(experiment(ExperimentStatus.STOPPING)));
    assertThat(listeners.open).containsExactly(PORT);

    hear(ExperimentStatus.STOPPED);

    await().until(listeners.open::isEmpty);
    awaitEntryWithoutPort();
  }

  @Test
  void anExperimentThatEndsByItselfWhileItIsStoppedIsDismissedToo() throws Exception {
    hear(ExperimentStatus.DONE);
    await().until(() -> entry().path("status").asText().equals("DONE"));

    onLoop(() -> index.leave(experiment(ExperimentStatus.STOPPING)));

    assertThat(listeners.open).isEmpty();
    awaitEntryWithoutPort();
  }

  @Test
  void thePortOfAnEndedExperimentClosesAtOnce() throws Exception {
    onLoop(() -> index.dismiss(experiment(ExperimentStatus.DONE)));
    awaitEntryWithoutPort();

    onLoop(() -> index.leave(experiment(ExperimentStatus.DONE)));

    assertThat(listeners.open).isEmpty();
    awaitEntryWithoutPort();
  }

  @Test
  void aPortThatCannotBeClosedIsReportedInTheLog() throws Exception {
    listeners.fault = "the disk is full";
    onLoop(() -> index.leave(experiment(ExperimentStatus.STOPPING)));

    hear(ExperimentStatus.STOPPED);

    String told =
        "could not close the port of experiment " + Samples.EXPERIMENT + ": the disk is full";
    await().until(() -> logged().contains(told));
  }

  private List<String> logged() {
    synchronized (log) {
      return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
  }
}
