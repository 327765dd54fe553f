package io.orrery.core.process;

import java.nio.file.Path;
import java.util.Map;

/**
 * The home directory of the user, which {@code ~} stands for: as a shell and Python find it, where
 * {@code HOME} says, before the list of users is asked. Java asks that list alone.
 */
public final class UserHome {
  private UserHome() {}

  /**
   * @param environment of the process; an empty {@code HOME} says nothing
   */
  public static Path of(Map<String, String> environment) {
    String home = environment.getOrDefault("HOME", "");
    return Path.of(home.isEmpty() ? System.getProperty("user.home") : home);
  }
}
