package io.orrery.gateway.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.gpu.StandInSmi;
import io.orrery.compute.remote.SshMachine;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformEvent.Ended;
import io.orrery.compute.service.PlatformEvent.Started;
import io.orrery.compute.service.PlatformEvent.Unreachable;
import io.orrery.compute.service.PlatformEvent.Waiting;
import io.orrery.compute.service.RecordingListener;
import io.orrery.compute.service.Submission;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.id.AttemptRef;
import io.orrery.gateway.keeper.TokenHolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Processes of machines that serve one trial after another. */
@Execution(ExecutionMode.CONCURRENT)
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class ReusedMachinesIT extends MachineServiceContract {
  @Override
  protected void beforeService() throws Exception {
    settings.put("reuseMode", true);
    settings.put("environmentIdle", 600L);
    super.beforeService();
  }

  private TokenHolders processes(AttemptRef attempt) {
    return new TokenHolders(access().token(attempt));
  }

  @Override
  protected boolean runs(AttemptRef attempt) throws IOException {
    return processes(attempt).run();
  }

  /** Kills its keeper and nothing else. */
  @Override
  protected void lose(AttemptRef attempt) throws IOException {
    processes(attempt).keepers().forEach(ProcessHandle::destroyForcibly);
  }

  @Override
  protected SshMachine machineOf(AttemptRef attempt) throws IOException {
    String variables = "\0" + processes(attempt).environment();
    return machines.stream()
        .filter(machine -> variables.contains("\0HOME=" + machine.home() + "\0"))
        .findFirst()
        .orElseThrow();
  }

  /** The directories of all environments. */
  private List<Path> environments() throws IOException {
    List<Path> all = new ArrayList<>();
    for (SshMachine machine : machines) {
      all.addAll(machine.runs(EXPERIMENT));
    }
    return all;
  }

  @Test
  void oneProcessServesOneTrialAfterAnotherEachWithItsOwnDirectoryAndReports() throws Exception {
    Path environment = null;
    for (int i = 0; i < 3; i++) {
      assertThatOneWithItsOwnDirectoryReportsAndEnds(i);
      assertThat(environments()).hasSize(1);
      Path here = environments().getFirst();
      assertThat(environment == null ? here : environment).isEqualTo(here);
      environment = here;
      Path home = here.resolve("home");
      Eventually.until("nothing of it is left", () -> Environments.isClear(home));
    }
  }

  @Test
  void aTrialThatIsCanceledLeavesItsEnvironmentToTheNext() throws Exception {
    AttemptRef first = submit("touch up; sleep 300; true");
    Eventually.until("it runs", () -> Files.exists(code().resolve("up")));
    List<Path> before = environments();

    done(service.cancel(first));

    assertThat(runs(first)).isFalse();
    assertThat(listener.ended(submit("exit 7")).exitCode()).isEqualTo(7);
    assertThat(environments()).hasSize(1).isEqualTo(before);
  }

  @Test
  void aCommandWhoseKeeperIsLostIsEndedBeforeTheNextTrialStartsThere() throws Exception {
    AttemptRef attempt = submit("(sleep 300; true) & touch up; setsid sleep 300; true");
    Eventually.until("its command runs", () -> Files.exists(code().resolve("up")));

    lose(attempt);

    assertThat(listener.ended(attempt).reason()).contains("its keeper ended with exit code 137");
    assertThat(processes(attempt).all()).isEmpty();
    assertThat(listener.ended(submit("true")).exitCode()).isZero();
    assertThat(environments()).hasSize(1);
  }

  @Test
  void anEnvironmentKeepsItsGpuAndGivesItToOneTrialAfterAnother() throws Exception {
    StandInSmi smi = smi(machines.getFirst(), "0, 00000000:07:00.0, 40960, A100\n");
    gpus = 1;
    prepareAgain();
    String command = "echo \"gpu $CUDA_VISIBLE_DEVICES $CUDA_DEVICE_ORDER\"";
    List<AttemptRef> attempts = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      attempts.add(submit(command));
    }

    for (AttemptRef attempt : attempts) {
      assertThat(listener.ended(attempt).exitCode()).isZero();
      assertThat(log(attempt, Stream.STDOUT)).isEqualTo("gpu 0 PCI_BUS_ID\n");
    }
    assertThat(environments()).as("no other had a GPU").hasSize(1);
    assertThat(state(machines.getFirst()).free()).isZero();
    assertThat(service.room(job(command)).free()).as("in its environment").isEqualTo(1);
    assertThat(smi.looks()).isPositive();
  }

  @Test
  void asManyEnvironmentsShareAGpuAsTrialsMay() throws Exception {
    SshMachine machine = machines.getFirst();
    smi(machine, "0, 00000000:07:00.0, 40960, A100\n");
    Map<String, Object> entry = new HashMap<>(machine.entry());
    entry.put("maxTrialNumberPerGpu", 2L);
    settings.put("machineList", List.of(entry));
    gpus = 1;
    prepareAgain();
    List<AttemptRef> attempts = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      attempts.add(submit("touch up.$NNI_TRIAL_JOB_ID\n" + AWAIT_GO));
    }

    Eventually.until("two run", () -> up() == 2);
    assertThat(environments()).hasSize(2);
    go();
    for (AttemptRef attempt : attempts) {
      assertThat(listener.ended(attempt).exitCode()).isZero();
    }
    assertThat(environments()).hasSize(2);
  }

  private long up() throws IOException {
    try (var files = Files.list(code())) {
      return files.filter(file -> String.valueOf(file.getFileName()).startsWith("up.")).count();
    }
  }

  @Test
  void oneThatHasNothingToDoEndsAndLeavesNothing() throws Exception {
    settings.put("environmentIdle", 0L);

    assertThat(listener.ended(submit("exit 5")).exitCode()).isEqualTo(5);

    Eventually.until("its directory is gone", () -> environments().isEmpty());
    assertThat(listener.ended(submit("exit 6")).exitCode()).isEqualTo(6);
    Eventually.until("and the next one's", () -> environments().isEmpty());
  }

  @Test
  void whatEndsWhileTheMachineIsAwayIsToldWhenItIsBackAndItsEnvironmentGoesOn() throws Exception {
    AttemptRef attempt = submit(REPORT + "touch up\n" + AWAIT_GO + "report FINAL 0 0.3; exit 3");
    Eventually.until("it runs", () -> Files.exists(code().resolve("up")));
    List<Path> before = environments();
    SshMachine machine = machineOf(attempt);

    machine.stop();
    Eventually.until("that is told", () -> has(attempt, Unreachable.class));
    go();
    Eventually.until("its command is over", () -> !runs(attempt));
    machine.start();

    assertThat(listener.ended(attempt).exitCode()).isEqualTo(3);
    assertThat(listener.points(attempt)).hasSize(1);
    // Its keeper may be heard before it is, and then the next trial has another one.
    assertThat(listener.ended(submit("exit 7")).exitCode()).isEqualTo(7);
    assertThat(environments()).containsAll(before);
  }

  @Test
  void anEnvironmentWhoseMachineIsGivenUpIsReplacedAndEndedWhenItIsBack() throws Exception {
    settings.put("awayLimit", 1);
    AttemptRef attempt = submit("sleep 300; true");
    Eventually.until("it runs", () -> listener.started(attempt));
    Eventually.until("its command runs", () -> runs(attempt));
    List<Path> before = environments();
    SshMachine machine = machineOf(attempt);

    machine.stop();

    Ended ended = listener.ended(attempt);
    assertThat(ended.exitCode()).isNull();
    assertThat(ended.reason()).contains("has been away for 1 s");
    machine.start();
    Eventually.until("it is ended there", () -> !runs(attempt) && environments().isEmpty());
    assertThat(listener.ended(submit("exit 7")).exitCode()).isEqualTo(7);
    assertThat(environments()).hasSize(1).isNotEqualTo(before);
  }

  @Test
  void aTrialDoesNotFailWithAnIdleEnvironmentWhoseMachineIsAway() throws Exception {
    settings.put("awayLimit", 1);
    addMachine("right");
    prepareAgain();
    AttemptRef first = submit(AWAIT_GO);
    Eventually.until("its command runs", () -> runs(first));
    SshMachine machine = machineOf(first);
    go();
    assertThat(listener.ended(first).exitCode()).isZero();

    machine.stop();
    AttemptRef next = submit("touch up.next; until [ -e on ]; do sleep 0.02; done");

    Eventually.until("its command runs", () -> Files.exists(code().resolve("up.next")));
    assertThat(machineOf(next)).isNotSameAs(machine);
    Files.createFile(code().resolve("on"));
    assertThat(listener.ended(next).exitCode()).isZero();
    assertThat(listener.endedOf(next)).hasSize(1);
  }

  @Test
  void anEnvironmentIsTakenUpByTheNextServerAndGoesOnServing() throws Exception {
    Submission submission = submission("left", "echo run >>runs\n" + AWAIT_GO + "exit 5");
    submit(submission);
    Eventually.until("it runs", () -> Files.exists(code().resolve("runs")));
    List<Path> before = environments();

    restart();
    done(service.prepare(EXPERIMENT, job("true")));
    assertThat(done(service.adopt(List.of(submission)))).isEmpty();
    awaitBack(submission.attempt());
    go();

    assertThat(listener.ended(submission.attempt()).exitCode()).isEqualTo(5);
    assertThat(listener.ended(submit("exit 7")).exitCode()).isEqualTo(7);
    assertThat(environments()).hasSize(1).isEqualTo(before);
    assertThat(Files.readAllLines(code().resolve("runs"))).hasSize(1);
  }

  /** Until the server is at the machine again, and says that the attempt runs there. */
  private void awaitBack(AttemptRef attempt) throws Exception {
    Eventually.until(
        "it is back",
        () -> {
          List<PlatformEvent> events = listener.events(attempt);
          return state(machines.getFirst()).absence() == null
              && !events.isEmpty()
              && events.getLast() instanceof Started;
        });
  }

  /** One that is moved is written out of the one environment, then into the other. */
  @Test
  void oneThatWasBetweenTwoEnvironmentsWhenTheServerWentIsSubmittedAgainAndRunsOnce()
      throws Exception {
    smi(machines.getFirst(), "0, 00000000:07:00.0, 40960, A100\n");
    gpus = 1;
    prepareAgain();
    Submission runs = submission("runs", "echo run >>runs\n" + AWAIT_GO + "exit 5");
    submit(runs);
    Eventually.until("it runs", () -> Files.exists(code().resolve("runs")));
    Submission waits = submission("waits", "echo run >>moved; exit 6");
    submit(waits);
    Eventually.until("it waits", () -> has(waits.attempt(), Waiting.class));

    done(service.close());
    Path left = registered(waits);
    Files.writeString(left, Environments.withoutTenants(Files.readString(left)));
    listener = new RecordingListener();
    service = open(surroundings());
    done(service.prepare(EXPERIMENT, job("true")));

    assertThat(done(service.adopt(List.of(runs, waits)))).containsExactly(waits.attempt());
    done(service.submit(waits));
    go();
    assertThat(listener.ended(runs.attempt()).exitCode()).isEqualTo(5);
    assertThat(listener.ended(waits.attempt()).exitCode()).isEqualTo(6);
    assertThat(Files.readAllLines(code().resolve("moved"))).hasSize(1);
    assertThat(Files.readAllLines(code().resolve("runs"))).hasSize(1);
  }

  /** The file in which the environment of an attempt is written down. */
  private Path registered(Submission submission) throws IOException {
    String trial = submission.attempt().trial().trial().value();
    try (var files = Files.list(home().resolve("experiments/contract/environments"))) {
      for (Path file : files.toList()) {
        if (Files.readString(file).contains("\"trial\":\"" + trial + "\"")) {
          return file;
        }
      }
    }
    throw new AssertionError(trial + " is in no environment");
  }

  @Test
  void anEnvironmentWhoseDiskIsFullEndsAndItsNextTrialGoesToAnotherMachine() throws Exception {
    Path disk = mountSmallDisk("right");
    try {
      SshMachine small = addMachine("right");
      prepareAgain();
      List<AttemptRef> first = bothRunning("go");
      assertThat(List.of(machineOf(first.get(0)), machineOf(first.get(1)))).contains(small);
      go();
      for (AttemptRef attempt : first) {
        assertThat(listener.ended(attempt).exitCode()).isZero();
      }
      assertThat(environments()).hasSize(2);

      fill(disk);
      List<AttemptRef> next = bothRunning("on");

      for (AttemptRef attempt : next) {
        assertThat(machineOf(attempt)).isSameAs(machines.getFirst());
      }
      Files.createFile(code().resolve("on"));
      for (AttemptRef attempt : next) {
        assertThat(listener.ended(attempt).exitCode()).isZero();
        assertThat(listener.endedOf(attempt)).hasSize(1);
      }
      small.crash();
    } finally {
      unmount(disk);
    }
  }

  /** Two attempts that wait for a file. */
  private List<AttemptRef> bothRunning(String awaited) throws Exception {
    String command =
        "touch up.$NNI_TRIAL_JOB_ID; until [ -e " + awaited + " ]; do sleep 0.02; done";
    List<AttemptRef> both = List.of(submit(command), submit(command));
    for (AttemptRef attempt : both) {
      Path up = code().resolve("up." + attempt.trial().trial());
      Eventually.until("its command runs", () -> Files.exists(up));
    }
    return both;
  }

  @Test
  void anEnvironmentGoesOnWithAnotherOwner() throws Exception {
    Submission submission = leftRunning();
    AttemptRef attempt = submission.attempt();
    List<Path> before = environments();

    takeOver();
    RecordingListener heard = listener;
    assertThat(done(service.adopt(List.of(submission)))).isEmpty();
    assertThatTheOneBeforeRefuses(attempt);
    awaitBack(attempt);
    go();

    assertThat(heard.ended(attempt).exitCode()).isEqualTo(5);
    assertThat(toldBefore.endedOf(attempt)).isEmpty();
    assertThat(Files.readAllLines(code().resolve("runs"))).hasSize(1);
    assertThat(listener.ended(submit("exit 7")).exitCode()).isEqualTo(7);
    assertThat(environments()).isEqualTo(before);
    done(this.before.close());
  }

  @Test
  void anExperimentThatIsDeletedLeavesNoProcessAndNoDirectory() throws Exception {
    assertThat(listener.ended(submit("exit 5")).exitCode()).isEqualTo(5);
    assertThat(environments()).hasSize(1);
    String run = environments().getFirst().toString();
    assertThat(Environments.isRunning(run)).isTrue();

    done(service.cleanUp(EXPERIMENT));

    assertThat(environments()).isEmpty();
    assertThat(Environments.isRunning(run)).isFalse();
  }
}
