package io.orrery.compute.runtime.container;

import io.orrery.core.access.ProjectName;
import io.orrery.core.digest.Sha256;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The memory of images that were pulled with a password: they lie in the engine for all, and
 * another project may use one only after it has pulled it with a password of its own. Files, one
 * for each image and project. Thread safe; blocks.
 */
final class PulledImages {
  private final Path directory;

  PulledImages(Path home, ContainerCluster cluster) {
    this.directory = home.resolve("pulled").resolve(Sha256.hex(cluster.socket().toString(), 8));
  }

  private Path of(String image) {
    return directory.resolve(Sha256.hex(image, 16));
  }

  /** Whether a project may start an image that the engine has. */
  boolean isOpenTo(@Nullable ProjectName project, String image) {
    Path folder = of(image);
    return !Files.isDirectory(folder)
        || (project != null && Files.exists(folder.resolve(project.value())));
  }

  /** Notes that a project has pulled an image with a password. */
  void note(ProjectName project, String image) throws IOException {
    Path folder = Files.createDirectories(of(image));
    try {
      Files.createFile(folder.resolve(project.value()));
    } catch (FileAlreadyExistsException known) {
      // It was pulled with a password before.
      return;
    }
  }
}
