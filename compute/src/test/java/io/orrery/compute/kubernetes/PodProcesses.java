package io.orrery.compute.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The processes of this machine that carry the mark of a pod of a {@link Node}. */
final class PodProcesses {
  private PodProcesses() {}

  static void kill(String uid) {
    try {
      List<ProcessHandle> found = of(uid);
      while (!found.isEmpty()) {
        found.forEach(ProcessHandle::destroyForcibly);
        found = of(uid);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<ProcessHandle> of(String uid) throws IOException {
    List<ProcessHandle> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : all) {
        try {
          String environment =
              Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
          if (environment.contains(Node.MARK + "=" + uid + "\0")) {
            ProcessHandle.of(Long.parseLong(process.getFileName().toString()))
                .ifPresent(found::add);
          }
        } catch (IOException notOursOrGone) {
          continue;
        }
      }
    }
    return found;
  }
}
