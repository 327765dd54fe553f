package io.orrery.cli.doctor;

import io.orrery.core.process.SearchPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Checks of the machine: Java, the home and its disk, the clock, programs. */
final class MachineChecks {
  private static final long LITTLE_ROOM = 1L << 30;
  private static final long NO_ROOM = 64L << 20;
  private static final Duration SLOW_SYNC = Duration.ofMillis(50);
  private static final Duration BAD_SYNC = Duration.ofMillis(500);
  private static final Duration CLOCK = Duration.ofSeconds(2);
  private static final int SYNCS = 9;

  private final Path home;
  private final Map<String, String> environment;
  private final boolean users;

  /**
   * @param users whether people have accounts: then programs are kept apart
   */
  MachineChecks(Path home, Map<String, String> environment, boolean users) {
    this.home = home;
    this.environment = environment;
    this.users = users;
  }

  List<CheckResult> run() {
    List<CheckResult> results = new ArrayList<>();
    results.add(java());
    if (Files.isDirectory(home)) {
      results.add(permissions());
      results.add(room());
      results.addAll(disk());
    } else {
      results.add(CheckResult.warn("home", home + " is not there", "`orrery up` makes it"));
    }
    results.add(python());
    results.add(sandbox());
    return results;
  }

  private static CheckResult java() {
    String found = System.getProperty("java.version") + " at " + System.getProperty("java.home");
    return Runtime.version().feature() >= 25
        ? CheckResult.ok("java", found)
        : CheckResult.fail("java", found, "install a Java 25");
  }

  private CheckResult permissions() {
    try {
      String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(home));
      String found = home + " of " + Files.getOwner(home).getName() + ", " + mode;
      if (!Files.isWritable(home)) {
        return CheckResult.fail(
            "home", found, "run as its owner, or name another with --home or $ORRERY_HOME");
      }
      return mode.startsWith("rwx------")
          ? CheckResult.ok("home", found)
          : CheckResult.warn("home", found, "chmod 700 it; the next `orrery up` does");
    } catch (IOException e) {
      return CheckResult.fail("home", "cannot be looked at: " + e, "look at the file system");
    }
  }

  private CheckResult room() {
    try {
      FileStore store = Files.getFileStore(home);
      long room = store.getUsableSpace();
      String found =
          "%,d MB free of %,d MB on %s".formatted(room >> 20, store.getTotalSpace() >> 20, store);
      String advice = "make room, or move the home: a full disk stops everything";
      if (room < NO_ROOM) {
        return CheckResult.fail("disk", found, advice);
      }
      return room < LITTLE_ROOM
          ? CheckResult.warn("disk", found, advice)
          : CheckResult.ok("disk", found);
    } catch (IOException e) {
      return CheckResult.fail("disk", "cannot be asked: " + e, "look at the file system");
    }
  }

  /** The duration of a sync, which every acknowledgement waits for, and the time of the disk. */
  private List<CheckResult> disk() {
    Path probe = home.resolve(".doctor-" + ProcessHandle.current().pid());
    try (FileChannel channel =
        FileChannel.open(probe, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      long[] took = new long[SYNCS];
      for (int i = 0; i < SYNCS; i++) {
        channel.write(ByteBuffer.wrap(new byte[4096]));
        long began = System.nanoTime();
        channel.force(false);
        took[i] = System.nanoTime() - began;
      }
      Arrays.sort(took);
      Instant ours = Instant.now();
      Duration apart = Duration.between(Files.getLastModifiedTime(probe).toInstant(), ours).abs();
      return List.of(sync(Duration.ofNanos(took[SYNCS / 2])), clock(apart));
    } catch (IOException e) {
      return List.of(
          CheckResult.fail("sync", "cannot write to the home: " + e, "run as its owner"));
    } finally {
      deleted(probe);
    }
  }

  private static void deleted(Path probe) {
    try {
      Files.deleteIfExists(probe);
    } catch (IOException e) {
      // The check above has said that the home cannot be written.
    }
  }

  private static CheckResult sync(Duration median) {
    String found = "%.1f ms for one (median of %d)".formatted(median.toNanos() / 1e6, SYNCS);
    String advice = "every acknowledgement waits for one: put the home on a local SSD";
    if (median.compareTo(BAD_SYNC) > 0) {
      return CheckResult.fail("sync", found, advice);
    }
    return median.compareTo(SLOW_SYNC) > 0
        ? CheckResult.warn("sync", found, advice)
        : CheckResult.ok("sync", found);
  }

  private static CheckResult clock(Duration apart) {
    return apart.compareTo(CLOCK) > 0
        ? CheckResult.warn(
            "clock",
            "%d s apart from the file system's".formatted(apart.toSeconds()),
            "let both follow one time server (chrony, systemd-timesyncd)")
        : CheckResult.ok("clock", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
  }

  private CheckResult python() {
    String version = printed("python3", "--version");
    if (version.isEmpty()) {
      return CheckResult.warn(
          "python3",
          "not on the PATH",
          "trials and algorithms in Python need it: apt install python3");
    }
    boolean old = version.matches("Python (2\\..*|3\\.[0-6]\\..*)");
    return old
        ? CheckResult.warn("python3", version, "the SDK needs Python 3.7")
        : CheckResult.ok("python3", version);
  }

  private CheckResult sandbox() {
    String version = printed("bwrap", "--version");
    if (version.isEmpty()) {
      return users
          ? CheckResult.fail(
              "sandbox",
              "bwrap is not on the PATH, and people have accounts",
              "apt install bubblewrap, or say auth.sandbox: none")
          : CheckResult.ok("sandbox", "bwrap is not installed; without accounts nothing needs it");
    }
    boolean works = !printed("bwrap", "--ro-bind", "/", "/", "echo", "works").isEmpty();
    if (works) {
      return CheckResult.ok("sandbox", version);
    }
    String advice = "allow user namespaces (sysctl kernel.unprivileged_userns_clone=1)";
    String found = version + " cannot make a sandbox here";
    return users
        ? CheckResult.fail("sandbox", found, advice + ", or say auth.sandbox: none")
        : CheckResult.warn("sandbox", found, advice);
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
