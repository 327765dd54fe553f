package io.orrery.gateway.launch;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.file.KeptFile;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The list of files that a home has had, {@code home.json}, so that one which is gone with all that
 * lay beside it is not taken for one that is yet to be made.
 */
final class HomeParts {
  private static final List<String> ALL = List.of("secret", "orrery.db", "metrics/chunks.db");

  private final Path home;
  private final Path list;

  /**
   * @param home of a server that keeps experiments and metrics in its own files
   */
  HomeParts(Path home) {
    this.home = home;
    this.list = home.resolve("home.json");
  }

  /**
   * Looks for everything that was there.
   *
   * @throws io.orrery.core.problem.ProblemException Conflict that names what is missing
   */
  void check() throws IOException {
    for (String part : known()) {
      if (!Files.exists(home.resolve(part))) {
        throw new Problem.Conflict(
                "%s is missing, and this home had it; put it back from a backup, or delete %s and %s.sha256 to go on without what was in it"
                    .formatted(home.resolve(part), list, list))
            .toException();
      }
    }
  }

  /** Notes what is there now. */
  void note() throws IOException {
    Set<String> known = known();
    Set<String> now = new TreeSet<>(known);
    ALL.stream().filter(part -> Files.exists(home.resolve(part))).forEach(now::add);
    if (!now.equals(known)) {
      String text = Json.write(Map.of("files", now));
      KeptFile.write(list, text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private Set<String> known() throws IOException {
    Optional<byte[]> written = KeptFile.read(list);
    Set<String> known = new TreeSet<>();
    if (written.isPresent()) {
      JsonNode json = Json.parse(new String(written.get(), StandardCharsets.UTF_8));
      json.path("files").forEach(part -> known.add(part.asText()));
    }
    return known;
  }
}
