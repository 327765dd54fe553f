package io.orrery.compute.runtime.replica;

import io.orrery.core.file.DirectoryTree;
import io.orrery.core.workload.WorkloadSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;

/**
 * The small files of a specification on this machine: a directory beside that in which the program
 * starts. Any user may read them, such as the one of a container; the directories above let only
 * the owner in.
 */
public final class ConfigFiles {
  private ConfigFiles() {}

  /**
   * The directory of the files of a replica.
   *
   * @param work the replica's own directory, in which it starts
   */
  public static Path of(Path work) {
    return work.resolveSibling("config");
  }

  /** Writes the files before a start, in place of those that are there; nothing for none. */
  public static void write(WorkloadSpec spec, Path work) throws IOException {
    if (spec.files().isEmpty()) {
      return;
    }
    Path directory = of(work);
    DirectoryTree.delete(directory);
    make(directory);
    for (Map.Entry<String, String> file : spec.files().entrySet()) {
      Path path = directory.resolve(file.getKey()).normalize();
      if (!path.startsWith(directory) || path.equals(directory)) {
        throw new IOException("the file " + file.getKey() + " lies outside of its directory");
      }
      make(Objects.requireNonNull(path.getParent()));
      Files.writeString(path, file.getValue());
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));
    }
  }

  private static void make(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory);
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }
}
