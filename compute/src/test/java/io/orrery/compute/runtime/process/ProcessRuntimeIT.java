package io.orrery.compute.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.process.ProcessSignals;
import io.orrery.compute.process.Processes;
import io.orrery.compute.process.Processes.Found;
import io.orrery.compute.runtime.Runtime;
import io.orrery.compute.runtime.Runtime.Wanted;
import io.orrery.compute.runtime.RuntimeContract;
import io.orrery.compute.runtime.replica.LaunchedFiles;
import io.orrery.compute.runtime.replica.ReplicaSettings;
import io.orrery.compute.runtime.replica.RestartBackoff;
import io.orrery.compute.service.Eventually;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.net.FreePort;
import io.orrery.core.process.Sandbox;
import io.orrery.core.time.SystemClock;
import io.orrery.core.workload.Amount;
import io.orrery.core.workload.Probe;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaPhase;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs real processes of this machine, and looks at the files by which a server finds them. */
class ProcessRuntimeIT extends RuntimeContract {
  private static final ReplicaSettings QUICK =
      new ReplicaSettings(
          Duration.ofMillis(20),
          Duration.ofMillis(200),
          Duration.ofMillis(200),
          4_000,
          3,
          new RestartBackoff(
              Duration.ofMillis(300), Duration.ofSeconds(1), Duration.ofMinutes(10)));

  @TempDir Path directory;

  /** Every test runs with a name that a shell would take apart. */
  final Path home() {
    return directory.resolve("it's a \"home\" $HOME");
  }

  @Override
  protected Runtime open() {
    Map<String, String> environment = new HashMap<>(System.getenv());
    List.of("ORRERY_SECRET", "DATABASE_PASSWORD").forEach(name -> environment.put(name, "ours"));
    RandomGenerator random = RandomGenerator.getDefault();
    return new ProcessRuntime(
        vertx, home(), new SystemClock(vertx), random, environment, sandbox(), QUICK);
  }

  Sandbox sandbox() {
    return Sandbox.NONE;
  }

  @Override
  protected String image() {
    return null;
  }

  @Override
  protected void assertNothingLeftOf(WorkloadRef workload) throws Exception {
    assertThat(processes()).isEmpty();
    assertThat(Files.exists(home().resolve("workloads").resolve(workload.segment()))).isFalse();
  }

  private List<Found> processes() throws Exception {
    ReplicaMarks marks = ReplicaMarks.of(home().toAbsolutePath());
    return Processes.all(ReplicaMarks.VARIABLE).stream()
        .filter(process -> marks.replica(process.mark()) != null)
        .toList();
  }

  @Test
  void aProgramGetsNothingOfTheServersEnvironmentButWhatIsNeeded() throws Exception {
    want(1, web(Map.of()), 1);
    Replica replica = ready(ref(1, 0));

    assertThat(get(replica, "/env?PATH")).isNotEqualTo("-");
    assertThat(get(replica, "/env?ORRERY_SECRET")).isEqualTo("-");
    assertThat(get(replica, "/env?DATABASE_PASSWORD")).isEqualTo("-");
  }

  @Test
  void secretsAreOnNoCommandLineAndInNoFileThatOthersMayRead() throws Exception {
    want(1, web(Map.of("API_KEY", "sesame-opens")), 1);
    Replica replica = ready(ref(1, 0));
    assertThat(get(replica, "/env?API_KEY")).isEqualTo("sesame-opens");

    for (Found process : processes()) {
      Path line = Path.of("/proc/" + process.pid() + "/cmdline");
      assertThat(Files.readString(line)).doesNotContain("sesame");
    }
    try (Stream<Path> files = Files.walk(home().resolve("workloads"))) {
      for (Path file : files.toList()) {
        if (Files.isDirectory(file)) {
          assertThat(permissions(file)).as("%s", file).isEqualTo("rwx------");
        } else if (Files.readString(file).contains("sesame")) {
          assertThat(permissions(file)).as("%s", file).isEqualTo("rw-------");
        }
      }
    }
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void aPortIsKeptOverRestartsUntilAStrangerTakesIt() throws Exception {
    want(1, web(Map.of()), 1);
    Replica first = ready(ref(1, 0));
    crash(first, 1);
    Replica second = until(ref(1, 0), it -> it.phase().isReady() && it.restarts() == 1);
    assertThat(second.endpoints()).isEqualTo(first.endpoints());

    try (ServerSocket stranger = takePortOf(second)) {
      int taken = stranger.getLocalPort();
      Replica third = until(ref(1, 0), it -> it.phase().isReady() && port(it) != taken);
      assertThat(third.restarts()).isGreaterThan(1);
      assertThat(get(third, "/env?PORT")).isEqualTo(Integer.toString(port(third)));
    }
  }

  @Test
  void aStrangerThatAnswersOnTheGivenPortMakesNoReplicaReady() throws Exception {
    WorkloadSpec silent = program(List.of("sleep", "1000"), Map.of());
    want(1, withReadiness(silent, tcp()), 1);
    Replica replica = until(ref(1, 0), it -> it.phase() == ReplicaPhase.STARTING);

    try (ServerSocket stranger = listenOn(port(replica))) {
      String number = Integer.toString(stranger.getLocalPort());
      Replica ended =
          until(
              ref(1, 0), it -> String.valueOf(it.reason()).contains("port " + number + " is used"));
      assertThat(ended.phase()).isEqualTo(ReplicaPhase.BACKOFF);
      Replica again = until(ref(1, 0), it -> it.phase() == ReplicaPhase.STARTING);
      assertThat(port(again)).isNotEqualTo(stranger.getLocalPort());
    }
  }

  @Test
  void aProgramThatListensOnTheNumberOfItsSpecificationHasOneReplica() throws Exception {
    int number = FreePort.take();
    WorkloadSpec spec = listeningOn(number, web(Map.of("LISTEN", Integer.toString(number))));
    want(1, spec, 1);
    Replica first = ready(ref(1, 0));
    assertThat(first.endpoints()).containsEntry("http-main", "127.0.0.1:" + number);

    want(1, spec, 2);
    Replica second = until(ref(1, 1), it -> it.phase() == ReplicaPhase.BACKOFF);

    assertThat(second.reason())
        .contains("listens on " + number + " instead of $PORT, so only one replica can run");
    assertThat(get(ready(ref(1, 0)), "/pid")).isNotEmpty();
  }

  @Test
  void aProgramThatListensOnIpv6AloneIsFound() throws Exception {
    want(1, web(Map.of("LISTEN_HOST", "::1")), 1);

    Replica replica = ready(ref(1, 0));

    assertThat(replica.endpoints().get("http-main")).startsWith("[::1]:");
    assertThat(get(replica, "/env?PORT")).isNotEmpty();
  }

  @Test
  void aLogIsRotatedAndItsOffsetsGoOn() throws Exception {
    want(1, web(Map.of()), 1);
    Replica replica = ready(ref(1, 0));
    String line = "x".repeat(99);
    Path log = home().resolve("workloads/service-hello/1-0/run-1/log");
    for (int i = 0; i < 150; i++) {
      get(replica, "/print?" + line);
    }
    get(replica, "/print?last");

    long written = "started \n".length() + get(replica, "/pid").length() + 150 * 100 + 5;
    Eventually.until("it is rotated", () -> Files.size(log) < 4_000);
    LogPiece end = await(runtime.readLog(ref(1, 0), false, -5, 100));
    assertThat(text(end)).isEqualTo("last\n");
    assertThat(end.next()).isEqualTo(written);
    // What the copy has is read first, then the file.
    StringBuilder all = new StringBuilder();
    long offset = written - 3_000;
    while (offset < written) {
      LogPiece piece = await(runtime.readLog(ref(1, 0), false, offset, 1 << 20));
      all.append(text(piece));
      offset = piece.next();
    }
    assertThat(all.toString()).endsWith(line + "\nlast\n").hasSize(3_000);
    try (Stream<Path> files = Files.list(log.getParent())) {
      assertThat(files.filter(file -> file.getFileName().toString().startsWith("log."))).hasSize(1);
    }
  }

  @Test
  void aProgramThatWritesNoTextIsRestartedLikeAnother() throws Exception {
    want(
        1,
        withReadiness(
            program(List.of("sh", "-c", "printf 'no model \\377\\n'; exit 3"), Map.of()), null),
        1);

    Replica ended = until(ref(1, 0), it -> it.phase() == ReplicaPhase.BACKOFF);

    assertThat(ended.exitCode()).isEqualTo(3);
    assertThat(ended.lastLines()).last().asString().startsWith("no model ");
    until(ref(1, 0), it -> it.restarts() >= 1);
  }

  @Test
  void whatAProgramHasLeftElsewhereIsEndedBeforeItIsStartedAgain() throws Exception {
    want(
        1,
        withReadiness(
            program(
                List.of("sh", "-c", "setsid sleep 1000 & echo $!; sleep 0.2; exit 3"), Map.of()),
            null),
        1);
    until(ref(1, 0), it -> it.restarts() >= 2);

    assertThat(processes().stream().filter(p -> commandOf(p).contains("sleep\0001000")))
        .hasSizeLessThanOrEqualTo(1);
    await(runtime.remove(HELLO));
    assertNothingLeftOf(HELLO);
  }

  private static String commandOf(Found process) {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
    } catch (IOException ended) {
      return "";
    }
  }

  @Test
  void aWrapperThatIsKilledTakesItsProgramWithIt() throws Exception {
    want(1, web(Map.of()), 1);
    String pid = get(ready(ref(1, 0)), "/pid");
    Found wrapper =
        processes().stream().filter(process -> process.pid() == process.session()).findAny().get();

    wrapper.signal(ProcessSignals.KILL);

    Replica again = until(ref(1, 0), it -> it.phase().isReady() && it.restarts() == 1);
    assertThat(get(again, "/pid")).isNotEqualTo(pid);
    assertThat(Processes.startTime(Long.parseLong(pid))).isZero();
    assertThat(again.exitCode()).isNull();
  }

  @Test
  void aMissingProgramFailsWithItsNameAndRunsOnceItIsThere() throws Exception {
    Path program = directory.resolve("later.sh");
    want(1, withReadiness(program(List.of(program.toString()), Map.of()), null), 1);
    Replica failed = until(ref(1, 0), it -> it.phase() == ReplicaPhase.FAILED);
    assertThat(failed.reason()).contains(program.toString()).contains("install it");

    Path draft = Files.writeString(directory.resolve("draft"), "#!/bin/sh\nexec sleep 1000\n");
    Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rwx------"));
    Files.move(draft, program);

    assertThat(ready(ref(1, 0)).reason()).isNull();
  }

  /** The state that a server leaves which is killed before the wrapper has claimed its run. */
  @Test
  void aLaunchThatTheServerDidNotSurviveIsMadeAgainOnce() throws Exception {
    WorkloadSpec spec = web(Map.of());
    want(1, spec, 0);
    await(runtime.close());
    Path run =
        LaunchedFiles.make(home(), home().toAbsolutePath().resolve("workloads"), ref(1, 0), spec);

    runtime = open();
    await(runtime.adopt(List.of(new Wanted(HELLO, 1, spec, 1))));
    Replica replica = ready(ref(1, 0));

    assertThat(replica.restarts()).isZero();
    assertThat(starts(ref(1, 0))).isOne();
    assertThat(run.resolve("claim-1")).hasContent("revoked");
  }

  @Test
  void whatIsHalfCreatedOrHalfDeletedIsNoReplica() throws Exception {
    WorkloadSpec spec = web(Map.of());
    await(runtime.close());
    Files.createDirectories(home().resolve("workloads/service-hello/1-0/run-1"));

    runtime = open();
    await(runtime.adopt(List.of(new Wanted(HELLO, 1, spec, 1))));

    assertThat(ready(ref(1, 0)).restarts()).isZero();
  }

  @Test
  void aWorkloadThatWasRemovedAndCreatedAgainWhileTheServerWasAwayIsReplaced() throws Exception {
    want(7, web(Map.of("GREETING", "old")), 1);
    ready(ref(7, 0));
    await(runtime.close());

    runtime = open();
    await(runtime.adopt(List.of(new Wanted(HELLO, 1, web(Map.of("GREETING", "new")), 1))));

    assertThat(get(ready(ref(1, 0)), "/env?GREETING")).isEqualTo("new");
    gone(ref(7, 0));
  }

  @Test
  void aProcessWhoseFilesAreGoneIsEndedAtAdoption() throws Exception {
    WorkloadSpec spec = web(Map.of());
    want(1, spec, 1);
    String pid = get(ready(ref(1, 0)), "/pid");
    await(runtime.close());
    DirectoryTree.delete(home().resolve("workloads"));

    runtime = open();
    await(runtime.adopt(List.of(new Wanted(HELLO, 1, spec, 1))));

    assertThat(get(ready(ref(1, 0)), "/pid")).isNotEqualTo(pid);
    assertThat(Processes.startTime(Long.parseLong(pid))).isZero();
  }

  @Test
  void memoryIsLimited() throws Exception {
    WorkloadSpec spec =
        program(List.of("python3", "-c", "print(len(bytearray(600_000_000)))"), Map.of());
    want(
        1,
        new WorkloadSpec(
            spec.command(),
            null,
            null,
            Map.of(),
            spec.ports(),
            null,
            spec.startupDeadline(),
            spec.grace(),
            new Resources(Amount.UNLIMITED, new Amount(0, 200 << 20), 0),
            spec.mounts()),
        1);

    Replica ended = until(ref(1, 0), it -> it.exitCode() != null);

    assertThat(ended.lastLines()).last().asString().contains("MemoryError");
  }

  private static Probe tcp() {
    return new Probe("http-main", null, Duration.ofMillis(100), Duration.ofSeconds(10));
  }

  private static WorkloadSpec listeningOn(int number, WorkloadSpec spec) {
    return new WorkloadSpec(
        spec.command(),
        spec.image(),
        spec.directory(),
        spec.environment(),
        List.of(new WorkloadPort("http-main", number)),
        spec.readiness(),
        spec.startupDeadline(),
        spec.grace(),
        spec.resources(),
        spec.mounts());
  }
}
