package io.orrery.compute.local;

import io.orrery.compute.gpu.GpuDevice;
import io.orrery.compute.gpu.GpuProbe;
import io.orrery.compute.gpu.GpuRequest;
import io.orrery.compute.gpu.GpuSight;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.image.EnvironmentPlace;
import io.orrery.core.process.SearchPath;
import io.orrery.core.workload.Workspaces;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Looks at this machine as trials will need it. Blocks. */
final class LocalCheck {
  private static final long GIGABYTE = 1L << 30;
  private static final long LITTLE = 2 * GIGABYTE;
  private static final long NOTHING = 100L << 20;
  private static final long PATIENCE_SECONDS = 5;

  private final Path home;
  private final SearchPath path;
  private final EnvironmentPlace environments;
  private final GpuProbe probe;

  /**
   * @param path where trials look for programs
   * @param environments of Python packages, in which programs may run
   */
  LocalCheck(Path home, SearchPath path, EnvironmentPlace environments, GpuProbe probe) {
    this.environments = environments;
    this.home = home;
    this.path = path;
    this.probe = probe;
  }

  List<Item> of(JobSpec job) {
    List<Item> items = new ArrayList<>();
    items.add(home());
    items.add(disk());
    items.add(code(Path.of(job.codeDirectory())));
    items.add(
        LocalEnvironment.directory(job, environments)
            .map(LocalCheck::python)
            .orElseGet(() -> python(job.command())));
    items.add(gpus(job));
    return items;
  }

  private Item home() {
    try {
      Path folder = Files.createDirectories(home.resolve("experiments"));
      Files.delete(Files.createTempFile(folder, "check", null));
      return Item.good("home", home + " can be written");
    } catch (IOException e) {
      return Item.bad(
          "home",
          home + " cannot be written: " + e,
          "give it to the server's user, or name another one: --home");
    }
  }

  private Item disk() {
    try {
      long free = Files.getFileStore(home).getUsableSpace();
      String found =
          String.format(Locale.ROOT, "%.1f GB free for trials' files", free / (double) GIGABYTE);
      String remedy = "delete experiments that you do not need, or name another home: --home";
      return free < NOTHING
          ? Item.bad("disk", found, remedy)
          : free < LITTLE ? Item.doubtful("disk", found, remedy) : Item.good("disk", found);
    } catch (IOException e) {
      return Item.doubtful("disk", "cannot be read: " + e, "look there yourself");
    }
  }

  /** Trials run in it, and many write there. */
  private static Item code(Path directory) {
    if (Workspaces.shows(directory)) {
      return Item.good("code directory", directory + " in your workspace");
    }
    if (!Files.isExecutable(directory)) {
      return Item.bad(
          "code directory",
          directory + (Files.isDirectory(directory) ? " cannot be entered" : " is not there"),
          "give the server's user the right to read and enter it");
    }
    return Files.isWritable(directory)
        ? Item.good("code directory", directory.toString())
        : Item.doubtful(
            "code directory",
            directory + " cannot be written by the server's user",
            "trials that write there fail; NNI_OUTPUT_DIR is always theirs");
  }

  /** The one of an environment of Python packages. */
  private static Item python(Path environment) {
    Path program = environment.resolve("bin").resolve("python");
    String version = EnvironmentPlace.isComplete(environment) ? version(program) : null;
    return version == null
        ? Item.bad(
            "python",
            "there is no python at " + program,
            "build the environment again: orrery build start")
        : Item.good("python", version + " at " + program);
  }

  private Item python(String command) {
    boolean needed = command.contains("python");
    @Nullable Path program = path.find("python3").orElse(null);
    String version = program == null ? null : version(program);
    if (version != null) {
      return Item.good("python", version + " at " + program);
    }
    String found = "there is no python3 on the server's PATH";
    return needed
        ? Item.bad("python", found, "install it, or start the server with it on PATH")
        : Item.doubtful("python", found, "only trials and algorithms in Python need it");
  }

  private static @Nullable String version(Path program) {
    try {
      Process process =
          new ProcessBuilder(program.toString(), "--version").redirectErrorStream(true).start();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return null;
      }
      String said =
          new String(process.getInputStream().readNBytes(200), StandardCharsets.UTF_8).strip();
      return process.exitValue() == 0 ? said : null;
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private Item gpus(JobSpec job) {
    Optional<GpuRequest> wanted = GpuRequest.of(job);
    GpuSight sight = probe.look();
    String remedy = "ask for fewer, or leave trialGpuNumber out: trials then see whatever there is";
    return switch (sight) {
      case GpuSight.Seen(List<GpuDevice> devices) -> {
        String found = devices.size() == 1 ? "there is 1" : "there are " + devices.size();
        yield wanted.isEmpty()
            ? Item.good("GPUs", found + "; none is asked for")
            : wanted.get().check(sight).stream()
                .findFirst()
                .map(finding -> Item.bad("GPUs", finding.message(), remedy))
                .orElse(Item.good("GPUs", found + "; a trial has " + wanted.get().count()));
      }
      case GpuSight.Absent() ->
          wanted.isEmpty()
              ? Item.good("GPUs", "none is asked for, and there is no nvidia-smi to look for any")
              : Item.bad("GPUs", "there is no nvidia-smi on the server's PATH", remedy);
      case GpuSight.Failed(String why) ->
          wanted.isEmpty()
              ? Item.good("GPUs", "none is asked for")
              : Item.doubtful("GPUs", "they cannot be looked at: " + why, "trials wait for them");
    };
  }
}
