package io.orrery.cli.doctor;

import io.orrery.core.check.CheckResult;
import io.orrery.core.check.ClockSkew;
import io.orrery.core.check.DiskRoom;
import io.orrery.core.check.DiskSync;
import io.orrery.core.process.SearchPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Checks of the machine: Java, the home and its disk, the clock, programs. */
final class MachineChecks {
  private final Path home;
  private final Map<String, String> environment;

  MachineChecks(Path home, Map<String, String> environment) {
    this.home = home;
    this.environment = environment;
  }

  List<CheckResult> run() {
    List<CheckResult> results = new ArrayList<>();
    results.add(java());
    if (Files.isDirectory(home)) {
      results.add(permissions());
      results.add(room());
      results.addAll(disk());
    } else {
      results.add(CheckResult.warning("home", home + " is not there", "`orrery up` makes it"));
    }
    results.add(python());
    return results;
  }

  private static CheckResult java() {
    String found = System.getProperty("java.version") + " at " + System.getProperty("java.home");
    return Runtime.version().feature() >= 25
        ? CheckResult.ok("java", found)
        : CheckResult.failed("java", found, "install a Java 25");
  }

  private CheckResult permissions() {
    try {
      String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(home));
      String found = home + " of " + Files.getOwner(home).getName() + ", " + mode;
      if (!Files.isWritable(home)) {
        return CheckResult.failed(
            "home", found, "run as its owner, or name another with --home or $ORRERY_HOME");
      }
      return mode.startsWith("rwx------")
          ? CheckResult.ok("home", found)
          : CheckResult.warning("home", found, "chmod 700 it; the next `orrery up` does");
    } catch (IOException e) {
      return CheckResult.failed("home", "cannot be read: " + e, "check the file system");
    }
  }

  private CheckResult room() {
    try {
      return DiskRoom.of(home).check("disk");
    } catch (IOException e) {
      return CheckResult.failed("disk", "cannot be read: " + e, "check the file system");
    }
  }

  /** The duration of a sync, which every acknowledgement waits for, and the time of the disk. */
  private List<CheckResult> disk() {
    Path probe = home.resolve(".doctor-" + ProcessHandle.current().pid());
    try {
      DiskSync measured = DiskSync.measure(probe, InstantSource.system());
      String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
      return List.of(
          measured.check("sync"),
          ClockSkew.check("clock", measured.apart(), "the file system's", now));
    } catch (IOException e) {
      return List.of(
          CheckResult.failed("sync", "cannot write to the home: " + e, "run as its owner"));
    }
  }

  private CheckResult python() {
    String version = printed("python3", "--version");
    if (version.isEmpty()) {
      return CheckResult.warning(
          "python3",
          "not on the PATH",
          "trials and algorithms in Python need it: apt install python3");
    }
    boolean old = version.matches("Python (2\\..*|3\\.[0-6]\\..*)");
    return old
        ? CheckResult.warning("python3", version, "the SDK needs Python 3.7")
        : CheckResult.ok("python3", version);
  }

  /** The first line of what a program prints; empty when it is missing, fails or takes too long. */
  private String printed(String program, String... arguments) {
    Path file = SearchPath.of(environment).find(program).orElse(null);
    if (file == null) {
      return "";
    }
    List<String> line = new ArrayList<>(List.of(file.toString()));
    line.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      process.getOutputStream().close();
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return "";
      }
      String text =
          new String(process.getInputStream().readNBytes(1000), StandardCharsets.UTF_8).strip();
      return process.exitValue() == 0 ? text.lines().findFirst().orElse("") : "";
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
