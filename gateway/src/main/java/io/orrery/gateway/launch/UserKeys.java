package io.orrery.gateway.launch;

import io.orrery.core.config.Config;
import io.orrery.core.config.ConfigKey;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import org.jspecify.annotations.Nullable;

/** The keys of the configuration that give people accounts. */
final class UserKeys {
  static final ConfigKey<Boolean> USERS =
      ConfigKey.flag(
          "auth.users",
          "Whether people have accounts: they sign in with name and password, and belong to"
              + " projects.");

  static final ConfigKey<String> SANDBOX =
      ConfigKey.text(
          "auth.sandbox",
          null,
          "none",
          "How trials of people are kept apart from the server. There is 'none' so far, which says"
              + " that you trust each user with what the server's user may do.");

  private UserKeys() {}

  /**
   * Whether people have accounts. They run programs as the server's user, which its operator has to
   * confirm.
   */
  static boolean read(Config config) {
    @Nullable String sandbox = config.find(SANDBOX);
    if (sandbox != null && !sandbox.equals("none")) {
      throw refused("/auth/sandbox", "auth.sandbox is '" + sandbox + "': it must be none");
    }
    if (config.get(USERS) && sandbox == null) {
      throw refused(
          "/auth/users",
          "auth.users needs auth.sandbox: none, which says that you trust each user with an"
              + " account: trials run as the user of the server, and may read what it reads");
    }
    return config.get(USERS);
  }

  private static RuntimeException refused(String pointer, String message) {
    return new Problem.Refused(new Finding(pointer, message)).toException();
  }
}
