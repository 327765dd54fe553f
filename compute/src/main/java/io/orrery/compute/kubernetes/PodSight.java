package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.kubernetes.Metadata;
import io.orrery.kubernetes.WatchedObject;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a pod that runs one container.
 *
 * @param annotations its annotations
 * @param deleted whether it is being deleted
 * @param over whether all its processes are gone
 * @param startedAt when its container began to run; null before
 * @param exitCode of its container; null while it runs, and when the cluster ended it
 * @param trouble a sentence on why it does not run, or on how it ended; null when there is none
 * @param lost whether the cluster ended it, and not its program
 * @param hopeless whether it cannot run before something is corrected, such as its image
 * @param scheduled whether it has a node
 * @param address of its network; null before it has one
 */
public record PodSight(
    String name,
    Map<String, String> annotations,
    boolean deleted,
    boolean over,
    @Nullable Instant startedAt,
    @Nullable Integer exitCode,
    @Nullable String trouble,
    boolean lost,
    boolean hopeless,
    boolean scheduled,
    @Nullable String address) {
  public PodSight {
    annotations = Map.copyOf(annotations);
  }

  static PodSight of(Metadata metadata, JsonNode status) {
    PodView view = PodView.of(metadata, status);
    return new PodSight(
        metadata.name(),
        metadata.annotations(),
        metadata.deleted() != null,
        view.over(),
        view.startedAt(),
        view.exitCode(),
        view.trouble(),
        view.lost(),
        view.hopeless(),
        isScheduled(status),
        status.path("podIP").textValue());
  }

  static PodSight of(JsonNode pod) {
    return of(Metadata.of(pod.path("metadata")), pod.path(WatchedObject.STATUS));
  }

  private static boolean isScheduled(JsonNode status) {
    return status
        .path("conditions")
        .valueStream()
        .anyMatch(condition ->
            condition.path("type").asText().equals("PodScheduled")
                && condition.path("status").asText().equals("True"));
  }
}
