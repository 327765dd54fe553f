package io.orrery.benchmarks.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The figures of other tuners on the same problems, from {@code peers.json}; none without it. */
final class Peers {
  /** What random search is called there. */
  static final String RANDOM = "random";

  private final JsonNode document;
  private final String mode;

  Peers(JsonNode document, String mode) {
    this.document = document;
    this.mode = mode;
  }

  static Peers read(Path folder, String mode) throws IOException {
    Path file = folder.resolve("peers.json");
    return new Peers(
        Files.exists(file) ? Json.parse(Files.readString(file)) : MissingNode.getInstance(), mode);
  }

  /** The peers that have figures on each of these problems, failures among them. */
  List<String> on(List<String> problems) {
    List<String> names = new ArrayList<>();
    document.path("peers").properties().forEach(peer -> names.add(peer.getKey()));
    names.removeIf(peer -> problems.stream().anyMatch(p -> !figures(p).has(peer)));
    return names;
  }

  /** The groups of problems that the document aggregates in this mode. */
  Map<String, List<String>> groups() {
    Map<String, List<String>> groups = new LinkedHashMap<>();
    document
        .path("aggregate")
        .properties()
        .forEach(group -> {
          if (group.getKey().startsWith(mode)) {
            List<String> problems = new ArrayList<>();
            group.getValue().path("problems").forEach(problem -> problems.add(problem.asText()));
            groups.put(group.getKey(), problems);
          }
        });
    return groups;
  }

  /** The peers of a group; those that took part by its own account. */
  List<String> of(String group) {
    return document
        .path("aggregate")
        .path(group)
        .path("peers")
        .propertyStream()
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The mean normalised regret; NaN when the peer failed or was not there. */
  double mean(String peer, String problem, int results) {
    return figures(problem)
        .path(peer)
        .path("mean")
        .path(Integer.toString(results))
        .asDouble(Double.NaN);
  }

  /** Processor time in milliseconds; NaN when not there. */
  double cpuMsPerSuggestion(String peer, String problem) {
    return figures(problem).path(peer).path("cpu_ms_per_suggestion").asDouble(Double.NaN);
  }

  private JsonNode figures(String problem) {
    return document.path(mode).path(problem);
  }
}
