package io.orrery.gateway.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.orrery.compute.gpu.StandInSmi;
import io.orrery.compute.remote.QuickRemote;
import io.orrery.compute.remote.SshMachine;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.MachineState;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformEvent.Ended;
import io.orrery.compute.service.PlatformEvent.Started;
import io.orrery.compute.service.PlatformEvent.Unreachable;
import io.orrery.compute.service.PlatformEvent.Waiting;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.SharedStorageSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.trial.Parameters;
import io.orrery.gateway.keeper.KeptServiceContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of every platform, run on machines behind real SSH servers. */
abstract class MachineServiceContract extends KeptServiceContract {
  protected final List<SshMachine> machines = new ArrayList<>();
  protected final Map<String, Object> settings = new HashMap<>();
  protected Path knownHosts;
  protected @Nullable Integer gpus;

  /** Long enough for machines that come; who has one that does not come shortens it. */
  protected Duration gathering = Duration.ofSeconds(20);

  @Override
  protected void beforeService() throws Exception {
    edge.start(vertx, bus, home());
    knownHosts = Files.createFile(directory.resolve("known_hosts"));
    settings.put("knownHosts", knownHosts.toString());
    settings.put("awayLimit", 60);
    addMachine("left");
  }

  /** A machine more in the list of experiments that are prepared from now on. */
  protected SshMachine addMachine(String name) throws IOException {
    SshMachine machine = new SshMachine(directory.resolve(name));
    machines.add(machine);
    Files.writeString(knownHosts, machine.knownHost(), StandardOpenOption.APPEND);
    settings.put("machineList", machines.stream().map(SshMachine::entry).toList());
    return machine;
  }

  @Override
  protected void afterService() throws Exception {
    for (SshMachine machine : machines) {
      machine.close();
    }
  }

  @Override
  protected TrainingServiceSpec platform() {
    return new TrainingServiceSpec("remote", new Parameters(Map.copyOf(settings)));
  }

  @Override
  protected JobSpec job(String command) {
    JobSpec job = super.job(command);
    return gpus == null ? job : withGpus(job, gpus);
  }

  private static JobSpec withGpus(JobSpec job, int gpus) {
    return job.onPlatform(job.command(), job.codeDirectory(), gpus, job.trainingService());
  }

  @Override
  protected TrainingService open(Surroundings surroundings) {
    edge.tellDurable();
    return QuickRemote.open(surroundings, Map.of(), gathering);
  }

  /** Where an attempt runs. */
  protected abstract SshMachine machineOf(AttemptRef attempt) throws IOException;

  protected boolean has(AttemptRef attempt, Class<? extends PlatformEvent> kind) {
    return listener.events(attempt).stream().anyMatch(kind::isInstance);
  }

  protected MachineState state(SshMachine machine) {
    return service.machines(EXPERIMENT, job("true")).stream()
        .filter(state -> String.valueOf(state.name()).endsWith(":" + machine.port()))
        .findFirst()
        .orElseThrow();
  }

  protected static Path runs(SshMachine machine) throws IOException {
    try (var servers = Files.list(machine.home().resolve(".orrery"))) {
      return servers.findFirst().orElseThrow().resolve("runs");
    }
  }

  /** The home of a machine to come, on a disk of 8 MB. */
  protected Path mountSmallDisk(String name) throws Exception {
    Path disk = Files.createDirectory(directory.resolve(name));
    assumeThat(command("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk.toString()))
        .as("mounting a small disk needs root")
        .isZero();
    return disk;
  }

  /** Leaves no room on it. */
  protected static void fill(Path disk) throws Exception {
    assertThat(command("dd", "if=/dev/zero", "of=" + disk + "/ballast", "bs=4k")).isPositive();
  }

  protected static void unmount(Path disk) throws Exception {
    command("umount", "-l", disk.toString());
  }

  private static int command(String... words) throws Exception {
    return new ProcessBuilder(words)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  protected StandInSmi smi(SshMachine machine, String devices) throws IOException {
    Path place = directory.resolve("smi-" + machine.port());
    StandInSmi smi = new StandInSmi(place);
    smi.devices(devices);
    machine.withPath(place);
    return smi;
  }

  @Test
  void aTrialHasItsOwnCopyOfTheCode() throws Exception {
    Files.writeString(code().resolve("data"), "original");
    prepareAgain();
    AttemptRef attempt =
        submit("cd \"$NNI_CODE_DIR\"; cat data; echo changed >data; echo x >\"$NNI_OUTPUT_DIR/x\"");

    assertThat(listener.ended(attempt).exitCode()).isZero();

    assertThat(log(attempt, Stream.STDOUT)).isEqualTo("original");
    assertThat(Files.readString(code().resolve("data"))).isEqualTo("original");
    assertThat(home().resolve("experiments/contract/trials/" + attempt.trial().trial()))
        .isDirectoryRecursivelyContaining("glob:**/output/x");
  }

  @Test
  void whatIsInTheDirectoryOfTheMachinesPythonComesFirst() throws Exception {
    Path own = Files.createDirectory(directory.resolve("python"));
    Path program = Files.writeString(own.resolve("uname"), "#!/bin/sh\necho from the list\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    List<Map<String, Object>> entries = new ArrayList<>();
    for (SshMachine machine : machines) {
      Map<String, Object> entry = new LinkedHashMap<>(machine.entry());
      entry.put("pythonPath", own.toString());
      entries.add(entry);
    }
    settings.put("machineList", entries);
    restart();
    prepareAgain();

    AttemptRef attempt = submit("uname");

    assertThat(listener.ended(attempt).exitCode()).isZero();
    assertThat(log(attempt, Stream.STDOUT)).isEqualTo("from the list\n");
  }

  @Test
  void codeThatIsInSharedStorageIsNotBrought() throws Exception {
    Path here = Files.createDirectory(directory.resolve("here"));
    storage = new SharedStorageSpec.Nfs(here.toString(), here.toString(), false, null, null);
    prepareAgain();

    AttemptRef attempt = submit("true");

    assertThat(listener.ended(attempt).exitCode()).isZero();
    assertThat(runs(machines.getFirst()).resolveSibling("code")).isEmptyDirectory();
  }

  @Test
  void aCutConnectionCostsNoTrialAndNoReport() throws Exception {
    AttemptRef attempt =
        submit(
            REPORT
                + "report PERIODICAL 0 0.1\n"
                + AWAIT_GO
                + "report PERIODICAL 1 0.2; report FINAL 0 0.3; echo done");
    Eventually.until("the first report", () -> !listener.points(attempt).isEmpty());

    machines.forEach(SshMachine::cut);
    go();

    assertThat(listener.ended(attempt).exitCode()).isZero();
    assertThat(listener.points(attempt)).hasSize(3);
    assertThat(log(attempt, Stream.STDOUT)).isEqualTo("done\n");
    assertThat(listener.endedOf(attempt)).hasSize(1);
  }

  @Test
  void whatHappenedWhileTheSshServerWasAwayIsToldWhenItIsBack() throws Exception {
    AttemptRef attempt =
        submit(REPORT + "touch up\n" + AWAIT_GO + "report FINAL 0 0.3; touch gone");
    Eventually.until("it runs", () -> Files.exists(code().resolve("up")));
    SshMachine machine = machineOf(attempt);

    machine.stop();
    go();
    Eventually.until("its command is over", () -> Files.exists(code().resolve("gone")));
    Eventually.until("that is told", () -> has(attempt, Unreachable.class));
    assertThat(listener.endedOf(attempt)).isEmpty();
    machine.start();

    assertThat(listener.ended(attempt).exitCode()).isZero();
    assertThat(listener.points(attempt)).hasSize(1);
  }

  @Test
  void whatRanOnAMachineThatWasRestartedIsLostAndSaysSo() throws Exception {
    AttemptRef attempt = submit("sleep 300");
    Eventually.until("it runs", () -> listener.started(attempt));
    SshMachine machine = machineOf(attempt);

    machine.crash();
    machine.start();

    Ended ended = listener.ended(attempt);
    assertThat(ended.exitCode()).isNull();
    assertThat(ended.reason()).contains("restarted");
    assertThat(machine.run(attempt)).isNull();
  }

  @Test
  void aMachineThatStaysAwayGivesItsTrialsUpOnlyAfterTheLimit() throws Exception {
    settings.put("awayLimit", 1);
    AttemptRef attempt = submit("sleep 300");
    Eventually.until("it runs", () -> listener.started(attempt));
    SshMachine machine = machineOf(attempt);

    machine.stop();

    Ended ended = listener.ended(attempt);
    assertThat(ended.reason()).contains("has been away for 1 s");
    assertThat(has(attempt, Unreachable.class)).isTrue();
    machine.start();
    Eventually.until("nothing of it is left there", () -> !runs(attempt));
  }

  @Test
  void eachMachineIsToldOfWithItsTrialsAndOneThatIsAwayWithItsReason() throws Exception {
    SshMachine second = addMachine("right");
    prepareAgain();
    AttemptRef attempt = submit(AWAIT_GO);
    Eventually.until("it runs", () -> listener.started(attempt));
    SshMachine busy = machineOf(attempt);
    SshMachine idle = busy == second ? machines.getFirst() : second;
    MachineState before = state(busy);

    assertThat(before.absence()).isNull();
    assertThat(before.attempts()).containsExactly(attempt);
    assertThat(before.since()).isNotNull();
    assertThat(before.heardAt()).isAfterOrEqualTo(before.since());
    assertThat(state(idle).attempts()).isEmpty();
    Eventually.until("it is heard again", () -> state(busy).heardAt().isAfter(before.heardAt()));

    busy.stop();
    Eventually.until(
        "the reason", () -> String.valueOf(state(busy).absence()).contains("cannot be reached"));
    assertThat(state(busy).since()).isAfter(before.since());
    assertThat(state(busy).heardAt()).isBeforeOrEqualTo(state(busy).since());
    assertThat(state(busy).attempts()).containsExactly(attempt);
    busy.start();
    go();
    listener.ended(attempt);
    Eventually.until("it is back", () -> state(busy).absence() == null);
  }

  @Test
  void aTrialThatReportsByItselfNeedsNoWayButTheConnection() throws Exception {
    AttemptRef attempt = submit("echo 'orrery: intermediate 0.5'; echo 'orrery: final 0.75'");

    listener.ended(attempt);

    assertThat(listener.points(attempt)).hasSize(2);
    assertThat(listener.events(attempt).getFirst()).isInstanceOf(Started.class);
  }

  @Test
  void trialsWaitForTheGpusOfAnyMachineAndSayWhy() throws Exception {
    StandInSmi left = smi(machines.getFirst(), "0, 00000000:07:00.0, 40960, A100\n");
    SshMachine second = addMachine("right");
    StandInSmi right = smi(second, "0, 00000000:07:00.0, 40960, A100\n");
    right.processes("1, 00000000:07:00.0, foreign\n");
    gpus = 1;
    prepareAgain();

    AttemptRef first = submit("echo \"gpu $CUDA_VISIBLE_DEVICES\"\n" + AWAIT_GO);
    Eventually.until("the first runs", () -> log(first, Stream.STDOUT).equals("gpu 0\n"));
    assertThat(machineOf(first)).isSameAs(machines.getFirst());
    AttemptRef next = submit("echo \"gpu $CUDA_VISIBLE_DEVICES\"");
    Eventually.until("the next says why it waits", () -> has(next, Waiting.class));
    Eventually.until(
        "of both machines",
        () ->
            listener.events(next).stream()
                .anyMatch(event ->
                    event instanceof Waiting waiting
                        && waiting.reason().contains("0 of 1 free (gpu 0: 1 trial)")
                        && waiting.reason().contains("in use by another process (pid 1")));
    go();

    assertThat(listener.ended(next).exitCode()).isZero();
    assertThat(log(next, Stream.STDOUT)).isEqualTo("gpu 0\n");
    assertThat(left.looks()).isPositive();
  }

  @Test
  void aTrialThatWaitsForAGpuCanBeTakenBack() throws Exception {
    smi(machines.getFirst(), "0, 00000000:07:00.0, 40960, A100\n")
        .processes("1, 00000000:07:00.0, foreign\n");
    gpus = 1;
    prepareAgain();
    Submission submission = submission("back", "true");
    submit(submission);
    Eventually.until("it waits", () -> has(submission.attempt(), Waiting.class));

    assertThat(done(service.withdraw(submission.attempt()))).isTrue();

    assertThat(listener.endedOf(submission.attempt())).isEmpty();
    assertThat(done(service.adopt(List.of(submission)))).containsExactly(submission.attempt());
  }

  @Test
  void cleaningUpLeavesNothingOnTheMachines() throws Exception {
    Submission submission = submission("clean", "echo x >\"$NNI_OUTPUT_DIR/x\"");
    submit(submission);
    listener.ended(submission.attempt());

    done(service.cleanUp(EXPERIMENT));

    for (SshMachine machine : machines) {
      try (var files = Files.walk(machine.home().resolve(".orrery"))) {
        assertThat(
                files
                    .filter(file -> !file.toString().matches(".*/(ports|keeper-[0-9a-f]+)/.*"))
                    .map(file -> String.valueOf(file.getFileName())))
            .allMatch(
                name -> name.matches("\\.orrery|[0-9a-f]{16}|runs|code|ports|keeper-[0-9a-f]+"));
      }
    }
  }
}
