package io.orrery.gateway.launch;

import io.orrery.core.file.HomeList;
import io.orrery.core.problem.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * The databases of a home, which nothing but its {@link HomeList} tells of once one is removed with
 * all that lay beside it.
 */
final class HomeParts {
  private static final List<String> DATABASES = List.of("orrery.db", "metrics/chunks.db");

  private final Path home;
  private final HomeList list;

  HomeParts(Path home) {
    this.home = home;
    this.list = new HomeList(home);
  }

  /**
   * Looks for the databases that there were.
   *
   * @throws io.orrery.core.problem.ProblemException Conflict that names what is missing
   */
  void check() throws IOException {
    Set<String> known = list.names();
    for (String part : DATABASES) {
      if (known.contains(part) && !Files.exists(home.resolve(part))) {
        throw new Problem.Conflict(
                "%s is missing, and this home had it; put it back from a backup, or delete %s and %s.sha256 to go on without what was in it"
                    .formatted(home.resolve(part), list.file(), list.file()))
            .toException();
      }
    }
  }

  /** Notes what is there now: databases, and files that have digests. */
  void note() throws IOException {
    list.note(DATABASES.stream().filter(part -> Files.exists(home.resolve(part))).toList());
  }
}
