package io.orrery.gateway.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.ServerRole;
import io.orrery.core.config.Config;
import io.orrery.core.config.ConfigKey;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.text.Nearest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parts of the server that a process runs. */
public final class Roles {
  private static final List<String> WORDS =
      Arrays.stream(ServerRole.values()).map(ServerRole::word).toList();

  public static final ConfigKey<Set<ServerRole>> KEY =
      new ConfigKey<>(
          "roles",
          null,
          "a list of " + String.join(", ", WORDS) + ", in a variable with commas between",
          "Which parts of the server this process runs: all when it is not set. What it does not"
              + " run, other servers of its cluster do.",
          Roles::read);

  private Roles() {}

  /**
   * The roles of a process.
   *
   * @param cluster the servers that have the rest; null when there are none
   * @param advertised what trials call back; null when that is not said
   * @throws io.orrery.core.problem.ProblemException Refused when a part would be missing
   */
  public static Set<ServerRole> of(
      Config config, @Nullable ClusterConfig cluster, @Nullable String advertised) {
    Set<ServerRole> some = config.find(KEY);
    Set<ServerRole> roles = some == null ? ServerRole.all() : some;
    if (cluster == null && !roles.equals(ServerRole.all())) {
      throw refused(
          "roles is %s, and this server works alone: cluster.members says where the servers are"
              + " that have the other roles",
          roles);
    }
    if (!roles.contains(ServerRole.GATEWAY)
        && (roles.contains(ServerRole.ORCHESTRATOR) || roles.contains(ServerRole.TUNER))
        && advertised == null) {
      throw refused(
          "roles is %s without gateway: http.advertiseUrl says where trials reach a server that has"
              + " it",
          roles);
    }
    return roles;
  }

  private static RuntimeException refused(String sentence, Set<ServerRole> roles) {
    return new Problem.Refused(new Finding("/roles", sentence.formatted(ServerRole.words(roles))))
        .toException();
  }

  private static Set<ServerRole> read(JsonNode value) {
    List<String> words = new ArrayList<>();
    if (value.isArray()) {
      value.forEach(word -> words.add(word.asText()));
    } else {
      words.addAll(List.of(value.asText().split(",", -1)));
    }
    Set<ServerRole> roles = EnumSet.noneOf(ServerRole.class);
    for (String word : words) {
      roles.add(ServerRole.of(word.strip()).orElseThrow(() -> unknown(word.strip())));
    }
    if (roles.isEmpty()) {
      throw new IllegalArgumentException();
    }
    return roles;
  }

  private static RuntimeException unknown(String word) {
    return new Problem.Refused(
            new Finding(
                "",
                "there is no role '%s'%s; there are %s"
                    .formatted(word, Nearest.hint(word, WORDS), String.join(", ", WORDS))))
        .toException();
  }
}
