package io.orrery.orchestrator.build;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.runtime.replica.ReplicaLog;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.image.BuildStatus;
import io.orrery.core.image.EnvironmentName;
import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.process.Sandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keeper of one start of a build as a process of this machine. Everything is found again in its
 * files, so a server that starts goes on with the process that an earlier one has left; a process
 * that was killed is repeated.
 */
final class BuildKeeper extends KeptBuild {
  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final long LARGEST_LOG = 16L << 20;
  private static final int MOST_RUNS = 3;

  private final BuildProgram.Machine machine;
  private final String mark;
  private final Sandbox sandbox;
  private @Nullable BuildProgram program;
  private int run;
  private @Nullable Instant launchedAt;
  private BuildStatus told = BuildStatus.QUEUED;
  private @Nullable String late;

  /**
   * @param mark of its processes
   * @param sandbox in which environments are built
   * @param over told once nothing is left to do
   */
  BuildKeeper(
      Bus bus,
      BuildPreparation preparation,
      BuildProgram.Machine machine,
      ImageBuild build,
      String mark,
      Sandbox sandbox,
      Runnable over) {
    super(bus, preparation, build, over);
    this.machine = machine;
    this.mark = mark;
    this.sandbox = sandbox;
  }

  @Override
  protected void clear() throws IOException {
    files.clear();
  }

  private void tell(BuildStatus status) throws Exception {
    tell(status, null);
  }

  private void tell(BuildStatus status, @Nullable String reason) throws Exception {
    new BuildEnd(status, reason, null, null).report(bus, build);
    told = status;
  }

  @Override
  protected @Nullable BuildEnd step() throws Exception {
    BuildProgram present = program;
    if (present == null) {
      return begun();
    }
    Path log = files.run(run);
    if (present.isAlive()) {
      follow(present, log);
      return null;
    }
    if (!present.isCleared(GRACE)) {
      return null;
    }
    Integer exitCode = present.exitCode();
    if (exitCode == null && !isCanceled() && late == null) {
      if (run >= MOST_RUNS) {
        return new BuildEnd(
            BuildStatus.FAILED, "its process was killed %d times".formatted(run), null, null);
      }
      launch(run + 1);
      return null;
    }
    return ended(exitCode == null ? -1 : exitCode, log);
  }

  private @Nullable BuildEnd begun() throws Exception {
    int last = files.lastRun();
    if (last == 0 && isCanceled()) {
      return new BuildEnd(BuildStatus.CANCELED, "it was canceled before it began", null, null);
    }
    if (!files.isPrepared()) {
      tell(BuildStatus.RUNNING, "its context is being copied");
      preparation.prepare(build, files);
    }
    if (last == 0) {
      launch(1);
      tell(BuildStatus.RUNNING);
    } else {
      run = last;
      launchedAt = machine.clock().now();
      program = new BuildProgram(machine, files.run(last), mark, this::nudge);
    }
    return null;
  }

  /** The words of the process: an environment is built as programs of people run. */
  private List<String> command() throws IOException {
    List<String> shell = List.of("/bin/sh", files.script().toString());
    if (build.spec().isEnvironment()) {
      Path environment = EnvironmentBuild.read(files).directory();
      return sandbox.line(
          new Sandbox.Mounts(files.work(), List.of(), List.of(files.work(), environment)), shell);
    }
    List<String> line = new ArrayList<>(preparation.settings().asUser());
    line.addAll(shell);
    return line;
  }

  private void launch(int number) throws Exception {
    List<String> command = command();
    var environment = preparation.environment(build, files, mark);
    Path directory = Files.createDirectories(files.run(number));
    BuildProgram next = new BuildProgram(machine, directory, mark, this::nudge);
    run = number;
    program = next;
    launchedAt = machine.clock().now();
    next.launch(command, files.work(), environment);
  }

  private void follow(BuildProgram present, Path log) throws Exception {
    Instant deadline =
        (launchedAt == null ? machine.clock().now() : launchedAt)
            .plus(preparation.settings().deadline());
    if (late == null && machine.clock().now().isAfter(deadline)) {
      late =
          "it took more than %d minutes".formatted(preparation.settings().deadline().toMinutes());
    }
    if (isCanceled() || late != null) {
      present.isCleared(GRACE);
      return;
    }
    new ReplicaLog(log).rotate(LARGEST_LOG);
    BuildStatus now =
        "PUSHING".equals(files.told("phase")) ? BuildStatus.PUSHING : BuildStatus.RUNNING;
    if (now.compareTo(told) > 0) {
      tell(now);
    }
  }

  private BuildEnd ended(int exitCode, Path log) throws Exception {
    String digest = files.told("digest");
    boolean pushed = digest != null && EnvironmentName.DIGESTS.matcher(digest).matches();
    if (isCanceled()) {
      return pushed
          ? new BuildEnd(
              BuildStatus.CANCELED, "the image was pushed before it was canceled", digest, bytes())
          : new BuildEnd(BuildStatus.CANCELED, null, null, null);
    }
    if (late != null) {
      return new BuildEnd(BuildStatus.FAILED, late, null, null);
    }
    if (exitCode != 0 || digest == null || !pushed) {
      String step = "PUSHING".equals(files.told("phase")) ? "the push" : "the build";
      return new BuildEnd(
          BuildStatus.FAILED,
          "%s ended with exit code %d: %s".formatted(step, exitCode, lastLine(log)),
          null,
          null);
    }
    if (build.spec().isEnvironment()) {
      // Not what the script said: packages that pip builds may write there.
      EnvironmentBuild environment = EnvironmentBuild.read(files);
      return environment.isComplete()
          ? new BuildEnd(BuildStatus.SUCCEEDED, null, "sha256:" + environment.digest(), size())
          : new BuildEnd(BuildStatus.FAILED, "its directory is not complete", null, null);
    }
    return BuildEnd.confirmed(bus, build, digest, bytes());
  }

  /** The size of its layers; null when it is not known. */
  private @Nullable Long bytes() throws IOException {
    String manifest = files.told("manifest");
    if (manifest == null) {
      return null;
    }
    try {
      long sum = 0;
      for (JsonNode layer : Json.parse(manifest).path("layers")) {
        sum += layer.path("size").asLong();
      }
      return sum;
    } catch (ProblemException other) {
      return null;
    }
  }

  /** The size of an environment; null when it is not known. */
  private @Nullable Long size() throws IOException {
    String kibibytes = files.told("size");
    return kibibytes != null && kibibytes.matches("\\d{1,15}")
        ? Long.valueOf(Long.parseLong(kibibytes) << 10)
        : null;
  }
}
