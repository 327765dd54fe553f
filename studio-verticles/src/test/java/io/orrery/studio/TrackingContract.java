package io.orrery.studio;

import static io.orrery.core.sql.Await.failure;
import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Tracking;
import io.orrery.core.bus.contract.Tracking.MetricChunk;
import io.orrery.core.bus.contract.Tracking.TrackedRun;
import io.orrery.core.bus.contract.Tracking.View;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Store;
import io.orrery.core.time.SystemClock;
import io.orrery.core.tracking.TrackedPoints;
import io.orrery.studio.notebook.NotebookVerticle;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs of tracking clients are kept and found alike on every store. */
abstract class TrackingContract {
  private static final Actor ANN = new Actor("ann", "10.0.0.1");
  private static final ProjectName VISION = new ProjectName("vision");

  @TempDir Path directory;
  private Vertx vertx;
  private Store store;
  private Bus bus;

  abstract Store open(Vertx vertx, Path directory);

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    store = open(vertx, directory);
    bus = Bus.of(vertx);
    success(
        vertx.deployVerticle(
            new StudioVerticle(bus, store, new SystemClock(vertx), new SecureRandom(), directory)));
    success(
        vertx.deployVerticle(
            new NotebookVerticle(
                bus, store, new SystemClock(vertx), new SecureRandom(), "orrery.localhost")));
  }

  @AfterEach
  void stop() throws Exception {
    success(store.close());
    success(vertx.close());
  }

  // ---- acting -------------------------------------------------------------------------------

  private String experiment(String name, ProjectName project) throws Exception {
    return success(
            bus.request(
                Tracking.CREATE_EXPERIMENT,
                new Tracking.CreateExperiment(
                    ANN, new ResourceOwner(project, "ann"), name, Map.of("kind", name))))
        .id();
  }

  private String run(String experiment, long startedAt) throws Exception {
    return success(
            bus.request(
                Tracking.CREATE_RUN,
                new Tracking.CreateRun(ANN, experiment, "ann", "ann", "", startedAt, Map.of())))
        .info()
        .id();
  }

  private void log(
      String run, String metric, double value, Map<String, String> params, Map<String, String> tags)
      throws Exception {
    success(
        bus.request(
            Tracking.LOG,
            new Tracking.Log(run, List.of(points(metric, value)), params, tags, List.of())));
  }

  private static MetricChunk points(String metric, double... values) {
    TrackedPoints points = new TrackedPoints();
    for (int i = 0; i < values.length; i++) {
      points.add(1_000 + i, i, values[i]);
    }
    return new MetricChunk(metric, points.toBytes(), points.latest());
  }

  private List<String> found(String experiment, String filter, String... order) throws Exception {
    return success(
            bus.request(
                Tracking.RUNS,
                new Tracking.SearchRuns(
                    List.of(experiment), null, filter, List.of(order), View.ACTIVE_ONLY, 100, 0)))
        .items()
        .stream()
        .map(run -> run.info().id())
        .toList();
  }

  // ---- tests --------------------------------------------------------------------------------

  @Test
  void theDefaultExperimentIsThereAndCannotBeDeleted() throws Exception {
    assertThat(run(Tracking.DEFAULT, 5)).matches("[0-9a-f]{32}");
    assertThat(
            failure(
                bus.request(
                    Tracking.CHANGE_EXPERIMENT,
                    new Tracking.ChangeExperiment(ANN, Tracking.DEFAULT, null, true, Map.of()))))
        .isInstanceOf(Problem.Refused.class);
  }

  @Test
  void aNameIsTakenWithinAProjectAlone() throws Exception {
    String here = experiment("digits", ProjectName.PUBLIC);
    String there = experiment("digits", VISION);

    assertThat(here).isNotEqualTo(there);
    assertThat(
            failure(
                bus.request(
                    Tracking.CREATE_EXPERIMENT,
                    new Tracking.CreateExperiment(
                        ANN, new ResourceOwner(VISION, "bob"), "digits", Map.of()))))
        .isInstanceOf(Problem.Conflict.class);
    assertThat(
            success(
                    bus.request(
                        Tracking.EXPERIMENT,
                        new Tracking.FindExperiment(null, "digits", List.of(VISION))))
                .id())
        .isEqualTo(there);
  }

  @Test
  void pointsAreKeptInTheirOrderAndARepeatedBatchIsStoredOnce() throws Exception {
    String run = run(Tracking.DEFAULT, 5);
    MetricChunk first = points("loss", 3, 2);
    MetricChunk second = points("loss", 1, Double.NaN, Double.NEGATIVE_INFINITY);
    for (MetricChunk chunk : List.of(first, second, first)) {
      success(
          bus.request(
              Tracking.LOG, new Tracking.Log(run, List.of(chunk), Map.of(), Map.of(), List.of())));
    }

    List<Double> values = new ArrayList<>();
    String cursor = null;
    do {
      var page =
          success(bus.request(Tracking.HISTORY, new Tracking.HistoryOf(run, "loss", cursor, 1)));
      for (int i = 0; i < TrackedPoints.count(page.packed()); i++) {
        values.add(TrackedPoints.at(page.packed(), i).value());
      }
      cursor = page.next();
    } while (cursor != null);

    assertThat(values).containsExactly(3.0, 2.0, 1.0, Double.NaN, Double.NEGATIVE_INFINITY);
    TrackedRun found = success(bus.request(Tracking.RUN, new Tracking.OfRun(run)));
    assertThat(found.metrics())
        .containsEntry("loss", new TrackedPoints.Point(1_002, 2, Double.NEGATIVE_INFINITY));
  }

  @Test
  void anotherValueOfAParameterIsRefusedAndNothingOfItsBatchIsStored() throws Exception {
    String run = run(Tracking.DEFAULT, 5);
    log(run, "loss", 1, Map.of("lr", "0.1"), Map.of());

    Problem problem =
        failure(
            bus.request(
                Tracking.LOG,
                new Tracking.Log(
                    run,
                    List.of(points("other", 1)),
                    Map.of("lr", "0.2"),
                    Map.of("tag", "x"),
                    List.of())));

    assertThat(problem).isInstanceOf(Problem.Refused.class);
    assertThat(problem.detail()).contains("'lr'").contains("0.1").contains("0.2");
    TrackedRun found = success(bus.request(Tracking.RUN, new Tracking.OfRun(run)));
    assertThat(found.metrics()).containsOnlyKeys("loss");
    assertThat(found.tags()).containsOnlyKeys(Tracking.NAME_TAG);
    log(run, "loss", 1, Map.of("lr", "0.1"), Map.of());
  }

  @Test
  void runsAreFoundByWhatWasLoggedAndSorted() throws Exception {
    String experiment = experiment("digits", ProjectName.PUBLIC);
    String a = run(experiment, 1);
    String b = run(experiment, 2);
    String c = run(experiment, 3);
    String none = run(experiment, 4);
    log(a, "loss", 0.5, Map.of("model", "Cnn"), Map.of("team", "50%_off"));
    log(b, "loss", 0.2, Map.of("model", "cnn"), Map.of("team", "x*y"));
    log(c, "loss", Double.NaN, Map.of("model", "mlp"), Map.of("other key", "it's"));

    assertThat(found(experiment, "")).containsExactly(none, c, b, a);
    assertThat(found(experiment, "metrics.loss < 0.4")).containsExactly(b);
    assertThat(found(experiment, "metrics.loss != 0.5")).containsExactly(b);
    assertThat(found(experiment, "params.model LIKE 'C%'")).containsExactly(a);
    assertThat(found(experiment, "params.model ILIKE 'C__'")).containsExactly(b, a);
    assertThat(found(experiment, "tags.team LIKE '%*%'")).containsExactly(b);
    assertThat(found(experiment, "tags.\"other key\" = 'it''s'")).containsExactly(c);
    assertThat(found(experiment, "start_time >= 2 AND start_time < 4")).containsExactly(c, b);
    assertThat(found(experiment, "run_id NOT IN ('%s', '%s')".formatted(a, none)))
        .containsExactly(c, b);
    assertThat(found(experiment, "status = 'RUNNING' and user_id = 'bob'")).isEmpty();
    assertThat(found(experiment, "", "metrics.loss ASC")).containsExactly(b, a, none, c);
    assertThat(found(experiment, "", "metrics.loss DESC", "start_time ASC"))
        .containsExactly(a, b, c, none);
    assertThat(found(experiment, "", "params.model ASC")).endsWith(none);
    assertThat(
            success(
                    bus.request(
                        Tracking.EXPERIMENTS,
                        new Tracking.SearchExperiments(
                            null,
                            "tags.kind = 'digits' AND name LIKE 'dig%'",
                            List.of("name DESC"),
                            View.ALL,
                            10,
                            0)))
                .items())
        .hasSize(1);
  }

  @Test
  void aDeletedExperimentTakesItsRunsAlongAndBringsThemBack() throws Exception {
    String experiment = experiment("digits", ProjectName.PUBLIC);
    String run = run(experiment, 1);
    for (boolean deleted : new boolean[] {true, false}) {
      success(
          bus.request(
              Tracking.CHANGE_EXPERIMENT,
              new Tracking.ChangeExperiment(ANN, experiment, null, deleted, Map.of())));

      assertThat(success(bus.request(Tracking.STATE, new Tracking.OfRun(run))).deleted())
          .isEqualTo(deleted);
      assertThat(found(experiment, "")).hasSize(deleted ? 0 : 1);
    }
  }

  @Test
  void aProjectsRunsAreFoundByThoseWhoSeeItAlone() throws Exception {
    String experiment = experiment("digits", VISION);
    run(experiment, 1);

    var page =
        success(
            bus.request(
                Tracking.RUNS,
                new Tracking.SearchRuns(
                    List.of(experiment),
                    List.of(ProjectName.PUBLIC),
                    "",
                    List.of(),
                    View.ALL,
                    10,
                    0)));

    assertThat(page.items()).isEmpty();
  }

  @Test
  void aProjectWithRunsIsNotDeletedAndOneWithDeletedOnesTakesThemAlong() throws Exception {
    bus.serve(
        Experiments.LIST, list -> Future.succeededFuture(new Experiments.Page(List.of(), null)));
    bus.serve(
        PipelineRuns.LIST,
        list -> Future.succeededFuture(new PipelineRuns.RunPage(List.of(), null)));
    success(
        bus.request(
            Projects.PUT, new Projects.PutProject(ANN, VISION, "Vision", "{}", "{}", true, null)));
    String experiment = experiment("digits", VISION);
    String run = run(experiment, 1);
    log(run, "loss", 1, Map.of("lr", "1"), Map.of());

    Problem conflict =
        failure(bus.request(Projects.DELETE, new Projects.DeleteProject(ANN, VISION)));
    success(
        bus.request(
            Tracking.CHANGE_EXPERIMENT,
            new Tracking.ChangeExperiment(ANN, experiment, null, true, Map.of())));
    success(bus.request(Projects.DELETE, new Projects.DeleteProject(ANN, VISION)));

    assertThat(conflict.detail()).contains("digits");
    assertThat(failure(bus.request(Tracking.RUN, new Tracking.OfRun(run))))
        .isInstanceOf(Problem.NotFound.class);
  }
}
