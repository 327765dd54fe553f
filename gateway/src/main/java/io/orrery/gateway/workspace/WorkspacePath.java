package io.orrery.gateway.workspace;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.workload.Workspaces;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A path in the directory of a person.
 *
 * @param names from the directory on; none for itself
 */
record WorkspacePath(String user, List<String> names) {
  /** The beginning of the names of files that are being uploaded, which are not shown. */
  static final String PART = ".orrery-part-";

  private static final int MOST_DEPTH = 100;
  private static final int MOST_NAME_BYTES = 255;
  private static final int MOST_CHARACTERS = 3000;

  WorkspacePath {
    names = List.copyOf(names);
  }

  /**
   * Reads a path that is written with slashes, from the directory of the person on, or as its
   * programs see it ({@code /mnt/<user>/x}).
   *
   * @throws ProblemException Refused when it could lead elsewhere, or can be no path
   */
  static WorkspacePath read(String user, String text) {
    if (text.length() > MOST_CHARACTERS) {
      throw refused("a path has at most %,d characters".formatted(MOST_CHARACTERS));
    }
    String shown = Workspaces.shownAt(user).toString();
    String inside =
        text.equals(shown) || text.startsWith(shown + "/") ? text.substring(shown.length()) : text;
    List<String> names = new ArrayList<>();
    for (String name : inside.split("/", -1)) {
      if (name.isEmpty()) {
        continue;
      }
      check(name);
      names.add(name);
    }
    if (names.size() > MOST_DEPTH) {
      throw refused("a path has at most %d names".formatted(MOST_DEPTH));
    }
    return new WorkspacePath(user, names);
  }

  private static void check(String name) {
    if (name.equals(".") || name.equals("..")) {
      throw refused("a path here has no '.' and no '..'");
    }
    if (name.chars().anyMatch(c -> c < ' ' || c == 0x7F)) {
      throw refused("a name has no control characters");
    }
    if (name.startsWith(PART)) {
      throw refused("names that begin with " + PART + " belong to uploads under way");
    }
    if (name.getBytes(StandardCharsets.UTF_8).length > MOST_NAME_BYTES) {
      throw refused("a name has at most %d bytes".formatted(MOST_NAME_BYTES));
    }
  }

  private static ProblemException refused(String why) {
    return new Problem.Refused(new Finding("", why)).toException();
  }

  boolean isRoot() {
    return names.isEmpty();
  }

  /** The last name; empty for the directory of the person itself. */
  String name() {
    return names.isEmpty() ? "" : names.getLast();
  }

  WorkspacePath parent() {
    return new WorkspacePath(user, names.subList(0, Math.max(0, names.size() - 1)));
  }

  /** A path below this one; refused as {@link #read} does. */
  WorkspacePath with(String text) {
    List<String> all = new ArrayList<>(names);
    all.addAll(read(user, text).names);
    if (all.size() > MOST_DEPTH) {
      throw refused("a path has at most %d names".formatted(MOST_DEPTH));
    }
    return new WorkspacePath(user, all);
  }

  /** Whether another path is this one or lies below it. */
  boolean holds(WorkspacePath other) {
    return other.names.size() >= names.size() && other.names.subList(0, names.size()).equals(names);
  }

  /** The path from the directory of the person on; empty for itself. */
  Path below() {
    return Path.of(String.join("/", names));
  }

  /** As the programs of the person see it. */
  @Override
  public String toString() {
    String shown = Workspaces.shownAt(user).toString();
    return names.isEmpty() ? shown : shown + "/" + String.join("/", names);
  }
}
