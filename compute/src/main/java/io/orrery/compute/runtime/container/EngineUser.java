package io.orrery.compute.runtime.container;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds the user that the server is in a container of an engine. */
final class EngineUser {
  private static final Path SELF = Path.of("/proc/self");

  private EngineUser() {}

  /**
   * The server's user in a container, as {@code uid:gid}: root of an engine without root, which has
   * its own user as root, else the same numbers as outside.
   *
   * @return null when the socket is not there
   */
  static @Nullable String of(Path socket) {
    try {
      Object engine = Files.getAttribute(socket, "unix:uid");
      return engine.equals(0)
          ? Files.getAttribute(SELF, "unix:uid") + ":" + Files.getAttribute(SELF, "unix:gid")
          : "0:0";
    } catch (IOException notThere) {
      return null;
    }
  }
}
