package io.orrery.gateway.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.remote.QuickRemote;
import io.orrery.compute.remote.SshMachine;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.compute.service.TrainingServiceFixture;
import io.orrery.compute.service.TrialAccess;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.trial.Parameters;
import io.orrery.gateway.keeper.KeptEdge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the agent of a server on a machine behind a real SSH server. */
class MachineAgentIT extends TrainingServiceFixture {
  private final KeptEdge edge = new KeptEdge(() -> listener);
  private final Map<String, Object> settings = new HashMap<>();
  private SshMachine machine;

  @Override
  protected TrialAccess access() {
    return edge;
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
    return super.job("cd '" + code() + "'\n" + command);
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

  private long agent() throws IOException {
    assertThat(machine.agents()).hasSize(1);
    return machine.agents().getFirst().pid();
  }

  /** The sockets where keepers find agents. */
  private List<Path> sockets() throws IOException {
    try (var files = Files.walk(machine.home().resolve(".orrery"))) {
      return files
          .filter(file -> file.toString().matches(".*/ports/\\.agents/[^/]+/[^/]+"))
          .toList();
    }
  }

  /** The command of its wrapper: an agent's own, or a shell's. */
  private String wrapper(AttemptRef attempt) throws IOException {
    String pid = Files.readString(machine.run(attempt).resolve("pid")).strip();
    return Files.readString(Path.of("/proc", pid, "cmdline"));
  }

  private AttemptRef running(String command) throws Exception {
    AttemptRef attempt = submit(command);
    Eventually.until("it runs", () -> listener.started(attempt));
    return attempt;
  }

  @Test
  void oneAgentStartsAllAttemptsAndCarriesWhatTheySay() throws Exception {
    long agent = agent();
    AttemptRef waiting = running(AWAIT_GO + "echo 'orrery: final 0.5'; echo late >&2; exit 3");
    AttemptRef brief = submit("echo \"$ORRERY_URL\"; echo 'orrery: final 0.25'; umask");

    assertThat(listener.ended(brief).exitCode()).isZero();
    assertThat(log(brief, Stream.STDOUT)).startsWith("http://127.0.0.1:").endsWith("0077\n");
    assertThat(wrapper(waiting)).contains("\0agent\0");
    assertThat(ProcessHandle.of(agent).orElseThrow().children()).isNotEmpty();
    go();
    assertThat(listener.ended(waiting).exitCode()).isEqualTo(3);
    assertThat(listener.points(waiting)).hasSize(1);
    assertThat(log(waiting, Stream.STDERR)).isEqualTo("late\n");
    assertThat(machine.run(waiting)).as("its directory").isNull();
    assertThat(agent()).isEqualTo(agent);
  }

  @Test
  void anAgentBringsTheCodeByItself() throws Exception {
    long agent = agent();
    // The agent has read it. A script would start a Python that finds none.
    try (var files = Files.walk(machine.home().resolve(".orrery"))) {
      Path program =
          files.filter(file -> file.endsWith("orrery_keeper/code.py")).findFirst().orElseThrow();
      Files.delete(program);
    }

    assertThat(listener.ended(submit("true")).exitCode()).isZero();

    assertThat(agent()).isEqualTo(agent);
  }

  @Test
  void anAttemptGoesOnWithoutItsAgentAndTheNextOneIsStartedByANewAgent() throws Exception {
    AttemptRef attempt =
        running("echo 'orrery: intermediate 1'\n" + AWAIT_GO + "echo 'orrery: final 2'; exit 5");
    Eventually.until("the first report", () -> !listener.points(attempt).isEmpty());
    long first = agent();

    assertThat(ProcessHandle.of(first).orElseThrow().destroyForcibly()).isTrue();
    Eventually.until("it is gone", () -> ProcessHandle.of(first).isEmpty());
    go();

    assertThat(listener.ended(attempt).exitCode()).isEqualTo(5);
    assertThat(listener.points(attempt)).hasSize(2);
    Eventually.until(
        "a new agent starts the next one",
        () -> {
          AttemptRef next = submit("sleep 0.2");
          boolean ended = listener.ended(next).exitCode() == 0;
          return ended && machine.agents().size() == 1;
        });
    assertThat(agent()).isNotEqualTo(first);
    assertThat(sockets()).hasSize(1);
  }

  @Test
  void anAgentThatStandsStillCostsNoAttempt() throws Exception {
    AttemptRef attempt = running(AWAIT_GO + "echo 'orrery: final 2'; exit 5");
    signal("STOP", agent());
    try {
      go();
      assertThat(listener.ended(attempt).exitCode()).isEqualTo(5);
      assertThat(listener.points(attempt)).hasSize(1);
    } finally {
      for (ProcessHandle each : machine.agents()) {
        signal("CONT", each.pid());
      }
    }
  }

  private static void signal(String name, long pid) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start();
    assertThat(kill.waitFor()).isZero();
  }

  @Test
  void aMachineThatTakesNoAgentStartsEndsAndReportsByScripts() throws Exception {
    machine.withoutAgent();
    Eventually.until("it is gone", () -> machine.agents().isEmpty());
    AttemptRef waiting = running("echo 'orrery: final 0.5'\n" + AWAIT_GO);
    assertThat(wrapper(waiting)).startsWith("sh\0");
    AttemptRef canceled = running("sleep 300");

    done(service.cancel(canceled));
    assertThat(machine.runs(canceled)).isFalse();
    go();

    assertThat(listener.ended(waiting).exitCode()).isZero();
    assertThat(listener.points(waiting)).hasSize(1);
  }

  @Test
  void whatAnAgentHasStartedIsGoneOnWithByScriptsAndTheOtherWayRound() throws Exception {
    AttemptRef forked = running("sleep 300");
    machine.withoutAgent();
    AttemptRef scripted = running("sleep 300");
    machine.withAgent();
    restart();
    done(service.adopt(List.of(submission("t0", "sleep 300"), submission("t1", "sleep 300"))));

    for (AttemptRef attempt : List.of(forked, scripted)) {
      done(service.cancel(attempt));
      // Its machine may not be connected to yet, and its keeper may have told the end before.
      Eventually.until("nothing of it runs", () -> !machine.runs(attempt));
      Eventually.until("its directory is removed", () -> machine.run(attempt) == null);
    }
  }

  @Test
  void onlyTheOwnerReachesTheSocketAndWithTheServerItGoes() throws Exception {
    Path socket = sockets().getFirst();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.getParent())))
        .isEqualTo("rwx------");

    done(service.close());

    Eventually.until("its agent has ended", () -> machine.agents().isEmpty());
    assertThat(sockets()).isEmpty();
    service = open(surroundings());
  }
}
