package io.orrery.core.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a step that several pods are together: a leader, which gives the outputs, workers and
 * parameter servers, as an operator of the cluster starts them.
 *
 * @param workers besides the leader
 * @param servers of parameters
 */
public record StepTeam(Kind kind, int workers, int servers) {
  /** The most pods of a role. */
  public static final int MOST_PODS = 1_000;

  /** The objects of operators that can be a step. */
  public enum Kind {
    TFJOB("chief"),
    PYTORCHJOB("master"),
    FRAMEWORK("master");

    private final String leader;

    Kind(String leader) {
      this.leader = leader;
    }

    /** The role that speaks for the step. */
    public String leader() {
      return leader;
    }

    /** As documents name it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it has parameter servers. */
    public boolean hasServers() {
      return this != PYTORCHJOB;
    }

    /** The kind of a word; null when there is none. */
    public static @Nullable Kind of(String word) {
      return List.of(values()).stream()
          .filter(kind -> kind.word().equals(word))
          .findFirst()
          .orElse(null);
    }
  }

  /** Reads what {@link #settings} has made; null for a step of one pod. */
  static @Nullable StepTeam of(JsonNode settings) {
    Kind kind = Kind.of(settings.path("kind").asText());
    return kind == null
        ? null
        : new StepTeam(kind, settings.path("workers").asInt(), settings.path("servers").asInt());
  }

  Map<String, Object> settings() {
    return Map.of("kind", kind.word(), "workers", workers, "servers", servers);
  }

  /** The number of pods of each role that it has, the leader first. */
  public Map<String, Integer> roles() {
    Map<String, Integer> roles = new LinkedHashMap<>();
    roles.put(kind.leader(), 1);
    if (workers > 0) {
      roles.put("worker", workers);
    }
    if (servers > 0) {
      roles.put("ps", servers);
    }
    return roles;
  }

  /** All of its pods. */
  public int pods() {
    return 1 + workers + servers;
  }
}
