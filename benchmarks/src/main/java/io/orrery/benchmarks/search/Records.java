package io.orrery.benchmarks.search;

import com.fasterxml.jackson.core.type.TypeReference;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The records that tuners reached when they were last recorded, by mode and name: a file beside the
 * code.
 */
record Records(Map<String, Map<String, Entry>> modes) {
  /** How many standard errors worse a tuner must be to have got worse: 1 % of equal ones are. */
  private static final double SIGNIFICANT = 2.33;

  /**
   * A tuner's figure.
   *
   * @param problems those it was taken on; others cannot be compared
   * @param meanLogRatio the mean over seeds and problems of ln((r + 1e-4)/(mean r of random +
   *     1e-4))
   * @param spread the standard deviation over seeds of the mean over problems
   */
  record Entry(List<String> problems, int seeds, double meanLogRatio, double spread) {
    /** Whether this is significantly worse than an earlier one, on the same problems. */
    boolean worseThan(Entry earlier) {
      double error =
          Math.sqrt(spread * spread / seeds + earlier.spread * earlier.spread / earlier.seeds);
      return problems.equals(earlier.problems)
          && meanLogRatio - earlier.meanLogRatio > SIGNIFICANT * Math.max(error, 1e-9);
    }
  }

  /** The ones that came with the program. */
  static Records standard() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(Records.class.getResourceAsStream("records.json"))) {
      return new Records(
          Json.MAPPER.readValue(in, new TypeReference<Map<String, Map<String, Entry>>>() {}));
    }
  }

  @Nullable Entry find(String mode, String tuner) {
    return modes.getOrDefault(mode, Map.of()).get(tuner);
  }

  /** These with one more, or another in its place. */
  Records with(String mode, String tuner, Entry entry) {
    Map<String, Map<String, Entry>> more = new TreeMap<>(modes);
    Map<String, Entry> tuners = new TreeMap<>(more.getOrDefault(mode, Map.of()));
    tuners.put(tuner, entry);
    more.put(mode, tuners);
    return new Records(more);
  }

  void write(Path file) throws IOException {
    Files.writeString(
        file, Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(modes) + "\n");
  }
}
