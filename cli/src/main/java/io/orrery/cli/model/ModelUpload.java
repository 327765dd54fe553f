package io.orrery.cli.model;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.core.artifact.ArtifactPath;
import io.orrery.core.bus.contract.Artifacts;
import io.orrery.core.digest.Sha256;
import io.orrery.core.file.FileKind;
import io.orrery.core.problem.FileFault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** Uploads a file, or all files of a directory, unless their content is uploaded already. */
final class ModelUpload {
  private static final int BUFFER = 1 << 18;

  private ModelUpload() {}

  /**
   * Uploads what a path names.
   *
   * @return the files, each with {@code path} and {@code digest}
   */
  static ArrayNode send(Api api, Path path) {
    try {
      ArrayNode files = JsonNodeFactory.instance.arrayNode();
      for (Path file : files(path)) {
        String name = name(path, file);
        if (!ArtifactPath.valid(name)) {
          throw CommandFailure.refused(
              "could not upload " + file + ": a path has " + ArtifactPath.RULE);
        }
        String digest = digest(file);
        Resource stored = Resource.of("artifacts", digest);
        if (api.find(stored).isEmpty()) {
          api.put(stored, file, "application/octet-stream");
        }
        files.addObject().put("path", name).put("digest", "sha256:" + digest);
      }
      return files;
    } catch (IOException e) {
      throw CommandFailure.refused("could not read " + path + ": " + FileFault.words(e));
    }
  }

  private static List<Path> files(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      requireFile(path);
      return List.of(path);
    }
    try (Stream<Path> all = Files.walk(path)) {
      List<Path> files = all.filter(each -> !Files.isDirectory(each)).sorted().toList();
      for (Path each : files) {
        requireFile(each);
      }
      if (files.isEmpty() || files.size() > Artifacts.MOST_FILES) {
        throw CommandFailure.refused(
            "could not upload %s: it has %,d files, and a model has 1 to %,d"
                .formatted(path, files.size(), Artifacts.MOST_FILES));
      }
      return files;
    }
  }

  /** Refuses a FIFO, which would be waited for, a socket, a device, and a link to nothing. */
  private static void requireFile(Path file) throws IOException {
    String kind = FileKind.otherThanFile(file);
    if (kind != null) {
      throw CommandFailure.refused(
          "could not upload %s: it is %s, and a model has files".formatted(file, kind));
    }
  }

  private static String name(Path path, Path file) {
    return path.equals(file)
        ? String.valueOf(file.getFileName())
        : path.relativize(file).toString().replace('\\', '/');
  }

  private static String digest(Path file) throws IOException {
    MessageDigest digest = Sha256.begin();
    try (InputStream in = Files.newInputStream(file)) {
      byte[] buffer = new byte[BUFFER];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
