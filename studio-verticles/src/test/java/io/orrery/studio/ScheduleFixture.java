package io.orrery.studio;

import static io.orrery.core.sql.Await.success;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Pipelines;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Schedules;
import io.orrery.core.bus.contract.Schedules.DueRun;
import io.orrery.core.bus.contract.Schedules.DueStatus;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunStatus;
import io.orrery.core.sql.Store;
import io.orrery.studio.due.DueRunController;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A studio with a schedule; the owner of runs is played. */
abstract class ScheduleFixture {
  static final Duration PATIENCE = Duration.ofSeconds(20);
  static final PipelineName NAME = new PipelineName("nightly");
  static final ProjectName VISION = new ProjectName("vision");
  static final Actor ANN = new Actor("ann", "10.0.0.1");
  static final Instant NOON = Instant.parse("2026-11-25T12:00:00Z");

  @TempDir Path directory;
  Vertx vertx;
  Store store;
  Bus bus;
  SetClock clock;
  PlayedRuns runs;
  String controller;

  abstract Store open(Vertx vertx, Path directory);

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    store = open(vertx, directory);
    bus = Bus.of(vertx);
    clock = new SetClock(vertx, NOON);
    runs = new PlayedRuns(bus, () -> false);
    success(
        vertx.deployVerticle(new StudioVerticle(bus, store, clock, new SecureRandom(), directory)));
    success(
        bus.request(
            Projects.PUT, new Projects.PutProject(ANN, VISION, "Vision", "{}", "{}", true, null)));
    control();
  }

  @AfterEach
  void stop() throws Exception {
    success(store.close());
    success(vertx.close());
  }

  // ---- acting --------------------------------------------------------------------------------

  void control() throws Exception {
    controller = success(vertx.deployVerticle(new DueRunController(bus, store, clock)));
  }

  void leave() throws Exception {
    success(vertx.undeploy(controller));
  }

  void pipeline(String schedule, boolean creates) throws Exception {
    success(bus.request(Pipelines.PUT, put(schedule, creates)));
  }

  static Pipelines.PutPipeline put(String schedule, boolean creates) {
    return new Pipelines.PutPipeline(
        ANN,
        NAME,
        VISION,
        """
        {"name": "nightly", "tasks": [{"name": "a", "command": "echo {{run.due}}"}],
         "schedule": %s}
        """
            .formatted(schedule),
        creates,
        null,
        false);
  }

  static Instant at(int minutes) {
    return NOON.plus(Duration.ofMinutes(minutes));
  }

  /** Sets the clock; the controller hears of it as of a change. */
  void set(Instant now) {
    clock.set(now);
    bus.publish(Schedules.CHANGED, new Schedules.Changed(NAME));
  }

  /** The due runs, the earliest first. */
  List<DueRun> due() throws Exception {
    return success(
            bus.request(Schedules.DUE_RUNS, new Schedules.ListDueRuns(null, NAME, null, null, 500)))
        .items()
        .reversed();
  }

  List<DueRun> await(int count, DueStatus status) throws Exception {
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> due().stream().filter(each -> each.status() == status).count() >= count);
    return due();
  }

  void end(DueRun due, RunStatus status) {
    runs.end(Objects.requireNonNull(due.run()), status);
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() ->
            success(bus.request(Schedules.DUE_RUN, new Schedules.OfDueRun(due.id()))).runStatus()
                == status);
  }

  Schedules.Schedule schedule() throws Exception {
    return success(bus.request(Schedules.GET, new Schedules.OfSchedule(NAME)));
  }

  static List<Instant> instants(List<DueRun> due) {
    return due.stream().map(DueRun::due).toList();
  }
}
