package io.orrery.core.access;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The role of a user in one project. */
public enum ProjectRole {
  /** Everything in the project, its members and settings included. */
  CREATOR,
  /** Stops, restarts and scales everything of the project; creates and changes nothing. */
  OPS,
  /** Creates objects, changes its own, sees everything of the project. */
  MEMBER,
  /** Sees everything of the project. */
  VIEWER;

  /** As the API spells it. */
  @JsonValue
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The role of a word; empty when there is none. */
  public static Optional<ProjectRole> of(String word) {
    return Arrays.stream(values()).filter(role -> role.word().equals(word)).findFirst();
  }

  /** All words, in the order of the roles. */
  public static List<String> words() {
    return Arrays.stream(values()).map(ProjectRole::word).toList();
  }

  @JsonCreator
  static ProjectRole read(String word) {
    return of(word).orElseThrow(() -> new IllegalArgumentException("not a role: " + word));
  }
}
