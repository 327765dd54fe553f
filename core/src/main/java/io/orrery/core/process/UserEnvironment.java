package io.orrery.core.process;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The environment variables that programs of the user inherit: those of this process, with the
 * locale that the user has set.
 *
 * <p>The launcher starts Java with {@code LC_ALL=C.UTF-8} where the locale has no UTF-8, because
 * Java decodes file names as the locale says, and leaves the former value in {@value #FORMER}.
 */
public final class UserEnvironment {
  /** The {@code LC_ALL} that the launcher has replaced; empty when there was none. */
  private static final String FORMER = "ORRERY_USER_LC_ALL";

  private static final String LOCALE = "LC_ALL";

  private UserEnvironment() {}

  /** The environment of this process as its user has it. */
  public static Map<String, String> get() {
    return of(System.getenv());
  }

  /** The same of another environment, which is not changed. */
  public static Map<String, String> of(Map<String, String> environment) {
    Map<String, String> users = new LinkedHashMap<>(environment);
    String former = users.remove(FORMER);
    if (former != null) {
      if (former.isEmpty()) {
        users.remove(LOCALE);
      } else {
        users.put(LOCALE, former);
      }
    }
    return users;
  }
}
