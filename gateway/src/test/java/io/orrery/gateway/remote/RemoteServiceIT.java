package io.orrery.gateway.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.bus.contract.TrainingServices.Verdict;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.SharedStorageSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.json.Json;
import io.orrery.core.trial.AttemptRef;
import io.orrery.core.trial.Parameters;
import io.orrery.gateway.keeper.KeptEdge;
import io.orrery.orchestrator.gpu.StandInSmi;
import io.orrery.orchestrator.platform.Eventually;
import io.orrery.orchestrator.platform.MachineState;
import io.orrery.orchestrator.platform.PlatformEvent;
import io.orrery.orchestrator.platform.PlatformEvent.Ended;
import io.orrery.orchestrator.platform.PlatformEvent.Started;
import io.orrery.orchestrator.platform.PlatformEvent.Unreachable;
import io.orrery.orchestrator.platform.PlatformEvent.Waiting;
import io.orrery.orchestrator.platform.Submission;
import io.orrery.orchestrator.platform.TrainingService;
import io.orrery.orchestrator.platform.TrainingServiceContract;
import io.orrery.orchestrator.platform.TrainingServiceFactory.Surroundings;
import io.orrery.orchestrator.platform.TrialAccess;
import io.orrery.orchestrator.platform.remote.QuickRemote;
import io.orrery.orchestrator.platform.remote.SshMachine;
import io.orrery.orchestrator.trial.TrialCommand;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What every platform does, done on two machines behind real SSH servers; and what only these do.
 * Each test has a server and machines of its own, and most of its time waits for processes: so
 * several run at once.
 */
@Execution(ExecutionMode.CONCURRENT)
class RemoteServiceIT extends TrainingServiceContract {
  private final KeptEdge edge = new KeptEdge(() -> listener);

  @Override
  protected TrialAccess access() {
    return edge;
  }

  /** A trial's channel is its keeper, so only the token is the server's. */
  @Override
  protected String identity(AttemptRef attempt) {
    return "/trial/";
  }

  private final List<SshMachine> machines = new ArrayList<>();
  private final Map<String, Object> settings = new HashMap<>();
  private Path knownHosts;
  private @Nullable Integer gpus;
  private @Nullable SharedStorageSpec storage;

  /** Long enough for machines that come; who has one that does not come shortens it. */
  private Duration gathering = Duration.ofSeconds(20);

  @Override
  protected void beforeService() throws Exception {
    edge.start(vertx, bus, home());
    knownHosts = Files.createFile(directory.resolve("known_hosts"));
    settings.put("knownHosts", knownHosts.toString());
    settings.put("awayLimit", 60);
    addMachine("left");
  }

  /** A machine more in the list of experiments that are prepared from now on. */
  private SshMachine addMachine(String name) throws IOException {
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

  /** Machines have a copy of the code; these trials work in the original, as the suite expects. */
  @Override
  protected ExperimentSpec spec(String command) {
    ExperimentSpec spec =
        super.spec("cd " + TrialCommand.quoted(code().toString()) + "\n" + command);
    return shared(gpus == null ? spec : withGpus(spec, gpus));
  }

  private ExperimentSpec shared(ExperimentSpec spec) {
    ObjectNode json = Json.MAPPER.valueToTree(spec);
    json.set("sharedStorage", Json.MAPPER.valueToTree(storage));
    return storage == null ? spec : Json.read(json.toString(), ExperimentSpec.class);
  }

  private static ExperimentSpec withGpus(ExperimentSpec spec, int gpus) {
    ObjectNode json = Json.MAPPER.valueToTree(spec);
    return Json.read(json.put("trialGpuNumber", gpus).toString(), ExperimentSpec.class);
  }

  @Override
  protected TrainingService open(Surroundings surroundings) {
    edge.tellDurable();
    return QuickRemote.open(surroundings, Map.of(), gathering);
  }

  @Override
  protected void lose(AttemptRef attempt) throws Exception {
    machineOf(attempt).lose(attempt);
  }

  @Override
  protected boolean runs(AttemptRef attempt) throws Exception {
    for (SshMachine machine : machines) {
      if (machine.runs(attempt)) {
        return true;
      }
    }
    return false;
  }

  private SshMachine machineOf(AttemptRef attempt) throws IOException {
    for (SshMachine machine : machines) {
      if (machine.run(attempt) != null) {
        return machine;
      }
    }
    throw new AssertionError("no machine has " + attempt);
  }

  private boolean has(AttemptRef attempt, Class<? extends PlatformEvent> kind) {
    return listener.events(attempt).stream().anyMatch(kind::isInstance);
  }

  /** The experiment is deleted, and made again with other settings. */
  private void prepareAgain() throws Exception {
    done(service.cleanUp(EXPERIMENT));
    done(service.prepare(EXPERIMENT, spec("true")));
  }

  @Test
  void attemptsAreSharedOutEvenly() throws Exception {
    addMachine("right");
    prepareAgain();
    List<AttemptRef> attempts = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      attempts.add(submit(AWAIT_GO));
    }
    for (AttemptRef attempt : attempts) {
      Eventually.until("it runs", () -> listener.started(attempt));
    }

    for (SshMachine machine : machines) {
      int there = 0;
      for (AttemptRef attempt : attempts) {
        there += machine.run(attempt) != null ? 1 : 0;
      }
      assertThat(there).isEqualTo(3);
    }
    go();
    for (AttemptRef attempt : attempts) {
      assertThat(listener.ended(attempt).exitCode()).isZero();
    }
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
  void codeAndOutputsGoThroughStorageThatIsMountedOnBothSides() throws Exception {
    Path here = Files.createDirectory(directory.resolve("here"));
    Path there = Files.createSymbolicLink(directory.resolve("there"), here);
    storage = new SharedStorageSpec.Nfs(here.toString(), there.toString(), false, null, null);
    Files.writeString(code().resolve("data"), "original");
    prepareAgain();

    AttemptRef attempt =
        submit("cat \"$NNI_CODE_DIR/data\"; echo x >\"$NNI_OUTPUT_DIR/x\"; echo $NNI_OUTPUT_DIR");

    assertThat(listener.ended(attempt).exitCode()).isZero();
    String trial = "nni/contract/trials/" + attempt.trial().trial();
    assertThat(log(attempt, Stream.STDOUT))
        .isEqualTo("original" + there + "/" + trial + "/nnioutput\n");
    assertThat(here.resolve(trial + "/nnioutput/x")).hasContent("x");
    assertThat(here.resolve(trial + "/stdout")).content().startsWith("original");
    assertThat(home().resolve("experiments/contract/trials/" + attempt.trial().trial()))
        .isDirectoryRecursivelyContaining("glob:**/output/x");
    assertThat(runs(machines.getFirst()).resolveSibling("code"))
        .as("nothing was brought")
        .isEmptyDirectory();
  }

  @Test
  void storageThatIsNotMountedThereIsFoundByTheCheckAndEndsATrialWithThatReason() throws Exception {
    Path here = Files.createDirectory(directory.resolve("here"));
    storage = new SharedStorageSpec.Nfs(here.toString(), here + "-not", false, null, null);
    prepareAgain();

    assertThat(of(done(service.check(spec("true"))), machines.getFirst()))
        .anySatisfy(item -> {
          assertThat(item.verdict()).isEqualTo(Verdict.BAD);
          assertThat(item.found()).contains("there is no directory " + here + "-not");
        });
    assertThat(listener.ended(submit("true")).reason()).contains("not mounted");
    assertThat(Path.of(here + "-not")).doesNotExist();
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
  void aCommandWhoseKeeperIsLostIsEndedAsWell() throws Exception {
    AttemptRef attempt = submit("(sleep 300; true) & touch up; sleep 300; true");
    Eventually.until("its command runs", () -> Files.exists(code().resolve("up")));
    SshMachine machine = machineOf(attempt);

    lose(attempt);

    assertThat(listener.ended(attempt).reason()).contains("its keeper was lost");
    assertThat(machine.processes(attempt)).isEmpty();
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
    Eventually.until("nothing of it is left there", () -> !machine.runs(attempt));
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

  private MachineState state(SshMachine machine) {
    return service.machines(EXPERIMENT, spec("true")).stream()
        .filter(state -> String.valueOf(state.name()).endsWith(":" + machine.port()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void trialsGoWhereAMachineIs() throws Exception {
    addMachine("right");
    machines.getFirst().stop();
    gathering = Duration.ofMillis(50);
    restart();
    prepareAgain();
    AttemptRef attempt = submit("echo here");

    assertThat(listener.ended(attempt).exitCode()).isZero();
  }

  @Test
  void aTrialWaitsWithTheReasonWhileNoMachineIsThere() throws Exception {
    for (SshMachine machine : machines) {
      machine.stop();
    }
    restart();
    AttemptRef attempt = submit("echo here");

    Eventually.until(
        "it says why it waits",
        () ->
            listener.events(attempt).stream()
                .anyMatch(event ->
                    event instanceof Waiting waiting
                        && waiting.reason().contains("cannot be reached")));
    machines.getLast().start();
    assertThat(listener.ended(attempt).exitCode()).isZero();
  }

  @Test
  void aMachineWithoutRoomIsPassedOver() throws Exception {
    addMachine("right");
    prepareAgain();
    // Its runs cannot be written any more, as on a full disk.
    SshMachine full = machines.getFirst();
    Path runs = runs(full);
    deleteTree(runs);
    Files.writeString(runs, "full");

    for (int i = 0; i < 3; i++) {
      assertThat(listener.ended(submit("true")).exitCode()).isZero();
    }
  }

  private static Path runs(SshMachine machine) throws IOException {
    try (var servers = Files.list(machine.home().resolve(".orrery"))) {
      return servers.findFirst().orElseThrow().resolve("runs");
    }
  }

  private static void deleteTree(Path root) throws IOException {
    try (var files = Files.walk(root)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void trialsWaitForTheGpusOfAnyMachineAndSayWhy() throws Exception {
    StandInSmi left = smi(machines.getFirst(), "0, 00000000:07:00.0, 40960, A100\n");
    SshMachine second = addMachine("right");
    StandInSmi right = smi(second, "0, 00000000:07:00.0, 40960, A100\n");
    right.processes("1, 00000000:07:00.0, somebody\n");
    gpus = 1;
    prepareAgain();

    AttemptRef first = submit("echo \"gpu $CUDA_VISIBLE_DEVICES\"\n" + AWAIT_GO);
    Eventually.until("the first runs", () -> log(first, Stream.STDOUT).equals("gpu 0\n"));
    assertThat(machines.getFirst().run(first)).isNotNull();
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

  private StandInSmi smi(SshMachine machine, String devices) throws IOException {
    Path place = directory.resolve("smi-" + machine.port());
    StandInSmi smi = new StandInSmi(place);
    smi.devices(devices);
    machine.withPath(place);
    return smi;
  }

  @Test
  void aTrialThatWaitsForAGpuCanBeTakenBack() throws Exception {
    smi(machines.getFirst(), "0, 00000000:07:00.0, 40960, A100\n")
        .processes("1, 00000000:07:00.0, somebody\n");
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
  void aMachineThatShowsAnotherHostKeyGetsNothing() throws Exception {
    for (SshMachine machine : machines) {
      machine.stop();
      machine.forgetHostKey();
      machine.start();
    }
    done(service.cleanUp(EXPERIMENT));
    restart();

    assertThatThrownBy(() -> done(service.prepare(EXPERIMENT, spec("true"))))
        .hasMessageContaining("has another one")
        .hasMessageContaining("ssh-keygen -R");
  }

  @Test
  void anUnknownMachineIsTrustedOnlyWhenThatWasAskedFor() throws Exception {
    Files.writeString(knownHosts, "");
    done(service.cleanUp(EXPERIMENT));
    restart();

    assertThatThrownBy(() -> done(service.prepare(EXPERIMENT, spec("true"))))
        .hasMessageContaining("is not known")
        .hasMessageContaining("SHA256:");
    settings.put("trustOnFirstUse", true);
    done(service.prepare(EXPERIMENT, spec("true")));
    assertThat(home().resolve("remote/known_hosts")).content().contains("127.0.0.1");

    machines.getFirst().stop();
    machines.getFirst().forgetHostKey();
    machines.getFirst().start();
    done(service.cleanUp(EXPERIMENT));
    restart();
    assertThatThrownBy(() -> done(service.prepare(EXPERIMENT, spec("true"))))
        .hasMessageContaining("has another one");
  }

  @Test
  void aWrongPasswordIsSaidAndNotShown() throws Exception {
    done(service.cleanUp(EXPERIMENT));
    Map<String, Object> entry = new HashMap<>(machines.getFirst().entry());
    entry.put("password", "not this one");
    settings.put("machineList", List.of(entry));

    assertThatThrownBy(() -> done(service.prepare(EXPERIMENT, spec("true"))))
        .hasMessageContaining("refuses the login of somebody")
        .hasMessageContaining("password is wrong")
        .message()
        .doesNotContain("not this one");
  }

  @Test
  void theForwardedPortLeadsNowhereButToWhatTrialsNeed() throws Exception {
    AttemptRef attempt = submit("echo \"$ORRERY_URL $ORRERY_TRIAL_TOKEN\"\n" + AWAIT_GO);
    Eventually.until("it has printed", () -> log(attempt, Stream.STDOUT).contains("\n"));
    String[] printed = log(attempt, Stream.STDOUT).strip().split(" ");

    assertThat(status(printed[0] + "/api/v1/experiments", printed[1])).isEqualTo(403);
    assertThat(status(printed[0] + "/keeper/../api/v1/experiments", printed[1])).isEqualTo(403);
    assertThat(status(printed[0] + "/api/v1/metrics", "somebody's")).isEqualTo(503);
    assertThat(status(printed[0] + "/keeper/program", "somebody's")).isEqualTo(401);
    assertThat(status(printed[0] + "/keeper/program", printed[1])).isEqualTo(200);
    go();
    listener.ended(attempt);
  }

  @Test
  void aCheckLooksAtEachMachineAndChangesNothing() throws Exception {
    SshMachine good = addMachine("right");
    smi(good, "0, 00000000:07:00.0, 40960, A100\n");
    SshMachine away = addMachine("away");
    away.stop();
    gpus = 1;

    List<Item> items = done(service.check(spec("true")));

    assertThat(of(items, machines.getFirst()))
        .extracting(Item::verdict)
        .as("there is no nvidia-smi")
        .containsExactly(
            Verdict.GOOD, Verdict.GOOD, Verdict.GOOD, Verdict.BAD, Verdict.GOOD, Verdict.GOOD);
    assertThat(of(items, good))
        .extracting(item -> item.what().replaceFirst(".*: ", "") + " " + item.verdict())
        .containsExactly(
            "login GOOD", "python GOOD", "disk GOOD", "GPUs GOOD", "clock GOOD", "way back GOOD");
    assertThat(of(items, good)).anyMatch(item -> item.found().equals("1: A100"));
    assertThat(of(items, away))
        .singleElement()
        .satisfies(item -> {
          assertThat(item.verdict()).isEqualTo(Verdict.BAD);
          assertThat(item.found()).contains("cannot be reached");
        });
    assertThat(good.home()).isEmptyDirectory();
    assertThat(items.toString()).doesNotContain(SshMachine.PASSWORD);
  }

  private static List<Item> of(List<Item> items, SshMachine machine) {
    return items.stream()
        .filter(
            item -> item.what().startsWith(SshMachine.USER + "@127.0.0.1:" + machine.port() + ": "))
        .toList();
  }

  private static int status(String url, String token) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(url))
                  .header("Authorization", "Bearer " + token)
                  .build(),
              BodyHandlers.discarding())
          .statusCode();
    }
  }

  @Test
  void aTrialThatReportsByItselfNeedsNoWayButTheConnection() throws Exception {
    AttemptRef attempt = submit("echo 'orrery: intermediate 0.5'; echo 'orrery: final 0.75'");

    listener.ended(attempt);

    assertThat(listener.points(attempt)).hasSize(2);
    assertThat(listener.events(attempt).getFirst()).isInstanceOf(Started.class);
  }

  @Test
  void cleaningUpLeavesNothingOnTheMachines() throws Exception {
    Submission submission = submission("clean", "echo x >\"$NNI_OUTPUT_DIR/x\"");
    submit(submission);
    listener.ended(submission.attempt());

    done(service.cleanUp(EXPERIMENT));

    for (SshMachine machine : machines) {
      try (var files = Files.walk(machine.home().resolve(".orrery"))) {
        assertThat(files.map(file -> String.valueOf(file.getFileName())))
            .allMatch(name ->
                name.matches(
                    "\\.orrery|[0-9a-f]{16}|runs|code|session-[0-9a-f]{16}|keeper-.*\\.pyz"));
      }
    }
  }
}
