package io.orrery.core.workload;

import io.orrery.core.access.UserName;
import io.orrery.core.digest.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * The directories of users: each person has one, whose files outlive every program, and one for
 * what is kept. Programs in a sandbox or container see them at {@code /mnt/<user>} and {@code
 * /archives/<user>}.
 *
 * @param root that holds all of them
 */
public record Workspaces(Path root) {
  private static final String SHOWN = "/mnt";

  /** The directory below which programs see what people have archived. */
  public static final String ARCHIVES = "/archives";

  private static final int DIGITS = 12;

  /** Those below a directory of a server. */
  public static Workspaces in(Path directory) {
    return new Workspaces(directory.resolve("workspaces"));
  }

  /**
   * The name of a user's directory: the user's own where it can be part of a path and of a label,
   * else its digest, so that no two users share one.
   */
  public static String directoryName(String user) {
    return UserName.valid(user) ? user : "user-" + Sha256.hex(user).substring(0, DIGITS);
  }

  /** The path at which programs of a user see the directory where they can. */
  public static Path shownAt(String user) {
    return Path.of(SHOWN, directoryName(user));
  }

  /**
   * Whether programs see a workspace at a path: it lies below {@code /mnt}, and the machine itself
   * has nothing there. Blocks.
   */
  public static boolean shows(Path path) {
    return path.startsWith(SHOWN)
        && path.getNameCount() > 1
        && !Files.exists(Path.of(SHOWN).resolve(path.getName(1)));
  }

  /**
   * Finds a directory of a user's workspace that is named as programs see it.
   *
   * @param named absolute and normal
   * @return empty when it is none of this user's
   */
  public Optional<Path> located(String user, Path named) {
    Path shown = shownAt(user);
    return !user.isEmpty() && named.startsWith(shown) && shows(named)
        ? Optional.of(of(user).resolve(shown.relativize(named)))
        : Optional.empty();
  }

  /** The directory of a user, which may not be there yet. */
  public Path of(String user) {
    return root.resolve(directoryName(user));
  }

  /** The path at which programs of a user see the archive where they can. */
  public static Path archiveShownAt(String user) {
    return Path.of(ARCHIVES, directoryName(user));
  }

  /** The archive of a user, beside the workspaces, which may not be there yet. */
  public Path archiveOf(String user) {
    return root.resolveSibling("archives").resolve(directoryName(user));
  }

  /** The archive of a user, made when it is missing, for the server's own user alone. Blocks. */
  public Path archiveMade(String user) throws IOException {
    return made(archiveOf(user));
  }

  /** The directory of a user, made when it is missing, for the server's own user alone. Blocks. */
  public Path made(String user) throws IOException {
    return made(of(user));
  }

  private static Path made(Path directory) throws IOException {
    return Files.createDirectories(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }
}
