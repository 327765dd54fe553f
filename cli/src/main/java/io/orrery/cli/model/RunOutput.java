package io.orrery.cli.model;

import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.core.bus.contract.Artifacts;
import io.orrery.core.code.CodeArchive;
import io.orrery.core.code.CodeLimits;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A reference to an output of a step of a run, as {@code RUN/STEP/NAME}.
 *
 * @param name of the output
 */
record RunOutput(String run, String step, String name) {
  /** Reads a reference; refuses a text that is none. */
  static RunOutput of(String text) {
    String[] parts = text.split("/", -1);
    if (parts.length != 3 || parts[0].isEmpty() || parts[1].isEmpty() || parts[2].isEmpty()) {
      throw CommandFailure.refused(
          "--from-run must be RUN/STEP/NAME, such as 7f3a/train/model; this is " + text);
    }
    return new RunOutput(parts[0], parts[1], parts[2]);
  }

  /**
   * Fetches the output into an empty directory.
   *
   * @return the file, or the directory that a directory was unpacked to
   */
  Path fetch(Api api, Path directory) throws IOException {
    String kind =
        api.get(Resource.of("runs", run, "steps", step))
            .path("outputs")
            .path(name)
            .path("kind")
            .asText();
    Path file = directory.resolve(name);
    try (OutputStream out = Files.newOutputStream(file)) {
      api.copy(Resource.of("runs", run, "artifacts", step, name), out);
    }
    if (!kind.equals("directory")) {
      return file;
    }
    Path unpacked = Files.createTempDirectory(directory, "files");
    try (InputStream tar = Files.newInputStream(file)) {
      CodeArchive.unpack(tar, unpacked, new CodeLimits(2 * Artifacts.MOST_FILES, Long.MAX_VALUE));
    }
    return unpacked;
  }

  /**
   * A file or directory of the output.
   *
   * @param fetched the whole output
   * @param path in it; null for all of it
   */
  Path part(Path fetched, @Nullable String path) {
    if (path == null) {
      return fetched;
    }
    Path part = fetched.resolve(path).normalize();
    if (!part.startsWith(fetched) || !Files.exists(part, LinkOption.NOFOLLOW_LINKS)) {
      throw CommandFailure.refused(
          "the output %s of step %s of run %s has no file or directory %s"
              .formatted(name, step, run, path));
    }
    return part;
  }
}
