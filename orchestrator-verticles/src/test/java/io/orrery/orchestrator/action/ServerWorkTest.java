package io.orrery.orchestrator.action;

import static io.orrery.core.sql.Await.failure;
import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Models;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.model.ModelName;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.OutputRef;
import io.orrery.core.run.RunId;
import io.orrery.core.run.StepWork;
import io.orrery.core.time.SystemClock;
import io.orrery.orchestrator.BareSpec;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Does the work of steps of a run of ann in the project vision, beside objects of others. */
class ServerWorkTest {
  private static final ProjectName VISION = new ProjectName("vision");
  private static final ResourceOwner ANN = new ResourceOwner(VISION, "ann");
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");
  private static final StepWork.Search SEARCH = new StepWork.Search("{}", null);

  private final List<Object> asked = new CopyOnWriteArrayList<>();
  private Vertx vertx;
  private Bus bus;
  private volatile ResourceOwner owner = ANN;
  private volatile ExperimentStatus status = ExperimentStatus.RUNNING;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    bus = Bus.of(vertx);
    success(
        Future.all(
            bus.serve(
                Experiments.CREATE,
                wanted -> {
                  asked.add(wanted);
                  return failed(new Problem.Conflict("there is one"));
                }),
            bus.serve(Experiments.GET, wanted -> Future.succeededFuture(experiment(wanted))),
            bus.serve(Experiments.OWNERSHIP, wanted -> Future.succeededFuture(owner)),
            bus.serve(
                Experiments.COMMAND,
                wanted -> {
                  asked.add(wanted);
                  status = ExperimentStatus.STOPPED;
                  return Future.succeededFuture(experiment(new Experiments.Get(wanted.id())));
                }),
            bus.serve(Models.GET, wanted -> failed(new Problem.NotFound("there is none"))),
            bus.serve(
                Models.REGISTER,
                wanted -> {
                  asked.add(wanted);
                  return failed(new Problem.Conflict("as far as this test goes"));
                })));
  }

  @AfterEach
  void stop() throws Exception {
    success(vertx.close());
  }

  private static <T> Future<T> failed(Problem problem) {
    return Future.failedFuture(problem.toException());
  }

  private Experiment experiment(Experiments.Get wanted) {
    return new Experiment(
        wanted.id(),
        owner,
        BareSpec.on("local", "true", "/"),
        status,
        Map.of(),
        0,
        null,
        0,
        NOW,
        NOW,
        null,
        null);
  }

  private WorkContext context() {
    return new WorkContext(
        vertx, bus, new SystemClock(vertx), new RunId("r1"), "search", 0, 1, VISION, "ann", NOW);
  }

  private static ServerWork.Given experiment(String id) {
    return new ServerWork.Given(id, null, null, Map.of());
  }

  @Test
  void anExperimentOfAnotherWithTheIdOfTheStepIsLeftAlone() throws Exception {
    owner = new ResourceOwner(VISION, "bob");
    ServerWork work = ServerWork.of(SEARCH, context(), ServerWork.Given.NOTHING);

    Problem refused = failure(work.start());

    assertThat(refused.detail()).contains("r1-0-1");
    assertThat(asked).hasOnlyElementsOfType(Experiments.Create.class);
  }

  @Test
  void aSearchThatWasToBeStoppedWhenItsServerDiedIsStoppedByTheNext() throws Exception {
    ServerWork work = ServerWork.of(SEARCH, context(), ServerWork.Given.NOTHING);
    work.cancel();

    Problem stopped = failure(work.start());

    assertThat(stopped.detail()).contains("was stopped");
    assertThat(asked)
        .singleElement()
        .isInstanceOfSatisfying(
            Experiments.Command.class,
            command -> assertThat(command.action()).isEqualTo(Experiments.Action.STOP));
  }

  @Test
  void filesOfAnExperimentOfAnotherProjectAreNotTaken() throws Exception {
    StepWork.Registration registration =
        new StepWork.Registration(
            new ModelName("digits"),
            null,
            new OutputRef("search", "experiment"),
            null,
            "",
            List.of());

    Problem registered = failure(ServerWork.of(registration, context(), experiment("abc")).start());
    assertThat(registered.detail()).contains("as far as this test goes");
    assertThat(asked).hasSize(1);

    owner = new ResourceOwner(ProjectName.PUBLIC, "ann");
    Problem refused = failure(ServerWork.of(registration, context(), experiment("abc")).start());
    assertThat(refused).isInstanceOf(Problem.Refused.class);
    assertThat(refused.detail()).contains("there is no experiment 'abc' in project vision");
    Problem odd = failure(ServerWork.of(registration, context(), experiment("../abc")).start());
    assertThat(odd.detail()).contains("there is no experiment '../abc'");
    assertThat(asked).hasSize(1);
  }
}
