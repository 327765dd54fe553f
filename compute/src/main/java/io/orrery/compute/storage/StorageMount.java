package io.orrery.compute.storage;

import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.experiment.SharedStorageSpec.Nfs;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A directory that should be a mounted one. It is mounted here only where the server may already:
 * as root, or where {@code /etc/fstab} lets users. Blocks.
 */
final class StorageMount {
  private static final String WHAT = "shared storage";
  private static final String AT = "/sharedStorage/localMountPoint";
  private static final int PATIENCE_SECONDS = 30;
  private static final List<String> OF_USERS = List.of("user", "users", "owner");

  private final Nfs nfs;
  private final Path table;
  private final boolean root;

  StorageMount(Nfs nfs) {
    this(nfs, Path.of("/etc/fstab"), "root".equals(System.getProperty("user.name")));
  }

  /**
   * @param table of file systems, as fstab(5)
   * @param root whether everything may be mounted
   */
  StorageMount(Nfs nfs, Path table, boolean root) {
    this.nfs = nfs;
    this.table = table;
    this.root = root;
  }

  private Path point() {
    return Path.of(nfs.local());
  }

  /** What speaks against it now. */
  List<Finding> findings() {
    if (nfs.mounts() && !isMounted()) {
      String why = obstacle();
      return why == null ? List.of() : List.of(new Finding("/sharedStorage/localMounted", why));
    }
    if (!Files.isDirectory(point())) {
      return List.of(
          new Finding(AT, "there is no directory " + point() + ": mount it first, " + command()));
    }
    return Files.isWritable(point())
        ? List.of()
        : List.of(new Finding(AT, "the server may not write to " + point()));
  }

  /** How it is, for who looks before an experiment. Mounts nothing. */
  Item check() {
    List<Finding> findings = findings();
    if (!findings.isEmpty()) {
      return Item.bad(
          WHAT, findings.getFirst().message(), "mount it as a user who may: " + command());
    }
    if (isMounted()) {
      return Item.good(WHAT, point() + " is mounted, and the server writes there");
    }
    return nfs.mounts()
        ? Item.good(WHAT, point() + " will be mounted")
        : Item.doubtful(
            WHAT,
            point() + " is a directory of this machine's own disk",
            "trials elsewhere see it only if it is exported to them; else " + command());
  }

  /** Sees to it that it is there; may be repeated. */
  void open() throws IOException, InterruptedException {
    if (nfs.mounts() && !isMounted()) {
      String why = obstacle();
      if (why != null) {
        throw new Problem.Refused(new Finding("/sharedStorage/localMounted", why)).toException();
      }
      Files.createDirectories(point());
      mount();
    }
    List<Finding> findings = findings();
    if (!findings.isEmpty()) {
      throw Problem.Refused.of(findings).toException();
    }
  }

  private void mount() throws IOException, InterruptedException {
    List<String> command =
        root
            ? List.of("mount", "-t", "nfs", source(), point().toString())
            : List.of("mount", point().toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      // The helper that it waits for holds the pipe that is read below.
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    byte[] said = process.getInputStream().readAllBytes();
    // Another trial may have mounted it in the meantime.
    if (process.waitFor() != 0 && !isMounted()) {
      throw new Problem.Refused(
              new Finding(
                  "/sharedStorage/localMounted",
                  String.join(" ", command)
                      + " failed: "
                      + new String(said, StandardCharsets.UTF_8).strip()))
          .toException();
    }
  }

  /** Why it cannot be mounted here; null when it can. */
  private @Nullable String obstacle() {
    if (root || isOfUsers()) {
      return null;
    }
    return "the server may not mount "
        + point()
        + ": it is not root, uses no sudo, and /etc/fstab lets no user; mount it and say usermount,"
        + " "
        + command();
  }

  private String command() {
    return "mount -t nfs " + source() + " " + point();
  }

  private String source() {
    return nfs.server() == null ? "SERVER:DIRECTORY" : nfs.server() + ":" + nfs.export();
  }

  private boolean isOfUsers() {
    try {
      return Files.readAllLines(table).stream()
          .map(line -> line.strip().split("\\s+"))
          .anyMatch(words ->
              words.length > 3
                  && words[1].equals(point().toString())
                  && Arrays.stream(words[3].split(",")).anyMatch(OF_USERS::contains));
    } catch (IOException none) {
      return false;
    }
  }

  /** Whether it lies on another file system than what it is in. */
  private boolean isMounted() {
    Path above = point().getParent();
    try {
      return above != null
          && Files.isDirectory(point())
          && !Files.getAttribute(point(), "unix:dev").equals(Files.getAttribute(above, "unix:dev"));
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }
}
