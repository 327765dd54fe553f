package io.orrery.core.style;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The exceptions from the style rules: a number for each file and rule, which may only fall. A line
 * of the file is {@code PATH RULE NUMBER}; it is sorted, so that changes of different files merge.
 */
record Ratchet(Map<Key, Integer> allowed) {
  /** A file and a rule, in the order of the ratchet file. */
  record Key(String path, String rule) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::path).thenComparing(Key::rule);

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }

    String name() {
      return path.substring(path.lastIndexOf('/') + 1);
    }
  }

  static Ratchet read(Path file) throws IOException {
    Map<Key, Integer> allowed = new TreeMap<>();
    for (String line : Files.readAllLines(file)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        // Paths may have spaces, rules and numbers have none.
        int number = line.lastIndexOf(' ');
        int rule = line.lastIndexOf(' ', number - 1);
        Key key = new Key(line.substring(0, rule), line.substring(rule + 1, number));
        allowed.put(key, Integer.valueOf(line.substring(number + 1)));
      }
    }
    return new Ratchet(allowed);
  }

  /** Returns a ratchet that allows the findings and no more. */
  static Ratchet of(Collection<Finding> findings) {
    return new Ratchet(
        findings.stream()
            .collect(
                Collectors.toMap(
                    finding -> new Key(finding.path(), finding.rule().id()),
                    ignored -> 1,
                    Integer::sum,
                    TreeMap::new)));
  }

  /** Returns the findings of each file and rule of which there are more than are allowed. */
  List<Finding> excess(Collection<Finding> findings) {
    Map<Key, Integer> found = of(findings).allowed;
    return findings.stream()
        .filter(finding -> {
          Key key = new Key(finding.path(), finding.rule().id());
          return found.getOrDefault(key, 0) > allowed.getOrDefault(key, 0);
        })
        .toList();
  }

  /** Returns a line for each file and rule of which there are fewer than are allowed. */
  List<String> slack(Collection<Finding> findings) {
    Map<Key, Integer> found = of(findings).allowed;
    List<String> lines = new ArrayList<>();
    allowed.forEach((key, number) -> {
      int now = found.getOrDefault(key, 0);
      if (now < number) {
        lines.add(key.path() + ": " + key.rule() + ": " + number + " listed, " + now + " found");
      }
    });
    return lines;
  }

  /**
   * Returns a ratchet that is lowered to the findings and raised nowhere. A file that was moved and
   * kept its name keeps its exceptions.
   *
   * @param exists says whether a path is a file of the repository
   */
  Ratchet lowered(Collection<Finding> findings, Predicate<String> exists) {
    Map<Key, Integer> lower = new TreeMap<>();
    of(findings)
        .allowed
        .forEach((key, now) -> {
          int limit = Math.min(now, allowed.getOrDefault(key, movedTo(key, exists)));
          if (limit > 0) {
            lower.put(key, limit);
          }
        });
    return new Ratchet(lower);
  }

  private int movedTo(Key key, Predicate<String> exists) {
    List<Integer> gone =
        allowed.entrySet().stream()
            .filter(entry -> entry.getKey().rule().equals(key.rule()))
            .filter(entry -> entry.getKey().name().equals(key.name()))
            .filter(entry -> !exists.test(entry.getKey().path()))
            .map(Map.Entry::getValue)
            .toList();
    return gone.size() == 1 ? gone.getFirst() : 0;
  }

  void write(Path file, String head) throws IOException {
    String lines =
        allowed.entrySet().stream()
            .map(e -> e.getKey().path() + " " + e.getKey().rule() + " " + e.getValue() + "\n")
            .collect(Collectors.joining());
    Files.writeString(file, head + lines);
  }
}
