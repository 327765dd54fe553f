package io.orrery.core.access;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The role of a caller on the whole server. */
public enum UserRole {
  /** Does everything, in every project. */
  ADMIN,
  /** Does what its roles in projects allow. */
  USER,
  /** Reads, and changes nothing. */
  VIEWER;

  /** As the configuration and the API spell it. */
  @JsonValue
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The role of a word; empty when there is none. */
  public static Optional<UserRole> of(String word) {
    return Arrays.stream(values()).filter(role -> role.word().equals(word)).findFirst();
  }

  /** All words, in the order of the roles. */
  public static List<String> words() {
    return Arrays.stream(values()).map(UserRole::word).toList();
  }

  @JsonCreator
  static UserRole read(String word) {
    return of(word).orElseThrow(() -> new IllegalArgumentException("not a role: " + word));
  }
}
