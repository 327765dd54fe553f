package io.orrery.gateway.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.catalog.OnlyThese;
import io.orrery.compute.command.TrialCommand;
import io.orrery.compute.hybrid.HybridServiceFactory;
import io.orrery.compute.local.LocalServiceFactory;
import io.orrery.compute.local.LocalTrials;
import io.orrery.compute.remote.QuickRemote;
import io.orrery.compute.remote.SshMachine;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.MachineState;
import io.orrery.compute.service.PlatformEvent.Noted;
import io.orrery.compute.service.PlatformEvent.Started;
import io.orrery.compute.service.PlatformEvent.Unreachable;
import io.orrery.compute.service.PlatformEvent.Waiting;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.compute.service.TrainingServiceFixture;
import io.orrery.compute.service.TrialAccess;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.problem.Finding;
import io.orrery.core.trial.Parameters;
import io.orrery.gateway.keeper.KeptEdge;
import io.orrery.gateway.keeper.TokenHolders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Trials of one experiment on this machine and on one behind a real SSH server. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class LocalAndRemoteIT extends TrainingServiceFixture {
  private final KeptEdge edge = new KeptEdge(() -> listener);
  private SshMachine machine;
  private Path knownHosts;

  /** Whether processes of the machine serve one trial after another. */
  private boolean reuse;

  /** A factory of remote services as quick as tests want them. */
  private static final class QuickRemoteFactory implements TrainingServiceFactory {
    @Override
    public String platform() {
      return "remote";
    }

    @Override
    public String summary() {
      return "machines of a test";
    }

    @Override
    public List<Finding> check(JobSpec job) {
      return List.of();
    }

    @Override
    public TrainingService open(Surroundings surroundings) {
      return QuickRemote.open(surroundings, Map.of(), Duration.ofSeconds(20));
    }
  }

  @Override
  protected TrialAccess access() {
    return edge;
  }

  @Override
  protected void beforeService() throws Exception {
    edge.start(vertx, bus, home());
    machine = new SshMachine(directory.resolve("machine"));
    knownHosts = Files.writeString(directory.resolve("known_hosts"), machine.knownHost());
  }

  @Override
  protected void afterService() throws Exception {
    machine.close();
  }

  @Override
  protected TrainingServiceSpec platform() {
    Map<String, Object> remote = new HashMap<>();
    remote.put("platform", "remote");
    remote.put("knownHosts", knownHosts.toString());
    remote.put("machineList", List.of(machine.entry()));
    remote.put("reuseMode", reuse);
    return new TrainingServiceSpec(
        "hybrid",
        new Parameters(
            Map.of("services", List.of(Map.of("platform", "local", "capacity", 1), remote))));
  }

  @Override
  protected JobSpec job(String command) {
    return super.job("cd " + TrialCommand.quoted(code().toString()) + "\n" + command);
  }

  @Override
  protected TrainingService open(Surroundings surroundings) {
    edge.tellDurable();
    return OnlyThese.closingAll(
        OnlyThese.of(
            surroundings,
            new LocalServiceFactory(),
            new QuickRemoteFactory(),
            new HybridServiceFactory()),
        "hybrid");
  }

  @Override
  protected void lose(AttemptRef attempt) throws Exception {
    machine.lose(attempt);
  }

  @Override
  protected boolean runs(AttemptRef attempt) throws Exception {
    return LocalTrials.runs(home(), attempt)
        || machine.runs(attempt)
        || new TokenHolders(access().token(attempt)).run();
  }

  private boolean isOn(AttemptRef attempt, String service) {
    return listener.events(attempt).stream()
        .anyMatch(event ->
            event instanceof Noted noted && noted.note().startsWith("runs on " + service + ":"));
  }

  /** Whether a whole service is left out, as people are told. */
  private boolean isLeftOut(String service) {
    return states().stream()
        .anyMatch(state ->
            state.service().equals(service) && state.name() == null && state.absence() != null);
  }

  private List<MachineState> states() {
    return service.machines(EXPERIMENT, job("true"));
  }

  @Test
  void aServiceThatGoesAwayIsLeftOutUntilItIsBackAndItsTrialsAreNotFailed() throws Exception {
    AttemptRef local = submit(AWAIT_GO + "echo local");
    Eventually.until("the first is here", () -> isOn(local, "local"));
    AttemptRef remote = submit(AWAIT_GO + "echo remote");
    Eventually.until("the second is there", () -> isOn(remote, "remote"));
    assertThat(machine.run(remote)).isNotNull();
    assertThat(isLeftOut("remote")).isFalse();

    machine.stop();
    Eventually.until("it is left out", () -> isLeftOut("remote"));
    AttemptRef next = submit("echo next");
    Eventually.until(
        "the next says why it waits",
        () ->
            listener.events(next).stream()
                .anyMatch(event ->
                    event instanceof Waiting waiting
                        && waiting.reason().contains("local is full with 1")
                        && waiting.reason().contains("cannot be reached")));
    assertThat(listener.endedOf(remote)).isEmpty();

    machine.start();

    assertThat(listener.ended(next).exitCode()).isZero();
    assertThat(isOn(next, "remote")).isTrue();
    assertThat(isLeftOut("remote")).isFalse();
    go();
    assertThat(listener.ended(local).exitCode()).isZero();
    assertThat(listener.ended(remote).exitCode()).isZero();
    assertThat(log(remote, Stream.STDOUT)).isEqualTo("remote\n");
  }

  @Test
  void whileAServiceIsAwayTrialsGoToTheOthers() throws Exception {
    machine.stop();
    Eventually.until("it is left out", () -> isLeftOut("remote"));

    for (int i = 0; i < 3; i++) {
      AttemptRef attempt = submit("exit " + i);

      assertThat(listener.ended(attempt).exitCode()).isEqualTo(i);
      assertThat(isOn(attempt, "local")).isTrue();
    }
    machine.start();
    Eventually.until("it is back", () -> !isLeftOut("remote"));
  }

  @Test
  void whatServesTrialAfterTrialOnOneOfThemIsTakenUpByTheNextServer() throws Exception {
    reuse = true;
    done(service.cleanUp(EXPERIMENT));
    done(service.prepare(EXPERIMENT, job("true")));
    Submission local = submission("local", "until [ -e end ]; do sleep 0.02; done");
    submit(local);
    Eventually.until("the first is here", () -> isOn(local.attempt(), "local"));
    Submission remote = submission("remote", "echo run >>runs\n" + AWAIT_GO + "exit 5");
    submit(remote);
    Eventually.until("the second is there", () -> Files.exists(code().resolve("runs")));
    List<Path> before = machine.runs(EXPERIMENT);
    assertThat(before).hasSize(1);

    restart();
    done(service.prepare(EXPERIMENT, job("true")));
    assertThat(done(service.adopt(List.of(local, remote)))).isEmpty();
    // Its keeper may be heard before its machine is, and then the next trial has another one.
    Eventually.until("it is back", () -> isMachineThere() && isHeard(remote.attempt()));
    go();

    assertThat(listener.ended(remote.attempt()).exitCode()).isEqualTo(5);
    AttemptRef next = submit("exit 7");
    assertThat(listener.ended(next).exitCode()).isEqualTo(7);
    assertThat(isOn(next, "remote")).isTrue();
    assertThat(machine.runs(EXPERIMENT)).isEqualTo(before);
    assertThat(Files.readAllLines(code().resolve("runs"))).hasSize(1);
    Files.createFile(code().resolve("end"));
    assertThat(listener.ended(local.attempt()).exitCode()).isZero();
    done(service.cleanUp(EXPERIMENT));
    assertThat(machine.runs(EXPERIMENT)).isEmpty();
  }

  private boolean isMachineThere() {
    return states().stream()
        .anyMatch(state -> state.service().equals("remote") && state.absence() == null);
  }

  /** Whether it is known how an attempt is, by the last that was told of that. */
  private boolean isHeard(AttemptRef attempt) {
    return listener.events(attempt).reversed().stream()
        .filter(event -> event instanceof Started || event instanceof Unreachable)
        .findFirst()
        .filter(Started.class::isInstance)
        .isPresent();
  }
}
