package io.orrery.gateway.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.gpu.StandInSmi;
import io.orrery.compute.keeper.DeployedKeepers;
import io.orrery.compute.keeper.KeeperVerticle;
import io.orrery.compute.remote.QuickRemote;
import io.orrery.compute.remote.SshMachine;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.ImageLogins;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.PlatformEvent.Waiting;
import io.orrery.compute.service.RecordingListener;
import io.orrery.compute.service.SiblingPlatforms;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.compute.service.TrainingServiceFixture;
import io.orrery.compute.service.TrialAccess;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.lease.Lease;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.process.Sandbox;
import io.orrery.core.sql.Store;
import io.orrery.core.trial.Parameters;
import io.orrery.gateway.keeper.KeptEdge;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Tests a machine that two servers log in to, of which first one and then the other is the owner.
 */
class RemoteOwnersIT extends TrainingServiceFixture {
  private final KeptEdge edge = new KeptEdge(() -> listener);
  private final Map<String, Object> settings = new HashMap<>();
  private final Tenure tenure = new Tenure();
  private SshMachine machine;
  private int gpus;

  /** A lease that is lost when the test says so. */
  private static final class Tenure implements Lease {
    private volatile boolean held = true;

    @Override
    public long epoch() {
      return 1;
    }

    @Override
    public boolean held() {
      return held;
    }

    @Override
    public Future<Void> lost() {
      return Future.future(never -> {});
    }

    @Override
    public Store fencing(Store store) {
      return store;
    }

    @Override
    public Future<Void> giveBack() {
      return Future.succeededFuture();
    }
  }

  @Override
  protected TrialAccess access() {
    return edge;
  }

  @Override
  protected Keepers openKeepers() throws Exception {
    KeeperVerticle verticle = DeployedKeepers.deploy(vertx, bus, home(), access());
    verticle.tenures().begin(EXPERIMENT, tenure);
    return verticle.keepers();
  }

  @Override
  protected void beforeService() throws Exception {
    edge.start(vertx, bus, home());
    machine = new SshMachine(directory.resolve("machine"));
    settings.put(
        "knownHosts",
        Files.writeString(directory.resolve("known_hosts"), machine.knownHost()).toString());
    settings.put("machineList", List.of(machine.entry()));
  }

  @Override
  protected void afterService() throws Exception {
    machine.close();
  }

  @Override
  protected TrainingServiceSpec platform() {
    return new TrainingServiceSpec("remote", new Parameters(settings));
  }

  @Override
  protected JobSpec job(String command) {
    String there = "cd '" + code() + "'\n" + command;
    return JobSpec.of(there, code().toString(), gpus, platform());
  }

  @Override
  protected TrainingService open(Surroundings surroundings) {
    edge.tellDurable();
    return QuickRemote.open(surroundings, Map.of(), Duration.ofSeconds(20));
  }

  @Override
  protected void lose(AttemptRef attempt) throws IOException {
    machine.lose(attempt);
  }

  @Override
  protected boolean runs(AttemptRef attempt) throws IOException {
    return machine.runs(attempt);
  }

  /** Opens the other server, which hears what happens from now on; the one that was there. */
  private TrainingService openOther() throws Exception {
    TrainingService first = service;
    listener = new RecordingListener();
    Surroundings here = surroundings();
    service =
        open(
            new Surroundings(
                here.vertx(),
                here.clock(),
                here.home(),
                directory.resolve("other"),
                here.sdk(),
                here.access(),
                listener,
                here.keepers(),
                SiblingPlatforms.NONE,
                Sandbox.NONE,
                ImageLogins.NONE,
                here.environments()));
    return first;
  }

  /** The same, and it takes the experiment over. */
  private TrainingService handOver() throws Exception {
    TrainingService first = openOther();
    done(service.prepare(EXPERIMENT, job("true")));
    return first;
  }

  private StandInSmi smi(String devices) throws Exception {
    Path place = directory.resolve("smi");
    StandInSmi smi = new StandInSmi(place);
    smi.devices(devices);
    machine.withPath(place);
    gpus = 1;
    done(service.cleanUp(EXPERIMENT));
    done(service.prepare(EXPERIMENT, job("true")));
    return smi;
  }

  @Test
  void whatRunsGoesOnWithAnotherServerAndReportsThroughThat() throws Exception {
    Submission submission =
        submission(
            "handed-over",
            REPORT
                + "echo x >>ran; report PERIODICAL 0 0.1\n"
                + AWAIT_GO
                + "report FINAL 0 0.3; echo done");
    AttemptRef attempt = submission.attempt();
    submit(submission);
    Eventually.until("its first report", () -> !listener.points(attempt).isEmpty());
    RecordingListener before = listener;

    done(service.leave(EXPERIMENT));
    TrainingService first = handOver();
    assertThat(done(service.adopt(List.of(submission)))).isEmpty();
    done(first.close());
    go();

    assertThat(listener.ended(attempt).exitCode()).isZero();
    assertThat(before.points(attempt)).hasSize(1);
    assertThat(listener.points(attempt).getLast().kind()).isEqualTo(MetricKind.FINAL);
    assertThat(log(attempt, Stream.STDOUT)).isEqualTo("done\n");
    assertThat(code().resolve("ran")).hasContent("x");
    assertThat(before.endedOf(attempt)).isEmpty();
  }

  @Test
  void twoServersHaveAPortEachAndTheSecondLeavesTheFirstItsConnection() throws Exception {
    Path ports = ports();
    Map<String, String> alone = notes(ports);
    TrainingService first = handOver();
    Eventually.until("the other one is there", () -> notes(ports).size() == 2);

    assertThat(alone).hasSize(1);
    assertThat(notes(ports)).containsAllEntriesOf(alone);
    assertThat(notes(ports).values()).doesNotHaveDuplicates();
    assertThat(first.machines(EXPERIMENT, job("true")))
        .allSatisfy(state -> assertThat(state.absence()).isNull());
    done(first.close());
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void whoTakesOverIsTheLastToHaveNotedHimselfThoughHeWasThereBefore() throws Exception {
    Path ports = ports();
    String one = newest(ports);
    TrainingService first = handOver();
    Eventually.until("the other one came later", () -> !newest(ports).equals(one));

    done(first.prepare(EXPERIMENT, job("true")));

    Eventually.until("the first one is asked first", () -> newest(ports).equals(one));
    done(first.close());
  }

  private static String newest(Path ports) throws IOException {
    try (var files = Files.list(ports)) {
      return files
          .max(Comparator.comparingLong(file -> file.toFile().lastModified()))
          .map(file -> String.valueOf(file.getFileName()))
          .orElse("");
    }
  }

  @Test
  void whatAServerHasNotedGoesWhenItsConnectionIsGone() throws Exception {
    Process gone = new ProcessBuilder("true").start();
    assertThat(gone.waitFor()).isZero();
    Path stale = Files.writeString(ports().resolve("gone"), gone.pid() + " 4711\n");
    TrainingService first = handOver();

    Eventually.until("it is gone", () -> !Files.exists(stale));
    Eventually.until("the other one is there", () -> notes(ports()).size() == 2);
    done(first.close());
  }

  private Path ports() throws IOException {
    try (var files = Files.walk(machine.home().resolve(".orrery"))) {
      return files.filter(file -> file.getParent().endsWith("ports")).findFirst().orElseThrow();
    }
  }

  /** What servers have noted, by the name of the note. */
  private static Map<String, String> notes(Path ports) throws IOException {
    Map<String, String> notes = new HashMap<>();
    try (var files = Files.list(ports)) {
      for (Path file : files.toList()) {
        String note = Files.readString(file).strip();
        if (note.matches("\\d+ \\d+")) {
          notes.put(String.valueOf(file.getFileName()), note);
        }
      }
    }
    return notes;
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aServerThatHasNeverBeenThereRemovesWhatAnExperimentLeft() throws Exception {
    AttemptRef attempt = submit("true");
    assertThat(listener.ended(attempt).exitCode()).isZero();
    Path base = ports().getParent().getParent();
    assertThat(base.resolve("code")).isNotEmptyDirectory();
    TrainingService first = openOther();
    done(first.close());

    done(service.cleanUp(EXPERIMENT));

    assertThat(base.resolve("code")).isEmptyDirectory();
    assertThat(base.resolve("runs")).isEmptyDirectory();
  }

  @Test
  void anEndWithoutAnOwnerIsToldByTheNextOwnerAlone() throws Exception {
    Submission submission = submission("fenced", "touch up\n" + AWAIT_GO + "touch gone");
    AttemptRef attempt = submission.attempt();
    submit(submission);
    Eventually.until("its command runs", () -> Files.exists(code().resolve("up")));
    RecordingListener before = listener;

    tenure.held = false;
    go();
    Eventually.until(
        "its keeper is over",
        () -> !done(keepers.states(attempt)).isEmpty() && !machine.runs(attempt));
    assertThatThrownBy(() -> done(service.cancel(attempt)))
        .hasMessageContaining("another server owns");
    assertThat(machine.run(attempt)).as("is not cleared away").isNotNull();
    assertThat(before.endedOf(attempt)).isEmpty();

    done(service.leave(EXPERIMENT));
    tenure.held = true;
    TrainingService first = handOver();
    assertThat(done(service.adopt(List.of(submission)))).isEmpty();
    assertThat(listener.ended(attempt).exitCode()).isZero();
    assertThat(before.endedOf(attempt)).isEmpty();
    done(first.close());
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void whatWaitsForAGpuIsNotStartedByWhoHasLostTheExperiment() throws Exception {
    StandInSmi smi = smi("0, 00000000:07:00.0, 40960, A100\n");
    smi.processes("1, 00000000:07:00.0, foreign\n");
    Submission submission = submission("waits", "echo x >>ran");
    AttemptRef attempt = submission.attempt();
    submit(submission);
    Eventually.until(
        "it waits", () -> listener.events(attempt).stream().anyMatch(Waiting.class::isInstance));

    tenure.held = false;
    smi.processes("");
    Eventually.until(
        "it is let go of",
        () ->
            done(service.adopt(List.of(submission))).contains(attempt)
                && service.machines(EXPERIMENT, job("true")).getFirst().attempts().isEmpty());
    assertThat(code().resolve("ran")).doesNotExist();
    assertThat(listener.started(attempt)).isFalse();

    tenure.held = true;
    TrainingService first = handOver();
    assertThat(done(service.adopt(List.of(submission)))).containsExactly(attempt);
    submit(submission);
    assertThat(listener.ended(attempt).exitCode()).isZero();
    assertThat(code().resolve("ran")).hasContent("x");
    done(first.close());
  }
}
