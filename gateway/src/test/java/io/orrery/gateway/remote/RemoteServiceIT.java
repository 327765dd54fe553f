package io.orrery.gateway.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.remote.SshMachine;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.PlatformEvent.Ended;
import io.orrery.compute.service.PlatformEvent.Waiting;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.bus.contract.TrainingServices.Verdict;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.SharedStorageSpec;
import io.orrery.core.id.AttemptRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Runs the contract of every platform on two machines behind real SSH servers, and tests what only
 * these do. Each test has a server and machines of its own, and most of its time waits for
 * processes: so several run at once.
 */
@Execution(ExecutionMode.CONCURRENT)
class RemoteServiceIT extends MachineServiceContract {
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

  @Override
  protected SshMachine machineOf(AttemptRef attempt) throws IOException {
    for (SshMachine machine : machines) {
      if (machine.run(attempt) != null) {
        return machine;
      }
    }
    throw new AssertionError("no machine has " + attempt);
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
  void storageThatIsNotMountedThereIsFoundByTheCheck() throws Exception {
    Path here = Files.createDirectory(directory.resolve("here"));
    storage = new SharedStorageSpec.Nfs(here.toString(), here + "-not", false, null, null);

    assertThat(of(done(service.check(job("true"), 1)), machines.getFirst()))
        .anySatisfy(item -> {
          assertThat(item.verdict()).isEqualTo(Verdict.BAD);
          assertThat(item.found()).contains("there is no directory " + here + "-not");
        });
  }

  @Test
  void withoutSetsidAnAttemptHasASessionOfItsOwnAllTheSame() throws Exception {
    machines.getFirst().withoutAgent().without("setsid");
    AttemptRef attempt = submit("touch up; sleep 300");
    Eventually.until("its command runs", () -> Files.exists(code().resolve("up")));

    String wrapper = Files.readString(machines.getFirst().run(attempt).resolve("pid")).strip();
    String[] stat = Files.readString(Path.of("/proc", wrapper, "stat")).split(" ");

    assertThat(stat[5]).as("its session").isEqualTo(wrapper);
    done(service.cancel(attempt));
    assertThat(machines.getFirst().runs(attempt)).isFalse();
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
  void codeThatNoMachineCanUnpackFailsItsOwnTrialsAndNoMachine() throws Exception { // B5
    Path top = code().resolve("deep");
    // Short enough here, and too long below the account's home.
    Path deep = top;
    for (int left = 4_080 - top.toString().length(); left > 1; left -= 101) {
      deep = deep.resolve("d".repeat(Math.min(100, left - 1)));
    }
    Files.createDirectories(deep);
    Files.writeString(deep.resolve("f"), "");
    prepareAgain();

    Ended ended = listener.ended(submit("true"));

    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.reason()).contains("the code cannot be brought to", "name too long");
    assertThat(state(machines.getFirst()).absence()).as("the machine is well").isNull();
    deleteTree(top);
    prepareAgain();
    assertThat(listener.ended(submit("true")).exitCode()).isZero();
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

  @Test
  void aDiskThatIsReallyFullCostsNoTrialAndTheMachineIsPassedOver() throws Exception {
    Path disk = mountSmallDisk("right");
    try {
      SshMachine small = addMachine("right");
      prepareAgain();
      String runs = "touch \"up.$NNI_TRIAL_JOB_ID\"\n" + AWAIT_GO + "echo 'orrery: final 0.5'";
      AttemptRef before = submit(runs);
      AttemptRef beside = submit(runs);
      for (AttemptRef attempt : List.of(before, beside)) {
        Path up = code().resolve("up." + attempt.trial().trial());
        Eventually.until("its command runs", () -> Files.exists(up));
      }
      AttemptRef there = small.run(before) != null ? before : beside;
      assertThat(small.run(there)).as("%s", state(small)).isNotNull();

      fill(disk);
      for (int i = 0; i < 3; i++) {
        AttemptRef attempt = submit("echo 'orrery: final 0.5'");
        assertThat(listener.ended(attempt).exitCode()).isZero();
        assertThat(listener.points(attempt)).hasSize(1);
      }
      go();

      for (AttemptRef attempt : List.of(before, beside)) {
        assertThat(listener.ended(attempt).exitCode()).isZero();
        assertThat(listener.points(attempt)).hasSize(1);
      }
      small.crash();
    } finally {
      unmount(disk);
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
  void aMachineThatShowsAnotherHostKeyGetsNothing() throws Exception {
    for (SshMachine machine : machines) {
      machine.stop();
      machine.forgetHostKey();
      machine.start();
    }
    done(service.cleanUp(EXPERIMENT));
    restart();

    assertThatThrownBy(() -> done(service.prepare(EXPERIMENT, job("true"))))
        .hasMessageContaining("has another one")
        .hasMessageContaining("ssh-keygen -R");
  }

  @Test
  void anUnknownMachineIsTrustedOnlyWhenThatWasAskedFor() throws Exception {
    Files.writeString(knownHosts, "");
    done(service.cleanUp(EXPERIMENT));
    restart();

    assertThatThrownBy(() -> done(service.prepare(EXPERIMENT, job("true"))))
        .hasMessageContaining("is not known")
        .hasMessageContaining("SHA256:");
    settings.put("trustOnFirstUse", true);
    done(service.prepare(EXPERIMENT, job("true")));
    assertThat(home().resolve("remote/known_hosts")).content().contains("127.0.0.1");

    machines.getFirst().stop();
    machines.getFirst().forgetHostKey();
    machines.getFirst().start();
    done(service.cleanUp(EXPERIMENT));
    restart();
    assertThatThrownBy(() -> done(service.prepare(EXPERIMENT, job("true"))))
        .hasMessageContaining("has another one");
  }

  @Test
  void aWrongPasswordIsSaidAndNotShown() throws Exception {
    done(service.cleanUp(EXPERIMENT));
    Map<String, Object> entry = new HashMap<>(machines.getFirst().entry());
    entry.put("password", "not this one");
    settings.put("machineList", List.of(entry));

    assertThatThrownBy(() -> done(service.prepare(EXPERIMENT, job("true"))))
        .hasMessageContaining("refuses the login of trainer")
        .hasMessageContaining("password is wrong")
        .message()
        .doesNotContain("not this one");
  }

  @Test
  void theForwardedPortLeadsNowhereButToWhatTrialsNeed() throws Exception {
    AttemptRef attempt = submit("echo \"$ORRERY_URL $ORRERY_TRIAL_TOKEN\"\n" + AWAIT_GO);
    Eventually.until("it has printed", () -> log(attempt, Stream.STDOUT).contains("\n"));
    String[] printed = log(attempt, Stream.STDOUT).strip().split(" ");

    assertThat(MachineTools.status(printed[0] + "/api/v1/experiments", printed[1])).isEqualTo(403);
    assertThat(MachineTools.status(printed[0] + "/keeper/../api/v1/experiments", printed[1]))
        .isEqualTo(403);
    assertThat(MachineTools.status(printed[0] + "/api/v1/metrics", "another's")).isEqualTo(403);
    assertThat(MachineTools.status(printed[0] + "/keeper/program", "another's")).isEqualTo(401);
    assertThat(MachineTools.status(printed[0] + "/keeper/program", printed[1])).isEqualTo(200);
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

    List<Item> items = done(service.check(job("true"), 1));

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

  @Test
  void aCheckFindsAnOldPythonALittleDiskAndAClockThatIsWrong() throws Exception {
    Path programs = Files.createDirectory(directory.resolve("programs"));
    MachineTools.program(programs, "python3", "echo 3.6.9");
    MachineTools.program(programs, "df", "echo header; echo 'disk 100000 90000 10000 90% /'");
    MachineTools.program(programs, "date", "echo $(($(/bin/date +%s) - 3600))");
    SshMachine odd = addMachine("odd").withPath(programs);
    SshMachine none = addMachine("none").withPath(Files.createDirectory(directory.resolve("no")));
    MachineTools.program(
        directory.resolve("no"), "df", "echo header; echo 'disk 100000 99990 10 100% /'");

    List<Item> items = done(service.check(job("true"), 1));

    assertThat(of(items, odd))
        .extracting(item -> item.what().replaceFirst(".*: ", "") + " " + item.verdict())
        .containsExactly(
            "login GOOD", "python BAD", "disk BAD", "GPUs GOOD", "clock DOUBTFUL", "way back GOOD");
    assertThat(of(items, odd))
        .anyMatch(item -> item.found().contains("of version 3.6.9: Python 3.7 or newer"))
        .anyMatch(item -> item.found().contains("9 MB are free"))
        .anyMatch(item -> item.found().matches("3(599|600|601) s behind the server's"));
    assertThat(of(items, none)).anyMatch(item -> item.found().contains("0 MB are free"));
  }

  @Test
  void aShimOfPythonIsFollowedOnceAndNotForEveryTrial() throws Exception {
    Path shims = Files.createDirectory(directory.resolve("shims"));
    Path calls = directory.resolve("calls");
    MachineTools.program(
        shims,
        "python3",
        "echo x >>'%s'; PATH='%s'; exec python3 \"$@\"".formatted(calls, System.getenv("PATH")));
    SshMachine shimmed = addMachine("shimmed").withPath(shims);
    prepareAgain();
    Eventually.until("it is there", () -> state(shimmed).absence() == null);
    List<String> before = Files.readAllLines(calls);

    AttemptRef one = submit(AWAIT_GO);
    AttemptRef two = submit(AWAIT_GO);
    for (AttemptRef attempt : List.of(one, two)) {
      Eventually.until("it runs", () -> listener.started(attempt));
    }

    assertThat(shimmed.run(one) != null || shimmed.run(two) != null).isTrue();
    assertThat(Files.readAllLines(calls)).isEqualTo(before);
    go();
    assertThat(listener.ended(one).exitCode()).isZero();
    assertThat(listener.ended(two).exitCode()).isZero();
  }

  private static List<Item> of(List<Item> items, SshMachine machine) {
    return items.stream()
        .filter(
            item -> item.what().startsWith(SshMachine.USER + "@127.0.0.1:" + machine.port() + ": "))
        .toList();
  }
}
