package io.orrery.gateway.auth;

import io.orrery.core.access.UserRole;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The role of a token of the configuration. */
public enum Role {
  /** Everything. */
  ADMIN,
  /** Looks, and changes nothing: GET and HEAD, but no WebSocket, which carries what is written. */
  VIEWER;

  /** The names as the configuration spells them. */
  static List<String> words() {
    return Arrays.stream(values()).map(Role::word).toList();
  }

  static Optional<Role> of(String word) {
    return Arrays.stream(values()).filter(role -> role.word().equals(word)).findFirst();
  }

  /** As the configuration and the API spell it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The same as a role of callers. */
  UserRole ofUser() {
    return switch (this) {
      case ADMIN -> UserRole.ADMIN;
      case VIEWER -> UserRole.VIEWER;
    };
  }
}
