package io.orrery.core.workload;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a replica.
 *
 * @param reason a sentence that says why it is not ready; null when there is nothing to say
 * @param endpoints where each port is reached, {@code host:port} by the name of the port; empty
 *     before it runs
 * @param restarts how often its program was started again
 * @param exitCode of the last program that ended; null when none did, or it is not known
 * @param lastLines the end of what the last program wrote that ended, at most 20 lines
 * @param since when it came into this phase
 */
public record Replica(
    ReplicaRef ref,
    ReplicaPhase phase,
    @Nullable String reason,
    Map<String, String> endpoints,
    int restarts,
    @Nullable Integer exitCode,
    List<String> lastLines,
    Instant since) {
  public Replica {
    endpoints = Map.copyOf(endpoints);
    lastLines = List.copyOf(lastLines);
  }
}
